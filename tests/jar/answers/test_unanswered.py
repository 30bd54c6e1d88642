"""Which parts of a question an answer tells to be without one."""

from __future__ import annotations

import pandas as pd
import pytest

from jar import Catalog, Index, Reranker

QUESTION = 'Which "Xylophone" was where, and who flew?'


@pytest.mark.parametrize(("values", "expected"), [("plain", ("flew",)), ("off", ("Xylophone", "flew"))])
def test_a_part_that_names_a_value_of_a_chosen_table_is_answered(values: str, expected: tuple[str, ...]) -> None:
    """Though no name of a column is near it; without values it is told, as what nothing answers is."""
    frames = {
        "rescue.mission": pd.DataFrame({"no": range(1, 41), "kind": ["Big Xylophone", "boat"] * 20}),
        "rescue.piste": pd.DataFrame({"piste": ["north", "south"], "length_m": [100, 200]}),
    }
    index = Index.build(Catalog.from_frames(frames), embedder="distilled", values=values)
    selection = Reranker(index).rank(QUESTION, k=2, subqueries=["Xylophone", "flew"])
    weak = {match.subquery for match in selection.coverage if match.is_weak}
    assert weak >= {"Xylophone", "flew"}, "the case tells nothing otherwise"
    assert selection.unanswered == expected
    assert ("no column chosen answers" in str(selection)) == bool(expected)
    assert ("no values are known" in str(selection)) == (values == "off")


def test_where_all_parts_are_answered_missing_values_are_not_told() -> None:
    """Though none are known."""
    index = Index.build(Catalog.from_ddl("CREATE TABLE client (client_id INTEGER, name TEXT)", database="shop"))
    selection = Reranker(index).rank("Which client has which name?", k=1)
    assert not selection.unanswered
    assert not selection.notes
