"""The package's SQL in the words of other engines."""

from __future__ import annotations

import re

import pytest
from sqlglot import exp, parse_one

from joinability.engines.column_types import ColumnType, column_type
from joinability.engines.pushdown import parts_statement, verification_statement
from joinability.statements import WORDS, expanded, query, sql

DIALECTS = ("duckdb", "postgres", "mysql", "mariadb", "spark", "databricks", "snowflake", "bigquery", "trino")
COLUMN_TYPES: tuple[ColumnType, ...] = (
    "text", "integer", "float", "decimal", "boolean", "date", "timestamp", "zoned", "time", "bytes",
)  # fmt: skip
COLUMNS = [(place, "a schema", 'a "table"', f"{type_} `x`", type_) for place, type_ in enumerate(COLUMN_TYPES)]
MACROS = set(re.findall(r"MACRO (\w+)\(", sql("normalised") + sql("remote")))


@pytest.mark.parametrize("dialect", DIALECTS)
def test_statements_are_of_the_dialect(dialect: str) -> None:
    """Every statement is read back by the dialect's own parser, without a macro, a parameter or a bare identifier."""
    words = WORDS.get(dialect, dialect)
    for text in (
        parts_statement(COLUMNS, dialect, 256, "1"),
        verification_statement(COLUMNS, [(0, 1), (2, 3)], dialect),
    ):
        tree = parse_one(text, read=words)
        calls = {node.name.lower() for node in tree.find_all(exp.Anonymous)}
        assert not calls & MACROS
        assert not list(tree.find_all(exp.Parameter, exp.Placeholder))
        bare = {node.name for node in tree.find_all(exp.Identifier) if not node.args.get("quoted")}
        assert bare <= {"utf8mb4_nopad_bin", "utf8mb4_0900_bin", "session", "time_zone", "DOUBLE"}
        assert tree.find(exp.With) is not None


@pytest.mark.parametrize(
    ("dialect", "expected"),
    [
        ("postgres", [r'COLLATE "C"', r'"value" ~ ', r"ENCODE\(.*'hex'\)", r"TO_CHAR\(.* AT TIME ZONE 'UTC'"]),
        ("mysql", [r"COLLATE utf8mb4_0900_bin", r"REGEXP_INSTR", r"CONVERT_TZ", r"'\[ \\\\t\\\\r\\\\n\]\+\$'"]),
        ("mariadb", [r"COLLATE utf8mb4_nopad_bin", r"REGEXP_INSTR"]),
        ("spark", [r"RLIKE", r"TO_UTC_TIMESTAMP", r"FORMAT_STRING\('%.14e'"]),
        ("databricks", [r"REGEXP_LIKE|RLIKE", r"TO_UTC_TIMESTAMP", r"FORMAT_STRING\('%.14e'"]),
        ("snowflake", [r"CONVERT_TIMEZONE\('UTC'", r"LOWER\(TO_CHAR\(.*'HEX'\)", r"'\[ \\\\t\\\\r\\\\n\]\+\$'"]),
        ("bigquery", [r"TO_HEX\(MD5\(", r"FORMAT_TIMESTAMP\(.*'UTC'\)", r"FORMAT_DATETIME", r"REGEXP_CONTAINS"]),
        ("trino", [r"LOWER\(TO_HEX\(MD5\(TO_UTF8\(", r"AT_TIMEZONE\(.*'UTC'\)", r"REGEXP_LIKE"]),
    ],
)
def test_what_engines_do_otherwise_is_written_otherwise(dialect: str, expected: list[str]) -> None:
    """Order of text, patterns, zones, bytes and hashes are those that the engine's manual has."""
    text = parts_statement(COLUMNS, dialect, 256, "1")
    assert [pattern for pattern in expected if not re.search(pattern, text)] == []


def test_macros_expand_to_what_they_stand_for() -> None:
    """An argument that is an expression stays one: it is put in brackets where it has to be."""
    tree = parse_one("SELECT hashed(a || b), clock(x) FROM t", read="duckdb")
    assert expanded(tree, "duckdb").sql("duckdb") == (
        "SELECT MD5((a || b)), CASE WHEN LENGTH(x) > 8 THEN REGEXP_REPLACE(REGEXP_REPLACE(x, '0+$', ''), '[.]$', '')"
        " ELSE x END FROM t"
    )


