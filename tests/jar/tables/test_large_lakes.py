"""What a question costs in an index of many tables: the joins of its candidates, and of no other table."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from jar import Catalog, Index, Reranker
from jar.index import known_joins
from joinability.scores import rivals_by_table as by_table
from joinability.scores.rivals_by_table import rivals_by_table
from tests.jar.conftest import toy_embedder

TABLES = 60


@pytest.fixture(scope="module")
def crowd() -> Index:
    """Sixty tables whose keys, and references, are the same three integers."""
    frames = {
        f"crowd.thing{number}": pd.DataFrame({"id": [0, 1, 2], f"thing{(number + 1) % TABLES}_id": [2, 0, 1]})
        for number in range(TABLES)
    }
    return Index.build(Catalog.from_frames(frames), embedder=toy_embedder, progress=False)


def test_a_ranking_asks_for_the_rivals_of_its_candidates_alone(crowd: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rivals of most tables of a large database stay unknown after a question, and the answer is that of an index
    that knows all."""
    for module in (by_table, known_joins):
        monkeypatch.setattr(module, "SMALL", 0)
    index = Index.load(crowd.path, embedder=toy_embedder)
    index.contents = replace(index.contents, stored_joins=None)  # as of a database of too many pairs to store them
    reranker = Reranker(index, candidates=5)
    before = reranker.rank("thing 7 of thing 8", 2)
    known = rivals_by_table(index.contents.evidence).known
    assert 0 < np.count_nonzero(known) < TABLES / 2
    index.joins()
    assert rivals_by_table(index.contents.evidence).known.all()
    after = Reranker(index, candidates=5).rank("thing 7 of thing 8", 2)
    assert (before.tables, before.value) == (after.tables, after.value)


def test_the_graph_of_one_table_is_its_part_of_the_whole(crowd: Index, tmp_path: Path) -> None:
    """`join_graph(table=...)` has the edges that the whole graph has at that table, with the same scores."""
    alone = Index.load(crowd.path, embedder=toy_embedder).join_graph(table="crowd.thing3")
    whole = crowd.join_graph().around("crowd.thing3")
    assert len(whole)
    assert [edge.seen_from("crowd.thing3").to_dict() for edge in alone] == [edge.to_dict() for edge in whole]
