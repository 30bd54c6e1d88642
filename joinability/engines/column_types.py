"""Kinds of column types: what decides how an engine prints a column."""

from __future__ import annotations

import re
from typing import Literal

Kind = Literal[
    "text", "integer", "float", "decimal", "numeric", "boolean", "date", "timestamp", "zoned", "time", "bytes"
]

_KINDS: tuple[tuple[Kind, str], ...] = (
    ("text", r"interval|point|.*\[\]|array|map|struct"),
    ("boolean", r"bool"),
    ("integer", r"(u?(tiny|small|medium|big|huge)?int(eger)?\d*|byte|short|long|year)\b"),
    ("integer", r"(big|small)?serial"),
    ("float", r"double|real|float"),
    ("integer", r"(decimal|numeric|number|dec)\s*\(\s*\d+\s*(,\s*0\s*)?\)"),
    ("decimal", r"(decimal|numeric|number|dec|bignumeric|bigdecimal)\s*\("),
    ("numeric", r"decimal|numeric|number|dec|bignumeric"),
    ("zoned", r"timestamp\s*(\(\d+\))?\s*with (local )?time zone|timestamptz|timestamp_tz|timestamp_ltz"),
    ("timestamp", r"timestamp|datetime"),
    ("date", r"date"),
    ("time", r"time"),
    ("bytes", r"bytea|(tiny|medium|long)?blob|(var)?binary|bytes"),
)
_OWN: dict[str, tuple[tuple[Kind, str], ...]] = {
    "duckdb": (("text", r"timestamp_ns"),),  # its texts have all nine digits, its format six
    "mysql": (("zoned", r"timestamp"),),
    "spark": (("timestamp", r"timestamp_ntz"), ("zoned", r"timestamp")),
    "bigquery": (("zoned", r"timestamp"), ("decimal", r"bignumeric|numeric|decimal")),
    "snowflake": (("integer", r"number$|decimal$|numeric$"), ("timestamp", r"timestamp_ntz")),
}
_SAME = {"mariadb": "mysql", "databricks": "spark"}


def kind(type_: str, dialect: str) -> Kind:
    """The kind of a type, as an engine of a dialect writes it; text where nothing else is known of it.

    Examples
    --------
    >>> kind("NUMERIC(10, 2)", "postgres"), kind("timestamp", "spark"), kind("uuid", "postgres")
    ('decimal', 'zoned', 'text')
    """
    lowered = type_.strip().lower()
    own = _OWN.get(_SAME.get(dialect, dialect), ())
    found: Kind = next((kind for kind, pattern in (*own, *_KINDS) if re.match(pattern, lowered)), "text")
    # only PostgreSQL has numbers of any scale in one type
    return "decimal" if found == "numeric" and dialect not in ("postgres", "redshift") else found
