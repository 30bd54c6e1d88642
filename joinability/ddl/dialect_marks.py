"""In which dialect a script is written, by what only some dialects have."""

from __future__ import annotations

import re

USUAL = ("sqlite", "postgres", "mysql", "tsql", "oracle", "snowflake", "bigquery", "duckdb", "spark")
"""Dialects in the order in which they are tried where marks do not tell."""
SURE = 3
"""Weight of marks that need no trial."""
TEXT = re.compile(r"'[^'\n]*'")
"""A text in quotes, within a line."""

MARKS: dict[str, dict[str, int]] = {
    "mysql": {
        r"\b(?:MySQL|MariaDB) dump": 5,
        r"/\*!\d{5}": 3,
        r"\)[^;()]*\bENGINE\s*=?\s*(?:InnoDB|MyISAM|MEMORY|ARIA)\b": 3,
        r"\bAUTO_INCREMENT\b": 3,
        r"^[ \t]*(?:UNIQUE |FULLTEXT |SPATIAL )?(?:KEY|INDEX) [`\w]+ \([`a-z_]": 3,
        r"\bint(?:\(\d+\))? unsigned\b": 2,
        r"`": 1,
    },
    "tsql": {
        r"^[ \t]*GO[ \t\r]*$": 3,
        r"\bsp_addextendedproperty\b": 5,
        r"^[ \t]*SET (?:ANSI_NULLS|QUOTED_IDENTIFIER) ": 3,
        r"\[dbo\]\.\[": 3,
        r"\b(?:NON)?CLUSTERED\b": 2,
        r"\bIDENTITY\s*\(\d": 2,
        r"\bn?varchar\]?\s*\(max\)": 2,
        r"\b(?:DATETIME2|UNIQUEIDENTIFIER)\b": 2,
        r"\[[a-z_]\w*\]": 1,
    },
    "oracle": {
        r"\bN?VARCHAR2\b": 3,
        r"\bSEGMENT CREATION\b": 3,
        r"\b(?:NOT NULL|USING INDEX)[^,;]* ENABLE\b": 3,
        r"\bUSING INDEX\b": 2,
        r"\bTABLESPACE\b": 1,
        r"^/[ \t\r]*$": 2,
        r"\bNUMBER\s*\(": 1,
        r"\b[CN]LOB\b": 1,
    },
    "postgres": {
        r"\bPostgreSQL database dump": 5,
        r"\bALTER TABLE ONLY\b": 3,
        r"\bOWNER TO\b": 3,
        r"^COPY .* FROM stdin": 3,
        r"\w::\w": 2,
        r"::(?:text|character varying|regclass|jsonb?|\w+\.\w+)\b": 3,
        r"\b(?:BIG|SMALL)?SERIAL\b": 2,
        r"\bcharacter varying\b": 2,
        r"\btimestamp(?:\(\d\))? with(?:out)? time zone\b": 2,
        r"\b(?:JSONB|BYTEA|TIMESTAMPTZ|TSVECTOR)\b": 2,
        r"\w\[\]": 2,
        r"\$\$": 1,
        r"\bCOMMENT ON\b[^;']* IS E'": 2,
    },
    "sqlite": {r"^PRAGMA\b": 3, r"\bAUTOINCREMENT\b": 2, r"\bWITHOUT ROWID\b": 3, r"\bsqlite_sequence\b": 3},
    "snowflake": {
        r"\b(?:VARIANT|TIMESTAMP_[NLT]TZ)\b": 3,
        r"\bNUMBER\(38": 3,
        r"\bCREATE OR REPLACE (?:TRANSIENT )?TABLE\b": 2,
    },
    "bigquery": {
        r"\b(?:INT64|FLOAT64|BIGNUMERIC)\b": 3,
        r"\bSTRUCT<": 2,
        r"\bOPTIONS\s*\(": 2,
        r"`[\w-]+\.[\w.-]+`": 2,
    },
    "spark": {r"\bUSING (?:DELTA|PARQUET|ICEBERG)\b": 3, r"\bTBLPROPERTIES\b": 2, r"\bSTRING\b": 1},
    "hive": {r"\bSTORED AS\b": 3, r"\bROW FORMAT\b": 3, r"\bSTRING\b": 1},
    "clickhouse": {r"\bENGINE\s*=\s*\w*MergeTree\b": 5, r"\b(?:Nullable|LowCardinality)\(": 3},
    "redshift": {r"\b(?:DIST|SORT)KEY\b": 5, r"\bENCODE \w": 3},
    "teradata": {r"\b(?:MULTISET|SET) TABLE\b": 5, r"\bPRIMARY INDEX\b": 3},
}
"""What tells a dialect: patterns, without regard to case, and their weights."""


def likely_dialects(text: str) -> tuple[list[str], bool]:
    """The dialects that a script may be of, the likeliest first, and whether its marks are sure.

    Examples
    --------
    >>> likely_dialects("CREATE TABLE `a` (`id` int, KEY `i` (`id`)) ENGINE=InnoDB")[0][:2]
    ['mysql', 'sqlite']
    """
    bare = TEXT.sub("''", text)
    weights = {
        dialect: sum(
            weight
            for pattern, weight in marks.items()
            if re.search(pattern, bare, re.IGNORECASE | re.MULTILINE | re.ASCII)
        )
        for dialect, marks in MARKS.items()
    }
    marked = sorted((dialect for dialect in weights if weights[dialect]), key=lambda dialect: -weights[dialect])
    others = [dialect for dialect in USUAL if dialect not in marked]
    return [*marked, *others], bool(marked) and weights[marked[0]] >= SURE
