"""The command ``python -m benchmarks peers``."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from benchmarks.commands.paths import OutputFolder
from benchmarks.data.layout import data_root
from benchmarks.peers.databases import prepare
from benchmarks.peers.peer_rows import CONTESTANTS, OURS, chosen_contestants
from benchmarks.peers.standings import Standing, compare

SMOKE = ("battle_death", "concert_singer", "pets_1")
FILE = "peers.json"


@click.command("peers")
@click.option("--data", help="Folder with spider/; else JAR_DATA, else ../shared/data.")
@click.option("--output", type=OutputFolder(), default=Path("build/benchmarks"), show_default=True)
@click.option("--systems", default="", help=f"Of {', '.join(CONTESTANTS)}; {OURS} always takes part.")
@click.option("--databases", default="", help="Names; by default all of Spider that have rows and references.")
@click.option("--limit", type=float, default=60.0, show_default=True, help="Seconds for one answer.")
@click.option("--smoke", is_flag=True, help="Three small databases.")
def peers(data: str | None, output: Path, systems: str, databases: str, limit: float, smoke: bool) -> None:
    """Join discovery by this package and by others: quality and time on the same databases."""
    start = time.perf_counter()

    def report(message: str) -> None:
        print(f"[{time.perf_counter() - start:6.1f} s] {message}", file=sys.stderr, flush=True)

    chosen = chosen_contestants([name.strip() for name in systems.split(",") if name.strip()])
    names = [name.strip() for name in databases.split(",") if name.strip()] or (list(SMOKE) if smoke else None)
    report("copying databases without foreign keys")
    prepared = prepare(data_root(data), output / "peers", names)
    found = compare(prepared, chosen, report, limit=limit)
    output.mkdir(parents=True, exist_ok=True)
    document = {
        "databases": len(prepared),
        "limit": limit,
        "cores": os.cpu_count(),
        "load": os.getloadavg(),
        "standings": [standing.to_dict() for standing in found],
    }
    (output / FILE).write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    print_standings(found, len(prepared), Console(width=None if sys.stdout.isatty() else 140))


def print_standings(standings: Sequence[Standing], databases: int, console: Console) -> None:
    """A line for each contestant; in brackets what this package reaches on the databases that it answered."""
    table = Table(title=f"join discovery on {databases} databases; in brackets {OURS} on those that were answered")
    for name in ("system", "answered", "best pair %", "held out", "top %", "held out", "seconds", "median ms"):
        table.add_column(name, justify="left" if name == "system" else "right")
    for standing in standings:
        row = standing.to_dict()
        label = f"{standing.contestant.name} {row['version']}".strip()
        if standing.failure:
            table.add_row(label, standing.failure)
            continue
        table.add_row(
            label,
            str(standing.answered),
            *(
                f"{row[own][name]:.1f} ({row[ours][name]:.1f})"
                for name in ("best pair", "top")
                for own, ours in (("metrics", "ours on the same"), ("held out", "ours held out"))
            ),
            ("> " if standing.too_slow else "")
            + f"{row['seconds'] + standing.too_slow:.1f} ({row['our seconds on the same']:.1f})",
            f"{1000 * row['median seconds']:.0f} ({1000 * row['our median seconds on the same']:.0f})"
            if len(standing.seconds) > 1
            else "",
        )
    console.print(table)
    for standing in standings:
        for failure in dict.fromkeys(standing.failures.values()):
            names = [name for name, said in standing.failures.items() if said == failure]
            which = ", ".join(names) if len(names) <= 5 else f"{len(names)} databases"
            console.print(f"{standing.contestant.name}, {which}: {failure}", markup=False)
