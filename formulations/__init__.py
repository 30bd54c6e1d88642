"""The mathematics: instances, objectives, solvers and certificates. Arrays in, arrays out."""

# The folder comes first: were it loaded with the first solver, it would take the place of the function of its name.
import formulations.solvers  # noqa: F401
from formulations.columns import ColumnProblem, Reduction
from formulations.errors import (
    FormulationError,
    InvalidInstanceError,
    SolverError,
    SolverNotInstalledError,
    UnknownSolverError,
)
from formulations.instance import Instance
from formulations.objective import JarObjective, Match, Terms, load_problem, objective_from_dict
from formulations.registry import SolverRow, solvers
from formulations.solution import JoinEdge, Solution, Status
from formulations.solving import solve, solve_best, warm_up
from formulations.sweeps import solve_many, solve_sizes
from formulations.verification import verify

__all__ = [
    "ColumnProblem",
    "FormulationError",
    "Instance",
    "InvalidInstanceError",
    "JarObjective",
    "JoinEdge",
    "Match",
    "Reduction",
    "Solution",
    "SolverError",
    "SolverNotInstalledError",
    "SolverRow",
    "Status",
    "Terms",
    "UnknownSolverError",
    "load_problem",
    "objective_from_dict",
    "solve",
    "solve_best",
    "solve_many",
    "solve_sizes",
    "solvers",
    "verify",
    "warm_up",
]
