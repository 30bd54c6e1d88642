"""What nearly all tables of a database end with, as exported files do: it tells nothing of any, and spoils no join."""

from __future__ import annotations

import pandas as pd
import pytest

from jar import Catalog, Index
from jar.text.spelled_names import spell
from joinability.spelling.areas import without_shared_endings

FRAMES = {
    "trades": pd.DataFrame({"id": range(1, 6), "name": ["plumber", "joiner", "roofer", "painter", "tiler"]}),
    "firms": pd.DataFrame({"id": range(11, 36), "title": [f"Firm {number}" for number in range(25)]}),
    "firm_trades": pd.DataFrame({"firm_id": range(11, 36), "trade_id": [1, 2, 3, 4, 5] * 5}),
    "repairs": pd.DataFrame({"no": range(100, 200), "firm_id": list(range(11, 36)) * 4, "trade_id": [1, 2, 3, 4] * 25}),
}


@pytest.mark.parametrize("ending", [" (export)", "_dataset", "_2024-05-01", "_prod_v2"])
def test_joins_are_those_of_the_names_without_it(ending: str) -> None:
    """The same scores, and the same words in the texts; ids stay as they are."""
    told = []
    for end in ("", ending):
        catalog = Catalog.from_frames({f"shop.{name}{end}": frame for name, frame in FRAMES.items()})
        index = Index.build(catalog, embedder="distilled", progress=False)
        assert {table.id for table in index.contents.tables} == {f"shop.{name}{end}" for name in FRAMES}
        scores = {
            (row.left.replace(end, ""), row.right.replace(end, "")): round(row.score, 6)
            for row in index.joins(min_score=0.3).itertuples()
        }
        told.append((scores, [table.name for table in spell(index.contents.tables)]))
    assert told[0] == told[1]
    assert told[0][0]["shop.trades.id", "shop.repairs.trade_id"] > 0.9


def test_what_few_tables_end_with_tells_them_apart() -> None:
    """Two of three, numbers that differ, and what would leave nothing or the name of another table."""
    for names in (
        ["access_log", "error_log", "users"],
        ["sales_2022", "sales_2023", "sales_2024"],
        ["_log", "_log_log", "__log"],
    ):
        assert without_shared_endings(names) == names
    beside = ["a_bak", "b_bak", "c_bak", "d_bak", "a"]
    assert without_shared_endings(beside) == ["a_bak", "b", "c", "d", "a"]


def test_schemas_and_letter_case_stay() -> None:
    assert without_shared_endings(["dbo.Loan_TBL", "hr.Person_tbl", "CARD_TBL"]) == ["dbo.Loan", "hr.Person", "CARD"]
