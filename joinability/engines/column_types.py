"""Types of columns as far as they decide how an engine prints the values: eleven for the types of all dialects."""

from __future__ import annotations

import re
from typing import Literal

ColumnType = Literal[
    "text", "integer", "float", "decimal", "numeric", "boolean", "date", "timestamp", "zoned", "time", "bytes"
]

_SIZE = r"(\s*\([\d\s,-]*\))?"
"""The size of a type, which it may have or not: ``(10, 2)``."""
_SIGNS = r"(\s+(unsigned|signed|zerofill))*"
_DECIMALS = r"(decimal|numeric|number|dec)"
_PATTERNS: tuple[tuple[ColumnType, str], ...] = (
    ("boolean", r"bool(ean)?"),
    ("integer", rf"(u?(tiny|small|medium|big|huge)?int(eger)?\d*|byte|short|long|year){_SIZE}{_SIGNS}"),
    ("integer", r"(big|small)?serial\d*"),
    ("float", rf"(double(\s+precision)?|real|float\d*){_SIZE}{_SIGNS}"),
    ("integer", rf"{_DECIMALS}\s*\(\s*\d+\s*(,\s*0\s*)?\){_SIGNS}"),
    ("decimal", rf"({_DECIMALS}|bignumeric|bigdecimal)\s*\([\d\s,-]+\){_SIGNS}"),
    ("numeric", rf"({_DECIMALS}|bignumeric|bigdecimal){_SIGNS}"),
    ("zoned", rf"timestamp{_SIZE}\s*with\s+(local\s+)?time\s+zone|timestamp_?(tz|ltz){_SIZE}"),
    ("timestamp", rf"timestamp(_s|_ms|_us|_ns|_?ntz)?{_SIZE}(\s*without\s+time\s+zone)?|datetime(2|64)?{_SIZE}"),
    ("date", r"date(32)?"),
    ("time", rf"time(tz|_ns)?{_SIZE}(\s*with(out)?\s+time\s+zone)?"),
    ("bytes", rf"bytea|((tiny|medium|long)?blob|(var)?binary|bytes){_SIZE}"),
)
"""What a type has to be in full: arrays, ranges and the types of users are text, whatever their names begin with."""
_PATTERNS_OF_DIALECTS: dict[str, tuple[tuple[ColumnType, str], ...]] = {
    "duckdb": (("text", r"timestamp_ns"),),  # its texts have all nine digits, its format six
    # types of other engines: what PostgreSQL calls so is an enum or a domain of its users
    "postgres": (("text", r"datetime\d*|date32|(tiny|medium|long)?blob|(var)?binary|bytes|number|double"),),
    "mysql": (("zoned", rf"timestamp{_SIZE}"),),
    "spark": (("timestamp", r"timestamp_ntz"), ("zoned", rf"timestamp{_SIZE}")),
    "bigquery": (("zoned", rf"timestamp{_SIZE}"), ("decimal", rf"(bignumeric|numeric|decimal){_SIZE}")),
    "snowflake": (("integer", r"number|decimal|numeric"),),
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
    type_: ColumnType = next((type_ for type_, pattern in patterns if re.fullmatch(pattern, lowered)), "text")
    # only PostgreSQL has a type of numbers whose scale differs from value to value
    return "decimal" if type_ == "numeric" and dialect not in ("postgres", "redshift") else type_
