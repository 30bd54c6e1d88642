"""Cases: instances with their objective, and where they come from."""

from __future__ import annotations

from dataclasses import dataclass

from formulations import ColumnProblem, Instance, JarObjective


@dataclass(frozen=True, eq=False)
class Case:
    """An instance and its objective.

    `label` names the question or the seed, without the size; `kind` is a key of `questions.KINDS` or of
    `synthetic.KINDS`. `columns` is what the instance was reduced from, where it is kept, and `reduction_seconds` how
    long that took.
    """

    label: str
    dataset: str
    kind: str
    instance: Instance
    objective: JarObjective
    columns: ColumnProblem | None = None
    reduction_seconds: float | None = None
