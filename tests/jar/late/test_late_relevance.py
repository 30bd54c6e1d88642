"""`LateRelevance` scores tables and columns of an index by late interaction, or says why it cannot."""

from __future__ import annotations

from pathlib import Path

import duckdb
import numpy as np
import pytest

from jar import Catalog, EmbedderError, Index, IndexChangedError, JarError, QueryError, Reranker
from jar.arrays import units
from jar.late import LateHead, LateRelevance, add_token_vectors
from jar.late.late_head import Side
from jar.sample import sample_frames
from joinability import Column, Table
from tests.jar.conftest import toy_embedder
from tests.jar.late.conftest import DIMENSION, ENCODER

QUESTION = "Which library members have loans of books?"


def mean_of_maxima(question: str, document: str) -> float:
    """S by the definition, with the encoder of the tests."""

    def words(text: str) -> np.ndarray:
        tokens, spans, _ = ENCODER.tokens([text])[0]
        return units(tokens[[text[start:end].isalnum() for start, end in spans]])

    return float((words(question) @ words(document).T).max(axis=1).mean())


def test_tables_have_the_scores_of_their_signatures(late_index: Index) -> None:
    """But for the rounding of stored vectors."""
    scores = LateRelevance(late_index).tables(QUESTION)
    np.testing.assert_allclose(scores, [mean_of_maxima(QUESTION, text) for text in late_index.signatures], atol=0.02)


def test_columns_have_the_scores_of_their_texts_for_each_part(late_index: Index) -> None:
    """In the order that is asked for, also a column twice, and a sub-query that does not stand in the question."""
    columns = np.array([5, 0, 5, 2])
    scores = LateRelevance(late_index).columns(QUESTION, ["library members", "client:gender"], columns)
    with duckdb.connect(str(late_index.path), read_only=True) as connection:
        rows = connection.execute("SELECT text FROM catalog_columns ORDER BY table_id, position").fetchall()
    expected = [
        [mean_of_maxima(part, rows[column][0]) for column in columns] for part in ("library members", "client gender")
    ]
    np.testing.assert_allclose(scores, expected, atol=0.02)


def test_no_parts_and_no_columns_are_fine(late_index: Index) -> None:
    """The shapes stay; a part without a letter counts nothing."""
    relevance = LateRelevance(late_index)
    assert relevance.columns(QUESTION, [], np.array([1])).shape == (0, 1)
    assert relevance.columns(QUESTION, ["loans"], np.zeros(0, dtype=np.int64)).shape == (1, 0)
    assert relevance.columns(QUESTION, ["??"], np.array([1])).tolist() == [[0.0]]
    assert (relevance.tables("?!") == 0).all()


def test_a_reranker_takes_it(late_index: Index) -> None:
    """And answers with its scores."""
    result = Reranker(late_index, relevance=LateRelevance(late_index)).rank(QUESTION, k=3)
    assert "library.members" in result.tables


def test_heads_may_be_given(late_index: Index) -> None:
    """Another map gives other scores; one for vectors of another dimension is refused."""
    chance = np.random.default_rng(0)
    maps = [chance.normal(size=(DIMENSION, 4)).astype(np.float32) for _ in range(2)]
    side = Side(*maps, np.zeros(DIMENSION, dtype=np.float32))
    mapped = LateRelevance(late_index, LateHead(side, side)).tables(QUESTION)
    assert not np.allclose(mapped, LateRelevance(late_index).tables(QUESTION))
    with pytest.raises(QueryError, match=r"384 dimensions.*has 24"):
        LateRelevance(late_index, LateHead.untrained(384))


def test_an_index_without_token_vectors_says_how_to_make_them(lake: Catalog) -> None:
    """It works as ever otherwise."""
    index = Index.build(lake, embedder=ENCODER, progress=False)
    with pytest.raises(QueryError, match=r"add_token_vectors.*--token-vectors"):
        LateRelevance(index)


def test_an_embedder_without_token_vectors_is_refused(lake_index: Index, late_index: Index) -> None:
    """Whether it is that of the index or another."""
    with pytest.raises(EmbedderError, match=r"no vectors of tokens.*minilm"):
        add_token_vectors(lake_index)
    with pytest.raises(EmbedderError, match="no vectors of tokens"):
        LateRelevance(lake_index)
    with pytest.raises(EmbedderError, match="256 dimensions"):
        LateRelevance(late_index, embedder=toy_embedder)


