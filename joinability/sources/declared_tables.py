"""Tables that a DDL text declares and other sources hold: one each, with the keys of the one, the rows of the other.

A declared database is one with rows when most tables of the smaller of the two have a twin in the other: a table of
the same name that has most of its columns, all without regard to case. The schemas of a warehouse are one such database
when most of all their tables have a twin in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from joinability.schema import Column, ForeignKey, Table
from joinability.sources.delimited import DelimitedSource
from joinability.sources.json_lines import JsonSource


class Merged(NamedTuple):
    """Tables of which none is there twice, and in words which declared ones have rows."""

    tables: list[Table]
    told: list[str]


class _Place(NamedTuple):
    """The database with rows that a declared one is, and the table with rows (id) that each declared one (id) is."""

    database: str
    twins: dict[str, str]


def merge_declared(held: Sequence[Table], declared: Sequence[Table]) -> Merged:
    """Declared tables beside tables with rows; those that are twins are one.

    A twin has the id, the rows and the columns of the table with rows; keys, descriptions and types that this one lacks
    come from the declared one. The other tables of the declared database move to that of its twins, or stay in their
    schemas beside it.
    """
    free, ids = _grouped(held), {table.id for table in held}
    places: dict[str, str] = {}
    twins: dict[str, Table] = {}
    told, found = [], list(_placed(declared, free))
    for tables, place in found:
        schemas = list(dict.fromkeys(table.database for table in tables))
        if len(schemas) == 1:
            here = {table.id: f"{place.database}.{table.name}" for table in tables}
            places |= {old: new for old, new in here.items() if new not in ids}
        places |= place.twins
        twins |= {place.twins[table.id]: table for table in tables if table.id in place.twins}
        count = "1 table" if len(place.twins) == 1 else f"{len(place.twins)} tables"
        rows = f"{count} of {', '.join(schemas)} have their rows from {place.database}"
        told.append(f"{rows}, keys and comments from DDL")
    others = [table for table in declared if places.get(table.id) not in twins]
    tables = [_described(table, twins[table.id]) if table.id in twins else table for table in held]
    tables += [_moved(table, places[table.id]) if table.id in places else table for table in others]
    return Merged(_with_keys(_in_warehouses_of(tables, held, found), places), told)


def _in_warehouses_of(
    tables: Iterable[Table], held: Sequence[Table], found: Sequence[tuple[Sequence[Table], _Place]]
) -> list[Table]:
    """The tables; all of a database with rows are in the warehouse of the declared schemas that it is."""
    known = {table.database: table.warehouse for table in held}
    whole: dict[str | None, str] = {}
    within: dict[str, str] = {}
    for declared, place in found:
        if (warehouse := declared[0].warehouse) is not None:
            within[place.database] = whole.setdefault(warehouse, known[place.database] or warehouse)
    return [
        replace(table, warehouse=within.get(table.database, whole.get(table.warehouse, table.warehouse)))
        for table in tables
    ]


def _placed(declared: Sequence[Table], free: dict[str, list[Table]]) -> Iterator[tuple[list[Table], _Place]]:
    """The declared databases that are one with rows; of several schemas all together, or else each by itself."""
    for tables in _grouped(declared, whole=True).values():
        schemas = _grouped(tables)
        place = _place_of(tables, free) if len(schemas) > 1 else None
        together = place is not None and 2 * len(place.twins) > len(tables)
        for part in [tables] if together else schemas.values():
            place = _place_of(part, free)
            if place is not None:
                del free[place.database]
                yield part, place


def _grouped(tables: Iterable[Table], *, whole: bool = False) -> dict[str, list[Table]]:
    """Tables by their databases, or by the warehouses that hold these."""
    grouped: dict[str, list[Table]] = {}
    for table in tables:
        grouped.setdefault(table.place[0] if whole else table.database, []).append(table)
    return grouped


def _place_of(declared: Sequence[Table], held: Mapping[str, Sequence[Table]]) -> _Place | None:
    """The database with rows that a declared one is; None where there is none, or two would do equally."""
    found = []
    for database, tables in held.items():
        twins = _twins(declared, tables)
        if 2 * len(twins) > min(len(declared), len(tables)):
            found.append(_Place(database, twins))
    most = max((len(place.twins) for place in found), default=0)
    best = [place for place in found if len(place.twins) == most]
    return best[0] if len(best) == 1 else None


def _twins(declared: Sequence[Table], held: Sequence[Table]) -> dict[str, str]:
    """The table with rows that each declared one is, if any; the name of a schema may be part of its name. Of several
    of one name the one with most of its columns is it."""
    named = {table.name.casefold(): table for table in held}
    found: dict[str, Table] = {}
    for table in declared:
        twin = named.get(table.place[1].casefold()) or named.get(table.name.casefold())
        if twin is not None and _same_columns(table, twin):
            other = found.setdefault(twin.id, table)
            found[twin.id] = max(other, table, key=lambda one: len(one.columns))
    return {table.id: twin for twin, table in found.items()}


def _same_columns(left: Table, right: Table) -> bool:
    """Whether most columns of the narrower of two tables are those of the other: some may be new or renamed."""
    one, other = ({name.casefold() for name in table.column_names} for table in (left, right))
    return 2 * len(one & other) > min(len(one), len(other))


def _described(table: Table, declared: Table) -> Table:
    """A table with rows, and what the declared one says of it."""
    said = {column.name.casefold(): column for column in declared.columns}
    is_file = table.schema is None
    is_named_so = is_file and table.name.casefold() == declared.name.casefold()
    source = table.source
    if isinstance(source, (DelimitedSource, JsonSource)):
        source = replace(source, infers_types=False)
    return replace(
        table,
        source=source,
        columns=tuple(
            _described_column(column, said.get(column.name.casefold()), is_file) for column in table.columns
        ),
        primary_key=table.primary_key or _known(declared.primary_key, table),
        foreign_keys=table.foreign_keys or declared.foreign_keys,
        description=table.description or declared.description,
        origin=declared.origin,
        schema=declared.schema if is_named_so else table.schema,
    )


def _described_column(column: Column, said: Column | None, is_file: bool) -> Column:
    """A column with what is said of it; the type of one in a file is no more than a guess by its values."""
    if said is None:
        return column
    type_ = (said.type or column.type) if is_file else (column.type or said.type)
    return replace(column, type=type_, description=column.description or said.description)


def _moved(table: Table, new: str) -> Table:
    return replace(table, database=new[: -len(table.name) - 1])


def _with_keys(tables: Sequence[Table], places: Mapping[str, str]) -> list[Table]:
    """The same tables, their keys to where the targets are now; without those whose columns are not there."""
    by_id = {table.id: table for table in tables}
    told = []
    for table in tables:
        keys = [replace(key, target=places.get(key.target, key.target)) for key in table.foreign_keys]
        kept = tuple(key for key in keys if _holds(key, table, by_id.get(key.target)))
        told.append(replace(table, foreign_keys=kept))
    return told


def _holds(key: ForeignKey, table: Table, target: Table | None) -> bool:
    return bool(_known(key.columns, table)) and (
        target is None or not key.target_columns or bool(_known(key.target_columns, target))
    )


def _known(names: Iterable[str], table: Table) -> tuple[str, ...]:
    """Columns in the spelling of a table; none where one is missing."""
    spelled = {name.casefold(): name for name in table.column_names}
    known = tuple(spelled.get(name.casefold(), "") for name in names)
    return known if all(known) else ()
