"""Makes the machine code of one search: ``python -m formulations.kernels.making NAME``, started by `Maker`."""

from __future__ import annotations

import os
import sys
from threading import Thread

from formulations.kernels.dispatch import kernel_named
from formulations.kernels.maker import is_kept, one_at_a_time


def main(name: str) -> int:
    """Compile and keep the machine code; the exit status is 0 where it is on the disk."""
    Thread(target=_end_with_host, daemon=True).start()
    if hasattr(os, "nice"):
        os.nice(10)
    with one_at_a_time(name):
        kernel_named(name).KIT.compile()
        return 0 if is_kept(name) else 1


def _end_with_host() -> None:
    """End this process as soon as the one that started it closes the pipe, or dies."""
    sys.stdin.buffer.read()
    os._exit(1)


if __name__ == "__main__":
    status = main(sys.argv[1])
    os._exit(status)  # the thread above still reads
