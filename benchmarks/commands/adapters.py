"""``python -m benchmarks adapters``."""

from __future__ import annotations

import click

from benchmarks.commands.options import Measuring, NameList, console
from benchmarks.data.refusal import RefusalError
from benchmarks.speed.adapter_latency import ADAPTERS, REPEATS, installed_adapters, latency_grid, measure_latency


class NotHereError(RefusalError, ValueError):
    """An adapter that is unknown, or whose framework is not installed."""


@click.command("adapters", cls=Measuring)
@click.option("--names", type=NameList(), help="Names with commas between them; by default those that are installed.")
@click.option("--repeats", type=click.IntRange(1), default=REPEATS, show_default=True)
def adapters(names: list[str] | None, repeats: int) -> None:
    """Measure what adapters add to `Reranker.rank`."""
    here = installed_adapters()
    missing = set(names or here) - set(here)
    if missing:
        raise NotHereError(
            f"unknown, or without its framework here: {', '.join(sorted(missing))}. "
            f"There are {', '.join(ADAPTERS)}; a framework comes with the extra of its name"
        )
    latency_grid(measure_latency(names or here, repeats)).show(console())
