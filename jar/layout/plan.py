"""`Plan`: what a picture of an answer shows, in plain values: tables, joins, matches, and what was left out."""

from __future__ import annotations

from typing import NamedTuple

TERMS = ("relevance", "sub-query matches", "sub-query coverage", "joins")
"""What the parts of a table's score are called, in the order of `PlannedTable.terms`: the coarse, fine, coverage and
join terms of the objective."""


class PlannedTable(NamedTuple):
    """A chosen table.

    Attributes
    ----------
    id : str
    score : float
    terms : tuple of float
        The parts of the score, in the order of `TERMS`; empty where it has none.
    columns : tuple of str
        Columns that were chosen with it; empty where only tables were chosen.
    reason : str
        Why it is there, in a line.
    notes : tuple of str
        What else is to be said of it.
    """

    id: str
    score: float
    terms: tuple[float, ...] = ()
    columns: tuple[str, ...] = ()
    reason: str = ""
    notes: tuple[str, ...] = ()


class PlannedJoin(NamedTuple):
    """A join of two chosen tables.

    Attributes
    ----------
    left, right : str
        Ids of the tables.
    pairs : tuple of (str, str)
        Names of the columns that have to be equal, of the left and of the right table.
    score : float
        From 0 to 1.
    verified : bool
        Whether more than names speaks for it.
    where : str
        The condition on the rows for which a polymorphic join holds; "" for all.
    """

    left: str
    right: str
    pairs: tuple[tuple[str, str], ...]
    score: float
    verified: bool = True
    where: str = ""

    def seen_from(self, table: str) -> PlannedJoin:
        """The same join with `table` on the left."""
        if table == self.left:
            return self
        pairs = tuple((right, left) for left, right in self.pairs)
        return self._replace(left=self.right, right=self.left, pairs=pairs)

    @property
    def condition(self) -> str:
        """Its columns without their tables; a name that both have stands once."""
        same = [left if left == right else f"{left} = {right}" for left, right in self.pairs]
        return " and ".join([*same, *filter(None, [self.where])])


class PlannedMatch(NamedTuple):
    """A sub-query, and the column of a chosen table that answers it."""

    subquery: str
    table: str
    column: str
    score: float


class PlannedRest(NamedTuple):
    """A candidate that was left out, with a few words on it."""

    id: str
    told: str


class Plan(NamedTuple):
    """All that a picture of an answer shows; `closing` are the lines below it, `notes` what was not as asked.

    `joins` are a forest over `tables`: no table is reached twice. `more_joins` are other joins between them, in words
    that begin with "also" or "or".
    """

    question: str
    tables: tuple[PlannedTable, ...]
    joins: tuple[PlannedJoin, ...] = ()
    matches: tuple[PlannedMatch, ...] = ()
    unanswered: tuple[str, ...] = ()
    left_out: tuple[PlannedRest, ...] = ()
    closing: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    more_joins: tuple[str, ...] = ()
