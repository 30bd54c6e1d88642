"""Command line: ``python -m benchmarks COMMAND``; without one, the list of commands."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from benchmarks.commands.errors import errors
from benchmarks.commands.joins import joins
from benchmarks.commands.paths import OutputFile, OutputFolder, some_names
from benchmarks.commands.peers import peers
from benchmarks.commands.pipeline import SMOKE_QUESTIONS
from benchmarks.commands.report import report
from benchmarks.commands.run import clock, run_command
from benchmarks.commands.solvers import IntegerList, run_solvers
from benchmarks.data.beir import BeirFormatError
from benchmarks.data.datasets import DATASETS, SharedNameError, UnknownDatasetError
from benchmarks.data.layout import MissingDataError, data_root
from benchmarks.peers.peer_rows import UnknownPeerError
from benchmarks.runs.evaluation import NothingToAskError, Options
from benchmarks.runs.metrics import MissingMeasuresError
from benchmarks.runs.results import BrokenResultsError
from benchmarks.solvers.bench import FOLDER
from benchmarks.solvers.contestants import UnknownContestantError
from benchmarks.solvers.questions import KINDS
from benchmarks.solvers.solver_page import NoStudiesError, write_report
from benchmarks.solvers.studies.custom import Race
from benchmarks.solvers.study_rows import STUDIES, UnknownStudyError
from benchmarks.solvers.written_instances import write_instances
from benchmarks.speed.speed_table import print_speed
from benchmarks.speed.times import ENUMERATED, FEW_ENUMERATED, measure_speed
from benchmarks.systems import MissingSystemError, UnknownSystemError
from formulations import FormulationError
from jar import JarError

INSTANCES = Path(__file__).parent / "instances"
REFUSED = (
    MissingDataError,
    BeirFormatError,
    UnknownSystemError,
    MissingSystemError,
    MissingMeasuresError,
    UnknownStudyError,
    NoStudiesError,
    UnknownContestantError,
    UnknownPeerError,
    FormulationError,
    UnknownDatasetError,
    SharedNameError,
    NothingToAskError,
    BrokenResultsError,
    JarError,
)
"""What a caller asked for and can not have: told in a line."""

STOPPED = 130
"""The status of a command that the user interrupts, as shells have it."""

_data = click.option("--data", help="Folder with spider/ and bird/; else JAR_DATA, else ../shared/data.")
_output = click.option("--output", type=OutputFolder(), default=Path("build/benchmarks"), show_default=True)
_limit = click.option("--limit", type=click.IntRange(1), help="At most so many questions, evenly spaced.")


@click.group()
def main() -> None:
    """Reproduce the figures of the project."""


@main.command("speed")
@_data
@_output
@_limit
@click.option("--embedder", default="minilm", show_default=True)
@click.option("--smoke", is_flag=True, help=f"With {SMOKE_QUESTIONS} questions and the static embedder.")
def speed_command(data: str | None, output: Path, limit: int | None, embedder: str, smoke: bool) -> None:
    """Measure indexing, ranking, solving and cold starts: a table here, and DIR/speed.json."""
    if smoke:
        limit, embedder = limit or SMOKE_QUESTIONS, "static"
    options = Options(_root(data), output, limit=limit, embedder=embedder)
    figures = measure_speed(options, clock(), FEW_ENUMERATED if smoke else ENUMERATED)
    print_speed(figures, _console())


@main.command("solvers")
@_data
@_output
@click.option("--studies", callback=some_names, help=f"Of {', '.join(STUDIES)}; by default all.")
@click.option("--questions", type=click.IntRange(1), help="At most so many of each data set, evenly spaced.")
@click.option("--datasets", callback=some_names, help=f"Of {', '.join(DATASETS)}; by default spider,bird.")
@click.option("--time-limit", type=click.FloatRange(0, min_open=True), help="Seconds for each run; or mip:cbc@SECONDS.")
@click.option("--solvers", help=f"Race these instead, such as exact,paper-mip:cbc@60; else {Race.contestants}.")
@click.option("--sizes", type=IntegerList(), help="Numbers of tables of that race; 2,5,10 by default.")
@click.option("--candidates", type=click.IntRange(1), help="Candidates of that race; 20 by default.")
@click.option("--kind", type=click.Choice(list(KINDS)), help="Joins and weights of that race; else the paper's.")
@click.option("--embedder", default="minilm", show_default=True)
@click.option("--smoke", is_flag=True, help="Every study, as small as it gets: in less than half a minute.")
@click.option("--report", type=OutputFile(), help="Write a Markdown page of the studies in DIR.")
@click.option("--no-run", is_flag=True, help="With --report: measure nothing, write what DIR has.")
def solvers_command(
    data: str | None,
    output: Path,
    studies: str | None,
    smoke: bool,
    embedder: str,
    report: Path | None,
    no_run: bool,
    **given: Any,
) -> None:
    """Compare solvers on real and synthetic instances: tables here, DIR/solvers/runs.csv, plots.

    Without --solvers, --sizes, --candidates or --kind the studies run, otherwise the race that these describe. A run
    that was stopped goes on where it was: what is in DIR/solvers/journal.jsonl is not made again.
    """
    if no_run and report is None:
        raise click.UsageError("--no-run is for --report: without a page to write there is nothing to do")
    changes = {
        "questions": given["questions"],
        "limit": given["time_limit"],
        "datasets": tuple(_names(given["datasets"])),
    }
    race = {
        "contestants": given["solvers"],
        "sizes": given["sizes"],
        "candidates": given["candidates"],
        "kind": given["kind"],
    }
    if not no_run:
        run_solvers(
            Options(_root(data), output, embedder=embedder),
            clock(),
            _console(180),
            studies=_names(studies),
            race={name: value for name, value in race.items() if value},
            changes={name: value for name, value in changes.items() if value},
            smoke=smoke,
        )
    if report is not None:
        told = write_report(output / FOLDER, report)
        print(f"{report}: {', '.join(study.name for study in told)}", file=sys.stderr)


@main.command("instances")
@_data
@_output
@click.option("--folder", type=OutputFolder(), default=INSTANCES, help="Where they are written.")
def instances_command(data: str | None, output: Path, folder: Path) -> None:
    """Write real instances of Spider and BIRD for research on solvers, as instance JSON."""
    paths = write_instances(Options(_root(data), output), folder, clock())
    print(f"{len(paths)} instances, {sum(path.stat().st_size for path in paths) / 1e6:.1f} MB")


@main.command("lake")
@click.option("--values", default="1e6,1e7,1e8", show_default=True, help="Distinct values of columns of each lake.")
@click.option("--memory-limit", default="1GB", show_default=True, help="Of DuckDB.")
@click.option("--seed", default=0, show_default=True)
@click.option("--keep", is_flag=True, help="Leave the lakes and their databases in DIR/lake.")
@_output
def lake_command(values: str, memory_limit: str, seed: int, keep: bool, output: Path) -> None:
    """Make lakes with planted joins and index them in bounded memory: a table here, DIR/lake/results.jsonl, a plot."""
    from benchmarks.lake.lakes import measure_lakes, print_lakes, save_plot

    sizes = [int(float(size)) for size in _names(values)]
    told = measure_lakes(sizes, output, memory_limit, seed, clock(), keep=keep)
    save_plot(told, output / "lake" / "lake.svg")
    print_lakes(told, _console())


@main.command("overlaps")
@_data
def overlaps_command(data: str | None) -> None:
    """Measure profiles and overlaps of all pairs of Spider's columns, and one query for each pair: JSON here."""
    from benchmarks.lake.pair_queries import measure_overlaps

    print(json.dumps(measure_overlaps(_root(data) / "spider" / "databases"), indent=2))


@main.command("engines")
@click.argument("urls", nargs=-1, metavar="[URL]...")
@click.option("--spark", is_flag=True, help="Spark on this machine, too.")
def engines_command(urls: tuple[str, ...], spark: bool) -> None:
    """Measure what a million values cost on engines that hold the rows: JSON here, a line for each."""
    from benchmarks.lake.engine_costs import measure_engines

    for row in measure_engines(urls, clock(), spark=spark):
        print(json.dumps(row))


def _root(data: object) -> Path:
    return data_root(str(data) if data else None)


def _console(width: int = 140) -> Console:
    return Console(width=None if sys.stdout.isatty() else width)


def _names(option: str | None) -> list[str]:
    return [name.strip() for name in (option or "").split(",") if name.strip()]


main.add_command(run_command)
main.add_command(errors)
main.add_command(report)
main.add_command(peers)
main.add_command(joins)
joins.add_command(peers)


def _entry() -> None:
    try:
        main(standalone_mode=False)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        print("stopped; the same command goes on", file=sys.stderr)
        sys.exit(STOPPED)
    except REFUSED as error:
        print(f"error: {error.args[0] if error.args else error}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    _entry()
