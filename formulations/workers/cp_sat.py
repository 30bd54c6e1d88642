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
no proof after 30 s; with this one they have it in a tenth of a second."""


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
    solver.parameters.random_seed = int(fields.get("seed") or 0)
    if fields.get("threads"):
        solver.parameters.num_workers = int(fields["threads"])
    building = perf_counter() - begin
    if fields.get("time_limit") is not None:
        solver.parameters.max_time_in_seconds = max(fields["time_limit"] - building, 0.01)
    status = solver.status_name(solver.solve(model))
    found = status in ("OPTIMAL", "FEASIBLE")
    arrays = {"x": np.array([solver.value(column) for column in columns], dtype=np.float64)} if found else {}
    answer = {
        "status": status,
        # Without a solution the field holds a zero, or what presolve last wrote there.
        "bound": float(solver.best_objective_bound) if found else None,
        "objective": float(solver.objective_value) if found else None,
        "building": building,
        "solving": perf_counter() - begin - building,
    }
    return Frame(answer, arrays)


def build(cp_model: Any, request: Frame) -> tuple[Any, list[Any]]:
    """Return the model and its columns; the coefficients of a row go in as one array each."""
    data = {name: array.astype(np.int64) for name, array in request.arrays.items()}
    model = cp_model.CpModel()
    bounds = zip(data["lower"].tolist(), data["upper"].tolist(), strict=True)
    columns = [model.new_int_var(lower, upper, "") for lower, upper in bounds]
    entries = [columns[index] for index in data["index"].tolist()]
    coefficients, starts = data["coefficient"].tolist(), data["start"].tolist()
    rows = zip(starts, starts[1:], data["rhs"].tolist(), data["equal"].tolist(), strict=False)
    weighted_sum = cp_model.LinearExpr.weighted_sum
    for first, last, rhs, equal in rows:
        left = weighted_sum(entries[first:last], coefficients[first:last])
        model.add(left == rhs if equal else left <= rhs)
    model.maximize(weighted_sum(columns, data["cost"].tolist()))
    if "hint" in data:
        for column, value in zip(columns, data["hint"].tolist(), strict=True):
            model.add_hint(column, value)
    return model, columns
