"""All contestants on all databases, one after the other on each, and the table of what they reach."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from benchmarks.pages.grids import Grid
from benchmarks.peers.databases import Database
from benchmarks.peers.packages import together
from benchmarks.peers.pair_answers import Answer, Quality, median, quality
from benchmarks.peers.peer_rows import CONTESTANTS, OURS, Contestant
from benchmarks.peers.worker import Outcome, Worker

Report = Callable[[str], None]


@dataclass(frozen=True)
class Standing:
    """What a contestant reaches, and what this package reaches on the databases that it answered.

    Attributes
    ----------
    contestant : Contestant
    failure : str
        Why it did not run at all, or "".
    answered : int
        Databases that it answered in time.
    failures : dict
        Name of a database to the reason why there is no answer.
    quality, ours : Quality
        Of both, on the answered databases.
    held_out, ours_held_out : Quality
        The same, of databases that the weights of our score were not fitted on.
    seconds, our_seconds : list of float
        For each answered database, of both.
    too_slow : float
        The seconds that went into databases that it did not answer in time.
    """

    contestant: Contestant
    failure: str
    answered: int
    failures: dict[str, str]
    quality: Quality
    ours: Quality
    held_out: Quality
    ours_held_out: Quality
    seconds: list[float]
    our_seconds: list[float]
    too_slow: float = 0.0

    def to_dict(self) -> dict[str, Any]:
        """As plain values; shares as percentages."""
        return {
            "system": self.contestant.name,
            "version": self.contestant.version,
            "failure": self.failure,
            "answered": self.answered,
            "failures": self.failures,
            "metrics": self.quality.to_dict(),
            "ours on the same": self.ours.to_dict(),
            "held out": self.held_out.to_dict(),
            "ours held out": self.ours_held_out.to_dict(),
            "seconds": sum(self.seconds),
            "seconds without an answer": self.too_slow,
            "median seconds": median(self.seconds),
            "our seconds on the same": sum(self.our_seconds),
            "our median seconds on the same": median(self.our_seconds),
        }


def compare(
    databases: Sequence[Database], contestants: Sequence[Contestant], report: Report, *, limit: float
) -> list[Standing]:
    """Let each contestant answer each database, interleaved; ours is among them.

    Parameters
    ----------
    limit : float
        Seconds for an answer; a database that takes longer is left out of the figures of that contestant.
    """
    smallest = min(databases, key=lambda database: (database.columns * database.rows, database.name))
    report("all databases in one store")
    together([smallest])  # imports, off the clock
    all_in_one = _together(databases)
    workers = {row.name: Worker(row.name, smallest) for row in contestants if row.is_installed}
    outcomes: dict[str, dict[str, Outcome]] = {name: {} for name in workers}
    try:
        for number, database in enumerate(databases, 1):
            for name, worker in workers.items():
                outcomes[name][database.name] = worker.ask(database, limit)
            slow = max(workers, key=lambda name: outcomes[name][database.name].seconds)
            report(f"{number} of {len(databases)}: {database.name}, {database.columns} columns; slowest {slow}")
    finally:
        for worker in workers.values():
            worker.close()
    return [all_in_one, *(_standing(row, databases, outcomes) for row in contestants)]


def _together(databases: Sequence[Database]) -> Standing:
    """This package with all databases in one store, as an index has them."""
    start = time.perf_counter()
    answers = together(databases)
    seconds = time.perf_counter() - start
    reached = quality(databases, answers)
    unseen = quality([database for database in databases if database.is_held_out], answers)
    row = replace(CONTESTANTS[OURS], name=f"{OURS}, one store for all")
    return Standing(row, "", len(databases), {}, reached, reached, unseen, unseen, [seconds], [seconds])


def _standing(row: Contestant, databases: Sequence[Database], outcomes: dict[str, dict[str, Outcome]]) -> Standing:
    if row.name not in outcomes:
        failure = f"not installed: pip install {row.distribution}"
        nothing = quality([], {})
        return Standing(row, failure, 0, {}, nothing, nothing, nothing, nothing, [], [])
    theirs, ours = outcomes[row.name], outcomes[OURS]
    done = [database for database in databases if not theirs[database.name].failure]
    unseen = [database for database in done if database.is_held_out]
    return Standing(
        contestant=row,
        failure="",
        answered=len(done),
        failures={name: outcome.failure for name, outcome in theirs.items() if outcome.failure},
        quality=quality(done, _answers(theirs)),
        ours=quality(done, _answers(ours)),
        held_out=quality(unseen, _answers(theirs)),
        ours_held_out=quality(unseen, _answers(ours)),
        seconds=[theirs[database.name].seconds for database in done],
        our_seconds=[ours[database.name].seconds for database in done],
        too_slow=sum(outcome.seconds for outcome in theirs.values() if outcome.failure),
    )


def _answers(outcomes: dict[str, Outcome]) -> dict[str, Answer]:
    return {name: outcome.answer for name, outcome in outcomes.items()}


def standings_grid(standings: Sequence[Standing], databases: int) -> Grid:
    """A line for each contestant; in brackets what this package reaches on the databases that it answered."""
    header = ("system", "answered", "best pair %", "held out", "top %", "held out", "seconds", "median ms")
    title = f"join discovery on {databases} databases; in brackets {OURS} on those that were answered"
    return Grid(title, header, [_cells(standing) for standing in standings])


def _cells(standing: Standing) -> tuple[str, ...]:
    row = standing.to_dict()
    label = f"{standing.contestant.name} {row['version']}".strip()
    if standing.failure:
        return (label, standing.failure, *[""] * 6)
    qualities = (
        f"{row[theirs][name]:.1f} ({row[ours][name]:.1f})"
        for name in ("best pair", "top")
        for theirs, ours in (("metrics", "ours on the same"), ("held out", "ours held out"))
    )
    late = "> " if standing.too_slow else ""
    seconds = f"{late}{row['seconds'] + standing.too_slow:.1f} ({row['our seconds on the same']:.1f})"
    median_ms = f"{1000 * row['median seconds']:.0f} ({1000 * row['our median seconds on the same']:.0f})"
    return (label, str(standing.answered), *qualities, seconds, median_ms if len(standing.seconds) > 1 else "")


def failure_lines(standings: Sequence[Standing]) -> Iterator[str]:
    """Why contestants have no answer on some databases, a line for each reason."""
    for standing in standings:
        for failure in dict.fromkeys(standing.failures.values()):
            names = [name for name, cause in standing.failures.items() if cause == failure]
            which = ", ".join(names) if len(names) <= 5 else f"{len(names)} databases"
            yield f"{standing.contestant.name}, {which}: {failure}"
