"""A fit from its log to the index: read, learn, measure, and keep it only where it helps."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any

from jar.errors import FitRefusedError
from jar.fitting.examples import make_examples
from jar.fitting.fit_report import FitReport, told_left_out
from jar.fitting.learning import learn
from jar.fitting.logged import usable_questions
from jar.fitting.rewordings import with_rewordings
from jar.fitting.stored_fit import store_fit
from jar.fitting.validation import MOST_RANKED, cross_validated
from jar.progress import progress_bars
from jar.stopwatch import Stopwatch

if TYPE_CHECKING:
    from jar.fitting.fit_report import Gain
    from jar.fitting.logged import Entry, LeftOut
    from jar.index.index import Index
    from jar.tables.table_ranker import TableRanker

LEAST = 30
"""Questions that can be used below which nothing is fitted."""
LEAST_GROUPS = 10
"""Of these, questions that differ by more than the wording."""


def fit_index(
    index: Index, ranker: TableRanker, entries: Sequence[Entry], *, dialect: str, progress: bool | None = None
) -> FitReport:
    """Fit an index to the rows of a log, and keep the fit in its file where it helps.

    Parameters
    ----------
    ranker : TableRanker
        As it ranks without a fit.
    dialect : str
        That of SQL, as sqlglot names it.
    progress : bool, optional
        Show progress on standard error; by default only in a terminal.

    Raises
    ------
    FitRefusedError
        When fewer than `LEAST` questions can be used, or the fit does not help; the index stays as it is.
    """
    watch = Stopwatch()
    log = usable_questions(index.contents, entries, dialect)
    questions = with_rewordings(log.questions)
    _check_enough(questions, log.left_out)
    ids = [table.id for table in index.contents.tables]
    with progress_bars(progress) as stage:
        examples, unseen = make_examples(ranker, questions, stage("questions", len(questions)))
        left_out = tuple(sorted((*log.left_out, *unseen)))
        _check_enough(examples, left_out)
        ranked = stage("cross-validation", min(len(examples), MOST_RANKED))
        gains, reliability = cross_validated(ranker, examples, ids, ranked)
    _check_gain(gains, len(examples), left_out)
    today = datetime.now(timezone.utc).date().isoformat()
    card: dict[str, Any] = {
        "summary": f"fitted to {len(examples)} logged questions on {today}",
        "questions": len(examples),
        "gains": {gain.name: [round(number, 1) for number in (gain.gain, gain.low, gain.high)] for gain in gains},
        "reliability": reliability.to_dict(),
    }
    adaptation = learn(examples, ids, card)
    store_fit(index, adaptation)
    return FitReport(len(examples), len(adaptation.needed), gains, left_out, watch.lap(), reliability)


def _check_enough(questions: Sequence[Any], left_out: tuple[LeftOut, ...]) -> None:
    groups = len({question.group for question in questions})
    if len(questions) >= LEAST and groups >= LEAST_GROUPS:
        return
    cause = f"{len(questions)} questions can be used"
    if len(questions) >= LEAST:
        cause += f", and only {groups} differ by more than the wording"
    needed = f"{LEAST} are needed, {LEAST_GROUPS} of which differ"
    raise FitRefusedError("\n".join([f"too little to learn from: {cause}; {needed}", *told_left_out(left_out)]))


def _check_gain(gains: Sequence[Gain], questions: int, left_out: tuple[LeftOut, ...]) -> None:
    """A fit helps where one figure gains, its interval has no loss, and no interval has losses alone."""
    helps = any(gain.gain > 0 and gain.low >= 0 for gain in gains)
    if helps and all(gain.high >= 0 for gain in gains):
        return
    lines = [f"not fitted: {questions} questions do not show that it helps. Log more questions, and fit again"]
    lines += ["each question below is ranked by a fit without it", *(f"  {gain}" for gain in gains)]
    raise FitRefusedError("\n".join([*lines, *told_left_out(left_out)]))
