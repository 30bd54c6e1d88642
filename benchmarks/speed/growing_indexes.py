"""Time, memory and file size against the number of tables and columns, each size in a process of its own.

``python -m benchmarks.speed.growing_indexes KIND TABLES COLUMNS PATH`` makes a catalog and indexes it, ``... PATH``
loads the index and asks it questions; both print JSON.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.pages.grids import Grid
from benchmarks.runs.provenance import load_average
from benchmarks.speed.fresh_processes import peak_megabytes
from jar import Catalog, Index, Reranker
from jar.arrays import Vectors
from joinability import Column, Table

Figures = dict[str, Any]
NOUNS = ("order client item stock visit part city team user plan event batch route crew claim lease asset note site "
         "tag").split()  # fmt: skip
DATABASE = 100
"""Tables of a database of a catalog without rows."""
SIZES = (("rows", 300, 5), ("rows", 1000, 5), ("rows", 3000, 5),
         ("schema", 250, 40), ("schema", 1000, 40), ("schema", 2500, 40))  # fmt: skip
"""Kind of catalog, tables, and columns of each."""
QUESTIONS = 20
DIMENSION = 64


def embed(texts: list[str]) -> Vectors:
    """Bags of hashed words: an embedder that costs next to nothing."""
    vectors = np.zeros((len(texts), DIMENSION), dtype=np.float32)
    for row, text in enumerate(texts):
        for word in text.lower().replace("_", " ").split():
            vectors[row, zlib.crc32(word.encode()) % DIMENSION] += 1
    return vectors


def table_name(number: int) -> str:
    """Two nouns and a number."""
    return f"{NOUNS[number % 20]}_{NOUNS[number // 20 % 20]}_{number // 400}"


def small_tables(tables: int, columns: int) -> Catalog:
    """One database of tables of three rows whose keys, and most references, are 0, 1 and 2: all join all by values."""
    rng = np.random.default_rng(0)
    frames = {}
    for number in range(tables):
        frame: dict[str, Any] = {"id": [0, 1, 2]}
        if number % 3:
            frame[f"{NOUNS[int(rng.integers(20))]}_id"] = rng.permutation(3)
        for place in range(columns - len(frame)):
            frame[f"{NOUNS[place]}_text"] = [f"{number}-{place}-{row}" for row in range(3)]
        frames[table_name(number)] = pd.DataFrame(frame)
    return Catalog.from_frames(frames)


def schema_alone(tables: int, columns: int) -> Catalog:
    """Databases of tables without rows, whose columns are known by name."""
    rng = np.random.default_rng(0)

    def names() -> list[str]:
        drawn = rng.integers(0, 20, (columns, 3))
        return list(dict.fromkeys(["id", *("_".join(NOUNS[word] for word in words) for words in drawn)]))

    return Catalog(
        Table(f"db{number // DATABASE}", table_name(number), tuple(map(Column, names()))) for number in range(tables)
    )


KINDS: dict[str, Callable[[int, int], Catalog]] = {"rows": small_tables, "schema": schema_alone}


def indexed(kind: str, tables: int, columns: int, path: str) -> Figures:
    """Index a catalog."""
    catalog = KINDS[kind](tables, columns)
    start = time.perf_counter()
    Index.build(catalog, path=path, embedder=embed, progress=False)
    seconds = time.perf_counter() - start
    number = sum(len(table.columns) for table in catalog.tables)
    megabytes = Path(path).stat().st_size / 2**20
    return {
        "kind": kind, "tables": len(catalog), "columns": number, "index_seconds": seconds,
        "index_megabytes": peak_megabytes(), "file_megabytes": megabytes, "load_before": load_average(),
    }  # fmt: skip


def asked(path: str) -> Figures:
    """Load an index and ask it questions."""
    start = time.perf_counter()
    index = Index.load(path, embedder=embed)
    loaded = time.perf_counter()
    Reranker(Index.build(small_tables(5, 3), embedder=embed, progress=False)).rank("orders of clients")  # compiles
    ready, reranker = time.perf_counter(), Reranker(index)
    reranker.rank("which clients have an order")
    first = time.perf_counter() - ready
    table = index.contents.tables[len(index) // 2].id
    start_joins = time.perf_counter()
    index.join_graph(0.2, table=table)
    joins = time.perf_counter() - start_joins
    times = []
    for number in range(QUESTIONS):
        question = f"{NOUNS[number]} of each {NOUNS[(7 * number + 3) % 20]} by {NOUNS[(3 * number + 5) % 20]}"
        began = time.perf_counter()
        reranker.rank(question)
        times.append(time.perf_counter() - began)
    return {
        "load_seconds": loaded - start, "first_seconds": first, "joins_seconds": joins,
        "question_milliseconds": 1000 * float(np.median(times)), "load_megabytes": peak_megabytes(),
    }  # fmt: skip


def measure_growth(sizes: Iterable[tuple[str, int, int]], report: Callable[[str], None]) -> list[Figures]:
    """The figures of each size, in fresh processes."""
    found = []
    for kind, tables, columns in sizes:
        report(f"{tables:,} tables of {columns} columns, {kind}")
        with tempfile.TemporaryDirectory() as folder:
            path = str(Path(folder) / "index.jar")
            figures = {**_afresh(kind, str(tables), str(columns), path), **_afresh(path)}
        found.append(figures)
    return found


def growth_grid(found: Iterable[Figures]) -> Grid:
    """A row for each size."""
    headings = (
        "catalog", "tables", "columns", "index s", "peak MB", "file MB", "load s", "first s", "joins s", "question ms"
    )  # fmt: skip
    rows = [
        (
            one["kind"], f"{one['tables']:,}", f"{one['columns']:,}", f"{one['index_seconds']:.1f}",
            f"{one['index_megabytes']:,.0f}", f"{one['file_megabytes']:.0f}", f"{one['load_seconds']:.1f}",
            f"{one['first_seconds']:.2f}", f"{one['joins_seconds']:.2f}", f"{one['question_milliseconds']:.0f}",
        )
        for one in found
    ]  # fmt: skip
    return Grid("Growth", headings, rows)


def _afresh(*arguments: str) -> Figures:
    command = [sys.executable, "-m", "benchmarks.speed.growing_indexes", *arguments]
    shown = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, cwd=Path(__file__).parents[2])
    figures: Figures = json.loads(shown.stdout.splitlines()[-1])
    return figures


if __name__ == "__main__":
    given = sys.argv[1:]
    print(json.dumps(indexed(given[0], int(given[1]), int(given[2]), given[3]) if len(given) > 1 else asked(given[0])))
