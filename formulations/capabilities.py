"""What a solver can do, as its module says it: which problems it takes, and which options."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from formulations.crush.objective import CrushObjective
from formulations.jar_objective import JarObjective

if TYPE_CHECKING:
    from formulations.columns import ColumnProblem
    from formulations.instance import Instance
    from formulations.solution import Outcome


class SolverFunction(Protocol):
    """What the module of a solver offers under the name ``solve``."""

    def __call__(
        self, instance: Instance | ColumnProblem, objective: Any, time_limit: float | None, **options: Any
    ) -> Outcome:
        """Return a set of tables with an upper bound; `SolverRow.columns` says who takes a column-level problem."""
        ...


SupportsFunction = Callable[[Any, Any], "str | None"]
"""What it offers under the name ``supports``: from a problem and an objective to ``None``, or to why they are refused.

The reason goes on where ``solver 'name'`` begins: ``has no connect='prefer'; the paper's program has ...``.
"""


INTEGERS = (int, np.integer)


@dataclass(frozen=True)
class Option:
    """An option of a solver, under its name in the mapping ``OPTIONS`` of the module.

    Attributes
    ----------
    examples : tuple
        Values that any machine can try; the conformance kit solves its instances with each.
    proof : bool
        Whether an exact solver still proves optimality with every such value, when given the time.
    least : float
        The least value of a number.
    choices : tuple of str
        All values of a word, the examples among them; ``None`` only where it is an example.
    """

    examples: tuple[Any, ...]
    proof: bool = True
    least: float = 0.0
    choices: tuple[str, ...] = ()

    def accepts(self, value: Any) -> bool:
        """Say whether a value is of the kind of the examples, and in range; infinite numbers are not."""
        kinds = {type(example) for example in self.examples}
        if value is None:
            return None in self.examples
        if self.choices:
            return isinstance(value, str) and value in self.choices
        return is_number(value) and self.least <= value < math.inf and (float in kinds or isinstance(value, INTEGERS))

    def meaning(self) -> str:
        """Return in words what is accepted."""
        none = ", or None" if None in self.examples else ""
        if self.choices:
            return f"one of {', '.join(map(repr, self.choices))}{none}"
        whole = "" if any(isinstance(example, float) for example in self.examples) else "whole "
        return f"a {whole}number >= {self.least:g}{none}"


def is_number(value: Any) -> bool:
    """Say whether a value is a real number; a bool is none."""
    return isinstance(value, (*INTEGERS, float, np.floating)) and not isinstance(value, bool)


class Solver(NamedTuple):
    """What the module of a solver offers."""

    solve: SolverFunction
    supports: SupportsFunction
    options: Mapping[str, Option]


def takes(*objectives: type) -> SupportsFunction:
    """Return a ``supports`` that refuses all but some objectives."""
    known = " or ".join(objective.__name__ for objective in objectives)

    def supports(problem: Any, objective: Any) -> str | None:
        return None if isinstance(objective, objectives) else f"takes {known}, not {type(objective).__name__}"

    return supports


takes_jar = takes(JarObjective)
takes_crush = takes(CrushObjective)
takes_both = takes(JarObjective, CrushObjective)
