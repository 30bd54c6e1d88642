"""Areas whose letters run together with the names of their tables."""

from __future__ import annotations

import pytest

from joinability.spelling.areas import with_areas_apart
from joinability.spelling.read_names import read_names

ROLLING_STOCK = {
    "RSVEH": ["VEH_ID", "VEH_NO", "VEH_DEPCD"],
    "RSDEPOT": ["DEP_CD", "DEP_NAME", "DEP_CITY"],
    "RSPART": ["PRT_NO", "PRT_NAME", "PRT_PRICE"],
    "RSTRK": ["TRK_NO", "TRK_NAME", "TRK_LEN"],
    "RSWOLAB": ["WOL_ID", "WOL_HRS", "WOL_VEHID"],
}


def test_letters_before_what_the_columns_begin_with_are_of_an_area() -> None:
    """So parts are no responsible art, and vehicles no unread word."""
    titles, _ = read_names([*ROLLING_STOCK], [*ROLLING_STOCK.values()])
    assert [title.lower() for title in titles[:4]] == ["rs_vehicle", "rs_depot", "rs_part", "rs_track"]


@pytest.mark.parametrize(
    "names",
    [
        ["PATMST", "PATADR", "PATINS", "PATVIS"],  # the columns begin as the tables do
        ["RS_VEH", "RS_DEPOT", "RS_TRK", "RS_PART"],  # they are apart
        ["rsVeh", "rsDepot", "rsTrack", "rsPart"],
    ],
)
def test_other_names_stay(names: list[str]) -> None:
    heads = ["PAT", "PAT", "PAT", "PAT"] if names[0] == "PATMST" else ["VEH", "DEP", "TRK", "PRT"]
    columns = [[f"{head}_{end}" for end in ("ID", "NO", "NAME")] for head in heads]
    assert with_areas_apart(names, columns) == names


def test_two_tables_make_no_area() -> None:
    few = dict(list(ROLLING_STOCK.items())[:2])
    assert with_areas_apart([*few], [*few.values()]) == [*few]


def test_a_family_begins_alike_where_other_tables_speak_of_what_follows() -> None:
    """Three tables and more, and most of those that begin alike. One that does not go on so is not cut, nor one that
    other tables speak of as a whole, nor a word of English."""
    spoken = ["term_code", "dept_code", "majr_code"]
    lists = {f"stv{short}": [f"stv{short}_code", f"stv{short}_desc"] for short in ("term", "dept", "majr")}
    others = {"ssbsect": ["ssbsect_crn", *spoken], "stvx": ["stvx_id"], "stv": ["stv_id"]}
    tables = {**lists, **others}
    cut = with_areas_apart([*tables], [*tables.values()])
    assert cut == ["stv_term", "stv_dept", "stv_majr", "ssbsect", "stvx", "stv"]
    two = {name: tables[name] for name in ("stvterm", "stvdept", "ssbsect")}
    assert with_areas_apart([*two], [*two.values()]) == [*two]
    strange = tables | {f"stvqz{letter}": ["a_code", "b_code"] for letter in "bcd"}
    assert with_areas_apart([*strange], [*strange.values()]) == [*strange]
    longer = tables | {"stvlevl": ["a_code"]} | {"courses": ["camp_code"]}
    assert with_areas_apart([*longer], [*longer.values()])[-2:] == ["stvlevl", "courses"]
    shop = {"return": ["order_id"], "refund": ["turn_id"], "review": ["fund_id"], "port": ["view_id", "turn"]}
    assert with_areas_apart([*shop], [*shop.values()]) == [*shop]
    known = tables | {"visit": ["stvterm_id"]}
    assert with_areas_apart([*known], [*known.values()])[:4] == ["stvterm", "stvdept", "stvmajr", "ssbsect"]