def test_a_refresh_keeps_the_token_vectors(tmp_path: Path) -> None:
    """Those of new tables are made, those of dropped ones go; an embedder without any drops the part."""
    frames = sample_frames(rows=20)
    few = {name: frame for name, frame in frames.items() if name.startswith("library.")}
    path = tmp_path / "lake.jar"
    index = Index.build(Catalog.from_frames(few), path=path, embedder=ENCODER, progress=False)
    add_token_vectors(index, progress=False)
    index = Index.build(Catalog.from_frames(frames), path=path, embedder=ENCODER, progress=False)
    assert LateRelevance(index).tables(QUESTION).shape == (len(frames),)
    count = "SELECT count(*) FROM token_vectors"
    with duckdb.connect(str(path), read_only=True) as connection:
        many = connection.execute(count).fetchone()
    index = Index.build(Catalog.from_frames(few), path=path, embedder=ENCODER, progress=False)
    assert LateRelevance(index).tables(QUESTION).shape == (len(few),)
    with duckdb.connect(str(path), read_only=True) as connection:
        assert connection.execute(count).fetchone() < many
    index = Index.build(Catalog.from_frames(few), path=path, embedder=toy_embedder, progress=False)
    with duckdb.connect(str(path), read_only=True) as connection, pytest.raises(duckdb.CatalogException):
        connection.execute(count)


def test_a_build_does_not_make_them_unasked(lake_index: Index) -> None:
    """The file has no such table."""
    with duckdb.connect(str(lake_index.path), read_only=True) as connection, pytest.raises(duckdb.CatalogException):
        connection.execute("SELECT * FROM token_vectors")


def test_an_interrupted_run_goes_on(late_index: Index, tmp_path: Path) -> None:
    """Without some vectors the part is refused as a whole, until they are made."""
    late_index.save(tmp_path / "copy.jar")
    copy = Index.load(tmp_path / "copy.jar", embedder=ENCODER)
    with duckdb.connect(str(copy.path)) as connection:
        connection.execute("DELETE FROM token_vectors WHERE text = (SELECT min(text) FROM catalog_tables)")
    with pytest.raises(QueryError, match="not those of all texts"):
        LateRelevance(copy)
    add_token_vectors(copy, progress=False)
    np.testing.assert_array_equal(LateRelevance(copy).tables(QUESTION), LateRelevance(late_index).tables(QUESTION))


def test_another_build_of_the_file_is_noticed(tmp_path: Path, lake: Catalog) -> None:
    """What was loaded before does not fit its token vectors."""
    path = tmp_path / "lake.jar"
    Index.build(lake, path=path, embedder=ENCODER, progress=False)
    loaded = Index.load(path, embedder=ENCODER)
    Index.build(
        Catalog.from_frames({"a.b": sample_frames(rows=20)["library.books"]}),
        path=path,
        embedder=ENCODER,
        progress=False,
    )
    with pytest.raises(IndexChangedError):
        add_token_vectors(loaded, progress=False)
    with pytest.raises(IndexChangedError):
        LateRelevance(loaded)


def test_tables_longer_than_the_encoder_takes_lose_no_column() -> None:
    """A column beyond the cut is found by its own text; a table that was read to its end has its signature alone."""
    wide = Table("shop", "wide", (*(Column(f"filler{i}") for i in range(200)), Column("zebra")))
    small = Table("shop", "small", (Column("horse"),))
    index = Index.build(Catalog([wide, small]), embedder=ENCODER, progress=False)
    add_token_vectors(index, progress=False)
    assert "zebra" not in index.signatures[0]
    scores = LateRelevance(index).tables("zebra")
    assert scores[0] == pytest.approx(1.0, abs=0.01)
    assert scores[1] < 0.9


def test_heads_are_files(tmp_path: Path) -> None:
    """What is saved is loaded in half precision; what is no head is refused."""
    chance = np.random.default_rng(0)
    side = Side(*(chance.normal(size=shape).astype(np.float32) for shape in ((6, 3), (6, 3), (6,))))
    LateHead(side, side, {"about": "a test"}).save(tmp_path / "head.npz")
    loaded = LateHead.load(tmp_path / "head.npz")
    np.testing.assert_allclose(loaded.columns.document, side.document, rtol=1e-3)
    assert loaded.card == {"about": "a test"}
    broken = Side(side.question, side.document[:, :2], side.weight)
    LateHead(broken, broken).save(tmp_path / "broken.npz")
    with pytest.raises(JarError, match="do not fit"):
        LateHead.load(tmp_path / "broken.npz")
    infinite = Side(side.question * np.inf, side.document, side.weight)
    LateHead(infinite, infinite).save(tmp_path / "infinite.npz")
    with pytest.raises(JarError, match="not finite"):
        LateHead.load(tmp_path / "infinite.npz")
    (tmp_path / "text.npz").write_text("no maps")
    with pytest.raises(JarError, match="holds no maps"):
        LateHead.load(tmp_path / "text.npz")
