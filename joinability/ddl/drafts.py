"""Tables while the statements of a script are read, and how their names find each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from joinability.ddl.own_types import meaning
from joinability.ddl.remarks import Remark, settled
from joinability.errors import CatalogError
from joinability.schema import Column, ForeignKey, Table, in_warehouses

Name = tuple[str, str]
"""Database and name of a table; the database is empty where the text does not say it."""
Reference = tuple[list[str], Name, list[str]]
"""Columns, the table that they refer to, and its columns."""


class Scope(NamedTuple):
    """Where the tables of the statements that follow are.

    Attributes
    ----------
    name : str
        The database or schema; "" for none.
    has_schemas : bool
        Whether it is a database, to whose schemas the names in the script belong that are qualified.
    """

    name: str
    has_schemas: bool = False


@dataclass
class Draft:
    """A table while its statements are read.

    Attributes
    ----------
    database, name : str
    columns : list of Column
    primary_key : list of str
    references : list of Reference
    description : str or None
        What the statements say of it.
    remark : Remark or None
        The comment above its statement, which counts where the statements say nothing.
    schema : str
        What qualifies its name, "" for nothing.
    file : str
        Where it is created, "" for none.
    """

    database: str
    name: str
    columns: list[Column]
    primary_key: list[str] = field(default_factory=list)
    references: list[Reference] = field(default_factory=list)
    description: str | None = None
    remark: Remark | None = None
    schema: str = ""
    file: str = ""


class Drafts:
    """The tables of a script so far.

    Parameters
    ----------
    database : str
        That of the names which no schema qualifies.

    Attributes
    ----------
    scope : Scope
        What the names belong to in the statement that is read.
    file : str
        Where this statement stands; "" for none.
    unfit_keys : list of (table, ForeignKey)
    unfit_primary_keys : list of (table, names of columns)
        Those that name columns which their tables do not have, once `tables` has left them out.
    """

    def __init__(self, database: str) -> None:
        self.database = database
        self.unfit_keys: list[tuple[str, ForeignKey]] = []
        self.unfit_primary_keys: list[tuple[str, tuple[str, ...]]] = []
        self.scope = Scope("")
        self.file = ""
        self._left_out: set[Name] = set()
        self._drafts: dict[Name, Draft] = {}
        self._own_types: dict[str, str] = {}

    def name_type(self, name: str, type_: str) -> None:
        """Give a type a name of its own, which columns of any table may have; the first meaning counts."""
        self._own_types.setdefault(name.casefold(), type_)

    def add(self, draft: Draft) -> None:
        """Add a table.

        Raises
        ------
        CatalogError
            When it is there already, or its names cannot be those of a table.
        """
        draft.schema, draft.database = draft.database or self.scope.name, self._full((draft.database, ""))[0]
        draft.file = self.file
        Table(draft.database, draft.name, tuple(draft.columns))  # says of names what is wrong with them
        if (draft.database, draft.name) in self._drafts:
            raise CatalogError(f"the table {draft.database}.{draft.name} is created twice; the first statement counts")
        draft.references = [self._full_reference(reference) for reference in draft.references]
        self._drafts[draft.database, draft.name] = draft

    def has(self, name: Name, column: str | None = None) -> bool:
        """Whether there is a table of a name, and has a column."""
        draft = self._nearest(self._full(name))
        return draft is not None and (column is None or _has(draft, [column]))

    def leave_out(self, name: Name) -> None:
        """Take a table away, if it is there, and remember that nothing which is said of it counts."""
        self.drop(name)
        self._left_out.add(_folded(self._full(name)))

    def leaves_out(self, name: Name) -> bool:
        """Whether a table is left out."""
        return _folded(self._full(name)) in self._left_out

    def copy_columns(self, draft: Draft, source: Name, *, with_key: bool) -> None:
        """Give a table the columns of another one before its own, as LIKE and INHERITS do, and maybe its primary key.

        Raises
        ------
        CatalogError
            When the other one is not there.
        """
        other = self._nearest(self._full((source[0] or draft.database, source[1])))
        if other is None:
            raise CatalogError(f"the columns of {'.'.join(filter(None, source))} are not known; write them out")
        own = {column.name.casefold() for column in draft.columns}
        draft.columns[:0] = [column for column in other.columns if column.name.casefold() not in own]
        if with_key and not draft.primary_key:
            draft.primary_key = list(other.primary_key)

    def add_keys(self, keys: Draft) -> None:
        """Add the keys of a statement that alters a table."""
        draft = self._named((keys.database, keys.name))
        draft.primary_key += [column for column in keys.primary_key if column not in draft.primary_key]
        draft.references += [self._full_reference(reference) for reference in keys.references]

    def describe(self, table: Name, description: str, column: str | None = None) -> None:
        """Add what a statement says of a table or of one of its columns.

        Raises
        ------
        CatalogError
            When it is not there.
        """
        draft = self._named(table)
        if column is None:
            draft.description = description
            return
        names = [known.name.casefold() for known in draft.columns]
        if column.casefold() not in names:
            raise CatalogError(f"{draft.database}.{draft.name} has no column {column!r}")
        place = names.index(column.casefold())
        draft.columns[place] = replace(draft.columns[place], description=description)

    def drop(self, name: Name) -> None:
        """Take a table away, if it is there."""
        draft = self._nearest(self._full(name))
        if draft is not None:
            del self._drafts[draft.database, draft.name]

    def rename(self, name: Name, new: Name) -> None:
        """Give a table another name, and what refers to it; in its schema unless another one is named."""
        draft = self._named(name)
        old = draft.database, draft.name
        draft.schema, draft.database, draft.name = new[0] or draft.schema, new[0] or old[0], new[1]
        self._drafts = {(one.database, one.name): one for one in self._drafts.values()}
        for other in self._drafts.values():
            other.references = [
                (columns, (draft.database, draft.name) if self._means(other, target, old) else target, keys)
                for columns, target, keys in other.references
            ]

    def swap(self, name: Name, other: Name) -> None:
        """Exchange the names of two tables."""
        one, two = self._named(name), self._named(other)
        (one.schema, one.database, one.name), (two.schema, two.database, two.name) = (
            (two.schema, two.database, two.name),
            (one.schema, one.database, one.name),
        )
        self._drafts = {(one.database, one.name): one for one in self._drafts.values()}

    def add_column(self, name: Name, column: Column) -> None:
        """Add a column behind the others, unless the table has it."""
        draft = self._named(name)
        if column.name.casefold() not in {known.name.casefold() for known in draft.columns}:
            draft.columns.append(column)

    def drop_column(self, name: Name, column: str) -> None:
        """Take a column away, and the keys that it was part of."""
        draft = self._named(name)
        gone = column.casefold()
        draft.columns = [known for known in draft.columns if known.name.casefold() != gone]
        draft.references = [
            reference for reference in draft.references if gone not in map(str.casefold, reference[0])
        ]
        if gone in map(str.casefold, draft.primary_key):
            draft.primary_key = []

    def rename_column(self, name: Name, column: str, new: str) -> None:
        """Give a column another name, in keys, too.

        Raises
        ------
        CatalogError
            When the table has no such column, or another one of the new name.
        """
        draft = self._named(name)
        if not _has(draft, [column]):
            raise CatalogError(f"{draft.database}.{draft.name} has no column {column!r}")
        if new.casefold() != column.casefold() and _has(draft, [new]):
            raise CatalogError(f"{draft.database}.{draft.name} has a column {new!r} already")

        def renamed(names: list[str]) -> list[str]:
            return [new if one.casefold() == column.casefold() else one for one in names]

        draft.columns = [
            replace(known, name=new) if known.name.casefold() == column.casefold() else known for known in draft.columns
        ]
        draft.primary_key = renamed(draft.primary_key)
        draft.references = [(renamed(columns), target, keys) for columns, target, keys in draft.references]
        for other in self._drafts.values():
            other.references = [
                (columns, target, renamed(keys) if self._means(other, target, (draft.database, draft.name)) else keys)
                for columns, target, keys in other.references
            ]

    def set_type(self, name: Name, column: str, type_: str) -> None:
        """Give a column another type."""
        draft = self._named(name)
        draft.columns = [
            replace(known, type=type_) if known.name.casefold() == column.casefold() else known
            for known in draft.columns
        ]

    def _means(self, draft: Draft, target: Name, name: Name) -> bool:
        """Whether a key of a table refers to the table of a name."""
        return _folded((target[0] or draft.database, target[1])) == _folded(name)

    def tables(self) -> list[Table]:
        """All tables, in order; the schemas of one script are those of a warehouse."""
        drafts = self._drafts.values()
        for draft, remark in zip(drafts, settled([draft.remark for draft in drafts]), strict=True):
            draft.description = draft.description or remark
            draft.columns = [replace(column, type=meaning(column.type, self._own_types)) for column in draft.columns]
        tables = [self._table(draft) for draft in drafts]
        return in_warehouses(tables, [{table.database for table in tables}])

    def _full(self, name: Name) -> Name:
        """A name with the database that it belongs to in the present scope."""
        qualifier, table = name
        if not qualifier:
            return self.scope.name or self.database, table
        is_schema = self.scope.has_schemas and "." not in qualifier
        return f"{self.scope.name}.{qualifier}" if is_schema else qualifier, table

    def _full_reference(self, reference: Reference) -> Reference:
        columns, target, keys = reference
        return columns, self._full(target) if target[0] else target, keys

    def _named(self, name: Name) -> Draft:
        name = self._full(name)
        draft = self._nearest(name)
        if draft is None:
            raise CatalogError(f"no table {'.'.join(name)} has been created before this statement")
        return draft

    def _nearest(self, name: Name) -> Draft | None:
        """The table of a name, else one whose name differs in case alone."""
        near = (draft for known, draft in self._drafts.items() if _folded(known) == _folded(name))
        return self._drafts.get(name) or next(near, None)

    def _table(self, draft: Draft) -> Table:
        """The table of a draft, without the keys that name columns which their tables do not have."""
        keys = []
        for columns, (qualifier, name), target_columns in draft.references:
            # an unqualified name is a table of the same schema, else of the default one
            candidates = [(qualifier, name)] if qualifier else [(draft.database, name), (self.database, name)]
            target = next((near for key in candidates if (near := self._nearest(key))), None)
            owner = candidates[0] if target is None else (target.database, target.name)
            key = ForeignKey(tuple(columns), ".".join(owner), tuple(target_columns))
            if _has(draft, columns) and (target is None or _has(target, target_columns)):
                keys.append(key)
            else:
                self.unfit_keys.append((f"{draft.database}.{draft.name}", key))
        names = [column.name for column in draft.columns]
        spelling = {column.casefold(): column for column in names}
        is_there = _has(draft, draft.primary_key)
        if not is_there:
            self.unfit_primary_keys.append((f"{draft.database}.{draft.name}", tuple(draft.primary_key)))
        primary_key = tuple(
            column if column in names else spelling[column.casefold()]
            for column in draft.primary_key
            if is_there
        )
        return Table(
            draft.database,
            draft.name,
            tuple(draft.columns),
            primary_key,
            tuple(keys),
            draft.description,
            origin=draft.file or None,
            schema=draft.schema,
        )


def _folded(name: Name) -> Name:
    return name[0].casefold(), name[1].casefold()


def _has(draft: Draft, columns: Sequence[str]) -> bool:
    """Whether a table has all of some columns, in whatever case."""
    return {name.casefold() for name in columns} <= {column.name.casefold() for column in draft.columns}
