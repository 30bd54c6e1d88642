"""What a million values cost on each engine: profiles and sketches where the rows are, beside reading them here.

The databases are those of the URLs that are given, each with a table made for the purpose and dropped afterwards; Spark
runs here, on one machine.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.runs.provenance import load_average

TABLE = "jar_cost"
COLUMNS = ("id", "code", "price", "day")
PER_COLUMN = 250_000
REPEATS = 3
SERVERS = ("postgres", "mariadbd", "mysqld", "java")
"""Processes whose CPU time counts."""


def measure_engines(urls: Iterable[str], report: Callable[[str], None], *, spark: bool) -> list[dict[str, Any]]:
    """Seconds and CPU seconds for a million distinct values in four columns: integers, text, floats and times.

    Parameters
    ----------
    urls : iterable of str
        Of PostgreSQL, MySQL or MariaDB, of users who may make a table.
    report : callable
        Told what is going on.
    spark : bool
        Whether to start a Spark session, too.
    """
    import duckdb

    from joinability import Catalog

    frame = _frame()
    told = []
    with duckdb.connect() as connection:
        connection.from_arrow(frame).create(TABLE)
        report("rows read and profiled here")
        told.append(_row("here", lambda: _indexed(Catalog.from_frames({TABLE: frame}))))
        report("DuckDB")
        told.append(_row("duckdb", lambda: _profiled(connection)))
    for url in urls:
        with _filled(url, frame) as engine:
            report(engine.dialect.name)
            told.append(_row(url.partition(":")[0], lambda engine=engine: _profiled(engine)))
    if spark:
        from pyspark.sql import SparkSession

        session = SparkSession.builder.master("local[*]").config("spark.ui.enabled", "false").getOrCreate()
        session.createDataFrame(frame).createOrReplaceTempView(TABLE)
        report("spark")
        told.append(_row("spark", lambda: _profiled(session)))
        session.stop()
    for row in told:
        row["times_here"] = row["cpu_seconds"] / told[0]["cpu_seconds"]
    return told


def _frame() -> Any:
    import numpy as np
    import pyarrow as pa

    numbers = np.arange(PER_COLUMN)
    day = np.datetime64("2020-01-01", "us") + numbers * np.timedelta64(1, "m")
    return pa.table({"id": numbers, "code": [f"C-{n:07d}" for n in numbers], "price": numbers / 8 + 0.1, "day": day})


def _indexed(catalog: Any) -> None:
    import duckdb

    from joinability import EvidenceStore

    with duckdb.connect() as connection:
        store = EvidenceStore(connection)
        store.create()
        store.add_tables([(catalog.tables[0], 0)])


def _profiled(source: Any) -> None:
    from joinability import Catalog

    catalog = Catalog.from_database(source)
    _indexed(Catalog([table for table in catalog if table.name == TABLE]))


def _row(name: str, act: Callable[[], None]) -> dict[str, Any]:
    seconds, cpu_seconds = [], []
    load = load_average()
    for _ in range(REPEATS):
        started, cpu = time.perf_counter(), _cpu_seconds()
        act()
        seconds.append(time.perf_counter() - started)
        cpu_seconds.append(_cpu_seconds() - cpu)
    return {"engine": name, "seconds": median(seconds), "cpu_seconds": median(cpu_seconds), "load_before": load}


def _cpu_seconds() -> float:
    """CPU time so far of this process and of the servers on this machine, where the system tells (Linux)."""
    total = time.process_time()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            head, _, fields = stat.read_text().rpartition(")")
        except OSError:  # it has just ended
            continue
        name = head.partition("(")[2]
        if name in SERVERS:
            own, children = fields.split()[11:13], fields.split()[13:15] if name == "postgres" else []
            total += sum(map(int, own + children)) / os.sysconf("SC_CLK_TCK")
    return total


@contextmanager
def _filled(url: str, frame: Any) -> Iterator[Any]:
    """An engine of SQLAlchemy whose database holds the table for a while."""
    import sqlalchemy as sa

    from joinability.engines.relational import DRIVERS

    made = sa.make_url(url)
    if made.drivername in DRIVERS:
        made = made.set(drivername=f"{made.drivername}+{DRIVERS[made.drivername]}")
    engine = sa.create_engine(made)
    types = (sa.BigInteger(), sa.String(20), sa.Double(), sa.DateTime())
    table = sa.Table(TABLE, sa.MetaData(), *map(sa.Column, COLUMNS, types))
    table.drop(engine, checkfirst=True)
    table.create(engine)
    try:
        with engine.begin() as connection:
            for batch in frame.to_batches(max_chunksize=20_000):
                connection.execute(sa.insert(table), batch.to_pylist())
        yield engine
    finally:
        table.drop(engine)
