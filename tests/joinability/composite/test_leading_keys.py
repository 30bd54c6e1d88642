"""Keys in front of a table, and what refers to them by columns beside each other: as by brute force."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations, pairwise

import numpy as np
import pandas as pd
import pytest

from joinability import Catalog, EvidenceStore, composite_joins, find_composites
from joinability.composite.key_candidates import ALIKE, SPEAKS, names_in_a_row, stand_in_a_row
from joinability.composite.leading_keys import LONGEST, MOSTLY_CONTAINED, leading_columns, references_in_a_row
from joinability.composite.stored_keys import load_composites

Columns = tuple[str, ...]
Add = Callable[[Catalog], list[tuple[str, str]]]


def housing() -> dict[str, pd.DataFrame]:
    """Flats have the key (estate, building, flat), whose columns have other names where something refers to it."""
    flats = [(f"E{estate:02}", house, flat) for estate in range(6) for house in range(1, 4) for flat in range(1, 8)]
    flats = flats[::2]
    chosen = [flats[(11 * number) % len(flats)] for number in range(60)]
    flat = pd.DataFrame(flats, columns=["estno", "bldnr", "flatno"]).assign(rooms=[n % 4 for n in range(len(flats))])
    meter = pd.DataFrame(chosen, columns=["mtr_estate", "mtr_house", "mtr_unit"])
    return {"town.flat": flat, "town.meter": meter.assign(mtr_id=range(9000, 9060))[["mtr_id", *meter]]}


def joins(store: EvidenceStore, catalog: Catalog) -> dict[str, float]:
    assert find_composites(store.connection, catalog) == []
    rows = store.connection.execute("SELECT column_id FROM profiles ORDER BY column_id").fetchall()
    keys = load_composites(store.connection, [row[0] for row in rows])
    evidence = store.load()
    return {join.to_edge(evidence).condition: join.score for join in composite_joins(evidence, keys)}


REFERENCE = (
    "town.meter.mtr_estate = town.flat.estno AND town.meter.mtr_house = town.flat.bldnr "
    "AND town.meter.mtr_unit = town.flat.flatno"
)


def test_a_key_of_three_columns_is_found_by_its_order(store: EvidenceStore, add: Add) -> None:
    """One name that speaks is enough where the columns stand beside each other in the order of the key."""
    catalog = Catalog.from_frames(housing())
    add(catalog)
    (found,) = joins(store, catalog).items()
    assert found[0] == REFERENCE
    assert 0.5 < found[1] < 0.7


@pytest.mark.parametrize(
    "columns",
    [
        ["mtr_house", "mtr_estate", "mtr_unit", "mtr_id"],
        ["mtr_estate", "mtr_id", "mtr_house", "mtr_unit"],
    ],
)
def test_another_order_says_nothing(columns: list[str], store: EvidenceStore, add: Add) -> None:
    """Columns of other names in another order, or apart, refer to nothing."""
    frames = housing()
    frames["town.meter"] = frames["town.meter"][columns]
    catalog = Catalog.from_frames(frames)
    add(catalog)
    assert joins(store, catalog) == {}


def test_names_that_say_nothing_do_not_speak(store: EvidenceStore, add: Add) -> None:
    """Not even where the order is that of the key."""
    frames = housing()
    frames["town.meter"] = frames["town.meter"].set_axis(["mtr_id", "x", "yy", "zzz"], axis=1)
    catalog = Catalog.from_frames(frames)
    add(catalog)
    assert joins(store, catalog) == {}


@pytest.mark.parametrize("others", [["plan", "linen"], []])
def test_columns_that_mean_other_keys_refer_to_none(others: list[str], store: EvidenceStore, add: Add) -> None:
    """A stock of (hotel, linen) is nothing to which a rate of (hotel, plan) refers if each has a table of its own."""
    held = [(hotel, linen) for hotel in range(1, 9) for linen in range(1, 7)][:41]
    rates = [(1 + n % 8, 1 + n % 5, n) for n in range(30)]
    frames = {
        "inn.stock": pd.DataFrame(held, columns=["hotel_id", "linen_id"]),
        "inn.rate": pd.DataFrame(rates, columns=["hotel_id", "plan_id", "amount"]),
    }
    frames |= {f"inn.{name}": pd.DataFrame({f"{name}_id": range(1, 10)}) for name in others}
    catalog = Catalog.from_frames(frames)
    add(catalog)
    assert bool(joins(store, catalog)) is not bool(others)


def test_what_the_rest_of_a_key_does_without_is_no_part_of_it(store: EvidenceStore, add: Add) -> None:
    """Teams have a league, but year and team are a key; each of two columns that mean a team refers to it."""
    teams = [(year, f"L{team % 2}", f"T{team}") for year in range(1990, 2000) for team in range(7) if (year + team) % 3]
    pairs = [(won, lost) for won in teams for lost in teams if won[0] == lost[0] and won != lost]
    games = [(*won, lost[2]) for won, lost in pairs[::5]]
    catalog = Catalog.from_frames(
        {
            "ball.team": pd.DataFrame(teams, columns=["year", "league_id", "team_id"]),
            "ball.game": pd.DataFrame(games, columns=["year", "league_id", "team_id_winner", "team_id_loser"]),
        }
    )
    add(catalog)
    year = "ball.game.year = ball.team.year AND ball.game"
    assert set(joins(store, catalog)) == {f"{year}.team_id_{who} = ball.team.team_id" for who in ("winner", "loser")}


@pytest.mark.parametrize("seed", range(8))
def test_references_are_those_of_brute_force(seed: int, store: EvidenceStore, add: Add) -> None:
    """The fewest columns in front that are a key, and every run of columns with most values of each among these."""
    random = np.random.default_rng(seed)
    frames: dict[str, pd.DataFrame] = {}
    for number in range(3):
        rows = int(random.integers(6, 40))
        columns = {f"c{number}{c}": random.integers(0, random.integers(3, 7), rows) for c in range(5)}
        frames[f"db.t{number}"] = pd.DataFrame(columns).drop_duplicates([f"c{number}{c}" for c in range(3)])
    frames["db.t2"]["c20"] = 7
    add(Catalog.from_frames(frames))
    evidence = store.load()
    readable = np.ones(3, dtype=np.bool_)
    label = np.array([name.rpartition(".")[2] for name in evidence.ids])
    tuples = leading_columns(evidence, readable, ())
    keys = {}
    for table, name in enumerate(frames):
        frame = frames[name]
        front = [column for column in frame if frame[column].nunique() > 1][:LONGEST]
        front = front[: next((n for n, column in enumerate(front) if frame[column].is_unique), len(front))]
        some = [list(part) for n in range(2, len(front) + 1) for part in combinations(front, n)]
        some.sort(key=lambda part: (front.index(part[-1]), len(part)))
        fewest = [part for part in some if not frame.duplicated(part).any()][:1]
        asked = [[str(part) for part in label[list(columns)]] for columns in tuples.get(table, [])]
        assert all(columns in asked for columns in fewest)
        assert asked == [columns for columns in some if columns in asked]
        if fewest:
            keys[table] = tuple(int(np.flatnonzero(label == column)[0]) for column in fewest[0])
    found = {
        (tuple(label[list(child)].tolist()), tuple(label[list(parent)].tolist()))
        for child, parent in references_in_a_row(evidence, list(keys.values()), readable)
    }
    assert found == set(runs(frames, [tuple(label[list(key)].tolist()) for key in keys.values()]))


def runs(frames: dict[str, pd.DataFrame], keys: list[Columns]) -> Iterator[tuple[Columns, Columns]]:
    """Columns of a table beside each other, and keys of which they have the values."""
    for key in keys:
        parent = next(frame for frame in frames.values() if key[0] in frame)
        for child in frames.values():
            if child is not parent:
                for start in range(len(child.columns) - len(key) + 1):
                    own = tuple(child.columns[start : start + len(key)])
                    shares = [child[a].drop_duplicates().isin(parent[b]).mean() for a, b in zip(own, key, strict=True)]
                    if min(shares) >= MOSTLY_CONTAINED:
                        yield own, key


def test_columns_in_a_row_and_their_names() -> None:
    """One after the other; a name from which on one speaks lifts the others to those that are alike."""
    for columns in ([4, 5, 6], [4, 6], [5, 4], [3]):
        assert stand_in_a_row(columns) == all(after - before == 1 for before, after in pairwise(columns))
    names = np.array([SPEAKS, 0.0, 0.9])
    assert names_in_a_row(names).tolist() == [ALIKE, ALIKE, 0.9]
    assert names_in_a_row(names[:1] - 0.01).tolist() == [SPEAKS - 0.01]
