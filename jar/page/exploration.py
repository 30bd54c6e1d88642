"""`Exploration`: the answer to a question with the best sets under other wishes, as a page of HTML."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jar.errors import JarError, QueryError
from jar.page.answer_model import answer_model
from jar.page.document import document
from jar.page.solved_question import SolvedQuestion
from jar.page.wishes import wishes
from jar.sizes.sizing import Sizing
from jar.tables.query import check_ask
from joinability.paths import shown

if TYPE_CHECKING:
    from jar.sizes.distribution import SetDistribution
    from jar.sizes.sized_ranker import SizedRanker
    from jar.tables.query import Ask, Conditions
    from jar.tables.table_ranker import TableRanker


DOCTYPE = b"<!doctype html"
"""What pages of HTML begin with."""


class Exploration(SolvedQuestion):
    """The answer to a question, as a page on which wishes may be changed."""

    def model(self) -> dict[str, Any]:
        """The answer and the best sets under other wishes as plain values, ready for JSON (docs/explore.md)."""
        return answer_model(self, wishes(self))

    def to_html(self) -> str:
        """One page of HTML, which needs no other file and no network."""
        return document(self.model())

    def save(self, path: str | Path) -> None:
        """Write `to_html` to a file, whose folder is made where there is none, or over an earlier page.

        Raises
        ------
        JarError
            When the file is there and no page: it is left untouched.
        OSError
            When it cannot be written.
        """
        if _is_of_another_kind(Path(path)):
            raise JarError(f"{shown(path)} is there and no page of HTML. It was left untouched; choose another path")
        page = self.to_html()
        if not Path(path).parent.exists():
            Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_text(page, encoding="utf-8")

    def _repr_html_(self) -> str:
        return self.selection._repr_html_()


def _is_of_another_kind(path: Path) -> bool:
    """Whether a file is there that is neither empty nor a page of HTML."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        start = file.read(len(DOCTYPE))
    return bool(start) and start.lower() != DOCTYPE


def explore(
    tables: TableRanker, sized: SizedRanker | None, ask: Ask, size: int | Sizing, conditions: Conditions
) -> Exploration:
    """Answer a question, and keep the problem that was solved.

    Parameters
    ----------
    tables : TableRanker
        What `Reranker.rank` asks where a number of tables is given.
    sized : SizedRanker, optional
        What it asks where none is; it knows the chances of sets.
    size : int or Sizing
    """
    if isinstance(size, Sizing) and sized is None:
        raise QueryError('k="auto" has no chances for a relevance of your own: give a number')
    (question,) = tables.read([check_ask(ask, tables.UNUSED)])
    least = _usual_pool(tables, conditions) if isinstance(size, Sizing) else tables.pool.least(size)
    (given,) = tables.given([question], [ask], least, conditions)
    if isinstance(size, Sizing):
        assert sized is not None
        problem = sized.problem(question, conditions, given)
        return Exploration(
            sized.tables,
            problem,
            sized.sized(problem, size, conditions.time_limit),
            partial(sized.distribution, problem),
        )

    def chances() -> SetDistribution | None:
        """Of the same candidates, which a relevance model judges."""
        if sized is None:
            return None
        return sized.distribution(sized.tables.problem(question, size, least, conditions.limits, given))

    problem = tables.problem(question, size, least, conditions.limits, given)
    selection = tables.solved(problem, [size], conditions.time_limit)[size]
    return Exploration(tables, problem, selection, chances)


def _usual_pool(ranker: TableRanker, conditions: Conditions) -> int:
    """How many candidates there are where no number of tables is given."""
    from jar.sizes.sized_ranker import USUAL

    return ranker.pool.least(max(USUAL, len(conditions.limits.require)))
