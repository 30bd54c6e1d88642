"""SQL dialects: how each one writes names, and what a type, a key and a text are called in it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from jar.errors import QueryError
from joinability.attributes import cached_property
from joinability.ddl.dialect_names import ALIASES, meant, plain_name

PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")

RESERVED = frozenset(
    "all alter and any as asc between by case cast check column constraint create cross current_date current_time "
    "current_timestamp default delete desc distinct drop else end except exists false fetch for foreign from full "
    "grant group having in index inner insert intersect into is join left like limit natural not null offset on or "
    "order outer primary references right select set table then to transaction true union unique update user using "
    "values when where with".split()
)
"""Words that nearly all dialects reserve; a name among them is quoted."""

UNREAD = frozenset(
    "charset connect_by_root current_datetime current_user exclude fetch force function glob identifier ilike install "
    "lateral macro match_recognize notnull partitioned_by qualify regexp returning revoke rlike rollback tablesample "
    "uncache undrop xor".split()
)
"""Words that engines may take for names, but sqlglot does not in some dialect: what it reads is what a test can see."""

# What PostgreSQL 15 lists as reserved, what SQLite 3.40 and MariaDB 10.11 refuse beyond `RESERVED` and sqlglot's words,
# and the reserved words of the manuals of SQL Server, Oracle and Snowflake (without what its SHOW alone refuses).
_POSTGRES = (
    "analyse analyze array asymmetric authorization binary both collate collation concurrently current_catalog "
    "current_role current_schema current_user deferrable do freeze ilike initially isnull lateral leading localtime "
    "localtimestamp notnull only overlaps placing returning session_user similar some symmetric tablesample trailing "
    "variadic verbose window"
)
_SQLITE = "add autoincrement collate commit deferrable escape if isnull nothing notnull raise returning"
_MARIADB = (
    "current_role delete_domain_id do_domain_ids ignore_domain_ids master_demote_to_replica master_demote_to_slave "
    "page_checksum parse_vcol_expr portion ref_system_id returning stats_auto_recalc stats_persistent "
    "stats_sample_pages"
)
_TSQL = (
    "add authorization backup begin break browse bulk cascade checkpoint close clustered coalesce collate commit "
    "compute contains containstable continue convert current current_user cursor database dbcc deallocate declare "
    "deny disk distributed double dump errlvl escape exec execute exit external file fillfactor freetext "
    "freetexttable function goto holdlock identity identity_insert identitycol if key kill lineno load merge national "
    "nocheck nonclustered nullif of off offsets open opendatasource openquery openrowset openxml option over percent "
    "pivot plan precision print proc procedure public raiserror read readtext reconfigure replication restore "
    "restrict return revert revoke rollback rowcount rowguidcol rule save schema securityaudit semantickeyphrasetable "
    "semanticsimilaritydetailstable semanticsimilaritytable session_user setuser shutdown some statistics system_user "
    "tablesample textsize top tran trigger truncate try_convert tsequal unpivot updatetext use varying view waitfor "
    "while within writetext"
)
_SNOWFLAKE = (
    "all alter and any as between by case cast check column connect constraint create cross current current_date "
    "current_time current_timestamp current_user delete distinct drop else exists false following for from full grant "
    "group having ilike in increment inner insert intersect into is join lateral left like localtime localtimestamp "
    "minus natural not null of on or order qualify regexp revoke right rlike row rows sample select set some start "
    "table tablesample then to trigger true try_cast union unique update using values when whenever where with"
)
_ORACLE = (
    "access add all alter and any as asc audit between by char check cluster column column_value comment compress "
    "connect create current date decimal default delete desc distinct drop else exclusive exists file float for from "
    "grant group having identified immediate in increment index initial insert integer intersect into is level like "
    "lock long maxextents minus mlslabel mode modify nested_table_id noaudit nocompress not nowait null number of "
    "offline on online option or order pctfree prior public raw rename resource revoke row rowid rownum rows select "
    "session set share size smallint start successful synonym sysdate table then to trigger uid union unique update "
    "user validate values varchar varchar2 view whenever where with"
)
_DUCKDB = (
    "anti asof at describe glob lambda lateral pivot pivot_longer pivot_wider positional qualify returning semi show "
    "summarize unpack unpivot"
)
ANYWHERE = RESERVED | frozenset(f"{_POSTGRES} {_SQLITE} {_DUCKDB}".split())
"""Words in quotes where no dialect is named: the answer may go to any engine that quotes as these do."""
_NO_WORDS: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, eq=False)
class SqlDialect:
    """What a prompt has to know of a dialect.

    Attributes
    ----------
    name : str
        As sqlglot and the caller call it.
    words : str
        Words that it reserves; with `is_strict` just these, else also `RESERVED`, `UNREAD` and what sqlglot lists.
    folds : "", "lower" or "upper"
        To which case it brings names without quotes, where it tells cases apart.
    is_strict : bool
        Whether a quoted name may be another one than the same name without quotes, though both are in lower case. So it
        is where names are folded to upper case: `order` is ORDER, and "order" is not. A name in one case is then taken
        for one that nobody quoted, as SQLAlchemy takes it, unless it is reserved.
    unread : str
        With `is_strict`, the words of `UNREAD` and others of that kind: in quotes they are in upper case.
    text : str
        The type of texts of any length.
    key_text : str
        The type of texts in keys, with a place for the length; "" where `text` may be in a key.
    longest : int
        The greatest length that a text may be declared with; 0 where the dialect has no lengths.
    kept : str
        Types beyond the common ones, as sqlglot names them, that are written as they are declared.
    written : mapping
        Common types (`jar.answers.sql_types`) that sqlglot writes in a way that the engine does not know, and how it
        knows them.
    after_key : str
        What follows a key.
    """

    name: str
    words: str = ""
    folds: str = ""
    is_strict: bool = False
    unread: str = ""
    text: str = "TEXT"
    key_text: str = ""
    longest: int = 1_000_000
    kept: str = ""
    written: Mapping[str, str] = field(default_factory=lambda: _NO_WORDS)
    after_key: str = ""

    @property
    def has_lengths(self) -> bool:
        """Whether decimals and texts of fixed length are declared with it."""
        return self.name != "sqlite"

    @lru_cache(maxsize=65_536)  # noqa: B019 - dialects live as long as the process
    def quote(self, name: str, *, always: bool = False) -> str:
        """A name as an identifier, quoted where it has to be."""
        from sqlglot import exp

        is_unread = name.lower() in self.unread.split() and name in (name.lower(), name.upper()) and not always
        written = name.upper() if is_unread else name
        return exp.to_identifier(written, quoted=always or is_unread or self._is_quoted(name)).sql(dialect=self.name)

    def literal(self, text: str) -> str:
        """A text in quotes."""
        from sqlglot import exp

        return exp.Literal.string(text).sql(dialect=self.name)

    def _is_quoted(self, name: str) -> bool:
        if not PLAIN.match(name) or name.lower() in self.reserved:
            return True
        if self.name == "mysql" and name.startswith("_"):  # `_utf8` names the characters of the text behind it
            return True
        if self.folds == "lower":
            return name != name.lower()
        return self.folds == "upper" and name not in (name.lower(), name.upper())

    @cached_property
    def reserved(self) -> frozenset[str]:
        """Words that are quoted, in lower case."""
        from sqlglot.dialects.dialect import Dialect

        words = frozenset(self.words.split())
        if self.is_strict:
            return words
        listed: Any = Dialect.get_or_raise(self.name).generator_class.RESERVED_KEYWORDS
        return words | RESERVED | UNREAD | frozenset(word.lower() for word in listed)


DIALECTS = (
    SqlDialect("sqlite", _SQLITE, longest=0),
    SqlDialect(
        "postgres",
        _POSTGRES,
        folds="lower",
        longest=10_485_760,
        kept="ARRAY INTERVAL JSONB MONEY INET CIDR BIT HSTORE TSTZRANGE TSRANGE DATERANGE INT4RANGE INT8RANGE NUMRANGE "
        "XML",
    ),
    SqlDialect(
        "mysql",
        _MARIADB,
        key_text="VARCHAR({})",
        longest=16_383,
        kept="ENUM SET YEAR UTINYINT USMALLINT UMEDIUMINT UINT UBIGINT BIT GEOMETRY",
        written={"UUID": "CHAR(36)", "VARBINARY": "BLOB"},
    ),
    SqlDialect(
        "snowflake",
        _SNOWFLAKE,
        folds="upper",
        is_strict=True,
        unread="connect_by_root fetch function identifier match_recognize notnull outer partitioned_by uncache undrop "
        "xor",
        text="VARCHAR",
        longest=16_777_216,
        kept="VARIANT OBJECT ARRAY GEOGRAPHY GEOMETRY TIMESTAMPLTZ VECTOR",
        written={"UUID": "VARCHAR(36)"},
    ),
    SqlDialect(
        "bigquery",
        text="STRING",
        kept="ARRAY STRUCT GEOGRAPHY BIGDECIMAL INTERVAL RANGE",
        after_key=" NOT ENFORCED",
    ),
    SqlDialect(
        "duckdb",
        longest=0,
        kept="ARRAY LIST STRUCT MAP ENUM INTERVAL INT128 UINT128 UTINYINT USMALLINT UINT UBIGINT BIT TIMESTAMP_NS "
        "TIMESTAMP_MS TIMESTAMP_S",
    ),
    SqlDialect(
        "tsql",
        _TSQL,
        text="VARCHAR(MAX)",
        key_text="VARCHAR({})",
        longest=8_000,
        kept="NVARCHAR NCHAR MONEY SMALLMONEY XML GEOGRAPHY GEOMETRY SMALLDATETIME HIERARCHYID",
        written={"JSON": "NVARCHAR(MAX)", "TIMESTAMP": "DATETIME2", "VARBINARY": "VARBINARY(MAX)"},
    ),
    SqlDialect(
        "oracle",
        _ORACLE,
        folds="upper",
        is_strict=True,
        unread="case connect_by_root constraint cross current_date current_time current_timestamp current_user except "
        "exclude false fetch function glob ilike inner join lateral localtimestamp notnull outer partitioned_by "
        "qualify regexp returning rlike rollback systimestamp true uncache using when xor",
        text="VARCHAR2(4000)",
        key_text="VARCHAR2({})",
        longest=4_000,
        written={
            "TEXT": "CLOB",
            "UUID": "VARCHAR2(36)",
            "TIME": "VARCHAR2(20)",
            "BIGINT": "NUMBER(19)",
            "INT": "INTEGER",
        },
    ),
)
"""The dialects that a prompt may be written in."""
_BY_NAME = {dialect.name: dialect for dialect in DIALECTS}
NAMES = (*_BY_NAME, *ALIASES)
"""What a dialect may be called."""


def dialect_named(name: str) -> SqlDialect:
    """The dialect of a name, in any case.

    Raises
    ------
    QueryError
        When there is none; the message lists them.
    """
    told = name if isinstance(name, str) else ""
    dialect = _BY_NAME.get(plain_name(told))
    if dialect is None:
        known = f"choose one of {', '.join(_BY_NAME)}, or none for plain SQL"
        raise QueryError(f"no SQL dialect {name!r}{meant(told, _BY_NAME)}: {known}")
    return dialect


def plain_quote(name: str) -> str:
    """An identifier for no dialect: in double quotes unless it is a plain word that none of PostgreSQL, SQLite and
    DuckDB reserves."""
    if PLAIN.match(name) and name.lower() not in ANYWHERE:
        return name
    return '"' + name.replace('"', '""') + '"'
