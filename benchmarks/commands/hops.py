"""``python -m benchmarks hops``: the multi-hop retriever by hops, forms and rewriters."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from benchmarks.commands.options import DATA, EMBEDDER, LIMIT, OUTPUT, Measuring, NameList, OutputPath, clock, console
from benchmarks.data.layout import data_root
from benchmarks.pages.multihop_page import hop_grid, reranked_grid, write_hop_tables
from benchmarks.runs.evaluation import Options
from benchmarks.runs.hop_study import HopStudy, RerankedStudy, study_hops, study_reranked
from benchmarks.runs.tasks import TASKS


@click.command("hops", cls=Measuring)
@DATA
@click.option("--datasets", type=NameList(), default=",".join(TASKS["union"].datasets), show_default=True)
@click.option("--reranked", is_flag=True, help="The re-ranker behind several hops, with paired tests, in their place.")
@click.option("--page", type=OutputPath(folder=False), help="A page with marks for these tables.")
@OUTPUT
@LIMIT
@EMBEDDER
def hops(data: str | None, datasets: list[str], reranked: bool, page: Path | None, **settings: Any) -> None:
    """Complete recall by hops, forms and rewriters: tables here, and DIR/hops-EMBEDDER.json (DIR/reranked-...)."""
    options = Options(data_root(data), **settings)
    report, terminal = clock(), console(180)
    studies: list[HopStudy | RerankedStudy] = []
    for name in datasets:
        if reranked:
            studies.append(compared := study_reranked(name, options, report))
            reranked_grid(compared).show(terminal)
        else:
            studies.append(study := study_hops(name, options, report))
            hop_grid(study).show(terminal)
    path = options.output / f"{'reranked' if reranked else 'hops'}-{Path(options.embedder).name}.json"
    path.write_text(json.dumps([asdict(study) for study in studies], indent=1) + "\n", encoding="utf-8")
    if page is not None:
        write_hop_tables(page, studies)
