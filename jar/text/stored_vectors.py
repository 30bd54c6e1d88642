"""The vectors that an index keeps of its texts: made beside other work, each distinct text once."""

from __future__ import annotations

from collections import deque
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import islice
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from jar.errors import EmbedderError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import duckdb

    from jar.arrays import Vectors
    from jar.progress import Stage
    from jar.text.embedding import Embedder

BATCH = 1024
"""Texts that are embedded together."""
AHEAD = 16
"""Batches that are embedded before they are stored, at most: what else an index needs takes about as long."""
COMMIT_TEXTS, COMMIT_SECONDS = 8192, 5.0
"""After so many texts, or so much time, their vectors are committed: an interrupted run repeats at most these."""
NEEDED = (
    "SELECT text FROM catalog_tables UNION SELECT name_text FROM catalog_tables "
    "UNION SELECT text FROM catalog_columns UNION SELECT schema_text FROM catalog_columns"
)
"""The texts that have vectors."""


@contextmanager
def vectors_beside(
    connection: duckdb.DuckDBPyConnection, embedder: Embedder, dimension: int, stage: Stage
) -> Iterator[None]:
    """Bring the vectors of an open index in line with its texts: made in a thread while the body runs, and written
    behind it, for one thread alone writes to an index.

    Parameters
    ----------
    dimension : int
        Of the vectors that are stored.

    Raises
    ------
    EmbedderError
        When the embedder returns anything but vectors of one width.
    """
    connection.execute(f"DELETE FROM embeddings WHERE text NOT IN ({NEEDED})")
    rows = connection.execute(f"({NEEDED}) EXCEPT SELECT text FROM embeddings ORDER BY 1").fetchall()
    # Texts of like length share a batch: padding is most of what a batch of mixed lengths computes.
    missing = sorted((str(row[0]) for row in rows), key=len)
    batches = (missing[start : start + BATCH] for start in range(0, len(missing), BATCH))
    thread = ThreadPoolExecutor(1, thread_name_prefix="embed")
    try:
        made = deque((batch, thread.submit(embedder, batch)) for batch in islice(batches, AHEAD))
        yield
        advance = stage("embeddings", len(missing))
        writer = _VectorWriter(connection, embedder.name, dimension)
        while made:
            texts, vectors = made.popleft()
            writer.take(texts, vectors.result())
            made.extend((batch, thread.submit(embedder, batch)) for batch in islice(batches, 1))
            advance(len(texts))
        writer.commit()
    finally:
        thread.shutdown(cancel_futures=True)


class _VectorWriter:
    """Writes the vectors of texts, many together."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, embedder: str, dimension: int) -> None:
        self._connection, self._embedder, self._dimension = connection, embedder, dimension
        self._texts: list[str] = []
        self._vectors: list[Vectors] = []
        self._since = perf_counter()

    def take(self, texts: Sequence[str], vectors: Vectors) -> None:
        """Write the vectors of texts, at once or with the next ones."""
        if (width := vectors.shape[1]) != self._dimension:
            widths = f"{self._dimension}, {width}"
            raise EmbedderError(f"embedder {self._embedder!r} returned vectors of several widths: {widths}")
        self._texts += texts
        self._vectors.append(vectors)
        if len(self._texts) >= COMMIT_TEXTS or perf_counter() - self._since >= COMMIT_SECONDS:
            self.commit()

    def commit(self) -> None:
        """Write what was taken."""
        if not self._texts:
            return
        import pyarrow as pa

        flat = pa.array(np.concatenate(self._vectors).ravel())
        vectors = pa.FixedSizeListArray.from_arrays(flat, self._dimension)
        self._connection.register("batch", pa.table({"text": self._texts, "vector": vectors}))
        self._connection.execute("INSERT INTO embeddings SELECT text, vector FROM batch")
        self._connection.unregister("batch")
        self._texts, self._vectors, self._since = [], [], perf_counter()
