"""Codes that one table lists by type: the type of each column is found, counted as brute force does, and told."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from jar import Index, Reranker
from joinability import Catalog, EvidenceStore, Table, find_composites
from joinability.composite import read_columns
from joinability.composite.code_tables import CodeTable, Named, lists_codes, type_of
from joinability.errors import SourceError
from tests.joinability.composite.stored_references import joins, look_for_references, stored

Add = Callable[[Catalog], list[tuple[str, str]]]
Frames = dict[str, pd.DataFrame]
CODES = {
    "VSTAT": ["01", "02", "03", "04", "09"],
    "OWN": ["01", "02", "03", "04"],
    "UOM": ["BX", "KG", "PC", "SET"],
    "SEV": ["A", "B", "C"],
    "YN": ["N", "Y"],
}
MEANT = {
    ("depot.VEHICLE", "VEH_STATCD"): "VSTAT",
    ("depot.VEHICLE", "VEH_OWNCD"): "OWN",
    ("depot.PART", "PRT_UOM"): "UOM",
    ("depot.DEFECT", "DEF_GRADE"): "SEV",
}
"""The type of each column; the last one says it by what the type is called."""
MEANT_TABLES = ["depot.CODES", "depot.PART", "depot.VEHICLE"]


def depot(seed: int = 0, gone: float = 0.0) -> Frames:
    """Vehicles, parts and defects with codes, of which a share is listed no more, and the codes of all, by type."""
    generator = np.random.default_rng(seed)
    rows = [(kind, code, f"{kind} {code}") for kind, codes in CODES.items() for code in codes]
    labels = ["Vehicle status", "Ownership", "Unit of measure", "Defect grade", "Yes or no"]

    def some(kind: str, count: int) -> list[str]:
        codes = [str(code) for code in generator.choice(CODES[kind], count)]
        return [f"{code}X" if generator.random() < gone else code for code in codes]

    return {
        "depot.CODES": pd.DataFrame(rows, columns=["COD_TYP", "COD_VAL", "COD_TXT"]),
        "depot.CODE_TYPES": pd.DataFrame({"CTY_CD": list(CODES), "CTY_NAME": labels}),
        "depot.VEHICLE": pd.DataFrame(
            {
                "VEH_ID": range(1, 91),
                "VEH_STATCD": some("VSTAT", 90),
                "VEH_OWNCD": some("OWN", 90),
                "VEH_SEATS": generator.integers(1, 5, 90),
                "VEH_NOTE": [f"note {number}" for number in range(90)],
            }
        ),
        "depot.PART": pd.DataFrame({"PRT_ID": range(1, 61), "PRT_UOM": some("UOM", 60)}),
        "depot.DEFECT": pd.DataFrame({"DEF_ID": range(1, 61), "DEF_GRADE": some("SEV", 60)}),
    }


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("gone", [0.0, 0.01])
def test_the_type_of_each_column_is_found_and_counted(seed: int, gone: float, store: EvidenceStore, add: Add) -> None:
    """Counts are those of the sets of values; a number of seats is no code, though a type has all of its values."""
    frames = depot(seed, gone)
    look_for_references(frames, store, add)
    evidence = store.load()
    found = {}
    for key in stored(store, "coded"):
        column = key.child[0]
        assert key.where is not None
        assert key.where.of_parent
        assert (evidence.name[key.where.column], evidence.name[key.parent[0]]) == ("COD_TYP", "COD_VAL")
        place = evidence.table_names[evidence.table[column]], evidence.name[column]
        found[place] = (*key.where.values, key.compared, key.common)
    expected = {}
    for (table, column), kind in MEANT.items():
        values, rows = set(frames[table][column]), frames[table][column].isin(CODES[kind])
        common = len(values & set(CODES[kind]))
        if common >= 0.9 * len(values) or (common >= max(3, 0.8 * len(CODES[kind])) and rows.mean() >= 0.9):
            expected[table, column] = kind, len(values), common
    assert found == expected


def test_the_score_follows_from_the_shares(store: EvidenceStore, add: Add) -> None:
    """w = |A n B| / (|A| + 0.3) (0.7 + 0.3 |A n B| / |B|), B the codes of the type."""
    frames = depot()
    frames["depot.VEHICLE"]["VEH_STATCD"] = ["01", "02", "03"] * 30
    look_for_references(frames, store, add)
    told = {edge.conditions[0][0]: edge for edge in joins(store, "coded")}
    assert told["VEH_STATCD"].score == pytest.approx(3 / 3.3 * (0.7 + 0.3 * 3 / 5))
    assert told["PRT_UOM"].score == pytest.approx(4 / 4.3)
    assert {edge.kind for edge in told.values()} == {"coded"}


def test_orphans_count_once_where_all_codes_of_a_type_are_there(store: EvidenceStore, add: Add) -> None:
    """However many different ones a few rows have; a column with half of the codes means no type, nor one that holds
    other things in many rows."""
    frames = depot()
    strange = [f"{place}?" for place in range(7)]
    frames["depot.VEHICLE"]["VEH_STATCD"] = [*strange, *CODES["VSTAT"], *["01"] * 78]
    frames["depot.PART"]["PRT_UOM"] = [*strange[:5], *CODES["UOM"][:2], *["BX"] * 53]
    frames["depot.VEHICLE"]["VEH_OWNCD"] = [*CODES["OWN"], *["01"] * 76, *[f"{place}?" for place in range(10)]]
    look_for_references(frames, store, add)
    told = {edge.conditions[0][0]: edge for edge in joins(store, "coded")}
    assert told["VEH_STATCD"].score == pytest.approx(5 / 6.3)
    assert told["VEH_STATCD"].evidence["containment_left"] == pytest.approx(5 / 12)
    assert {"PRT_UOM", "VEH_OWNCD"}.isdisjoint(told)


def test_the_condition_names_the_type(store: EvidenceStore, add: Add) -> None:
    """The type is the parent's, from either side."""
    look_for_references(depot(), store, add)
    (edge,) = (edge for edge in joins(store, "coded") if edge.left_table == "depot.PART")
    condition = "depot.PART.PRT_UOM = depot.CODES.COD_VAL AND depot.CODES.COD_TYP = 'UOM'"
    assert edge.condition == condition
    turned = edge.seen_from("depot.CODES")
    assert turned.condition == "depot.CODES.COD_VAL = depot.PART.PRT_UOM AND depot.CODES.COD_TYP = 'UOM'"
    assert turned.seen_from("depot.PART") == edge


