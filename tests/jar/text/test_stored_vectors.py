"""Vectors of texts are made beside other work, and written in the order of the texts."""

from __future__ import annotations

from threading import Event

import duckdb
import numpy as np
import pytest

from jar.arrays import Vectors
from jar.errors import EmbedderError
from jar.progress import Advance
from jar.text import stored_vectors
from jar.text.embedding import Embedder
from jar.text.stored_vectors import vectors_beside

TEXTS = [f"{'long ' * (number % 7)}text {number}" for number in range(60)]
"""Of several lengths, so that their order and that of their batches differ."""


def told(texts: list[str]) -> Vectors:
    """A vector for each text that no other has."""
    return np.array([[len(text), hash(text) % 1000, 1.0] for text in texts], dtype=np.float32)


@pytest.fixture
def index(monkeypatch: pytest.MonkeyPatch) -> duckdb.DuckDBPyConnection:
    """Tables as an index has them, with texts in all places; batches of few texts, few of which may wait."""
    monkeypatch.setattr(stored_vectors, "BATCH", 4)
    monkeypatch.setattr(stored_vectors, "AHEAD", 3)
    monkeypatch.setattr(stored_vectors, "COMMIT_TEXTS", 10)
    connection = duckdb.connect()
    connection.execute("CREATE TABLE catalog_tables (text VARCHAR, name_text VARCHAR)")
    connection.execute("CREATE TABLE catalog_columns (text VARCHAR, schema_text VARCHAR)")
    connection.execute("CREATE TABLE embeddings (text VARCHAR NOT NULL, vector FLOAT[3] NOT NULL)")
    for place, text in enumerate(TEXTS):
        table, column = ("catalog_tables", "name_text") if place % 3 else ("catalog_columns", "schema_text")
        connection.execute(f"INSERT INTO {table} (text, {column}) VALUES (?, ?)", [text, TEXTS[place - 1]])
    return connection


def no_bar(label: str, total: int) -> Advance:
    """Progress that nobody sees."""
    return lambda steps: None


def stored(connection: duckdb.DuckDBPyConnection) -> dict[str, list[float]]:
    return {text: list(vector) for text, vector in connection.execute("SELECT text, vector FROM embeddings").fetchall()}


def test_texts_are_embedded_while_other_work_goes_on(index: duckdb.DuckDBPyConnection) -> None:
    """Each gets its own vector, once; what has one is not embedded again, and what no text needs goes."""
    at_work, given = Event(), list[str]()

    def embed(texts: list[str]) -> Vectors:
        assert at_work.wait(60)
        given.extend(texts)
        return told(texts)

    index.execute("INSERT INTO embeddings VALUES ('gone', [1, 0, 0]), (?, [0, 1, 0])", [TEXTS[0]])
    advanced: list[int] = []
    with vectors_beside(index, Embedder("toy", embed), 3, lambda label, total: advanced.append):
        at_work.set()
    assert sorted(given) == sorted(TEXTS[1:])
    assert sum(advanced) == len(TEXTS) - 1
    units = Embedder("toy", told)(TEXTS[1:])
    kept = stored(index)
    assert kept.pop(TEXTS[0]) == [0, 1, 0]
    assert kept == {text: vector.tolist() for text, vector in zip(TEXTS[1:], units, strict=True)}


def test_what_was_embedded_before_an_error_stays(index: duckdb.DuckDBPyConnection) -> None:
    """An interrupted run goes on from it; the error is that of the model."""

    def embed(texts: list[str]) -> Vectors:
        if any("long long long long" in text for text in texts):
            raise ConnectionError("the server is gone")
        return told(texts)

    with (
        pytest.raises(ConnectionError, match="the server is gone"),
        vectors_beside(index, Embedder("toy", embed), 3, no_bar),
    ):
        pass
    assert 0 < len(stored(index)) < len(TEXTS)


def test_an_error_of_the_other_work_ends_the_embedding(index: duckdb.DuckDBPyConnection) -> None:
    """No text is embedded for nothing any longer."""
    given: list[str] = []

    def embed(texts: list[str]) -> Vectors:
        given.extend(texts)
        return told(texts)

    with pytest.raises(OSError, match="disk full"), vectors_beside(index, Embedder("toy", embed), 3, no_bar):
        raise OSError("disk full")
    assert len(given) <= stored_vectors.AHEAD * stored_vectors.BATCH
    assert stored(index) == {}


def test_vectors_of_another_width_are_refused(index: duckdb.DuckDBPyConnection) -> None:
    """The table has one width."""
    with (
        pytest.raises(EmbedderError, match="vectors of several widths: 5, 3"),
        vectors_beside(index, Embedder("toy", told), 5, no_bar),
    ):
        pass
