"""The mathematics: instances, objectives, solvers and certificates. Arrays in, arrays out.

Names are imported when they are first used, so that nobody waits for what is not asked for.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from formulations.checks.verification import verify
    from formulations.columns import ColumnProblem, Reduction
    from formulations.errors import (
        FormulationError,
        InvalidInstanceError,
        SolverError,
        SolverNotInstalledError,
        SolverOptionError,
        SolverRefusalError,
        UnknownSolverError,
    )
    from formulations.instance import Instance
    from formulations.kernels.columns.orders import sweep_order
    from formulations.objectives.crush import CrushObjective, CrushTerms
    from formulations.objectives.jar import JarObjective, Match, Terms
    from formulations.objectives.protocol import Objective, load_problem, objective_from_dict
    from formulations.objectives.similarity import entropy_similarity
    from formulations.registry import SolverRow, solvers
    from formulations.solution import JoinEdge, Solution, Status
    from formulations.solving import solve, solve_best, warm_up
    from formulations.sweeps import solve_many, solve_sizes

_HOME = {
    "ColumnProblem": "formulations.columns",
    "CrushObjective": "formulations.objectives.crush",
    "CrushTerms": "formulations.objectives.crush",
    "FormulationError": "formulations.errors",
    "Instance": "formulations.instance",
    "InvalidInstanceError": "formulations.errors",
    "JarObjective": "formulations.objectives.jar",
    "JoinEdge": "formulations.solution",
    "Match": "formulations.objectives.jar",
    "Objective": "formulations.objectives.protocol",
    "Reduction": "formulations.columns",
    "Solution": "formulations.solution",
    "SolverError": "formulations.errors",
    "SolverNotInstalledError": "formulations.errors",
    "SolverOptionError": "formulations.errors",
    "SolverRefusalError": "formulations.errors",
    "SolverRow": "formulations.registry",
    "Status": "formulations.solution",
    "Terms": "formulations.objectives.jar",
    "UnknownSolverError": "formulations.errors",
    "entropy_similarity": "formulations.objectives.similarity",
    "load_problem": "formulations.objectives.protocol",
    "objective_from_dict": "formulations.objectives.protocol",
    "solve": "formulations.solving",
    "solve_best": "formulations.solving",
    "solve_many": "formulations.sweeps",
    "solve_sizes": "formulations.sweeps",
    "solvers": "formulations.registry",
    "sweep_order": "formulations.kernels.columns.orders",
    "verify": "formulations.checks.verification",
    "warm_up": "formulations.solving",
}

__all__ = [
    "ColumnProblem",
    "CrushObjective",
    "CrushTerms",
    "FormulationError",
    "Instance",
    "InvalidInstanceError",
    "JarObjective",
    "JoinEdge",
    "Match",
    "Objective",
    "Reduction",
    "Solution",
    "SolverError",
    "SolverNotInstalledError",
    "SolverOptionError",
    "SolverRefusalError",
    "SolverRow",
    "Status",
    "Terms",
    "UnknownSolverError",
    "entropy_similarity",
    "load_problem",
    "objective_from_dict",
    "solve",
    "solve_best",
    "solve_many",
    "solve_sizes",
    "solvers",
    "sweep_order",
    "verify",
    "warm_up",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'formulations' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
