"""Progress of long work on standard error: shown in a terminal, silent elsewhere or when told so."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Advance = Callable[[int], None]
Stage = Callable[[str, int], Advance]


@contextmanager
def progress_bars(show: bool | None) -> Iterator[Stage]:
    """A function ``stage(label, total) -> advance(steps)``.

    Parameters
    ----------
    show : bool or None
        None shows bars only where standard error is a terminal.
    """
    if not (sys.stderr.isatty() if show is None else show):
        yield lambda label, total: lambda steps: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        ProgressColumn,
        Task,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )
    from rich.text import Text

    class Rate(ProgressColumn):
        """Steps per second, of work in many steps."""

        def render(self, task: Task) -> Text:
            speed = task.finished_speed or task.speed
            return Text("" if speed is None or task.total == 1 else f"{speed:,.0f}/s")

    times = (TimeElapsedColumn(), TextColumn("left"), TimeRemainingColumn())
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), Rate(), *times)
    with Progress(*columns, console=Console(stderr=True)) as bars:

        def stage(label: str, total: int) -> Advance:
            task = bars.add_task(label, total=total)
            return lambda steps: bars.advance(task, steps)

        yield stage
