"""Names that a caller gives, as positions in an index; what is unknown is an error that names the nearest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from jar.errors import QueryError
from jar.index.stated import Verdict
from joinability.short_names import ambiguous, folded_name, full_names, nearest_names

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
    position = _position(contents.table_position, "table", id_)
    if position is None:
        raise QueryError(_unknown("table", id_, contents.table_position))
    return position


def table_positions(contents: IndexContents, ids: Iterable[str]) -> tuple[int, ...]:
    """Positions of table ids, repeated ones once.

    Raises
    ------
    QueryError
        When the ids are no list, or the index has no such table; the message names the nearest.
    """
    if isinstance(ids, str) or not isinstance(ids, Iterable):
        raise QueryError(f"tables are a list of ids, such as [{str(ids)!r}]")
    return tuple(dict.fromkeys(table_position(contents, id_) for id_ in ids))


def positions_within(contents: IndexContents, names: Iterable[str]) -> tuple[int, ...]:
    """Positions of tables, and of all tables of databases and schemas: "bank.loan", "bank", "bank.*"; each once.

    A name that is a table's, in full or in short, is that of the table.

    Raises
    ------
    QueryError
        As by `table_positions`; the index has no table, database or schema of a name.
    """
    if isinstance(names, str) or not isinstance(names, Iterable):
        return table_positions(contents, names)
    found: dict[int, None] = {}
    for name in names:
        position = _position(contents.table_position, "table", name)
        whole = [position] if position is not None else _tables_of_schema(contents, name)
        if not whole:
            schemas = dict.fromkeys(id_.rpartition(".")[0] for id_ in contents.table_position)
            raise QueryError(_unknown("table or schema", name, [*contents.table_position, *schemas]))
        found |= dict.fromkeys(whole)
    return tuple(found)


def _tables_of_schema(contents: IndexContents, name: object) -> list[int]:
    """Positions of the tables whose ids begin with the name of a database or schema, found as tables are."""
    start = f"{folded_name(str(name).removesuffix('.*'))}."
    return [position for id_, position in contents.table_position.items() if folded_name(id_).startswith(start)]


def column_position(contents: IndexContents, name: str) -> int:
    """Position of a column "db.table.column", or by a short name that no other column has: "loan.amount".

    Raises
    ------
    QueryError
        When the index has no such column, or several; the message lists these, or the nearest, and says whether it is
        the table that is unknown. When the name stands for columns of several tables, as names may have dots.
    """
    position = _position(contents.column_position, "column", name)
    if position is None:
        raise QueryError(_unknown_column(contents, name))
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


def are_tables(contents: IndexContents, left: str, right: str) -> bool:
    """Whether two full names, each of a table or of a column, are those of tables.

    Raises
    ------
    QueryError
        When one of them is unknown and the other is a table, or both are unknown and may be either.
    """
    tables, columns = contents.table_position, contents.column_position
    unknown = [name for name in (left, right) if name not in tables and name not in columns]
    if len(unknown) == 1 and (left in tables or right in tables):
        raise QueryError(_unknown("table", unknown[0], tables))
    if len(unknown) == 2 and "." not in str(unknown[0]):
        raise QueryError(_unknown("table or column", unknown[0], [*tables, *columns]))
    return left in tables and right in tables


def judge(contents: IndexContents, kind: Kind, left: str, right: str) -> Verdict:
    """A pin or a veto on names that the index has.

    Raises
    ------
    QueryError
        When a name is unknown, both are one column or one table, or a pin is on tables.
    """
    for name in (left, right):
        if not isinstance(name, str):
            raise QueryError(f"a {kind} is on one column on each side, such as 'orders.client_id', not on {name!r}")
    left, right = full_name(contents, left), full_name(contents, right)
    tables = contents.table_position
    if kind == "veto" and (left in tables) != (right in tables) and {left, right} & contents.column_position.keys():
        raise QueryError(f"a veto is on two columns or on two tables, not on one of each: {left}, {right}")
    if kind == "pin" and left in tables and right in tables:
        raise QueryError(f"a pin is on two columns, such as {_some_column(contents, left)}, not on two tables")
    if kind == "veto" and are_tables(contents, left, right):
        ends = [left, right]
    else:
        ends = [contents.column_name(column_position(contents, name)) for name in (left, right)]
    if ends[0] == ends[1]:
        sides = "columns or tables" if kind == "veto" else "columns"
        raise QueryError(f"{left} stands on both sides; a {kind} is on two {sides}")
    return Verdict(min(left, right), max(left, right), kind)


def _position(positions: Mapping[str, int], kind: str, name: str) -> int | None:
    """The position of a name, in full or in short; None where it is unknown."""
    if not isinstance(name, str):
        return None
    if name in positions:
        return positions[name]
    meant = full_names(name, positions)
    if len(meant) > 1:
        raise QueryError(ambiguous(kind, name, meant))
    return positions[meant[0]] if meant else None


def _unknown_column(contents: IndexContents, name: object) -> str:
    """What an error says of a name that no column has: whether its table is unknown, or the column in its table."""
    tables = contents.table_position
    if name in tables:
        return f"{name} is a table; here a column of it is asked for, such as {_some_column(contents, str(name))}"
    parts = name.split(".") if isinstance(name, str) else []
    splits = [(".".join(parts[:at]), ".".join(parts[at:])) for at in range(len(parts) - 1, 0, -1)]
    for owner, column in splits:
        meant = [owner] if owner in tables else full_names(owner, tables)
        if len(meant) > 1:
            return ambiguous("table", owner, meant)
        if meant:
            near = nearest_names(column, contents.tables[tables[meant[0]]].column_names)
            return f"{meant[0]} has no column {column!r}{_hint(f'{meant[0]}.{known}' for known in near)}"
    if not splits or any(id_.startswith(f"{splits[0][0]}.") for id_ in tables):
        return _unknown("column", name, contents.column_position)
    return _unknown("table", splits[0][0], tables)


def _some_column(contents: IndexContents, table: str) -> str:
    """The name of a column that a table has: its key, where it has one."""
    columns = contents.tables[contents.table_position[table]]
    return ".".join([table, *(columns.primary_key or columns.column_names)[:1]])


def _unknown(kind: str, name: object, known: Iterable[str]) -> str:
    return f"the index has no {kind} {name!r}{_hint(nearest_names(name, known))}"


def _hint(nearest: Iterable[str]) -> str:
    listed = ", ".join(nearest)
    return f"; did you mean {listed}?" if listed else ""