def test_answers_and_lists_of_joins_tell_the_type() -> None:
    """A coded column joins the list of codes, in the rows of its type, and no other table by itself."""
    index = Index.build(Catalog.from_frames(depot()), embedder="static", progress=False)
    joins = index.joins(0.5)
    told = joins[joins["kind"] == "coded"]
    assert {(left.rpartition(".")[0], left.rpartition(".")[2]) for left in told["left"]} == set(MEANT)
    assert all("COD_TYP = " in condition for condition in told["condition"])
    among = joins[
        (joins["kind"] == "column") & joins["left"].str.endswith("CD") & joins["right"].str.endswith("COD_VAL")
    ]
    assert among.empty
    graph = index.join_graph(min_score=0.5)
    assert {edge.kind for edge in graph.between("depot.VEHICLE", "depot.CODES")} == {"coded"}


def test_a_search_of_changes_finds_what_one_of_all_does(store: EvidenceStore, add: Add) -> None:
    """References of a changed table, and to a changed list, are those of a search that starts anew, and others stay."""
    catalog = Catalog.from_frames(depot())
    look_for_references(depot(), store, add)
    whole = stored(store, "coded")
    for table in ("depot.PART", "depot.CODES"):
        rows = store.connection.execute("SELECT column_id FROM profiles WHERE table_id = ?", [table]).fetchall()
        columns = [row[0] for row in rows]
        store.connection.execute("DELETE FROM composite_keys WHERE list_has_any(child || parent, ?)", [columns])
        assert len(stored(store, "coded")) < len(whole)
        find_composites(store.connection, catalog, columns)
        assert sorted(map(str, stored(store, "coded"))) == sorted(map(str, whole))


def test_a_list_that_cannot_be_read_is_told(store: EvidenceStore, add: Add, monkeypatch: pytest.MonkeyPatch) -> None:
    catalog = Catalog.from_frames(depot())
    add(catalog)
    real = read_columns.column_batches

    def broken(table: Table, positions: Sequence[int]) -> Iterator[list[pa.Array]]:
        if table.id == "depot.CODES":
            raise SourceError(table.id, "the disk is gone")
        return real(table, positions)

    monkeypatch.setattr(read_columns, "column_batches", broken)
    failures = find_composites(store.connection, catalog)
    assert failures == [("depot.CODES", "codes by type were not looked for: the disk is gone")]
    assert stored(store, "coded") == []


def test_codes_stand_once_under_their_types() -> None:
    assert lists_codes(["a", "a", "b", "b", "c"], ["1", "2", "1", "2", "1"])
    assert not lists_codes(["a", "a", "b", "b", "c"], ["1", "1", "1", "2", "1"])
    assert not lists_codes(["a", "a", "b"], ["1", "2", "1"])


