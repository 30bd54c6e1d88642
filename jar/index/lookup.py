"""Names that a caller gives, as positions in an index; what is unknown is an error that names the nearest."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from jar.errors import QueryError
from jar.index.stated import Verdict
from joinability.names import ambiguous, full_names

if TYPE_CHECKING:
    from jar.index.contents import IndexContents
    from jar.index.stated import Kind


def table_position(contents: IndexContents, id_: str) -> int:
    """Position of a table by its id, or by a short name that no other table has: "loan" for "bank.loan".

    Raises
    ------
    QueryError
        When the index has no such table, or several; the message lists these, or the nearest.
    """
    return _position(contents.table_position, "table", id_)


def table_positions(contents: IndexContents, ids: Iterable[str]) -> tuple[int, ...]:
    """Positions of table ids, repeated ones once.

    Raises
    ------
    QueryError
        When the ids are one text, or the index has no such table; the message names the nearest.
    """
    if isinstance(ids, str):
        raise QueryError(f"tables are a list of ids, such as [{ids!r}]")
    return tuple(dict.fromkeys(table_position(contents, id_) for id_ in ids))


def column_position(contents: IndexContents, name: str) -> int:
    """Position of a column "db.table.column", or by a short name that no other column has: "loan.amount".

    Raises
    ------
    QueryError
        When the index has no such column, or several; the message lists these, or the nearest. When the name stands for
        columns of several tables, as names may have dots.
    """
    position = _position(contents.column_position, "column", name)
    name = contents.column_name(position)
    starting = [table for table in contents.tables if name.startswith(f"{table.id}.")]
    owners = [table.id for table in starting if name[len(table.id) + 1 :] in table.column_names]
    if len(owners) > 1:
        raise QueryError(f"{name} is a column of {' and of '.join(owners)}: rename one of them or its table")
    return position


def full_name(contents: IndexContents, name: str) -> str:
    """The full name of a table or a column; a name as it is where the index has neither.

    A full name is taken before a short one, and a table before a column.

    Raises
    ------
    QueryError
        When it is the short name of several tables, or of no table and several columns.
    """
    if name in contents.table_position or name in contents.column_position:
        return name
    for kind, positions in (("table", contents.table_position), ("column", contents.column_position)):
        meant = full_names(name, positions)
        if len(meant) > 1:
            raise QueryError(ambiguous(kind, name, meant))
        if meant:
            return meant[0]
    return name


def judge(contents: IndexContents, kind: Kind, left: str, right: str) -> Verdict:
    """A pin or a veto on names that the index has.

    Raises
    ------
    QueryError
        When a name is unknown, both are in one table, or a pin is on tables.
    """
    left, right = full_name(contents, left), full_name(contents, right)
    tables = contents.table_position
    if kind == "veto" and (left in tables) != (right in tables) and {left, right} & contents.column_position.keys():
        raise QueryError(f"a veto is on two columns or on two tables, not on one of each: {left}, {right}")
    if left in tables and right in tables:
        if kind == "pin":
            raise QueryError(f"a pin is on two columns, such as {left}.id, not on two tables")
        owners = [left, right]
    else:
        owners = [contents.tables[contents.owner[column_position(contents, name)]].id for name in (left, right)]
    if owners[0] == owners[1]:
        raise QueryError(f"{left} and {right} belong to one table; a join is between two")
    return Verdict(min(left, right), max(left, right), kind)


def _position(positions: Mapping[str, int], kind: str, name: str) -> int:
    if isinstance(name, str):
        if name in positions:
            return positions[name]
        meant = full_names(name, positions)
        if len(meant) > 1:
            raise QueryError(ambiguous(kind, name, meant))
        if meant:
            return positions[meant[0]]
    by_folded: dict[str, list[str]] = {}
    for known in positions:
        by_folded.setdefault(known.casefold(), []).append(known)
    close = difflib.get_close_matches(str(name).casefold(), list(by_folded), n=3)
    nearest = [known for folded in close for known in by_folded[folded]][:3]
    hint = f"; did you mean {', '.join(nearest)}?" if nearest else ""
    raise QueryError(f"the index has no {kind} {name!r}{hint}")
