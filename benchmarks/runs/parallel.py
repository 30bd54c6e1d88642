"""Rankings of several data sets at a time, each in a process of its own.

A process writes results, vectors and the index of its data set to files that no other writes. Its results are taken
over when it ends, or by the next run where this one was stopped.
"""

from __future__ import annotations

import multiprocessing
import os
import re
import signal
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from benchmarks.data.layout import MissingDataError
from benchmarks.runs.evaluation import Options, Report, run
from benchmarks.runs.results import read_results, results_path, write_results
from benchmarks.runs.tasks import TASKS

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
"""What the libraries read when they are loaded."""

Work = Sequence[tuple[str, Sequence[str]]]
"""Tasks with their systems, for one data set."""


def make_results(work: Mapping[str, Work], options: Options, jobs: int, report: Report) -> None:
    """Run the systems of each data set, so many data sets at a time; the results are in ``results.jsonl`` then.

    A data set that lacks a file is left to the task, which tells it.

    Parameters
    ----------
    work : mapping
        Data set to its tasks; the one that takes longest should come first.
    jobs : int
        Processes.
    """
    processes = min(jobs, len(work))
    context = multiprocessing.get_context("spawn")
    with threads_each(processes), ProcessPoolExecutor(processes, context, end_with_parent) as pool:
        futures = {pool.submit(_run, dataset, tasks, options): dataset for dataset, tasks in work.items()}
        for future in as_completed(futures):
            try:
                future.result()
            except MissingDataError:
                report(f"{futures[future]}: left out, a file is missing")
            else:
                report(f"{futures[future]}: done")
            take_over(options.output, results_path(options.output, _part(futures[future])))


def end_with_parent() -> None:
    """End this process when the one that started it ends, however that ends.

    A process that outlives a run which was killed would write to the files of the next one, with the code of the last.
    An interrupt ends it without a word: the run tells it.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)

    def wait() -> None:
        if (parent := multiprocessing.parent_process()) is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


@contextmanager
def threads_each(processes: int) -> Iterator[None]:
    """Processes that are started here share the cores: numerical libraries would start a thread per core in each."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    before = {name: os.environ.get(name) for name in THREADS}
    os.environ.update(dict.fromkeys(THREADS, str(max(1, cores // processes))))
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name)
            if value is not None:
                os.environ[name] = value


def take_over_parts(output: Path) -> None:
    """Take over what processes of a run that was stopped have left."""
    for left in output.glob(results_path(output, "*").name):
        take_over(output, left)


def take_over(output: Path, path: Path) -> None:
    """Move the results of a part that nobody writes any more to the results of the folder."""
    write_results(results_path(output), read_results(path))
    path.unlink(missing_ok=True)


def _run(dataset: str, tasks: Work, options: Options) -> None:
    for task, systems in tasks:
        run(TASKS[task], [dataset], systems, replace(options, part=_part(dataset)), _tell)


def _part(dataset: str) -> str:
    return re.sub(r"\W+", "-", dataset).strip("-")


def _tell(message: str) -> None:
    print(message, file=sys.stderr, flush=True)
