"""``python -m benchmarks solvers``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from benchmarks.commands.options import (
    DATA,
    EMBEDDER,
    OUTPUT,
    IntegerList,
    Measuring,
    NameList,
    OutputPath,
    clock,
    console,
    shown_command,
)  # fmt: skip
from benchmarks.data.datasets import DATASETS
from benchmarks.data.layout import data_root
from benchmarks.runs.evaluation import Options
from benchmarks.solvers.bench import FOLDER
from benchmarks.solvers.comparison import run_solvers
from benchmarks.solvers.solver_page import write_report
from benchmarks.solvers.studies.custom import Race
from benchmarks.solvers.study_rows import STUDIES


@click.command("solvers", cls=Measuring)
@DATA
@OUTPUT
@click.option("--studies", type=NameList(), default=(), help=f"Of {', '.join(STUDIES)}; by default all.")
@click.option("--questions", type=click.IntRange(1), help="At most so many of each data set, evenly spaced.")
@click.option("--datasets", type=NameList(), help=f"Of {', '.join(DATASETS)}; by default spider,bird.")
@click.option("--time-limit", type=click.FloatRange(0, min_open=True), help="Seconds for each run; or mip:cbc@SECONDS.")
@click.option("--solvers", "contestants", help="Race these instead, such as exact,paper-mip:cbc@60.")
@click.option("--sizes", type=IntegerList(), help="Numbers of tables of that race; 2,5,10 by default.")
@click.option("--candidates", type=click.IntRange(1), help="Candidates of that race; 20 by default.")
@EMBEDDER
@click.option("--smoke", is_flag=True, help="Every study, as small as it gets: in less than half a minute.")
@click.option("--report", type=OutputPath(folder=False), help="Write a Markdown page of the studies in DIR.")
@click.option("--no-run", is_flag=True, help="With --report: measure nothing, write what DIR has.")
def solvers(
    data: str | None, output: Path, studies: list[str], embedder: str, smoke: bool, report: Path | None, no_run: bool,
    **fields: Any,
) -> None:  # fmt: skip
    """Compare solvers on real and synthetic instances: tables here, and DIR/solvers/runs.csv.

    Without --solvers, --sizes or --candidates the studies run, otherwise the race that these describe.
    """
    if no_run and report is None:
        raise click.UsageError("--no-run is for --report: without a page to write there is nothing to do")
    race = {name: fields[name] for name in ("contestants", "sizes", "candidates") if fields[name]}
    datasets = tuple(fields["datasets"] or ())
    changes = {"questions": fields["questions"], "limit": fields["time_limit"], "datasets": datasets}
    if not no_run:
        run_solvers(
            Options(data_root(data), output, embedder=embedder),
            clock(),
            console(180),
            shown_command(),
            studies=studies,
            race=Race(**race) if race else None,
            changes={name: value for name, value in changes.items() if value},
            smoke=smoke,
        )
    if report is not None:
        reported = write_report(output / FOLDER, report)
        print(f"{report}: {', '.join(study.name for study in reported)}", file=sys.stderr)
