"""The words of the tables' names in the file: the same as those of the tables, whatever becomes of the file."""

from __future__ import annotations

from pathlib import Path

import duckdb
import numpy as np
import pytest

from jar import Catalog, Index
from jar.text.lexical import CountedWords, WordIndex, count_words
from jar.text.spelled_names import spell
from tests.jar.conftest import toy_embedder

SHOP = "CREATE TABLE custOrders (cust_id INT, SRCARPT TEXT); CREATE TABLE customers (cust_id INT, name TEXT);"
MORE = "CREATE TABLE airports (airport_id INT, sourceairport TEXT);"


def build(path: Path, ddl: str) -> Index:
    return Index.build(Catalog.from_ddl(ddl, database="shop"), path=path, embedder=toy_embedder, progress=False)


def assert_equal(counted: CountedWords, other: CountedWords) -> None:
    assert (counted.n, counted.words) == (other.n, other.words)
    for name in ("word", "table", "times"):
        np.testing.assert_array_equal(getattr(counted, name), getattr(other, name))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    build(tmp_path / "shop.jar", SHOP)
    return tmp_path / "shop.jar"


def test_the_file_has_the_words_of_its_tables(path: Path) -> None:
    """Those of today's rules, in the order of the tables; the same after tables came and went."""
    for ddl in (SHOP, SHOP + MORE, MORE):
        contents = build(path, ddl).contents
        assert contents.counted_words is not None
        assert_equal(contents.counted_words, count_words(spell(contents.tables)))


def test_an_index_without_tables_has_no_words(tmp_path: Path) -> None:
    """Nothing to count, nothing to match."""
    contents = Index.build(Catalog.from_frames({}), path=tmp_path / "e.jar", embedder=toy_embedder).contents
    assert contents.words.match("customers").shape == (0,)


@pytest.mark.parametrize(
    "change", ["UPDATE meta SET value = '2' WHERE key = 'texts'", "DELETE FROM meta WHERE key = 'texts'"]
)
def test_words_of_other_rules_are_not_read(path: Path, change: str) -> None:
    """A file of an earlier version, which may have no such table, answers by the names themselves."""
    stored = Index.load(path).contents.words
    with duckdb.connect(str(path)) as connection:
        connection.execute(change)
        connection.execute("DROP TABLE table_words")
    contents = Index.load(path, embedder=toy_embedder).contents
    assert contents.counted_words is None
    for question in ("Which customers ordered?", "airport", "nothing here"):
        np.testing.assert_array_equal(contents.words.match(question), stored.match(question))


def test_a_word_is_worth_the_same_in_any_order_of_tables() -> None:
    """Entries are sorted by word and table, so that each word finds its own."""
    tables = Catalog.from_ddl(SHOP + MORE, database="shop").tables
    forth, back = WordIndex.of(tables), WordIndex.of(tables[::-1])
    for word in ("customer", "order", "airport"):
        (places, weights), (others, other_weights) = forth.weights(word), back.weights(word)
        np.testing.assert_array_equal(places, len(tables) - 1 - others[::-1])
        np.testing.assert_allclose(weights, other_weights[::-1])
