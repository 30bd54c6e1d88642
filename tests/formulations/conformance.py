"""The conformance kit: tiny instances and their answers, derived by hand, for every solver of the registry.

The instances are `benchmarks/instances/named/*.json`: each holds its objective, its answer and how that is derived. The
solvers are read from the registry, so that a new one is held to all of it by its row alone.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path

from formulations import Instance, JarObjective, Objective, Status, load_problem, solvers

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks" / "instances" / "named"
SOLVERS = [row for row in solvers() if row.installed()]
JAR_SOLVERS = [row for row in SOLVERS if JarObjective.name in row.modules]


@dataclass(frozen=True)
class Case:
    """A named instance and its answer.

    Attributes
    ----------
    name : str
        The file, without its suffix.
    instance, objective
        The problem.
    status : Status
        ``optimal``, or ``infeasible`` where no set satisfies the constraints.
    value : float
        The optimum; ``-inf`` where there is none.
    items : tuple of int, optional
        The best set; ``None`` where there are several, or none.
    derivation : str
        How the answer follows by hand.
    """

    name: str
    instance: Instance
    objective: Objective
    status: Status
    value: float
    items: tuple[int, ...] | None
    derivation: str

    @property
    def feasible(self) -> bool:
        """Whether some set satisfies the constraints."""
        return self.status is Status.OPTIMAL


def read_case(path: Path) -> Case:
    """Return the case in a file."""
    data = json.loads(path.read_text(encoding="utf-8"))
    answer = data["answer"]
    return Case(
        name=path.stem,
        instance=Instance.from_dict(data),
        objective=load_problem(path)[1],
        status=Status(answer["status"]),
        value=-math.inf if answer["value"] is None else float(answer["value"]),
        items=None if answer["items"] is None else tuple(answer["items"]),
        derivation=data["derivation"],
    )


CASES = [read_case(path) for path in sorted(FOLDER.glob("*.json"))]
