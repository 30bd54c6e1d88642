"""The search for the tables of one question: its lists, hop by hop."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from jar.arrays import Array
from jar.multihop.forms import Form, Mask, Ranked, TableList
from jar.proposals.retrieval import Proposals

if TYPE_CHECKING:
    from jar.index.contents import IndexContents
    from jar.multihop.rewriting import Rewrite


class Search:
    """A question on its way: `find`, then `choose` and `go_on`, for each hop but the last, which has `find` alone.

    Parameters
    ----------
    question : str
    form : Form
    beams : int
    allowed : array (N,) of bool
        The tables that may be found.
    """

    def __init__(self, question: str, form: Form, beams: int, allowed: Mask) -> None:
        self.question = question
        self.form = form
        self.beams = beams
        self.allowed = allowed
        self.ended = not allowed.any()
        self.lists: list[TableList] = [TableList()]
        self._texts: list[tuple[str, ...]] = [(question,)]
        self._kept: list[TableList] = []
        self._notes: dict[str, None] = {}
        self._similarity: Array = np.zeros((1, len(allowed)))
        self._first: Array | None = None

    @property
    def texts(self) -> list[str]:
        """What the next hop searches for, list by list; a complete one searches for nothing."""
        return [text for texts in self._texts for text in texts]

    @property
    def unasked(self) -> list[TableList]:
        """The chosen lists of which it is not known whether something is missing."""
        return [made for made in self._kept if not made.complete]

    def find(self, cosines: npt.NDArray[np.floating]) -> None:
        """Take the cosines of the texts, shape (number of texts, N): of the texts of a list the nearest counts."""
        similarity = np.full((len(self.lists), len(self.allowed)), -np.inf)
        start = 0
        for place, texts in enumerate(self._texts):
            if texts:
                similarity[place] = cosines[start : start + len(texts)].max(axis=0)
                start += len(texts)
        similarity[:, ~self.allowed] = -np.inf
        self._similarity = similarity
        if self._first is None:
            self._first = similarity[0]
            self.allowed = self.form.within(self._first)

    def choose(self) -> None:
        """Choose the lists that go on."""
        self._kept = self.form.kept(self.lists, self._similarity, self.beams)

    def go_on(self, rewrites: Sequence[Rewrite]) -> None:
        """Take what the rewriter says of the lists `unasked`; where nothing is left to search for, the search ends."""
        self._notes |= {rewrite.note: None for rewrite in rewrites if rewrite.note}
        if not self._kept or (self.form.any_ends and any(rewrite.stops for rewrite in rewrites)):
            self.ended = True
            return
        answers = iter(rewrites)
        said = [None if made.complete else next(answers) for made in self._kept]
        self._texts = [() if rewrite is None or rewrite.stops else rewrite.texts for rewrite in said]
        self.lists = [made._replace(complete=not texts) for made, texts in zip(self._kept, self._texts, strict=True)]
        self._similarity = np.full((len(self.lists), len(self.allowed)), -np.inf)
        self.ended = not self.texts

    def proposals(self, contents: IndexContents, count: int) -> Proposals:
        """The `count` best tables: those of lists, of equal ones the nearer to the question, then the others.

        Tables of no list follow in the order of the first hop, none with a greater score than those of lists.
        """
        if self._first is None:
            return Proposals([], self.source)
        ranked = self.form.ranked(self.lists, self._similarity)
        scores = _filled(ranked.scores, self._first)
        order = np.lexsort((-self._first, -scores))[:count]
        tables = [int(table) for table in order if np.isfinite(scores[table])]
        trace = {contents.tables[table].id: self._told(ranked, table, contents) for table in tables}
        pairs = [(contents.tables[table].id, float(scores[table])) for table in tables]
        return Proposals(pairs, self.source, "; ".join(self._notes), trace)

    @property
    def source(self) -> str:
        """What answers tell of the proposals."""
        return f"multihop ({self.form.name} form)"

    def _told(self, ranked: Ranked, table: int, contents: IndexContents) -> str:
        """How a table was reached: "hop 2, after bank.client"."""
        if ranked.lists[table] < 0:
            return "hop 1"
        path = self.lists[ranked.lists[table]].tables
        before = path[: path.index(table)] if table in path else path
        after = f", after {', '.join(contents.tables[other].id for other in before)}" if before else ""
        return f"hop {len(before) + 1}{after}"


def _filled(scores: Array, first: Array) -> Array:
    """Scores in which tables without one follow the others, in proportion to their similarity in the first hop.

    Where that would turn their order round, as a score is negative, they keep their distances instead.
    """
    rest = np.isneginf(scores) & np.isfinite(first)
    if not rest.any():
        return scores
    least, greatest = scores[np.isfinite(scores)].min(initial=np.inf), first[rest].max()
    filled = scores.copy()
    if least > 0 and greatest > 0:
        filled[rest] = first[rest] * min(1.0, least / greatest)
    else:
        filled[rest] = first[rest] - max(greatest - least, 0.0)
    return filled
