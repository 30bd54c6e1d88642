"""Command line: ``python -m benchmarks run | speed | instances``."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import click
from rich.console import Console

from benchmarks.datasets import DATASETS
from benchmarks.instances import write_instances
from benchmarks.layout import MissingDataError, data_root
from benchmarks.run import Options, Report, run
from benchmarks.speed import ENUMERATED, FEW_ENUMERATED, measure_speed
from benchmarks.speed_table import print_speed
from benchmarks.systems import DECOMPOSITIONS, SYSTEMS, UnknownSystemError
from benchmarks.tables import print_results
from benchmarks.tasks import TASKS

SMOKE_QUESTIONS = 40
SMOKE_SYSTEMS = ("oracle", "dense", "jar-f+given", "jar-f")
INSTANCES = Path(__file__).parent / "instances"

_data = click.option("--data", help="Folder with spider/ and bird/; else JAR_DATA, else ../shared/data.")
_output = click.option("--output", type=click.Path(path_type=Path), default=Path("build/benchmarks"), show_default=True)
_limit = click.option("--limit", type=click.IntRange(1), help="At most so many questions, evenly spaced.")


@click.group()
def main() -> None:
    """Reproduce the figures of the project."""


@main.command("run")
@click.option("--task", type=click.Choice(list(TASKS)), default="tables", show_default=True)
@_data
@click.option("--datasets", help=f"Of {', '.join(DATASETS)}; by default those of the task.")
@click.option("--systems", help=f"Of {', '.join(SYSTEMS)}, also with +given or +default; by default those of the task.")
@_output
@_limit
@click.option("--decomposition", type=click.Choice(DECOMPOSITIONS), default="default", show_default=True)
@click.option("--names", type=click.Choice(["original", "natural"]), default="original", show_default=True)
@click.option("--embedder", default="minilm", show_default=True)
@click.option("--solver", default="exact", show_default=True)
@click.option("--candidates", type=click.IntRange(1), default=20, show_default=True)
@click.option("--fresh", is_flag=True, help="Make results again that are in DIR already.")
@click.option("--smoke", is_flag=True, help=f"A slice of {SMOKE_QUESTIONS} questions, in less than a minute.")
def run_command(task: str, datasets: str | None, systems: str | None, smoke: bool, **options: object) -> None:
    """Run systems on data sets: a table here, and a line of DIR/results.jsonl for each."""
    chosen = TASKS[task]
    options["root"] = _root(options.pop("data"))
    options["limit"] = options["limit"] or (SMOKE_QUESTIONS if smoke else None)
    results = run(
        chosen,
        _names(datasets) or (chosen.smoke if smoke else chosen.datasets),
        _names(systems) or (SMOKE_SYSTEMS if smoke else chosen.systems),
        Options(**options),  # type: ignore[arg-type]
        _clock(),
    )
    print_results(results, _console())


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
    figures = measure_speed(options, _clock(), FEW_ENUMERATED if smoke else ENUMERATED)
    print_speed(figures, _console())


@main.command("instances")
@_data
@_output
@click.option("--folder", type=click.Path(path_type=Path), default=INSTANCES, help="Where they are written.")
def instances_command(data: str | None, output: Path, folder: Path) -> None:
    """Write real instances of Spider and BIRD for research on solvers, as instance JSON."""
    paths = write_instances(Options(_root(data), output), folder, _clock())
    print(f"{len(paths)} instances, {sum(path.stat().st_size for path in paths) / 1e6:.1f} MB")


def _root(data: object) -> Path:
    return data_root(str(data) if data else None)


def _clock() -> Report:
    """Messages on standard error with the seconds since now."""
    start = time.perf_counter()
    return lambda message: print(f"[{time.perf_counter() - start:6.1f} s] {message}", file=sys.stderr, flush=True)


def _console() -> Console:
    return Console(width=None if sys.stdout.isatty() else 140)


def _names(option: str | None) -> list[str]:
    return [name.strip() for name in (option or "").split(",") if name.strip()]


def _entry() -> None:
    try:
        main(standalone_mode=False)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (MissingDataError, UnknownSystemError, KeyError) as error:
        print(f"error: {error.args[0] if error.args else error}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    _entry()
