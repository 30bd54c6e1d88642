"""How large is the paper's program, and how large its reduction?"""

from __future__ import annotations

from statistics import median

from benchmarks.pages.grids import Grid
from benchmarks.solvers.bench import Bench, Check, Findings
from benchmarks.solvers.studies.paper import CANDIDATES, paper_cases
from formulations.programs.paper import PaperProgram
from formulations.programs.reduced import ReducedProgram

NAME = "programs"
SUMMARY = "columns and rows of the paper's program and of the reduced one, 20 candidates"
FACTOR = 10.0


def measure(bench: Bench) -> Findings:
    """Build both programs of each case; nothing is solved."""
    shapes: dict[int, list[tuple[int, int, int, int]]] = {}
    for case in paper_cases(bench):
        assert case.columns is not None
        rows, columns = PaperProgram(case.columns, case.instance, case.objective).program.shape
        few_rows, few_columns = ReducedProgram(case.instance, case.objective).program().shape
        shapes.setdefault(case.instance.size, []).append((columns, few_columns, rows, few_rows))
    rows_of = [_cells(size, found) for size, found in sorted(shapes.items())]
    header = ("K", "instances", "columns, paper", "columns, reduced", "least ratio", "rows, paper", "rows, reduced")
    every = [shape for found in shapes.values() for shape in found]
    least = min(columns / few for columns, few, _, _ in every)
    check = Check(
        f"mip has at most 1/{FACTOR:g} of the columns of the paper's program, n = {CANDIDATES}",
        f"1/{least:.0f} at most, 1/{median(columns / few for columns, few, _, _ in every):.0f} at the median "
        f"({len(every)} instances)",
        least >= FACTOR,
    )
    note = "Medians, and in brackets the range. The reduced program is the one before any cut is added."
    return Findings([Grid(f"Programs over {CANDIDATES} candidates", header, rows_of, note)], [check])


def _cells(size: int, shapes: list[tuple[int, int, int, int]]) -> tuple[str, ...]:
    columns, few_columns, rows, few_rows = zip(*shapes, strict=True)
    least = min(many / few for many, few in zip(columns, few_columns, strict=True))
    return (
        str(size),
        str(len(shapes)),
        _spread(columns),
        _spread(few_columns),
        f"{least:.0f}",
        _spread(rows),
        _spread(few_rows),
    )


def _spread(numbers: tuple[int, ...]) -> str:
    return f"{median(numbers):,.0f} ({min(numbers):,} to {max(numbers):,})"
