"""The mathematics: instances, objectives, solvers and certificates. Arrays in, arrays out."""

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
