"""All contestants on all databases, one after the other on each, and the table of what they reach."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from benchmarks.pages.grids import Grid
from benchmarks.peers.databases import Database
from benchmarks.peers.packages import together
from benchmarks.peers.pair_answers import quality
from benchmarks.peers.peer_rows import CONTESTANTS, OURS, Contestant
from benchmarks.peers.worker import Outcome, Worker

Report = Callable[[str], None]
Standing = dict[str, Any]
"""What a contestant reaches, and what this package reaches on the databases that it answered, as JSON types."""


def compare(
    databases: Sequence[Database], contestants: Sequence[Contestant], report: Report, *, limit: float
) -> list[Standing]:
    """Let each contestant answer each database, interleaved; ours is among them.

    A database that takes longer than `limit` seconds is left out of the figures of that contestant. The first standing
    is ours with one store for all databases, which share its seconds equally.
    """
    smallest = min(databases, key=lambda database: (database.columns * database.rows, database.name))
    report("all databases in one store")
    together([smallest])  # imports, off the clock
    start = time.perf_counter()
    answers = together(databases)
    each = (time.perf_counter() - start) / len(databases)
    at_once = {database.name: Outcome(answers[database.name], each) for database in databases}
    workers = {row.name: Worker(row.name, smallest) for row in contestants if row.is_installed}
    outcomes: dict[str, dict[str, Outcome]] = {row.name: {} for row in contestants}
    try:
        for number, database in enumerate(databases, 1):
            for name, worker in workers.items():
                outcomes[name][database.name] = worker.ask(database, limit)
            slow = max(workers, key=lambda name: outcomes[name][database.name].seconds)
            report(f"{number} of {len(databases)}: {database.name}, {database.columns} columns; slowest {slow}")
    finally:
        for worker in workers.values():
            worker.close()
    one_store = replace(CONTESTANTS[OURS], name=f"{OURS}, one store for all")
    ours = outcomes[OURS]
    return [
        standing(one_store, databases, at_once, at_once),
        *(standing(row, databases, outcomes[row.name], ours) for row in contestants),
    ]


def standing(
    row: Contestant, databases: Sequence[Database], theirs: dict[str, Outcome], ours: dict[str, Outcome]
) -> Standing:
    """The figures of a contestant, and ours on the databases that it answered, also of those held out from our fit."""
    done = [database for database in databases if database.name in theirs and not theirs[database.name].failure]
    held_out = [database for database in done if database.is_held_out]
    their_seconds, our_seconds = ([outcomes[database.name].seconds for database in done] for outcomes in (theirs, ours))
    their_answers, our_answers = ({name: made.answer for name, made in outcomes.items()} for outcomes in (theirs, ours))
    return {
        "system": row.name,
        "version": row.version,
        "failure": "" if row.is_installed else f"not installed: pip install {row.distribution}",
        "answered": len(done),
        "failures": {name: outcome.failure for name, outcome in theirs.items() if outcome.failure},
        "metrics": quality(done, their_answers),
        "ours on the same": quality(done, our_answers),
        "held out": quality(held_out, their_answers),
        "ours held out": quality(held_out, our_answers),
        "seconds": sum(their_seconds),
        "seconds without an answer": sum(outcome.seconds for outcome in theirs.values() if outcome.failure),
        "median seconds": float(np.median(their_seconds)) if done else None,
        "our seconds on the same": sum(our_seconds),
        "our median seconds on the same": float(np.median(our_seconds)) if done else None,
    }


def standings_grid(standings: Sequence[Standing], databases: int) -> Grid:
    """A line for each contestant; in brackets what this package reaches on the databases that it answered."""
    header = ("system", "answered", "best pair %", "held out", "top %", "held out", "seconds", "median ms")
    title = f"join discovery on {databases} databases; in brackets {OURS} on those that were answered"
    return Grid(title, header, [_cells(row) for row in standings])


def _cells(row: Standing) -> tuple[str, ...]:
    label = f"{row['system']} {row['version']}".strip()
    if row["failure"]:
        return (label, row["failure"], *[""] * 6)
    qualities = (
        f"{row[theirs][name]:.1f} ({row[ours][name]:.1f})"
        for name in ("best pair", "top")
        for theirs, ours in (("metrics", "ours on the same"), ("held out", "ours held out"))
    )
    late = row["seconds without an answer"]
    seconds = f"{'> ' if late else ''}{row['seconds'] + late:.1f} ({row['our seconds on the same']:.1f})"
    medians = [row["median seconds"], row["our median seconds on the same"]]
    shown = "{:.0f} ({:.0f})".format(*(1000 * middle for middle in medians)) if row["answered"] else ""
    return (label, str(row["answered"]), *qualities, seconds, shown)


def failure_lines(standings: Sequence[Standing]) -> Iterator[str]:
    """Why contestants have no answer on some databases, a line for each reason."""
    for row in standings:
        for failure in dict.fromkeys(row["failures"].values()):
            names = [name for name, cause in row["failures"].items() if cause == failure]
            which = ", ".join(names) if len(names) <= 5 else f"{len(names)} databases"
            yield f"{row['system']}, {which}: {failure}"
