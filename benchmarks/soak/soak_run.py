"""The soak: threads that ask one process without a pause, while the index is refreshed from files that change."""

from __future__ import annotations

import ctypes
import random
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.runs.provenance import provenance
from benchmarks.soak.changing_lake import ChangingLake
from benchmarks.soak.soak_figures import Memory, SoakFigures, Times
from jar import Catalog, Index, Reranker
from jar.sample import QUESTIONS

COPIES = 4
REOPENED = 100
"""After so many requests a reader with an index of its own opens it anew."""
PAUSE = 1.0
"""Seconds between two refreshes."""
KEPT_BUILDS = 4
"""Of so many states of the index it is remembered what was answered, so that answers can be compared."""
SHOWN = 300
"""Characters of an answer that an error shows."""
TOPICS = "clients loans cards books members gender district poetry amount orders customers phones regions".split()
TEXTS = [f"{QUESTIONS[place % 3].text} {one} of {other}" for place, one in enumerate(TOPICS) for other in TOPICS]


def rank(reranker: Reranker, text: str) -> object:
    """What `rank` answers."""
    answer = reranker.rank(text, 4)
    return answer.tables, answer.scores, answer.joins, answer.notes


def columns(reranker: Reranker, text: str) -> object:
    """What `columns` answers."""
    answer = reranker.columns(text, 6)
    return answer.column_names, answer.joins, answer.notes


def explain(reranker: Reranker, text: str) -> object:
    """What the explanation of an answer says, and its SQL."""
    answer = reranker.rank(text, 5)
    if len(answer.explain().splitlines()) < 5:
        raise AssertionError(f"an explanation of a few words: {answer.explain()}")
    return answer.tables, answer.to_sql_context()


def joins(reranker: Reranker, text: str) -> object:
    """The joins of one table."""
    index = reranker.index
    table = index.contents.tables[len(text) % len(index)].id
    return index.joins(0.2, table=table).to_csv()


REQUESTS: dict[str, tuple[int, Callable[[Reranker, str], object]]] = {
    "rank": (6, rank),
    "columns": (2, columns),
    "explain": (1, explain),
    "joins": (1, joins),
}
"""What is asked, and how often of ten times."""


