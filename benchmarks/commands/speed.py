"""``python -m benchmarks speed``."""

from __future__ import annotations

from pathlib import Path

import click

from benchmarks.commands.options import DATA, EMBEDDER, LIMIT, OUTPUT, Measuring, clock, console
from benchmarks.commands.run import SMOKE_QUESTIONS
from benchmarks.data.layout import data_root
from benchmarks.runs.evaluation import Options
from benchmarks.speed.beside_torch import beside_grid, measure_in_turn, weights_folder
from benchmarks.speed.speed_table import show_speed
from benchmarks.speed.times import ENUMERATED, FEW_ENUMERATED, databases_folder, measure_speed


@click.command("speed", cls=Measuring)
@DATA
@OUTPUT
@LIMIT
@EMBEDDER
@click.option("--smoke", is_flag=True, help=f"With {SMOKE_QUESTIONS} questions and the static embedder.")
@click.option("--beside-torch", is_flag=True, help="Only index, by onnxruntime and by torch in turn.")
def speed(data: str | None, output: Path, limit: int | None, embedder: str, smoke: bool, beside_torch: bool) -> None:
    """Measure indexing, ranking, solving and cold starts: a table here, and DIR/speed.json."""
    if smoke:
        limit, embedder = limit or SMOKE_QUESTIONS, "static"
    options = Options(data_root(data), output, limit=limit, embedder=embedder)
    if beside_torch:
        embedders = {"minilm, onnxruntime": "minilm", "the same, torch": weights_folder()}
        beside_grid(measure_in_turn(str(databases_folder(options)), output / "speed", embedders)).show(console())
        return
    show_speed(measure_speed(options, clock(), FEW_ENUMERATED if smoke else ENUMERATED), console())
