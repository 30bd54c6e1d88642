"""What users try first, and numbers at their ends: a path for an index, one candidate, scores of any size."""

from __future__ import annotations

import pickle
import warnings
from pathlib import Path

import pytest

from jar import Index, IndexFormatError, QueryError, Reranker
from tests.jar.conftest import toy_embedder

QUESTION = "Which clients have loans?"
TABLES = ["bank.loan", "bank.client", "gym.members", "bank.card"]


@pytest.fixture(scope="module")
def saved(lake_index: Index, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The index of the lake as a file that names its embedder."""
    path = tmp_path_factory.mktemp("easy") / "lake.jar"
    lake_index.save(path)
    return path


def test_a_reranker_takes_the_path_of_an_index(lake_index: Index, tmp_path: Path) -> None:
    """As text or as a path; what is neither, or no index, is told."""
    (tmp_path / "t.csv").write_text("client_id,loan_id\n1,2\n3,4\n")
    from jar import Catalog

    path = tmp_path / "a.jar"
    Index.build(Catalog.from_files(tmp_path / "t.csv"), path=path, embedder="static", progress=False)
    for source in (path, str(path)):
        assert len(Reranker(source).rank("client", 1).tables) == 1
    with pytest.raises(FileNotFoundError, match="there is no index at"):
        Reranker(tmp_path / "none.jar")
    for question in ("which customers have orders?", "which customers have orders? " * 20):
        with pytest.raises(FileNotFoundError, match="the index comes first"):
            Reranker(question)
    with pytest.raises(IndexFormatError):
        Reranker(tmp_path / "t.csv")
    with pytest.raises(QueryError, match=r'an Index or the path of one, such as "shop\.jar", not 3'):
        Reranker(3)  # type: ignore[arg-type]


def test_an_index_and_its_reranker_pickle(saved: Path) -> None:
    """The copy gives the same answer; it opens the file itself."""
    reranker = Reranker(Index.load(saved, embedder=toy_embedder))
    copy = pickle.loads(pickle.dumps(reranker))
    assert copy.rank(QUESTION, 3).scores == reranker.rank(QUESTION, 3).scores
    assert len(pickle.loads(pickle.dumps(reranker.index))) == 21


@pytest.mark.parametrize("unit", [1e308, 1.7e308, -1e308, 1e-300, 5e-324, 1e160])
def test_scores_of_any_size_rank(lake_index: Index, unit: float) -> None:
    """Nothing overflows, and the answer is that of the same scores in another unit."""
    reranker = Reranker(lake_index)
    shares = [1.0, 0.0, -1.0, 1.0] if unit == 5e-324 else [1.0, 0.5, -1.0, 0.75]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = reranker.rank(QUESTION, 3, candidates=[(t, unit * s) for t, s in zip(TABLES, shares, strict=True)])
        plain = reranker.rank(
            QUESTION, 3, candidates=[(t, s if unit > 0 else -s) for t, s in zip(TABLES, shares, strict=True)]
        )
    assert found.tables == plain.tables
    assert found.scores == pytest.approx(plain.scores, rel=1e-9)


def test_one_candidate_is_told_in_the_singular(lake_index: Index) -> None:
    """Of tables and of columns."""
    reranker = Reranker(lake_index, expand=0, candidates=1)
    few = reranker.rank(QUESTION, 3, candidates=["bank.loan"])
    notes = [note for note in few.notes if "were asked for" in note]
    assert not [note for note in notes if "1 candidates" in note]
    assert all("there is only 1 candidate" in note for note in notes)
