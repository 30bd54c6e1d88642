"""Types of columns in a dialect: the declared type, read by sqlglot, as the nearest common type that the dialect has.

Declared types come from files, from other engines or from the dialect itself. So a type is read as the dialect reads
it, then as SQL at large and as other dialects do. What nobody reads, and what the dialect has no name for, is written
as text.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from sqlglot import exp

    from jar.answers.sql_dialects import SqlDialect

COMMON = {
    "TINYINT": "SMALLINT",
    "UTINYINT": "SMALLINT",
    "SMALLINT": "SMALLINT",
    "SMALLSERIAL": "SMALLINT",
    "USMALLINT": "INT",
    "MEDIUMINT": "INT",
    "UMEDIUMINT": "INT",
    "INT": "INT",
    "SERIAL": "INT",
    "YEAR": "INT",
    "UINT": "BIGINT",
    "BIGINT": "BIGINT",
    "BIGSERIAL": "BIGINT",
    "UBIGINT": "DECIMAL",
    "INT128": "DECIMAL",
    "UINT128": "DECIMAL",
    "DECIMAL": "DECIMAL",
    "UDECIMAL": "DECIMAL",
    "BIGDECIMAL": "DECIMAL",
    "MONEY": "DECIMAL",
    "SMALLMONEY": "DECIMAL",
    "FLOAT": "FLOAT",
    "DOUBLE": "DOUBLE",
    "UDOUBLE": "DOUBLE",
    "BOOLEAN": "BOOLEAN",
    "BIT": "BOOLEAN",
    "CHAR": "CHAR",
    "NCHAR": "CHAR",
    "BPCHAR": "CHAR",
    "VARCHAR": "VARCHAR",
    "NVARCHAR": "VARCHAR",
    "TEXT": "TEXT",
    "TINYTEXT": "TEXT",
    "MEDIUMTEXT": "TEXT",
    "LONGTEXT": "TEXT",
    "NAME": "TEXT",
    "DATE": "DATE",
    "DATE32": "DATE",
    "TIME": "TIME",
    "TIMETZ": "TIME",
    "DATETIME": "TIMESTAMP",
    "DATETIME2": "TIMESTAMP",
    "DATETIME64": "TIMESTAMP",
    "SMALLDATETIME": "TIMESTAMP",
    "TIMESTAMP": "TIMESTAMP",
    "TIMESTAMPNTZ": "TIMESTAMP",
    "TIMESTAMP_S": "TIMESTAMP",
    "TIMESTAMP_MS": "TIMESTAMP",
    "TIMESTAMP_NS": "TIMESTAMP",
    "TIMESTAMPTZ": "TIMESTAMPTZ",
    "TIMESTAMPLTZ": "TIMESTAMPTZ",
    "BINARY": "VARBINARY",
    "VARBINARY": "VARBINARY",
    "BLOB": "VARBINARY",
    "TINYBLOB": "VARBINARY",
    "MEDIUMBLOB": "VARBINARY",
    "LONGBLOB": "VARBINARY",
    "JSON": "JSON",
    "JSONB": "JSON",
    "UUID": "UUID",
}
"""Types, by sqlglot's names, and the common one that each is written as; any other is written as text."""

DIGITS = {"UBIGINT": [38, 0], "INT128": [38, 0], "UINT128": [38, 0], "MONEY": [19, 4], "SMALLMONEY": [10, 4]}
"""Digits, and those behind the point, of types that are written as decimal."""
OTHERS = ("duckdb", "postgres", "mysql", "snowflake", "bigquery", "oracle", "tsql")
MOST_DIGITS = 38
KEY_LENGTH = 255
"""Characters of a text in a key, where the dialect wants a length."""
KEY_LENGTHS = 700
"""Characters of all texts of a key: four bytes each, they are within the 3,072 bytes of MySQL."""


NO_KEYS = frozenset({"FLOAT", "DOUBLE", "JSON", "VARBINARY"})
"""Common types that some engine refuses in a key."""


class WrittenType(NamedTuple):
    """A type as a dialect has it, a remark where the type was declared otherwise, and whether keys may have it."""

    sql: str
    remark: str
    may_be_key: bool


