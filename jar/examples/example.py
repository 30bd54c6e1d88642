"""`Example`: a question and its SQL, and what is read of them; `FoundExample`: one that was found for a question."""

from __future__ import annotations

from dataclasses import dataclass, field

from jar.examples.question_masks import masked_question
from jar.examples.sql_structure import SqlStructure, SqlTree, masked_sql

__all__ = ["Example", "FoundExample"]


@dataclass(frozen=True)
class Example:
    """A question with the SQL that answers it.

    Attributes
    ----------
    question, sql : str
        As they were given, values and all.
    database : str
        "" where it is not known.
    structure : SqlStructure
        Skeleton, tree, tables and columns, values of the SQL.
    dialect : str or None
        As sqlglot names it.
    """

    question: str
    sql: str
    database: str
    structure: SqlStructure = field(repr=False)
    dialect: str | None = None

    @property
    def skeleton(self) -> str:
        """The SQL with ``t``, ``c`` and ``'v'`` for its tables, columns and values."""
        return self.structure.skeleton

    @property
    def tree(self) -> SqlTree:
        """The tree of the skeleton."""
        return self.structure.tree

    @property
    def masked(self) -> tuple[str, str]:
        """Question and SQL without values: ``_`` and ``?`` stand for these."""
        structure = self.structure
        names = [name for table, columns in structure.used for name in (table, *columns)]
        return masked_question(self.question, structure.values, names), masked_sql(self.sql, self.dialect)


@dataclass(frozen=True)
class FoundExample:
    """An example that was found for a question.

    Attributes
    ----------
    question, sql : str
        Without values, unless the retriever was told to show them.
    database, skeleton : str
    score : float
        How well it fits, by its retriever: greater is better.
    position : int
        Its place in the store, from 0.
    used : tuple of (table, columns)
        Tables and columns of the SQL.
    """

    question: str
    sql: str
    database: str
    skeleton: str
    score: float
    position: int
    used: tuple[tuple[str, tuple[str, ...]], ...] = field(default=(), repr=False)
