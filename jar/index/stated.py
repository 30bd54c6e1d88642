"""What a user states, kept in the index file by name, so that it outlives every refresh: joins, logged questions, and
what tables and columns hold.

A pin makes two columns join for certain (w = 1), a veto never (w = 0). The last word on a pair counts. A verdict on
columns that a refresh drops stays, without effect, until they come back. So does what is learned of tables from logged
questions (`jar.fitting`), which is one text for all; the last fit counts. Descriptions (`Catalog.with_descriptions`)
stay until others are given in their place.

What writes gives what the file has then, in its turn to write: an object that keeps a copy in memory takes it there, so
that of two threads none puts an older copy in the place of a newer one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from jar.errors import QueryError
from jar.index.file import open_index, read_meta, write_meta

if TYPE_CHECKING:
    import duckdb

Kind = Literal["pin", "veto"]
FIT = "fit"
"""The key of `meta` under which a fit is kept."""

SCHEMA = (
    "CREATE TABLE IF NOT EXISTS join_verdicts (kind VARCHAR NOT NULL, left_name VARCHAR NOT NULL, "
    "right_name VARCHAR NOT NULL, PRIMARY KEY (left_name, right_name))"
)
DESCRIPTIONS = (
    "CREATE TABLE IF NOT EXISTS descriptions (name VARCHAR NOT NULL PRIMARY KEY, description VARCHAR NOT NULL)"
)


@dataclass(frozen=True, order=True)
class Verdict:
    """One statement: two columns "db.table.column" (or, for a veto, two tables), the lesser name left."""

    left: str
    right: str
    kind: Kind


def read_verdicts(connection: duckdb.DuckDBPyConnection) -> tuple[Verdict, ...]:
    """The verdicts of an open index, sorted by names."""
    if not _is_there(connection, "join_verdicts"):
        return ()  # an index in which nobody has said anything
    rows = connection.execute("SELECT left_name, right_name, kind FROM join_verdicts ORDER BY ALL").fetchall()
    return tuple(Verdict(left, right, kind) for left, right, kind in rows)


@contextmanager
def kept_verdict(path: Path, verdict: Verdict) -> Iterator[tuple[Verdict, ...]]:
    """Write a verdict into an index, in place of an earlier one on the same pair; gives all, in the turn to write."""
    with open_index(path, write=True) as connection:
        connection.execute(SCHEMA)
        connection.execute(
            "INSERT OR REPLACE INTO join_verdicts (kind, left_name, right_name) VALUES (?, ?, ?)",
            [verdict.kind, verdict.left, verdict.right],
        )
        yield read_verdicts(connection)


def stated_pair(known: Iterable[Verdict], left: str, right: str) -> tuple[str, str]:
    """The names of a pair that something was said of, as they are kept; in short where they mean one pair alone, for
    the index may not have them any more.

    Raises
    ------
    QueryError
        When nothing was said of it; the message lists what was.
    """
    pairs = [(verdict.left, verdict.right) for verdict in known]
    pair = (min(left, right), max(left, right))
    if pair in pairs:
        return pair
    meant = [ends for ends in pairs if _is_meant(ends, left, right) or _is_meant(ends, right, left)]
    if len(meant) == 1:
        return meant[0]
    said = "; ".join(f"{verdict.kind} {verdict.left} {verdict.right}" for verdict in known) or "nothing"
    raise QueryError(f"nothing was said of {left} and {right}. Said so far: {said}")


def _is_meant(ends: tuple[str, str], left: str, right: str) -> bool:
    """Whether names are those of a pair, in full or in short."""
    return all(end == name or end.endswith(f".{name}") for end, name in zip(ends, (left, right), strict=True))


@contextmanager
def forgotten_verdict(path: Path, left: str, right: str) -> Iterator[tuple[Verdict, ...]]:
    """Take back what was said of a pair, in either order; gives what is left, in the turn to write.

    Raises
    ------
    QueryError
        When nothing was said of it; the message lists what was.
    """
    with open_index(path) as connection:
        pair = stated_pair(read_verdicts(connection), left, right)
    with open_index(path, write=True) as connection:
        connection.execute("DELETE FROM join_verdicts WHERE left_name = ? AND right_name = ?", list(pair))
        yield read_verdicts(connection)


@contextmanager
def kept_fit(path: Path, text: str | None) -> Iterator[dict[str, str]]:
    """Write what is learned from logged questions into an index, in place of an earlier fit; None takes it out.

    Gives what `meta` holds then, in the turn to write.
    """
    with open_index(path, write=True) as connection:
        if text is None:
            connection.execute("DELETE FROM meta WHERE key = ?", [FIT])
        else:
            write_meta(connection, {FIT: text})
        yield read_meta(connection)


def read_described(connection: duckdb.DuckDBPyConnection) -> dict[str, str]:
    """The descriptions that an open index keeps, by the full names of tables and columns."""
    if not _is_there(connection, "descriptions"):
        return {}
    rows = connection.execute("SELECT name, description FROM descriptions ORDER BY name").fetchall()
    return {str(name): str(description) for name, description in rows}


def write_described(connection: duckdb.DuckDBPyConnection, described: Mapping[str, str]) -> None:
    """Keep descriptions in an open index, in place of those before."""
    if not described and not _is_there(connection, "descriptions"):
        return
    connection.execute(DESCRIPTIONS)
    connection.execute("DELETE FROM descriptions")
    if described:
        connection.executemany("INSERT INTO descriptions VALUES (?, ?)", [list(told) for told in described.items()])


def _is_there(connection: duckdb.DuckDBPyConnection, table: str) -> bool:
    return bool(connection.execute("SELECT 1 FROM duckdb_tables() WHERE table_name = ?", [table]).fetchall())


def carry_stated(source: Path, target: Path) -> None:
    """Copy what is stated in one index into another, in place of what that has."""
    with open_index(source) as connection:
        verdicts, fit = read_verdicts(connection), read_meta(connection).get(FIT)
    with open_index(target, write=True) as connection:
        other_verdicts, other_fit = read_verdicts(connection), read_meta(connection).get(FIT)
        if verdicts or other_verdicts:
            connection.execute(SCHEMA)
            connection.execute("BEGIN")
            connection.execute("DELETE FROM join_verdicts")
            for verdict in verdicts:
                connection.execute(
                    "INSERT INTO join_verdicts (kind, left_name, right_name) VALUES (?, ?, ?)",
                    [verdict.kind, verdict.left, verdict.right],
                )
            connection.execute("COMMIT")
    if fit != other_fit:
        with kept_fit(target, fit):
            pass
