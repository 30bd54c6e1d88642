"""Names that a caller gives, as positions in an index; what is unknown is an error that names the nearest."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from jar.errors import QueryError
from jar.index.stated import Verdict

if TYPE_CHECKING:
    from jar.index.contents import IndexContents
    from jar.index.stated import Kind


def table_position(contents: IndexContents, id_: str) -> int:
    """Position of a table id.

    Raises
    ------
    QueryError
        When the index has no such table; the message names the nearest.
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
    """Position of a column "db.table.column".

    Raises
    ------
    QueryError
        When the index has no such column, where the message names the nearest, or when the name stands for columns of
        several tables, as names may have dots.
    """
    position = _position(contents.column_position, "column", name)
    starting = [table for table in contents.tables if name.startswith(f"{table.id}.")]
    owners = [table.id for table in starting if name[len(table.id) + 1 :] in table.column_names]
    if len(owners) > 1:
        raise QueryError(f"{name} is a column of {' and of '.join(owners)}: rename one of them or its table")
    return position


def judge(contents: IndexContents, kind: Kind, left: str, right: str) -> Verdict:
    """A pin or a veto on names that the index has.

    Raises
    ------
    QueryError
        When a name is unknown, both are in one table, or a pin is on tables.
    """
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
    if isinstance(name, str) and name in positions:
        return positions[name]
    by_folded: dict[str, list[str]] = {}
    for known in positions:
        by_folded.setdefault(known.casefold(), []).append(known)
    close = difflib.get_close_matches(str(name).casefold(), list(by_folded), n=3)
    nearest = [known for folded in close for known in by_folded[folded]][:3]
    hint = f"; did you mean {', '.join(nearest)}?" if nearest else ""
    raise QueryError(f"the index has no {kind} {name!r}{hint}")
