"""Databases behind SQLAlchemy: PostgreSQL, MySQL, MariaDB, and others by the dialect packages of their makers."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from joinability.credentials import without_credentials
from joinability.engines.engine import StoredTable
from joinability.errors import SourceError

if TYPE_CHECKING:
    import pyarrow
    import sqlalchemy

DRIVERS = {"postgresql": "psycopg", "postgres": "psycopg", "mysql": "pymysql", "mariadb": "pymysql"}
"""The driver of a database where its URL names none."""
DIALECTS = {"postgresql": "postgres", "cockroachdb": "postgres", "awsathena": "athena"}
"""Dialects that have another name in sqlglot than in SQLAlchemy."""
READ_ONLY = {
    "postgres": "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY",
    "mysql": "SET SESSION TRANSACTION READ ONLY",
    "mariadb": "SET SESSION TRANSACTION READ ONLY",
}
STATES = {
    "postgres": "SELECT concat_ws('|', c.oid, c.relfilenode, s.n_tup_ins, s.n_tup_upd, s.n_tup_del)"
    " FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace"
    " JOIN pg_stat_all_tables AS s ON s.relid = c.oid WHERE n.nspname = :schema AND c.relname = :name",
    "mysql": "SELECT concat_ws('|', create_time, update_time, data_length, auto_increment)"
    " FROM information_schema.tables WHERE update_time IS NOT NULL AND table_schema = :schema AND table_name = :name",
}
STATES["mariadb"] = STATES["mysql"]
NO_URL = "not a URL: expected kind://user:password@host:port/database; Catalog.from_files reads files"


class Relational:
    """A database behind a URL, a SQLAlchemy engine or connection, or a connection of a driver.

    A connection that is opened here is read-only. One that is given is left as it is: nothing but SELECT is sent, and
    nothing is committed, rolled back or closed.
    """

    def __init__(self, source: Any) -> None:
        import sqlalchemy

        self._given: sqlalchemy.Connection | None = None
        if isinstance(source, sqlalchemy.Connection):
            self._engine, self._given = source.engine, source
        elif isinstance(source, sqlalchemy.Engine):
            self._engine = source
        elif isinstance(source, (str, sqlalchemy.URL)):
            self._engine = _opened(source)
        else:
            self._engine = _around(source)
            self._given = self._engine.connect()
        _refuse_sqlite(self._engine.dialect.name)
        url = self._engine.url
        self._secrets = _secrets(url)
        is_mariadb = bool(getattr(self._engine.dialect, "is_mariadb", False))
        try:
            with self._connection() as connection:
                is_mariadb = bool(getattr(connection.dialect, "is_mariadb", is_mariadb))
                inspector = sqlalchemy.inspect(connection)
                self.default_schema = str(inspector.default_schema_name or "")
        except Exception as error:  # drivers raise what they like at options that they do not know
            raise SourceError(_shown(url), self.cause(error)) from None
        named = self._engine.dialect.name
        self.dialect = "mariadb" if is_mariadb else DIALECTS.get(named, named)
        self.database = url.database or self.default_schema or named
        self.name = _shown(url)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.name}>"

    def schemas(self) -> list[str]:
        """The schemas of the database, the default one first; in MySQL, where they are databases, that one alone."""
        import sqlalchemy

        if self.dialect in ("mysql", "mariadb"):
            return [self.default_schema]
        with self._connection() as connection:
            names = set(sqlalchemy.inspect(connection).get_schema_names())
        return [self.default_schema, *sorted(names - {self.default_schema, "information_schema"})]

    def tables(self, schemas: Sequence[str] | None) -> tuple[list[StoredTable], list[tuple[str, str]]]:
        """Tables, keys and comments, read from the catalog of the database by SQLAlchemy's inspector.

        Not from PostgreSQL's information schema, which hides keys from users who may only read.
        """
        import sqlalchemy

        tables: list[StoredTable] = []
        failures: list[tuple[str, str]] = []
        with self._connection() as connection, warnings.catch_warnings():
            warnings.simplefilter("ignore", sqlalchemy.exc.SAWarning)  # of types that it does not know: they are text
            inspector = sqlalchemy.inspect(connection)
            for schema in schemas or [self.default_schema]:
                for name in inspector.get_table_names(schema=schema or None):
                    try:
                        tables.append(self._described(inspector, schema, name))
                    except sqlalchemy.exc.SQLAlchemyError as error:
                        failures.append((f"{schema}.{name}", self.cause(error)))
        return tables, failures

    def _described(self, inspector: sqlalchemy.Inspector, schema: str, name: str) -> StoredTable:
        within = schema or None
        return StoredTable(
            schema,
            name,
            tuple(
                (column["name"], self._type(column["type"]), column.get("comment"))
                for column in inspector.get_columns(name, schema=within)
            ),
            tuple(inspector.get_pk_constraint(name, schema=within).get("constrained_columns") or ()),
            tuple(
                (
                    tuple(key["constrained_columns"]),
                    key["referred_schema"] or self.default_schema,
                    key["referred_table"],
                    tuple(key["referred_columns"]),
                )
                for key in sorted(
                    inspector.get_foreign_keys(name, schema=within), key=lambda key: key["constrained_columns"]
                )
            ),
            self._comment(inspector, name, within),
        )

    def _comment(self, inspector: sqlalchemy.Inspector, name: str, schema: str | None) -> str | None:
        try:
            return inspector.get_table_comment(name, schema=schema).get("text")
        except NotImplementedError:
            return None

    def _type(self, type_: Any) -> str:
        import sqlalchemy

        try:
            return str(type_.compile(dialect=self._engine.dialect))
        except sqlalchemy.exc.CompileError:
            return ""

    def select(self, query: str, schema: pyarrow.Schema) -> pyarrow.Table:
        """The answer to a query, with the columns of `schema`."""
        import pyarrow as pa

        with self._connection() as connection:
            rows = self._execute(connection, query).fetchall()
        columns = list(zip(*rows, strict=True)) or [()] * len(schema)
        return pa.table([pa.array(values, field.type) for values, field in zip(columns, schema, strict=True)], schema)

    def rows(self, query: str, size: int) -> Iterator[list[Sequence[Any]]]:
        """The answer to a query, at most `size` rows at a time, column by column."""
        with self._connection() as connection:
            answer = self._execute(connection, query, stream_results=True, max_row_buffer=size)
            while rows := answer.fetchmany(size):
                yield list(zip(*rows, strict=True))

    def state(self, schema: str, table: str) -> str | None:
        """Counters of changed rows, or the time of the last change, where the database keeps them."""
        import sqlalchemy

        if self.dialect not in STATES:
            return None
        with self._connection() as connection:
            asked = sqlalchemy.text(STATES[self.dialect])
            return connection.execute(asked, {"schema": schema, "name": table}).scalar()

    def cause(self, error: Exception) -> str:
        """What the driver says, in one line, without its statement, and with stars for every secret of the URL."""
        original = getattr(error, "orig", None) or error
        text = " ".join(str(original).split()) or type(original).__name__
        for secret in self._secrets:
            text = text.replace(secret, "***")
        return without_credentials(text)

    def _execute(self, connection: sqlalchemy.Connection, query: str, **options: Any) -> Any:
        """Run a statement as it is: a percent sign in it is no parameter."""
        return connection.exec_driver_sql(query, execution_options={"no_parameters": True, **options})

    @contextmanager
    def _connection(self) -> Iterator[sqlalchemy.Connection]:
        if self._given is None:
            with self._engine.connect() as connection:
                yield connection
        elif self._engine.dialect.name == "postgresql" and not getattr(
            self._given.connection.dbapi_connection, "autocommit", False
        ):  # an error there would end the whole transaction; a savepoint keeps it
            with self._given.begin_nested():
                yield self._given
        else:
            yield self._given


def _opened(source: str | sqlalchemy.URL) -> sqlalchemy.Engine:
    """A SQLAlchemy engine for a URL, whose connections only read.

    Raises
    ------
    SourceError
        When the URL is none, or its driver is not installed. The message has no part of the URL but its kind.
    """
    import sqlalchemy
    from sqlalchemy.pool import NullPool

    try:
        url = sqlalchemy.make_url(source)
        if isinstance(source, str):
            _check_escapes(source)
        if "+" not in url.drivername and url.drivername in DRIVERS:
            kind = "postgresql" if url.drivername == "postgres" else url.drivername
            url = url.set(drivername=f"{kind}+{DRIVERS[url.drivername]}")
        _refuse_sqlite(url.get_backend_name(), url.database)
        engine = sqlalchemy.create_engine(url, poolclass=NullPool, hide_parameters=True)
    except sqlalchemy.exc.NoSuchModuleError:
        kind = str(source).partition(":")[0]
        raise SourceError(kind, f"no SQLAlchemy dialect for {kind!r} is installed; its maker has one on PyPI") from None
    except (sqlalchemy.exc.SQLAlchemyError, ValueError):
        raise SourceError("database", NO_URL) from None
    except ModuleNotFoundError as error:
        extra = "postgres" if url.drivername.startswith("postgres") else "mysql"
        hint = f"install it: pip install 'jar-rerank[{extra}]'" if error.name in DRIVERS.values() else "install it"
        raise SourceError(url.drivername, f"the driver {error.name} is missing; {hint}") from None
    dialect = DIALECTS.get(engine.dialect.name, engine.dialect.name)

    @sqlalchemy.event.listens_for(engine, "connect")
    def read_only(connection: Any, _: Any) -> None:
        if dialect in READ_ONLY:
            cursor = connection.cursor()
            cursor.execute(READ_ONLY[dialect])
            cursor.close()
            connection.commit()

    return engine


def _refuse_sqlite(kind: str, path: str | None = None) -> None:
    """SQLite would make the file where there is none, and knows no statements that profile."""
    if kind == "sqlite":
        named = f", {path!r}" if path else ""
        raise SourceError("sqlite", f"SQLite files are read by Catalog.from_sqlite; give their path{named}")


def _check_escapes(source: str) -> None:
    """Refuse a URL that is read in another way than it is meant: with a sign in its password that is not escaped.

    Raises
    ------
    SourceError
        The message has no part of the URL.
    """
    address = source.partition("://")[2]
    if address.count("@") > 1 or "@" in address.partition("?")[2]:
        raise SourceError(
            "database",
            "the URL can be read in several ways: in users, passwords and options write @ as %40, : as %3A, / as %2F, "
            "? as %3F and # as %23",
        )


def _around(connection: Any) -> sqlalchemy.Engine:
    """A SQLAlchemy engine around a connection of a driver, which it never closes or resets."""
    import sqlalchemy
    from sqlalchemy.pool import StaticPool

    driver = type(connection).__module__.partition(".")[0]
    urls = {"psycopg": "postgresql+psycopg://", "psycopg2": "postgresql+psycopg2://", "pymysql": "mysql+pymysql://",
            "MySQLdb": "mysql+mysqldb://", "mysql": "mysql+mysqlconnector://"}  # fmt: skip
    if driver not in urls:
        known = ", ".join(sorted(urls))
        raise SourceError(
            driver, f"{type(connection).__name__} is no connection of {known}; give a URL or a SQLAlchemy engine"
        )
    engine = sqlalchemy.create_engine(
        urls[driver], creator=lambda: connection, poolclass=StaticPool, pool_reset_on_return=None, hide_parameters=True
    )
    # a transaction that the caller has begun is the caller's to end: SQLAlchemy would take it back on connecting
    for end in ("do_rollback", "do_commit", "do_close"):
        setattr(engine.dialect, end, lambda _: None)
    return engine


def _shown(url: sqlalchemy.URL) -> str:
    kind = url.drivername.partition("+")[0]
    host = url.host or ""
    return f"{kind}://{host}{f':{url.port}' if url.port else ''}/{url.database or ''}"


def _secrets(url: sqlalchemy.URL) -> list[str]:
    """The password, as given and as URLs write it, and all values of the query but the shortest."""
    from urllib.parse import quote, quote_plus

    values = [str(url.password)] if url.password else []
    for value in url.query.values():
        values += [value] if isinstance(value, str) else value
    return sorted({form for v in values if len(v) > 2 for form in (v, quote(v, safe=""), quote_plus(v))}, key=len)[::-1]
