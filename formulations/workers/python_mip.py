"""Inside a worker: a linear program solved by python-mip with CBC, HiGHS or Gurobi.

python-mip has no way to pass arrays: it takes a program column by column and row by row, and buffers them for the
engine. So `build` loops; only a file would go in at once, and text would round some coefficients.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable
from time import perf_counter
from typing import Any

import numpy as np

from formulations.workers.frames import Frame

SOLVER_NAMES = {"highs": "HIGHS", "cbc": "CBC", "gurobi": "GRB"}
"""The names that python-mip has for the engines."""

INTEGRALITY = 1e-9
"""How far from an integer a column may be, where python-mip passes it on (not to HiGHS: 1e-6 there)."""

NO_BOUND = 1e100
"""What is larger, of either sign, is an engine's way to say that it has no bound; CBC has the largest float."""


def load(name: str) -> Callable[[Frame], Frame]:
    """Load the engine, and return the function that answers a request."""
    mip = importlib.import_module("mip")
    # Constructing an empty model loads the library, or says that there is none.
    mip.Model(solver_name=SOLVER_NAMES[name])

    def run(request: Frame) -> Frame:
        return solve(mip, SOLVER_NAMES[name], request)

    return run


def solve(mip: Any, solver_name: str, request: Frame) -> Frame:
    """Solve the program of a request; the answer has status, bound, and the columns where there is a solution."""
    begin = perf_counter()
    fields = request.fields
    model, columns = build(mip, solver_name, request)
    model.threads = int(fields.get("threads") or 0)
    model.seed = int(fields.get("seed") or 0)
    model.max_mip_gap = 0.0
    model.max_mip_gap_abs = 1e-9
    model.integer_tol = INTEGRALITY
    if "hint" in request.arrays:
        hint = request.arrays["hint"].tolist()
        model.start = [(column, value) for column, value in zip(columns, hint, strict=True) if value]
    building = perf_counter() - begin
    limit = fields.get("time_limit")
    remaining = math.inf if limit is None else max(limit - building, 0.01)
    status = model.optimize(max_seconds=remaining)
    arrays = {"x": np.array([column.x for column in columns])} if model.num_solutions else {}
    bound = model.objective_bound
    answer = {
        "status": status.name,
        "bound": bound if bound is not None and abs(bound) < NO_BOUND else None,
        "objective": model.objective_value if arrays else None,
        "building": building,
        "solving": perf_counter() - begin - building,
    }
    return Frame(answer, arrays)


def build(mip: Any, solver_name: str, request: Frame) -> tuple[Any, list[Any]]:
    """Return the model of python-mip and its columns."""
    data = {name: array.tolist() for name, array in request.arrays.items()}
    model = mip.Model(sense=mip.MAXIMIZE, solver_name=solver_name)
    model.verbose = 0
    kinds = [mip.INTEGER if integer else mip.CONTINUOUS for integer in data["integer"]]
    columns = [
        model.add_var(lb=lower, ub=upper, obj=cost, var_type=kind)
        for lower, upper, cost, kind in zip(data["lower"], data["upper"], data["cost"], kinds, strict=True)
    ]
    entries = [columns[index] for index in data["index"]]
    coefficients, starts = data["coefficient"], data["start"]
    for first, last, rhs, equal in zip(starts, starts[1:], data["rhs"], data["equal"], strict=False):
        sense = mip.EQUAL if equal else mip.LESS_OR_EQUAL
        model.add_constr(mip.LinExpr(entries[first:last], coefficients[first:last], -rhs, sense))
    return model, columns
