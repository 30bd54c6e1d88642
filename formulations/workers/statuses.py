"""What the status words of the engines mean: a total map to `Status`, or to an error."""

from __future__ import annotations

from formulations.errors import SolverError
from formulations.solution import Status

_LINEAR = {
    "OPTIMAL": Status.OPTIMAL,
    "FEASIBLE": Status.FEASIBLE,
    "TRUNCATED": Status.FEASIBLE,
    "NO_SOLUTION_FOUND": Status.UNKNOWN,
    "INFEASIBLE": Status.INFEASIBLE,
    "INT_INFEASIBLE": Status.INFEASIBLE,
    # Every column that earns something is bounded, so "unbounded or infeasible" can only be the latter.
    "UNBOUNDED": Status.INFEASIBLE,
    "ERROR": None,
    "LOADED": None,
    "CUTOFF": None,
    "OTHER": None,
}
_CONSTRAINT = {
    "OPTIMAL": Status.OPTIMAL,
    "FEASIBLE": Status.FEASIBLE,
    "UNKNOWN": Status.UNKNOWN,
    "INFEASIBLE": Status.INFEASIBLE,
    "MODEL_INVALID": None,
}
STATUSES = {"highs": _LINEAR, "cbc": _LINEAR, "gurobi": _LINEAR, "cpsat": _CONSTRAINT}
"""For each engine, what its status words claim; none where the engine gave up."""


def claimed_status(engine: str, word: str) -> Status:
    """Return what an engine claims.

    Raises
    ------
    SolverError
        When the word reports a failure of the engine, or is not known.
    """
    status = STATUSES[engine].get(word)
    if status is None:
        raise SolverError(f"engine {engine!r} stopped with status {word}; try another engine, or the solver 'exact'")
    return status
