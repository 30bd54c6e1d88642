"""One table with every kind of value, and how it gets into each engine."""

from __future__ import annotations

import datetime
import decimal
import math
import random
import struct
from typing import Any

import duckdb
import pyarrow as pa

UTC = datetime.timezone.utc
TYPES = {
    "small": (pa.int32(), {}),
    "big": (pa.int64(), {}),
    "ratio": (pa.float64(), {"mariadb": "DOUBLE", "postgres": "DOUBLE PRECISION"}),
    "price": (pa.decimal128(12, 2), {}),
    "label": (pa.string(), {"mariadb": "TEXT"}),
    "told": (pa.string(), {"mariadb": "TEXT"}),
    "dated": (pa.string(), {"mariadb": "TEXT"}),
    "born": (pa.date32(), {}),
    "seen": (pa.timestamp("us"), {"mariadb": "DATETIME(6)"}),
    "sent": (pa.timestamp("us", "UTC"), {"mariadb": "TIMESTAMP(6) NULL"}),
    "done": (pa.bool_(), {"mariadb": "BOOLEAN"}),
    "raw": (pa.binary(), {"postgres": "BYTEA", "mariadb": "VARBINARY(20)"}),
    "total": (pa.decimal128(28, 2), {}),
}  # fmt: skip
SQL = {
    "small": "INTEGER", "big": "BIGINT", "ratio": "DOUBLE", "price": "DECIMAL(12, 2)", "label": "VARCHAR",
    "told": "VARCHAR", "dated": "VARCHAR", "born": "DATE", "seen": "TIMESTAMP", "sent": "TIMESTAMP WITH TIME ZONE",
    "done": "BOOLEAN", "raw": "BLOB", "total": "DECIMAL(28, 2)",
}  # fmt: skip
ODD_TEXTS = [
    "a", "A", "a ", "a\t", " a", "\t b \n", "b\n", "", "  ", "1", "1.0", "1.00 ", "-0.0", "01", "1e3", "+5", ".5", "5.",
    "0", "000", "0x7", "1_0", "-",
    "2020-01-02", "2020-01-02 00:00:00", "2020-01-02T03:04:05.120", "2020-01-02 03:04:05.000", "10:30", "10:30:00.500",
    "ß", "É", "é", "名前", "\U0001f600", "'; DROP TABLE x; --", 'a "b"', "back\\slash", "100%", "%s :x $1 ?", "c\nd",
    "nan",
]  # fmt: skip

WORDS = ["N/A", " n/a", "\\N", "-", "(NULL)"]
"""Words for missing values, among numbers and among dates."""


def doubles(generator: random.Random, count: int) -> list[float]:
    """Doubles of all sizes, those of few and of many digits, and integral ones."""
    made = [0.1 + 0.2, 1e-5, 1.5e-7, 1e15 + 0.5, 1e22, -0.0, 0.0001, 9.5e-5, 123456789.125, 2.0**60, -7.0, 1e-300]
    while len(made) < count:
        bits = struct.unpack("d", struct.pack("Q", generator.getrandbits(64)))[0]
        made.append(bits if math.isfinite(bits) and abs(bits) > 1e-300 else 1.5)
        made.append(generator.random() * 10.0 ** generator.randint(-7, 9))
        made.append(round(generator.uniform(-1000, 1000), 3))
    return made[:count]


def rows(count: int = 900) -> dict[str, list[Any]]:
    """Columns with every kind of value, some of them missing."""
    generator = random.Random(7)
    epoch = datetime.datetime(2020, 1, 1)
    sizes = [0, 500_000, 123_456, 86_400_000_000]
    steps = [datetime.timedelta(microseconds=generator.choice(sizes)) for _ in range(count)]
    odd = len(ODD_TEXTS)
    columns: dict[str, list[Any]] = {
        "small": [generator.randint(-40, 400) for _ in range(count)],
        "big": [generator.choice([2**62, -(2**61), 7]) + number for number in range(count)],
        "ratio": doubles(generator, count),
        "price": [decimal.Decimal(generator.randint(-99999, 99999)).scaleb(-2) for _ in range(count)],
        "label": [ODD_TEXTS[number % 80] if number % 80 < odd else f"text {number}" for number in range(count)],
        "told": [WORDS[number % 9] if number % 9 < len(WORDS) else f"{number % 300}" for number in range(count)],
        "dated": ["null" if number % 4 else f"2020-01-{1 + number % 28:02}" for number in range(count)],
        "born": [datetime.date(1999, 12, 25) + datetime.timedelta(days=number % 500) for number in range(count)],
        "seen": [epoch + number * step for number, step in enumerate(steps)],
        "sent": [(epoch + number * step).replace(tzinfo=UTC) for number, step in enumerate(steps)],
        "done": [generator.random() < 0.5 for _ in range(count)],
        "raw": [generator.randbytes(4) for _ in range(count)],
        "total": [decimal.Decimal(100 * (-1) ** n * 10 ** (13 + n % 9) + 100 * n + 50 * (n % 3 // 2)).scaleb(-2)
                  for n in range(count)],
    }
    return {name: [None if n % 17 == 3 else v for n, v in enumerate(values)] for name, values in columns.items()}


def arrow(columns: dict[str, list[Any]]) -> pa.Table:
    return pa.table({name: pa.array(values, TYPES[name][0]) for name, values in columns.items()})


def definition(engine: str) -> str:
    return ", ".join(f"{name} {TYPES[name][1].get(engine, SQL[name])}" for name in TYPES)


def filled_duckdb(columns: dict[str, list[Any]]) -> Any:
    connection = duckdb.connect()
    connection.execute(f"CREATE TABLE facts ({definition('duckdb')})")
    connection.from_arrow(arrow(columns)).insert_into("facts")
    return connection


def filled_postgres(url: str, columns: dict[str, list[Any]]) -> str:
    import psycopg

    with psycopg.connect(url) as connection:
        connection.execute("DROP TABLE IF EXISTS facts")
        connection.execute(f"CREATE TABLE facts ({definition('postgres')})")
        marks = ", ".join(["%s"] * len(columns))
        with connection.cursor() as cursor:
            cursor.executemany(f"INSERT INTO facts VALUES ({marks})", list(zip(*columns.values(), strict=True)))
    return url


def filled_mariadb(url: str, columns: dict[str, list[Any]]) -> str:
    import pymysql
    import sqlalchemy

    told = sqlalchemy.make_url(url)
    with pymysql.connect(
        host=told.host, port=told.port or 0, user=told.username, password=str(told.password), database=told.database,
        charset="utf8mb4", autocommit=True, init_command="SET time_zone = '+00:00'",
    ) as connection:  # fmt: skip
        cursor = connection.cursor()
        cursor.execute("DROP TABLE IF EXISTS facts")
        cursor.execute(f"CREATE TABLE facts ({definition('mariadb')}) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci")
        naive = {**columns, "sent": [v and v.replace(tzinfo=None) for v in columns["sent"]]}
        marks = ", ".join(["%s"] * len(columns))
        cursor.executemany(f"INSERT INTO facts VALUES ({marks})", list(zip(*naive.values(), strict=True)))
    return url


def filled_spark(session: Any, columns: dict[str, list[Any]]) -> Any:
    frame = session.createDataFrame(arrow(columns))
    frame.withColumn("seen", frame["seen"].cast("timestamp_ntz")).createOrReplaceTempView("facts")
    return session
