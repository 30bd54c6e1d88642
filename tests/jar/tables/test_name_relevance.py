"""Vectors of names beside those of signatures, and index files that have none."""

from __future__ import annotations

import shutil
from pathlib import Path

import duckdb
import numpy as np
import pytest

from jar import Catalog, Index, QueryError, Reranker
from jar.tables.query import EmbeddedQuery, Query
from jar.tables.relevance import WIDE, CosineRelevance, mixed_vectors
from jar.text.stop_words import StopWords

DDL = "CREATE TABLE CUSTACCT (ca_id INT, ca_nm TEXT, ca_cty TEXT); CREATE TABLE orders (order_id INT, amount INT);"
QUESTION = "Which customers have an account?"


def embedder(texts: list[str]) -> np.ndarray:
    """Letters of a text, counted."""
    return np.array([[text.count(letter) + 0.1 for letter in "abcdeorstu"] for text in texts], dtype=np.float32)


@pytest.fixture
def index(tmp_path: Path) -> Index:
    """Two tables in a file."""
    return Index.build(Catalog.from_ddl(DDL, database="shop"), path=tmp_path / "shop.jar", embedder=embedder)


def test_relevance_is_that_of_the_formula(index: Index) -> None:
    """Equations (1) to (3), term by term."""
    contents, vectors = index.contents, index.embedder([QUESTION])
    (question,) = vectors
    assert contents.name_vectors is not None
    weight, lexical, database = 0.7, 0.3, 0.7
    words = contents.words.match(QUESTION)
    expected = []
    for place, table in enumerate(contents.tables):
        share = weight * len(table.columns) / (len(table.columns) + WIDE)
        vector = (1 - share) * contents.table_vectors[place] + share * contents.name_vectors[place]
        expected.append(float(question @ vector) + lexical * words[place])
    relevance = CosineRelevance(contents, lexical, database, names=weight, stop_words=StopWords(frozenset()))
    found = relevance.tables(EmbeddedQuery(Query(QUESTION, ()), vectors), [])
    np.testing.assert_allclose(found, expected, rtol=1e-6)
    assert mixed_vectors(contents, 0) is contents.table_vectors
    assert mixed_vectors(contents, weight) is mixed_vectors(contents, weight)


def test_texts_tell_the_words(index: Index) -> None:
    """The file has the words of names that are run together, abbreviated and prefixed."""
    with duckdb.connect(str(index.path), read_only=True) as connection:
        rows = connection.execute("SELECT text, name_text FROM catalog_tables ORDER BY table_id").fetchall()
    assert rows == [
        ("shop.customer account(id, name, city)", "shop customer account"),
        ("shop.orders(order_id, amount)", "shop orders"),
    ]


def test_a_file_without_names_opens_and_a_refresh_adds_them(index: Index, tmp_path: Path) -> None:
    """It ranks by signatures alone; indexing again writes the texts and reads no table."""
    old = tmp_path / "old.jar"
    shutil.copyfile(index.path, old)
    with duckdb.connect(str(old)) as connection:
        connection.execute("ALTER TABLE catalog_tables DROP COLUMN name_text")
        connection.execute("DELETE FROM meta WHERE key = 'texts'")
    loaded = Index.load(old, embedder=embedder)
    assert loaded.contents.name_vectors is None
    with_names, without = Reranker(loaded), Reranker(loaded, names=0)
    assert with_names.rank(QUESTION, 1).value == without.rank(QUESTION, 1).value
    again = Index.build(Catalog.from_ddl(DDL, database="shop"), path=old, embedder=embedder)
    assert again.changes is not None
    assert not again.changes.added
    np.testing.assert_allclose(again.contents.name_vectors, index.contents.name_vectors)


def test_a_new_table_changes_what_the_names_of_others_mean(index: Index) -> None:
    """The vocabulary is that of the whole database, also of tables that came later."""
    more = DDL + "CREATE TABLE cities (custodian TEXT, custodian_account TEXT);"
    grown = Index.build(Catalog.from_ddl(more, database="shop"), path=index.path, embedder=embedder)
    fresh = Index.build(Catalog.from_ddl(more, database="shop"), embedder=embedder)
    np.testing.assert_allclose(grown.contents.table_vectors, fresh.contents.table_vectors)
    np.testing.assert_allclose(grown.contents.column_vectors, fresh.contents.column_vectors)


def test_stop_words_of_a_language(index: Index) -> None:
    """German stop words take a German question apart; an unknown language and a weight below 0 are refused."""
    german = Reranker(index, stop_words="de").rank("Welche Kunden haben ein Konto?", 1)
    assert german.subqueries == ("Kunden", "Konto")
    assert german.tables == Reranker(index).rank("Welche Kunden haben ein Konto?", 1).tables
    assert Reranker(index).rank("Welche Kunden haben ein Konto?", 1).subqueries == ("Kunden", "Konto")
    assert Reranker(index, stop_words="en").rank("Welche Kunden haben Konten?", 1).subqueries != german.subqueries
    assert german.decomposition == "default"
    assert Reranker(index, stop_words=["Welche"]).rank("Welche Kunden?", 1).subqueries == ("Kunden",)
    with pytest.raises(QueryError, match="choose among auto, en, de"):
        Reranker(index, stop_words="xx")
    with pytest.raises(QueryError, match="number from 0"):
        Reranker(index, names=-1)


@pytest.mark.parametrize("question", ["?", "what is the total", "который час"])
def test_a_question_that_says_nothing_is_told(index: Index, question: str) -> None:
    """The answer has a note."""
    assert any("word" in note for note in Reranker(index).rank(question, 1).notes)