def test_a_type_has_the_values_and_the_name() -> None:
    """Numbers need a name that says more, as they are everywhere; the very name goes before one in its order."""
    listed = CodeTable(0, 1, {"ST": 4, "GR": 4, "UDF1": 4, "UDF2": 4}, {})
    assert type_of(listed, Named("stscd", ("status", "code"), ("order",)), 4, {"ST": 4, "GR": 4}) == "ST"
    assert type_of(listed, Named("stscd", ("status", "code"), ("order",), of_texts=False), 4, {"ST": 4}) is None
    assert type_of(listed, Named("remark", ("remark",), ("order",)), 4, {"GR": 4}) is None
    assert type_of(listed, Named("udf2", ("udf2",), ("order",)), 3, {"UDF1": 3, "UDF2": 3}) == "UDF2"
    assert type_of(listed, Named("udf2", ("udf2",), ("order",)), 90, {"UDF1": 3, "UDF2": 4}) == "UDF2"
    assert type_of(listed, Named("stscd", ("status", "code"), ("order",)), 9, {"ST": 3}) is None


def test_keys_of_other_tables_are_no_codes_by_type() -> None:
    """Prices by group refer to the items, and so do lines of orders: no group is meant by these."""
    items = [f"IT{place:03d}" for place in range(40)]
    groups = [(group, item) for group in ("RETAIL", "WHOLE", "STAFF") for item in items]
    frames = {
        "shop.items": pd.DataFrame({"item_code": items, "weight": range(40)}),
        "shop.price_lists": pd.DataFrame(groups, columns=["price_group", "item_code"]).assign(price=1.5),
        "shop.order_lines": pd.DataFrame({"line": range(200), "item_code": [items[k % 40] for k in range(200)]}),
    }
    joins = Index.build(Catalog.from_frames(frames), embedder="static", progress=False).joins(0.5)
    told = {frozenset((row.left, row.right)) for row in joins.itertuples()}
    assert set(joins["kind"]) == {"column"}
    for child in ("price_lists", "order_lines"):
        assert frozenset((f"shop.{child}.item_code", "shop.items.item_code")) in told


def test_types_with_leading_zeros_are_texts() -> None:
    """They stand in quotes; numbers of types do not."""
    for typed, literal in ((["001", "002", "003"], "'002'"), ([1, 2, 3], "2")):
        names = ["order status", "unit", "grade"]
        rows = [(kind, f"U{k}") for kind in typed for k in range(5)]
        frames = {
            "shop.code_list": pd.DataFrame(rows, columns=["list_type", "code_value"]),
            "shop.list_types": pd.DataFrame({"list_type": typed, "name": names}),
            "shop.product": pd.DataFrame({"number": range(90), "unit": [f"U{k % 5}" for k in range(90)]}),
        }
        joins = Index.build(Catalog.from_frames(frames), embedder="static", progress=False).joins(0.5)
        (condition,) = joins[joins["kind"] == "coded"]["condition"]
        assert condition.endswith(f"list_type = {literal}")


def test_types_may_be_what_a_list_is_called_by(tmp_path: Path) -> None:
    """A list of the types by their names alone says nothing more of them, and is read like any other."""
    kinds = pd.DataFrame({"kindCode": range(5), "kindName": list(CODES)})
    with closing(sqlite3.connect(tmp_path / "depot.sqlite")) as connection:
        for name, frame in (depot() | {"depot.CODE_TYPES": kinds}).items():
            frame.to_sql(name.rpartition(".")[2], connection, index=False)
    catalog = Catalog.from_sqlite({"depot": tmp_path / "depot.sqlite"})
    joins = Index.build(catalog, embedder="static", progress=False).joins(0.5)
    told = " ".join(joins[joins["kind"] == "coded"]["condition"])
    assert all(f"COD_TYP = '{kind}'" in told for kind in ("VSTAT", "OWN", "UOM"))


def test_two_tables_do_not_meet_in_a_list_of_codes() -> None:
    """Each has codes of a type of its own: of an answer one table joins the list, and the other one beside."""
    index = Index.build(Catalog.from_frames(depot()), embedder="static", progress=False)
    answer = Reranker(index).rank("units of parts and status of vehicles, by codes", 3, require=MEANT_TABLES)
    coded_ones = [join for join in answer.joins if join.where is not None]
    assert len({join.where.values for join in coded_ones if join.where}) <= 1
    assert {join.where.values for join in (*answer.joins, *answer.more_joins) if join.where} >= {("UOM",), ("VSTAT",)}


def test_two_codes_of_a_table_are_no_two_ways_to_join_it() -> None:
    """The owner's code is beside the status, and means something else."""
    index = Index.build(Catalog.from_frames(depot()), embedder="static", progress=False)
    answer = Reranker(index).rank("status of vehicles", 2, require=["depot.CODES", "depot.VEHICLE"])
    text = answer.to_sql_context()
    assert "COD_TYP = 'VSTAT'" in text
    assert "COD_TYP = 'OWN'" in text
    assert "another way" not in text


@pytest.mark.parametrize("name", ["№", "%", "_"])
def test_names_without_words_tell_nothing(name: str) -> None:
    frame = pd.DataFrame({"id": range(9), "type": list("aaabbbccc"), name: list("xyzxyzxyz")})
    assert Index.build(Catalog.from_frames({"shop.t": frame}), embedder="static", progress=False).joins(0.5).empty
