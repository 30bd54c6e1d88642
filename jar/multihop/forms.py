"""The two forms of the search: which lists of tables go on, and what a table is worth in the end.

Both keep B lists from hop to hop. They differ in what a list may propose, in what one that is complete means for the
others, and in the score of a table: `PaperForm` is that of the MURRE paper, `ReleasedForm` that of its authors' code.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from jar.arrays import Array, IntArray
from jar.errors import QueryError

Mask = npt.NDArray[np.bool_]

LEAST = 1e-6
"""What a similarity counts at least in a product."""
PROPOSED = 3
"""Tables that a list proposes in the released form, times the number of lists that are kept."""
FIRST_HOP = 100
"""Tables of the first hop that later hops choose from in the released form."""


class TableList(NamedTuple):
    """Tables in the order in which the hops found them.

    Attributes
    ----------
    tables : tuple of int
        Positions in the index, each once.
    similarities : tuple of float
        Of each to the text that found it.
    complete : bool
        Whether its rewriter said that nothing is missing.
    """

    tables: tuple[int, ...] = ()
    similarities: tuple[float, ...] = ()
    complete: bool = False

    @property
    def value(self) -> float:
        """S(L), the product of the similarities; 1 for the empty list."""
        return float(np.prod(np.maximum(self.similarities, LEAST)))

    def with_table(self, table: int, similarity: float) -> TableList:
        """The list with one more table."""
        return TableList((*self.tables, table), (*self.similarities, similarity))


class Ranked(NamedTuple):
    """What the last hop makes of the tables.

    Attributes
    ----------
    scores : array (N,)
        Of each table; -inf where no list holds it.
    lists : array (N,)
        The list (a place among those of the last hop) that a table owes its score to; -1 for none.
    """

    scores: Array
    lists: IntArray


class Form(Protocol):
    """A form of the search."""

    @property
    def name(self) -> str:
        """By which it is asked for."""

    @property
    def any_ends(self) -> bool:
        """Whether the first complete list ends the whole question, with the scores of the hop before."""

    def kept(self, lists: Sequence[TableList], similarity: Array, beams: int) -> list[TableList]:
        """The best `beams` lists after a hop, best first.

        Parameters
        ----------
        lists : L lists
            Those that the hop started from.
        similarity : array (L, N)
            Of each table to the text of each list; -inf for tables that may not be found. Rows of complete lists do
            not count.
        """

    def ranked(self, lists: Sequence[TableList], similarity: Array) -> Ranked:
        """The score of each table after the last hop; parameters as of `kept`."""

    def within(self, first: Array) -> Mask:
        """Which tables hops from the second on may find, shape (N,) of bool, from the similarities of the first."""


@dataclass(frozen=True)
class PaperForm:
    """The form of the paper.

    A list L is worth the product of its similarities, S(L) = prod s(t); each list that is not complete proposes every
    table that it does not hold, and complete ones stay in the race as they are. A table is worth the best of the lists
    that hold it after the last hop:

        score(t) = max over L that hold t of S(L)
    """

    name: str = "paper"
    any_ends: bool = False

    def kept(self, lists: Sequence[TableList], similarity: Array, beams: int) -> list[TableList]:
        """The best of the complete lists and of all extensions; of equal ones the earlier."""
        race: list[TableList] = []
        for made, row in zip(lists, similarity, strict=True):
            race += ([] if made.complete else _extended(made, row, beams)) or [made]
        return sorted(race, key=lambda made: -made.value)[:beams]

    def ranked(self, lists: Sequence[TableList], similarity: Array) -> Ranked:
        """The best list of each table: a complete one, or an extension by any table."""
        scores = np.full(similarity.shape[1], -np.inf)
        owners = np.full(similarity.shape[1], -1, dtype=np.int64)
        for place, (made, row) in enumerate(zip(lists, similarity, strict=True)):
            gained = np.full(len(row), -np.inf)
            new = np.isfinite(row) & (not made.complete)
            new[list(made.tables)] = False
            gained[new] = made.value * np.maximum(row[new], LEAST)
            gained[list(made.tables)] = gained[new].max() if new.any() else made.value
            better = gained > scores
            scores[better], owners[better] = gained[better], place
        return Ranked(scores, owners)

    def within(self, first: Array) -> Mask:
        """All."""
        return np.isfinite(first)


@dataclass(frozen=True)
class ReleasedForm:
    """The form of the code that the authors published.

    - A list proposes those of its 3B nearest tables that it does not hold; lists are compared by the product of their
      similarities, as in the paper.
    - Hops from the second on choose from the first hop's 100 nearest tables.
    - The first list that is complete ends the question, and the hop before it counts.
    - The score of a list is the sum of log((s + 2) / 2), which is positive for positive s; that of the question alone
      is (s + 2) / 2. The tables of a list share the best score of any table that the list saw in the last hop, its own
      tables among them.
    """

    name: str = "released"
    any_ends: bool = True

    def kept(self, lists: Sequence[TableList], similarity: Array, beams: int) -> list[TableList]:
        """The best of what the lists propose."""
        extended = [
            longer
            for made, row in zip(lists, similarity, strict=True)
            for longer in _extended(made, row, PROPOSED * beams, counts_its_own=True)
        ]
        return sorted(extended, key=lambda made: -made.value)[:beams]

    def ranked(self, lists: Sequence[TableList], similarity: Array) -> Ranked:
        """The best sum of each table over the lists."""
        scores = np.full(similarity.shape[1], -np.inf)
        owners = np.full(similarity.shape[1], -1, dtype=np.int64)
        for place, (made, row) in enumerate(zip(lists, similarity, strict=True)):
            gained = np.full(len(row), -np.inf)
            seen = np.isfinite(row)
            shifted = (row[seen] + 2) / 2
            known = (np.array(made.similarities) + 2) / 2
            gained[seen] = np.log(shifted) + np.log(known).sum() if made.tables else shifted
            gained[list(made.tables)] = gained.max(initial=-np.inf)
            better = gained > scores
            scores[better], owners[better] = gained[better], place
        return Ranked(scores, owners)

    def within(self, first: Array) -> Mask:
        """The nearest 100."""
        inside = np.zeros(len(first), dtype=np.bool_)
        order = np.argsort(-first, kind="stable")[:FIRST_HOP]
        inside[order] = np.isfinite(first[order])
        return inside


FORMS: dict[str, Form] = {form.name: form for form in (PaperForm(), ReleasedForm())}


def find_form(name: str) -> Form:
    """A form by its name.

    Raises
    ------
    QueryError
        When there is none of that name.
    """
    if name not in FORMS:
        raise QueryError(f"form is {name!r}: choose {' or '.join(map(repr, FORMS))}")
    return FORMS[name]


def _extended(made: TableList, row: Array, count: int, *, counts_its_own: bool = False) -> list[TableList]:
    """A list with each of its `count` nearest tables, of which those that it holds may take places."""
    row = row.copy()
    if not counts_its_own:
        row[list(made.tables)] = -np.inf
    nearest = np.argsort(-row, kind="stable")[:count].tolist()
    held = set(made.tables)
    return [
        made.with_table(table, float(row[table])) for table in nearest if np.isfinite(row[table]) and table not in held
    ]
