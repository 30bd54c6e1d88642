"""Inside a worker: a program over integers solved by CP-SAT of OR-Tools."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from time import perf_counter
from typing import Any

import numpy as np

from formulations.workers.frames import Frame

LINEARIZATION_LEVEL = 2
"""All rows go into the linear relaxation: with the engine's own choice a few in a thousand instances of 20 tables have
no proof after 30 s; with this one they have it after 0.3 s at most."""
BINARY_SEARCH_CONFLICTS = 10
"""Conflicts that each step of a binary search on the value may take, before all else. Without it the engine can climb
from a start to the optimum by one unit of an integer cost at a time: three tables had no proof after ten minutes."""


def load(name: str) -> Callable[[Frame], Frame]:
    """Load the engine, and return the function that answers a request."""
    cp_model = importlib.import_module("ortools.sat.python.cp_model")

    def run(request: Frame) -> Frame:
        return solve(cp_model, request)

    return run


def solve(cp_model: Any, request: Frame) -> Frame:
    """Solve the program of a request; all its numbers are integers, and so is the bound of the answer."""
    begin = perf_counter()
    fields = request.fields
    model, columns = build(cp_model, request)
    solver = cp_model.CpSolver()
    solver.parameters.linearization_level = LINEARIZATION_LEVEL
    solver.parameters.binary_search_num_conflicts = BINARY_SEARCH_CONFLICTS
    solver.parameters.random_seed = int(fields.get("seed") or 0)
    if fields.get("threads"):
        solver.parameters.num_workers = int(fields["threads"])
    building = perf_counter() - begin
    if fields.get("time_limit") is not None:
        solver.parameters.max_time_in_seconds = max(fields["time_limit"] - building, 0.01)
    status = solver.status_name(solver.solve(model))
    solved = status in ("OPTIMAL", "FEASIBLE")
    arrays = {"x": solver.values(columns).to_numpy(dtype=np.float64)} if solved else {}
    answer = {
        "status": status,
        # Without a solution the field holds a zero, or what presolve last wrote there.
        "bound": float(solver.best_objective_bound) if solved else None,
        "objective": float(solver.objective_value) if solved else None,
        "building": building,
        "solving": perf_counter() - begin - building,
    }
    return Frame(answer, arrays)


def build(cp_model: Any, request: Frame) -> tuple[Any, Any]:
    """Return the model and the series of its columns."""
    pandas = importlib.import_module("pandas")
    data = {name: array.astype(np.int64) for name, array in request.arrays.items()}
    model = cp_model.CpModel()
    lower, upper = pandas.Series(data["lower"]), pandas.Series(data["upper"])
    columns = model.new_int_var_series("x", lower.index, lower, upper)
    entries = columns.to_numpy()[data["index"]].tolist()
    coefficients, starts = data["coefficient"].tolist(), data["start"].tolist()
    weighted_sum = cp_model.LinearExpr.weighted_sum
    # Columns, costs and the start go in as arrays. CP-SAT has no such way for rows: each is a message of its own.
    for first, last, rhs, equal in zip(starts, starts[1:], data["rhs"].tolist(), data["equal"].tolist(), strict=False):
        left = weighted_sum(entries[first:last], coefficients[first:last])
        model.add(left == rhs if equal else left <= rhs)
    model.maximize(weighted_sum(columns.tolist(), data["cost"].tolist()))
    if "hint" in data:
        model.proto.solution_hint.vars.extend(range(len(columns)))
        model.proto.solution_hint.values.extend(data["hint"].tolist())
    return model, columns
