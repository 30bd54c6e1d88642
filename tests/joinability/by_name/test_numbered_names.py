"""Names of keys that differ in a number or a letter alone."""

from __future__ import annotations

import pytest

from joinability.by_name.numbered_names import without_numbers


@pytest.mark.parametrize(
    ("columns", "bare"),
    [
        (["team_id_1", "team_id_2"], ["team_id"] * 2),
        (["team_id1", "team_id2"], ["team_id"] * 2),
        (["TeamAId", "TeamBId"], ["team_id"] * 2),
        (["team_1_id", "team_2_id", "note"], ["team_id", "team_id", "note"]),
        (["team1_id", "team_id_2"], ["team1_id", "team_id_2"]),
        (["driver_id", "driver_id_2"], ["driver_id", "driver_id"]),
        (["driver_id", "driver3_id"], ["driver_id", "driver3_id"]),
        (["iso2_code", "iso3_code"], ["iso2_code", "iso3_code"]),
        (["id1", "id2"], ["id1", "id2"]),
        (["line1", "line2"], ["line1", "line2"]),
        (["team_id_1", "name"], ["team_id_1", "name"]),
        (["team_id_2023", "team_id_2024", "team_id_1"], ["team_id_2023", "team_id_2024", "team_id_1"]),
    ],
)
def test_a_series_of_keys_has_one_name(columns: list[str], bare: list[str]) -> None:
    """A number or a letter in one place, from 1 or a on, behind words that name a key."""
    assert without_numbers([columns]) == [bare]


def test_what_stands_alone_elsewhere_is_a_thing_of_its_own() -> None:
    """A region has codes of three levels; a table for each level says so."""
    region = ["nuts1_code", "nuts2_code", "nuts3_code"]
    assert without_numbers([region])[0] == ["nuts_code"] * 3
    assert without_numbers([region, ["nuts2_code", "name"]])[0] == region
    assert without_numbers([region, [*region, "name"]])[0] == ["nuts_code"] * 3
