"""``python -m benchmarks peers``."""

from __future__ import annotations

import json
import os
from pathlib import Path

import click

from benchmarks.commands.options import DATA, OUTPUT, NameList, clock, console
from benchmarks.data.layout import data_root
from benchmarks.peers.databases import prepare
from benchmarks.peers.peer_rows import CONTESTANTS, OURS, chosen_contestants
from benchmarks.peers.standings import compare, failure_lines, standings_grid

SMOKE = ("battle_death", "concert_singer", "pets_1")
FILE = "peers.json"


@click.command("peers")
@DATA
@OUTPUT
@click.option("--systems", type=NameList(), default=(), help=f"Of {', '.join(CONTESTANTS)}; {OURS} always takes part.")
@click.option("--databases", type=NameList(), default=(), help="Of Spider; by default all with rows and references.")
@click.option("--limit", type=float, default=60.0, show_default=True, help="Seconds for one answer.")
@click.option("--smoke", is_flag=True, help="Three small databases.")
def peers(data: str | None, output: Path, systems: list[str], databases: list[str], limit: float, smoke: bool) -> None:
    """Join discovery by this package and by others: quality and time on the same databases."""
    report, terminal = clock(), console()
    chosen = chosen_contestants(systems)
    report("copying databases without foreign keys")
    prepared = prepare(data_root(data), output / "peers", databases or (list(SMOKE) if smoke else None))
    standings = compare(prepared, chosen, report, limit=limit)
    output.mkdir(parents=True, exist_ok=True)
    document = {
        "databases": len(prepared),
        "limit": limit,
        "cores": os.cpu_count(),
        "load": os.getloadavg(),
        "standings": standings,
    }
    (output / FILE).write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    standings_grid(standings, len(prepared)).show(terminal)
    for line in failure_lines(standings):
        terminal.print(line, markup=False)