def test_parameters_become_literals() -> None:
    """A number as a number, a text in quotes."""
    text = query("parts", "postgres", (("kept", 7), ("below", "it's")))
    assert '"place" <= 7' in text
    assert "\"hash\" < 'it''s'" in text


@pytest.mark.parametrize(
    ("type_", "dialect", "expected"),
    [
        ("INTEGER", "postgres", "integer"), ("smallserial", "postgres", "integer"), ("interval", "postgres", "text"),
        ("point", "postgres", "text"), ("integer[]", "postgres", "text"), ("NUMERIC", "postgres", "numeric"),
        ("NUMERIC(10, 0)", "postgres", "integer"), ("DECIMAL(10, 2)", "mysql", "decimal"), ("YEAR", "mysql", "integer"),
        ("TIMESTAMP", "mysql", "zoned"), ("DATETIME(6)", "mysql", "timestamp"), ("TINYINT(1)", "mariadb", "integer"),
        ("TIMESTAMP WITH TIME ZONE", "postgres", "zoned"), ("timestamp", "spark", "zoned"),
        ("REAL", "postgres", "float"),
        ("timestamp_ntz", "spark", "timestamp"), ("array<int>", "spark", "text"), ("bigint", "spark", "integer"),
        ("NUMBER(38, 0)", "snowflake", "integer"), ("TIMESTAMP_LTZ", "snowflake", "zoned"),
        ("INT64", "bigquery", "integer"), ("NUMERIC", "bigquery", "decimal"), ("BYTEA", "postgres", "bytes"),
        ("time without time zone", "postgres", "time"),
        ("UUID", "postgres", "text"), ("", "postgres", "text"), ("BOOLEAN", "duckdb", "boolean"),
        ("HUGEINT", "duckdb", "integer"), ("UBIGINT", "duckdb", "integer"), ("date", "trino", "date"),
        ("DOUBLE PRECISION", "postgres", "float"), ("FLOAT(7, 4) UNSIGNED", "mysql", "float"),
        ("BIGINT(20) UNSIGNED ZEROFILL", "mysql", "integer"), ("DECIMAL(10, 2) UNSIGNED", "mysql", "decimal"),
        ("NUMERIC(5, -2)", "postgres", "decimal"), ("TIMESTAMP(6) WITH TIME ZONE", "postgres", "zoned"),
        ("timestamp(3) without time zone", "postgres", "timestamp"), ("TIMESTAMP_S", "duckdb", "timestamp"),
        ("TIMESTAMP_NS", "duckdb", "text"), ("TIME WITH TIME ZONE", "duckdb", "time"),
        ("BYTES(9)", "bigquery", "bytes"),
    ],
)  # fmt: skip
def test_declared_types_have_column_types(type_: str, dialect: str, expected: str) -> None:
    """A declared type has the column type that says how it is printed; an unknown one is text."""
    assert column_type(type_, dialect) == expected


@pytest.mark.parametrize(
    "type_",
    [
        *(f"{element}[3]" for element in ("FLOAT", "DOUBLE", "DATE", "BOOLEAN", "DECIMAL(10,2)", "TIMESTAMP", "BLOB")),
        "FLOAT[]", "INTEGER[2][3]", "daterange", "datemultirange", "dated", "date.kind", "int4range", "booleans",
        "realm",
    ],
)  # fmt: skip
@pytest.mark.parametrize("dialect", ["duckdb", "postgres"])
def test_a_type_is_known_in_full_or_is_text(type_: str, dialect: str) -> None:
    """Arrays, ranges and the types of users begin like other types, and none of their functions fits them."""
    assert column_type(type_, dialect) == "text"


@pytest.mark.parametrize("type_", ["datetime", "blob", "bytes", "double"])
def test_types_of_other_engines_are_those_of_users(type_: str) -> None:
    """PostgreSQL has no type of that name: there it is an enum or a domain."""
    assert column_type(type_, "postgres") == "text"
