"""``python -m benchmarks hops``: the multi-hop retriever by hops, forms and rewriters."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from benchmarks.commands.options import DATA, EMBEDDER, LIMIT, OUTPUT, NameList, OutputPath, clock, console
from benchmarks.data.layout import data_root
from benchmarks.pages.multihop_page import hop_grid, write_hop_tables
from benchmarks.runs.evaluation import Options
from benchmarks.runs.hop_study import study_hops
from benchmarks.runs.tasks import TASKS


@click.command("hops")
@DATA
@click.option("--datasets", type=NameList(), default=",".join(TASKS["union"].datasets), show_default=True)
@click.option("--page", type=OutputPath(folder=False), help="A page with marks for these tables.")
@OUTPUT
@LIMIT
@EMBEDDER
def hops(data: str | None, datasets: list[str], page: Path | None, **settings: Any) -> None:
    """Complete recall by hops, forms and rewriters: tables here, and DIR/hops-EMBEDDER.json."""
    options = Options(data_root(data), **settings)
    report = clock()
    studies = []
    for name in datasets:
        studies.append(study_hops(name, options, report))
        hop_grid(studies[-1]).show(console(180))
    options.output.mkdir(parents=True, exist_ok=True)
    path = options.output / f"hops-{Path(options.embedder).name}.json"
    path.write_text(json.dumps([asdict(study) for study in studies], indent=1) + "\n", encoding="utf-8")
    if page is not None:
        write_hop_tables(page, studies)
