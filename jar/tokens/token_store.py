"""The token vectors of the texts of an index: an optional table of its file, a row for each distinct text.

``token_vectors (text, whole, vectors)``: whether the encoder read the text to its end, and the vectors of its tokens,
one behind the other, a byte for each number (`jar.tokens.token_vectors.rounded`). An index has them once
`add_token_vectors` was asked for; a refresh makes those of new texts, and drops those that no text needs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from jar.arrays import IntArray
from jar.tokens.token_vectors import Bytes, read_tokens, rounded

if TYPE_CHECKING:
    import duckdb

    from jar.progress import Stage
    from jar.text.embedding import Embedder

BATCH = 512
"""Texts that are read, and written, together: an interrupted run repeats at most these."""

NEEDED = "SELECT text FROM catalog_tables UNION SELECT text FROM catalog_columns"
"""The texts that have token vectors."""


@dataclass(frozen=True, eq=False)
class StoredTokens:
    """The tokens of n texts, each distinct text once.

    Attributes
    ----------
    vectors : array (T, d)
        In bytes, text by text.
    first : array (t + 1,)
        Tokens of the distinct text i are ``first[i]`` to ``first[i + 1] - 1``.
    whole : array (t,)
        Whether the encoder read the distinct text to its end.
    tables, columns : arrays (N,), (C,)
        The distinct text of each table and of each column of the index.
    """

    vectors: Bytes
    first: IntArray
    whole: npt.NDArray[np.bool_]
    tables: IntArray
    columns: IntArray


def has_token_vectors(connection: duckdb.DuckDBPyConnection) -> bool:
    """Whether an open index has the table."""
    count = connection.execute("SELECT count(*) FROM duckdb_tables() WHERE table_name = 'token_vectors'").fetchone()
    return count == (1,)


def make_token_vectors(connection: duckdb.DuckDBPyConnection, embedder: Embedder, stage: Stage) -> None:
    """Make the table, and the token vectors of the texts that have none.

    Raises
    ------
    EmbedderError
        When the embedder has no vectors of tokens.
    """
    read_tokens(embedder, ["a text"])
    connection.execute(
        "CREATE TABLE IF NOT EXISTS token_vectors "
        "(text VARCHAR NOT NULL, whole BOOLEAN NOT NULL, vectors BLOB NOT NULL)"
    )
    refresh_token_vectors(connection, embedder, stage)


def refresh_token_vectors(connection: duckdb.DuckDBPyConnection, embedder: Embedder, stage: Stage) -> None:
    """Bring the table, where there is one, in line with the texts; drop it for an embedder without token vectors."""
    import pyarrow as pa

    if not has_token_vectors(connection):
        return
    if not callable(getattr(embedder.encode, "tokens", None)):
        connection.execute("DROP TABLE token_vectors")
        return
    connection.execute(f"DELETE FROM token_vectors WHERE text NOT IN ({NEEDED})")
    rows = connection.execute(f"({NEEDED}) EXCEPT SELECT text FROM token_vectors ORDER BY 1").fetchall()
    missing = sorted((str(row[0]) for row in rows), key=len)
    advance: Callable[[int], None] = stage("token vectors", len(missing))
    for start in range(0, len(missing), BATCH):
        texts = missing[start : start + BATCH]
        tokens = read_tokens(embedder, texts)
        packed = [rounded(read.vectors).tobytes() for read in tokens]
        columns = {"text": texts, "whole": [read.whole for read in tokens], "vectors": pa.array(packed, pa.binary())}
        connection.register("batch", pa.table(columns))
        connection.execute("INSERT INTO token_vectors SELECT text, whole, vectors FROM batch")
        connection.unregister("batch")
        advance(len(texts))


def forget_token_vectors(connection: duckdb.DuckDBPyConnection) -> None:
    """Delete all rows of the table, where there is one: those of another embedder are no use."""
    if has_token_vectors(connection):
        connection.execute("DELETE FROM token_vectors")


def load_token_vectors(connection: duckdb.DuckDBPyConnection, dimension: int) -> StoredTokens | None:
    """The token vectors of an open index; None where not every text has them."""
    if not has_token_vectors(connection):
        return None
    rows = connection.execute("SELECT text, whole, vectors FROM token_vectors ORDER BY rowid").fetchall()
    place = {str(text): number for number, (text, _, _) in enumerate(rows)}
    tables = connection.execute("SELECT text FROM catalog_tables ORDER BY table_id").fetchall()
    columns = connection.execute("SELECT text FROM catalog_columns ORDER BY table_id, position").fetchall()
    if any(text not in place for (text,) in (*tables, *columns)):
        return None
    counts = [len(vectors) // dimension for _, _, vectors in rows]
    return StoredTokens(
        vectors=np.frombuffer(b"".join(vectors for _, _, vectors in rows), dtype=np.int8).reshape(-1, dimension),
        first=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        whole=np.array([whole for _, whole, _ in rows], dtype=np.bool_),
        tables=np.array([place[text] for (text,) in tables], dtype=np.int64),
        columns=np.array([place[text] for (text,) in columns], dtype=np.int64),
    )
