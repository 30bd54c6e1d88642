"""The studies, a row each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from benchmarks.data.refusal import RefusalError
from benchmarks.solvers.bench import Bench, Findings
from benchmarks.solvers.journal import Run
from benchmarks.solvers.studies import agreement, paper, scale, thousand


class UnknownStudyError(RefusalError, ValueError):
    """A study that is not in the registry."""


@dataclass(frozen=True)
class StudyRow:
    """A row of the registry.

    Attributes
    ----------
    name, summary : str
    measure : callable
        Makes the study.
    tell : callable
        Tables and checks from the runs of the study.
    """

    name: str
    summary: str
    measure: Callable[[Bench], Findings]
    tell: Callable[[Sequence[Run]], Findings]


STUDIES: dict[str, StudyRow] = {
    row.name: row
    for row in (
        StudyRow(agreement.NAME, agreement.SUMMARY, agreement.measure, agreement.tell),
        StudyRow(scale.NAME, scale.SUMMARY, scale.measure, scale.tell),
        StudyRow(thousand.NAME, thousand.SUMMARY, thousand.measure, thousand.tell),
        StudyRow(paper.NAME, paper.SUMMARY, paper.measure, paper.tell),
    )
}
"""In the order in which they run: the longest last."""


def chosen_studies(names: Sequence[str]) -> list[StudyRow]:
    """The rows of these names; of none, all.

    Raises
    ------
    UnknownStudyError
        When there is none of a name; the message lists the names.
    """
    for name in names:
        if name not in STUDIES:
            raise UnknownStudyError(f"unknown study {name!r}: choose among {', '.join(STUDIES)}")
    return [STUDIES[name] for name in names] or list(STUDIES.values())
