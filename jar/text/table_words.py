"""The words of the tables' names as they are stored: to find out what names mean takes long, to read words does not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from jar.text.lexical import CountedWords, count_words
from jar.text.texts import VERSION

if TYPE_CHECKING:
    import duckdb

    from jar.text.spelled_names import SpelledTable


def write_words(connection: duckdb.DuckDBPyConnection, numbers: Sequence[int], spelled: Sequence[SpelledTable]) -> None:
    """Write how often each word counts in each table, in place of what was there.

    Parameters
    ----------
    numbers : sequence of int
        The number of each table in the file.
    """
    import pyarrow as pa

    counted = count_words(spelled)
    rows = pa.table(
        {
            "table_id": np.asarray(numbers, dtype=np.int64)[counted.table],
            "word": pa.array(counted.words, pa.string()).take(pa.array(counted.word)),
            "times": counted.times,
        }
    )
    connection.execute(
        "CREATE OR REPLACE TABLE table_words (table_id INTEGER NOT NULL, word VARCHAR NOT NULL, times DOUBLE NOT NULL)"
    )
    connection.register("counted_words", rows)
    connection.execute("INSERT INTO table_words SELECT table_id, word, times FROM counted_words")
    connection.unregister("counted_words")


def read_words(connection: duckdb.DuckDBPyConnection, texts: str | None) -> CountedWords | None:
    """The words of the tables, in their order; None where the file has none that follow from today's rules.

    Parameters
    ----------
    texts : str, optional
        The version of the texts in the file.
    """
    if texts != str(VERSION):
        return None
    rows = connection.execute(
        "SELECT dense_rank() OVER (ORDER BY word) - 1 AS word, place, times FROM table_words JOIN "
        "(SELECT table_id, row_number() OVER (ORDER BY table_id) - 1 AS place FROM catalog_tables) USING (table_id) "
        "ORDER BY word, place"
    ).fetchnumpy()
    words = connection.execute("SELECT DISTINCT word FROM table_words ORDER BY word").fetchall()
    (tables,) = connection.execute("SELECT count(*) FROM catalog_tables").fetchone() or (0,)
    word, table = (np.asarray(rows[name]).astype(np.int64) for name in ("word", "place"))
    times = np.asarray(rows["times"]).astype(np.float64)
    return CountedWords(int(tables), tuple(str(row[0]) for row in words), word, table, times)