@dataclass
class Soak:
    """The state that all threads share.

    Attributes
    ----------
    path : Path
        The index file.
    embedder : str
    """

    path: Path
    embedder: str
    stopping: threading.Event = field(default_factory=threading.Event)
    errors: list[str] = field(default_factory=list)
    refreshes: int = 0
    openings: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)
    answers: dict[str, dict[tuple[str, str], int]] = field(default_factory=dict)

    def opened(self) -> Reranker:
        """A re-ranker over the index as it is now."""
        with self.lock:
            self.openings += 1
        return Reranker(Index.load(self.path))

    def __post_init__(self) -> None:
        self.shared: Reranker | None = None

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Keep what goes wrong, and go on."""
        try:
            yield
        except Exception:
            with self.lock:
                self.errors.append(traceback.format_exc())

    def compare(self, reranker: Reranker, kind: str, text: str, answer: object) -> None:
        """Raise where the same state of the index gave another answer before."""
        build, found = reranker.index.contents.meta["build"], hash(repr(answer))
        with self.lock:
            known = self.answers.setdefault(build, {})
            for old in list(self.answers)[1:-KEPT_BUILDS]:  # the first state is kept, as one of the readers keeps it
                del self.answers[old]
            before = known.setdefault((kind, text), found)
        if before != found:
            raise AssertionError(f"{kind} answers {text!r} in another way than before: {str(answer)[:SHOWN]}")

    def read(self, number: int) -> dict[str, Times]:
        """Ask until the end: the first reader keeps its index, of the others every other one has an index of its own.

        Those without one share the re-ranker that is opened after each refresh.
        """
        chance = random.Random(number)
        kinds = [kind for kind, (often, _) in REQUESTS.items() for _ in range(often)]
        times = {kind: Times() for kind in REQUESTS}
        own = self.opened() if number == 0 or number % 2 else None
        for asked in count(1):
            if self.stopping.is_set():
                return times
            with self.watched():
                if own is not None and number and asked % REOPENED == 0:
                    own = self.opened()
                kind, text = chance.choice(kinds), chance.choice(TEXTS)
                reranker = own or self.shared
                assert reranker is not None
                start = time.perf_counter()
                answer = REQUESTS[kind][1](reranker, text)
                times[kind].add(time.perf_counter() - start)
                self.compare(reranker, kind, text, answer)
        raise AssertionError("the loop ends when the soak does")

    def refresh(self, lake: ChangingLake) -> None:
        """Change files and refresh the index until the end, in this process and by the command in turn."""
        while not self.stopping.wait(PAUSE):
            with self.watched():
                lake.change()
                if self.refreshes % 2:
                    command = [sys.executable, "-m", "jar", "index", str(lake.folder), "-o", str(self.path)]
                    subprocess.run(command, check=True, capture_output=True, cwd=Path(__file__).parents[2])
                else:
                    Index.build(Catalog.from_files(lake.folder), path=self.path, progress=False)
                self.refreshes += 1
                self.shared = self.opened()


def soak(minutes: float, threads: int, embedder: str, report: Callable[[str], None]) -> SoakFigures:
    """Ask, refresh and measure for so many minutes.

    Parameters
    ----------
    threads : int
        Readers; the refresh has one more.
    embedder : str
        One that can be loaded by its name.
    """
    with TemporaryDirectory() as folder:
        lake = ChangingLake(Path(folder) / "lake", COPIES)
        state = Soak(Path(folder) / "soak.jar", embedder)
        built = Index.build(Catalog.from_files(lake.folder), path=state.path, embedder=embedder, progress=False)
        state.shared, tables = state.opened(), len(built)
        report(f"{tables} tables are indexed, {threads} threads begin")
        with ThreadPoolExecutor(threads + 1) as pool:
            readers = [pool.submit(state.read, number) for number in range(threads)]
            refresher = pool.submit(state.refresh, lake)
            try:
                memory = _watch_memory(minutes, state, report)
            finally:
                state.stopping.set()
            merged = {kind: Times() for kind in REQUESTS}
            for reader in readers:
                for kind, times in reader.result().items():
                    merged[kind].merge(times)
            refresher.result()
    settings: dict[str, Any] = {"minutes": minutes, "threads": threads, "tables": tables, "embedder": embedder}
    return SoakFigures(settings, merged, memory, state.refreshes, state.openings, state.errors, provenance())


def resident_megabytes() -> float:
    """The memory that this process has now, as Linux tells it."""
    for line in Path("/proc/self/status").read_text("ascii").splitlines():
        name, _, value = line.partition(":")
        if name == "VmRSS":
            return int(value.split()[0]) / 2**10
    raise OSError("this system does not tell the resident memory of a process")


class _Allocations(ctypes.Structure):
    """What `mallinfo2` of glibc 2.33 returns: here all that matters is what is in use, in the heaps and mapped."""

    _fields_ = [
        *((name, ctypes.c_size_t) for name in ("arena", "ordblks", "smblks", "hblks")),
        *((name, ctypes.c_size_t) for name in ("hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost")),
    ]


def allocated_megabytes() -> float | None:
    """The memory that glibc has given out and not got back; None with another C library."""
    try:
        ask = ctypes.CDLL(None).mallinfo2
    except (AttributeError, OSError, TypeError):
        return None
    ask.restype = _Allocations
    counts = ask()
    return float(counts.uordblks + counts.hblkhd) / 2**20


def _watch_memory(minutes: float, state: Soak, report: Callable[[str], None]) -> Memory:
    """Sample the memory until the time is over, at least every second and often enough for a short run."""
    start, seconds, megabytes, allocated = time.monotonic(), list[float](), list[float](), list[float | None]()
    step, reported = min(1.0, 60 * minutes / 50), 0
    while not seconds or seconds[-1] < 60 * minutes:
        seconds.append(time.monotonic() - start)
        megabytes.append(resident_megabytes())
        allocated.append(allocated_megabytes())
        if seconds[-1] // 60 > reported:
            reported = int(seconds[-1] // 60)
            report(f"{megabytes[-1]:.0f} MB, {state.refreshes} refreshes, {len(state.errors)} errors")
        time.sleep(step)
    return Memory(seconds, megabytes, [level for level in allocated if level is not None])
