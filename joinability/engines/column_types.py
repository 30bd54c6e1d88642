"""Types of columns as far as they decide how an engine prints the values: eleven for the types of all dialects."""

from __future__ import annotations

import re
from typing import Literal

ColumnType = Literal[
    "text", "integer", "float", "decimal", "numeric", "boolean", "date", "timestamp", "zoned", "time", "bytes"
]

_PATTERNS: tuple[tuple[ColumnType, str], ...] = (
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
_PATTERNS_OF_DIALECTS: dict[str, tuple[tuple[ColumnType, str], ...]] = {
    "duckdb": (("text", r"timestamp_ns"),),  # its texts have all nine digits, its format six
    "mysql": (("zoned", r"timestamp"),),
    "spark": (("timestamp", r"timestamp_ntz"), ("zoned", r"timestamp")),
    "bigquery": (("zoned", r"timestamp"), ("decimal", r"bignumeric|numeric|decimal")),
    "snowflake": (("integer", r"number$|decimal$|numeric$"), ("timestamp", r"timestamp_ntz")),
}
_SAME_PATTERNS = {"mariadb": "mysql", "databricks": "spark"}


def column_type(declared: str, dialect: str) -> ColumnType:
    """The column type of a type as a dialect declares it; text where no other matches.

    Examples
    --------
    >>> column_type("NUMERIC(10, 2)", "postgres"), column_type("timestamp", "spark"), column_type("uuid", "postgres")
    ('decimal', 'zoned', 'text')
    """
    lowered = declared.strip().lower()
    patterns = (*_PATTERNS_OF_DIALECTS.get(_SAME_PATTERNS.get(dialect, dialect), ()), *_PATTERNS)
    type_: ColumnType = next((type_ for type_, pattern in patterns if re.match(pattern, lowered)), "text")
    # only PostgreSQL has a type of numbers whose scale differs from value to value
    return "decimal" if type_ == "numeric" and dialect not in ("postgres", "redshift") else type_
