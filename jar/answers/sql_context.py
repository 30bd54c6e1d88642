"""The answer as SQL for a prompt: the schema of the chosen tables and the conditions that join them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from jar.answers.join import joins_same_tables
from jar.answers.sql_writer import DialectWriter, PlainWriter, databases_of, printable

if TYPE_CHECKING:
    from jar.answers.join import Join
    from jar.answers.sql_dialects import SqlDialect
    from joinability import Table

ANOTHER_WAY = "another way to join these two tables"
"""What is said of a join of two tables which another one joins already."""


@dataclass(frozen=True)
class SqlContext:
    """What is written of an answer.

    Attributes
    ----------
    schemas : tuple of Table
        The chosen tables, with the columns that are written.
    joins : tuple of Join
        Those that connect the tables.
    more_joins : tuple of Join
        Others between them.
    unjoined : tuple of tuples of str
        The ids of the tables of each part, where no joins connect all tables.
    connecting : tuple of str
        Ids of further tables that would connect parts.
    families : mapping
        Ids of the tables that a chosen one stands for, by its id; a comment before its statement tells them.
    remarks : mapping
        What a comment says of a column beside its description, by table id and column name.
    notes : tuple of str
        Comments before everything else.
    examples : tuple of (question, SQL)
        Comments after everything else.
    """

    schemas: tuple[Table, ...]
    joins: tuple[Join, ...] = ()
    families: Mapping[str, Sequence[str]] = field(default_factory=dict)
    remarks: Mapping[tuple[str, str], str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    examples: tuple[tuple[str, str], ...] = ()
    more_joins: tuple[Join, ...] = ()
    unjoined: tuple[tuple[str, ...], ...] = ()
    connecting: tuple[str, ...] = ()

    def text(self, dialect: SqlDialect | None = None) -> str:
        """CREATE TABLE statements of the tables, then a comment line for each join condition, then the examples.

        Where no join connects some of the tables, a line after the joins says so, and which further tables would.
        Names are quoted where needed. Tables are written with their database where they are of several, or share a
        name; for SQLite a comment says that these have to be attached.
        Within comments, line breaks in a name become blanks, so that nothing in a name can end the comment.
        """
        writer = (
            PlainWriter(self.schemas, self.remarks)
            if dialect is None
            else DialectWriter(self.schemas, self.remarks, dialect)
        )
        statements = [self._family(table) + writer.statement(table) for table in self.schemas]
        none = [] if self.schemas else ["no table was chosen"]
        remarks = [*self.notes, *none, *self._attached(dialect)]
        notes = ["\n".join(f"-- {printable(note)}" for note in remarks)] if remarks else []
        conditions = [printable(f"-- {writer.condition(join)}") for join in self.joins]
        conditions += [printable(f"-- {writer.condition(join)}{self._another_way(join)}") for join in self.more_joins]
        text = "\n\n".join([*notes, *statements])
        conditions += [printable(f"-- {line}") for line in self._told_unjoined(writer.tables)]
        text += "\n\n-- joins\n" + "\n".join(conditions) if conditions else ""
        return text + ("\n\n-- examples\n" + "\n--\n".join(map(_told, self.examples)) if self.examples else "") + "\n"

    def with_columns(self, columns: Mapping[str, Collection[str]]) -> SqlContext:
        """The same with some columns of each table, by its id; of the keys, those that these columns make up."""
        return replace(self, schemas=tuple(_cut(table, columns) for table in self.schemas))

    def _another_way(self, join: Join) -> str:
        """What is said of one of the other joins where its tables are joined already."""
        return f"  ({ANOTHER_WAY})" if joins_same_tables(join, self.joins) else ""

    def _told_unjoined(self, names: Mapping[str, str]) -> list[str]:
        parts = [f"({', '.join(names[table] for table in part)})" for part in self.unjoined]
        if not parts:
            return []
        further = f"{', '.join(self.connecting)}, not given here" if self.connecting else ""
        if further:
            further = f" without {further}" if len(parts) == 2 else f"; {further}, would connect some of them"
        return [f"no join is known between {', '.join(parts[:-1])} and {parts[-1]}{further}"]

    def _attached(self, dialect: SqlDialect | None) -> list[str]:
        """What a connection of SQLite needs where tables are of several databases."""
        names = databases_of(self.schemas)
        if dialect is None or dialect.name != "sqlite" or len(names) < 2:
            return []
        return [f"attach the databases: {'; '.join(f'ATTACH ... AS {dialect.quote(name)}' for name in names)}"]

    def _family(self, table: Table) -> str:
        members = self.families.get(table.id)
        return f"-- {printable(stands_for(members))}\n" if members else ""


def stands_for(members: Sequence[str]) -> str:
    """The members of a family of tables in words."""
    return f"stands for {len(members)} tables {members[0]} ... {members[-1]}"


def _cut(table: Table, columns: Mapping[str, Collection[str]]) -> Table:
    """A table with some of its columns; of its keys, those that they and the columns of other tables make up."""
    kept = columns[table.id]
    return replace(
        table,
        columns=tuple(column for column in table.columns if column.name in kept),
        primary_key=table.primary_key if set(table.primary_key) <= set(kept) else (),
        foreign_keys=tuple(
            key
            for key in table.foreign_keys
            if set(key.columns) <= set(kept) and set(key.target_columns) <= set(columns.get(key.target, ()))
        ),
    )


def _told(example: tuple[str, str]) -> str:
    """A question and its SQL as comments, each line of the SQL one."""
    question, sql = example
    lines = [" ".join(question.split()), *(line for line in sql.splitlines() if line.strip())]
    return "\n".join(printable(f"-- {line}") for line in lines)
