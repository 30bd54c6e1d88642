"""Writers of statements for a prompt: in plain SQL, and in a dialect so that its engine can run them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from jar.answers.join import OF_ANOTHER_ROW
from jar.answers.sql_dialects import plain_quote
from jar.answers.sql_types import WrittenType, type_in
from joinability.graph.edge import text_literal

if TYPE_CHECKING:
    from jar.answers.join import Join
    from jar.answers.sql_dialects import SqlDialect
    from joinability import Column, ForeignKey, Table

_WORDS, _TEXT = r"[A-Za-z][A-Za-z0-9_ ]*", r"'[^'\\\n\r]{0,60}'"
_NUMBERS = r"\d+(?:\s*,\s*\d+)?"
_SIZES = rf"{_NUMBERS}|{_TEXT}(?:\s*,\s*{_TEXT})*|{_WORDS}(?:,\s*\d+)?"
_FIELDS = rf"<(?:[A-Za-z0-9_ ,:<>]|\({_NUMBERS}\))*>"
PLAIN_TYPE = re.compile(rf"(?:[A-Za-z]\w*\.)?{_WORDS}(?:\(\s*(?:{_SIZES})\s*\)|{_FIELDS})?(?:\[\d*\])*\Z", re.ASCII)
"""A type that may be written as it was declared, such as DECIMAL(10, 2), TEXT[], ENUM('a', 'b'), ARRAY<NUMERIC(9, 2)>
or public.geometry(Point, 4326); any other text might end the statement."""


class PlainWriter:
    """Writes SQL of no dialect, with types as they are declared.

    Parameters
    ----------
    schemas : sequence of Table
        The tables of the text. Where they are of several databases, all are written with theirs.
    remarks : mapping
        What a comment says of a column beside its description, by table id and column name.
    """

    knows_schemas = True
    """Whether databases have schemas."""

    def __init__(self, schemas: Sequence[Table], remarks: Mapping[tuple[str, str], str]) -> None:
        self.schemas, self.remarks = {table.id: table for table in schemas}, remarks
        self.tables = self.table_names(schemas)
        self._columns_of = {table.id: {column.name: column for column in table.columns} for table in schemas}

    def quoted(self, name: str) -> str:
        """The name of a table, a schema or a database, in quotes where needed."""
        return plain_quote(name)

    def table_names(self, schemas: Sequence[Table]) -> dict[str, str]:
        """What each table is written as, by its id: with its schema outside the default one, and with its database
        where tables are of several, or would be written alike.

        Where a table's schema is not known, it is what its database has after a point ("shop.archive").
        """
        has_schemas = self.knows_schemas and {table.schema for table in schemas}.isdisjoint([None])
        databases = {table.place[0] for table in schemas} if has_schemas else databases_of(schemas)
        before = {
            table.id: (table.schema or "").split(".") if has_schemas else table.database.split(".")[1:][-1:]
            for table in schemas
        }
        short = {table.id: (*before[table.id], table.name) for table in schemas}
        counts = Counter("\0".join(parts).lower() for parts in short.values())
        written = {}
        for table in schemas:
            is_one = len(databases) == 1 and counts["\0".join(short[table.id]).lower()] == 1
            parts = short[table.id] if is_one else (*table.database.split("."), table.name)
            written[table.id] = ".".join(self.quoted(part) for part in parts if part)
        return written

    def column_name(self, table: str, name: str) -> str:
        """What a column is written as."""
        return plain_quote(name)

    def literal(self, text: str) -> str:
        """What a text is written as."""
        return text_literal(text)

    def column_type(self, table: Table, column: Column) -> tuple[str, str]:
        """The type of a column, "" for none, and a remark on it."""
        return (column.type if PLAIN_TYPE.match(column.type) else ""), ""

    def has_key(self, table: Table) -> bool:
        """Whether the primary key of a table is part of its statement, and not a comment."""
        return True

    def has_foreign_key(self, table: Table, key: ForeignKey) -> bool:
        """Whether a foreign key is part of the statement of its table, and not a comment.

        One that tells no columns of its target is a comment, such as a key to a table without a primary key.
        """
        return bool(key.target_columns)

    def condition(self, join: Join) -> str:
        """The condition of a join, with a remark where little speaks for it and where types of two kinds meet."""
        left, right = join.left_table, join.right_table
        text = join.condition_with(
            lambda name: f"{self.tables[left]}.{self.column_name(left, name)}",
            lambda name: f"{self.tables[right]}.{self.column_name(right, name)}",
            self.literal,
        )
        remarks = [OF_ANOTHER_ROW.strip() if join.is_within_table else "", join.doubt, self._mixed_types(join)]
        return "  ".join([text, *(f"({remark})" for remark in remarks if remark)])

    def _mixed_types(self, join: Join) -> str:
        """What is said of conditions between a number and a text, which engines refuse, or answer with no rows."""
        lefts, rights = self._columns_of[join.left_table], self._columns_of[join.right_table]
        pairs = [(lefts.get(left), rights.get(right)) for left, right in join.column_pairs]
        mixed = [
            f"{left.type} and {right.type}"
            for left, right in pairs
            if left and right and {left.family, right.family} == {"number", "text"}
        ]
        return f"cast one side: {', '.join(mixed)}" if mixed else ""

    def statement(self, table: Table) -> str:
        """The CREATE TABLE statement of a table, after a comment that describes it; a comment alone where no column is
        known, as no engine takes a table without.
        """
        if not table.columns:
            return f"-- {printable(self.tables[table.id])}: no column is known"
        entries = [self._declaration(table, column) for column in table.columns]
        keys, refused = self._keys(table)
        entries += [(key, "") for key in keys]
        lines = [
            f"  {entry}{',' if place < len(entries) else ''}{'  -- ' + printable(comment) if comment else ''}"
            for place, (entry, comment) in enumerate(entries, 1)
        ]
        lines += [f"  -- {printable(key)}" for key in refused]
        head = f"-- {one_line(table.description)}\n" if table.description else ""
        return head + f"CREATE TABLE {self.tables[table.id]} (\n" + "\n".join(lines) + "\n);"

    def _declaration(self, table: Table, column: Column) -> tuple[str, str]:
        """A column with its type, and the comment on it."""
        type_, remark = self.column_type(table, column)
        entry = " ".join(filter(None, (self.column_name(table.id, column.name), type_)))
        remarks = one_line(column.description or ""), remark, self.remarks.get((table.id, column.name))
        return entry, "; ".join(filter(None, remarks))

    def _keys(self, table: Table) -> tuple[list[str], list[str]]:
        """The keys of a table that are part of its statement, and those that are comments."""
        keys, refused = list[str](), list[str]()
        if table.primary_key:
            key = f"PRIMARY KEY ({self._columns(table.id, table.primary_key)})"
            (keys if self.has_key(table) else refused).append(key)
        for foreign in table.foreign_keys:
            if foreign.target in self.tables:
                key = f"FOREIGN KEY ({self._columns(table.id, foreign.columns)})"
                key += f" REFERENCES {self.tables[foreign.target]}"
                if foreign.target_columns:
                    key += f" ({self._columns(foreign.target, foreign.target_columns)})"
                (keys if self.has_foreign_key(table, foreign) else refused).append(key)
        return keys, refused

    def _columns(self, table: str, names: Sequence[str]) -> str:
        return ", ".join(self.column_name(table, name) for name in names)


class DialectWriter(PlainWriter):
    """Writes SQL that an engine of a dialect runs: names, types and keys are its own.

    A key that the engine would refuse is a comment: one over a type that keys cannot have, one that refers to a table
    written later or to columns that are not its primary key, and one between columns of unequal types. No engine runs
    a table of which two columns differ in case alone and which does not tell cases apart.
    """

    def __init__(self, schemas: Sequence[Table], remarks: Mapping[tuple[str, str], str], dialect: SqlDialect) -> None:
        self.dialect, self.knows_schemas = dialect, dialect.name != "sqlite"
        self.place = {table.id: place for place, table in enumerate(schemas)}
        self.folded = {table.id: Counter(map(str.lower, table.column_names)) for table in schemas}
        super().__init__(schemas, remarks)

    def quoted(self, name: str) -> str:
        """A name in quotes where the dialect needs them."""
        return self.dialect.quote(name)

    def literal(self, text: str) -> str:
        """A text as the dialect reads it: to some of them a backslash means something."""
        return self.dialect.literal(text)

    def column_name(self, table: str, name: str) -> str:
        """A column, in quotes if another one differs in case alone."""
        return self.dialect.quote(name, always=self.folded[table][name.lower()] > 1)

    def column_type(self, table: Table, column: Column) -> tuple[str, str]:
        """The nearest type that the dialect has, and the declared one where that is not near."""
        written = self._type(table, column)
        return written.sql, written.remark

    def has_key(self, table: Table) -> bool:
        """Whether all columns are of types that keys can have."""
        types = self._types(table, table.primary_key)
        return len(types) == len(table.primary_key) and all(type_.may_be_key for type_ in types)

    def has_foreign_key(self, table: Table, key: ForeignKey) -> bool:
        """Whether the key refers to the primary key of a table written before, or its own, of the same types."""
        target = self.schemas[key.target]
        is_there = self.place[key.target] <= self.place[table.id] and self.has_key(target)
        types, targets = self._types(table, key.columns), self._types(target, key.target_columns)
        return (
            is_there
            and bool(targets)
            and (self.dialect.name != "sqlite" or table.database == target.database)
            and key.target_columns == target.primary_key
            and [type_.sql for type_ in types] == [type_.sql for type_ in targets]
        )

    def _keys(self, table: Table) -> tuple[list[str], list[str]]:
        keys, refused = super()._keys(table)
        return [key + self.dialect.after_key for key in keys], refused

    def _types(self, table: Table, names: Sequence[str]) -> list[WrittenType]:
        by_name = {column.name: column for column in table.columns}
        return [self._type(table, by_name[name]) for name in names if name in by_name]

    def _type(self, table: Table, column: Column) -> WrittenType:
        keys = [table.primary_key, *(key.columns for key in table.foreign_keys if key.target in self.schemas)]
        sizes = [len(key) for key in keys if column.name in key]
        return type_in(self.dialect, column.type, sizes[0] if sizes else 0)


def databases_of(schemas: Sequence[Table]) -> list[str]:
    """The databases of some tables, without the schemas that may follow a point, in their order."""
    return list(dict.fromkeys(table.database.partition(".")[0] for table in schemas))


def one_line(text: str) -> str:
    """A description in one line, with one blank between words, so that nothing in it can end a comment."""
    return printable(" ".join(text.split()))


def printable(text: str) -> str:
    """A text of the data or the question in one line, blanks kept, without signs that steer a terminal or end a line.

    A break of two signs is one blank.
    """
    return "".join(sign if sign.isprintable() else " " for sign in text.replace("\r\n", "\n"))