@lru_cache(maxsize=4096)
def type_in(dialect: SqlDialect, declared: str, key_columns: int = 0) -> WrittenType:
    """A declared type in a dialect.

    Parameters
    ----------
    key_columns : int
        How many columns the primary key has that the column is in; 0 for a column of no key.

    Examples
    --------
    >>> from jar.answers.sql_dialects import dialect_named
    >>> type_in(dialect_named("oracle"), "varchar(20)").sql
    'VARCHAR2(20)'
    >>> type_in(dialect_named("sqlite"), "geography")
    WrittenType(sql='TEXT', remark='declared as geography', may_be_key=True)
    """
    read = _read(declared, dialect.name)
    name = "" if read is None else read.this.name
    if read is not None and name in dialect.kept.split() and _is_known(read, dialect):
        return WrittenType(read.sql(dialect=dialect.name), "", name in COMMON)
    common = COMMON.get(name, "")
    if common not in ("", "TEXT", "VARCHAR"):
        return WrittenType(_common(read, common, dialect), "", common not in NO_KEYS)
    remark = "" if common else f"declared as {declared}" if declared.strip() else "type not declared"
    length = [number for number in _numbers(read)[:1] if common == "VARCHAR" and 0 < number <= dialect.longest]
    if key_columns and dialect.key_text:
        written = dialect.key_text.format(min([KEY_LENGTH, KEY_LENGTHS // key_columns, *length]))
    elif length:
        written = _typed("VARCHAR", length).sql(dialect=dialect.name)
    else:
        written = dialect.written.get(common, dialect.text)
    return WrittenType(written, remark, True)


def _is_known(read: exp.DataType, dialect: SqlDialect) -> bool:
    """Whether a dialect has each type that a type is made of."""
    from sqlglot import exp

    parts = [part.this.name for part in read.find_all(exp.DataType) if isinstance(part.this, exp.DataType.Type)]
    return all(name in COMMON or name in dialect.kept.split() for name in parts)


def _common(read: exp.DataType | None, common: str, dialect: SqlDialect) -> str:
    """A common type but text in a dialect: with digits where it is decimal, with a length where it is CHAR."""
    name, numbers = "" if read is None else read.this.name, _numbers(read)
    if common == "DECIMAL":
        numbers = DIGITS.get(name, numbers)
        scale = sum(numbers[1:])
        if len(numbers) not in (1, 2) or not scale <= numbers[0] <= MOST_DIGITS:
            numbers = []
        elif dialect.name == "bigquery" and (scale > 9 or numbers[0] - scale > 29):
            common = "BIGDECIMAL"
    elif common == "CHAR":
        numbers = [number for number in numbers[:1] if 0 < number <= KEY_LENGTH]
    else:
        numbers = []
    if common in dialect.written:
        return dialect.written[common]
    return _typed(common, numbers if dialect.has_lengths else []).sql(dialect=dialect.name)


def _typed(name: str, numbers: list[int]) -> exp.DataType:
    from sqlglot import exp

    parameters = [exp.DataTypeParam(this=exp.Literal.number(number)) for number in numbers]
    return exp.DataType(this=exp.DataType.Type[name], expressions=parameters)


def _numbers(read: exp.DataType | None) -> list[int]:
    """The parameters of a type that are whole numbers; none where there are others."""
    texts = [] if read is None else [parameter.name for parameter in read.expressions]
    return [int(text) for text in texts] if all(text.isdecimal() for text in texts) else []


def _read(declared: str, dialect: str) -> exp.DataType | None:
    """A declared type as sqlglot reads it; None where it is no type of any dialect."""
    from sqlglot import exp
    from sqlglot.errors import SqlglotError

    if not declared.strip():
        return None
    # TIMESTAMP is a row version to SQL Server and a time to everybody else, who more likely declared it.
    first = ("", dialect) if dialect == "tsql" else (dialect, "")
    for reader in (*first, *OTHERS):
        try:
            read = exp.DataType.build(declared, dialect=reader)
        except (SqlglotError, ValueError, AttributeError, RecursionError):
            continue
        is_list = read.this in (exp.DataType.Type.ARRAY, exp.DataType.Type.LIST)
        if isinstance(read.this, exp.DataType.Type) and is_list >= declared.rstrip().endswith("]"):
            return read
    return None
