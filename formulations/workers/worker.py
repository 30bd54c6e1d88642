"""The process of one native engine: reads requests from standard input, writes answers to standard output.

Started as ``python -m formulations.workers.worker NAME``. It ends when its standard input closes, also in the midst
of a solve, so that it never outlives its host, however that ended.
"""

from __future__ import annotations

import gc
import importlib
import os
import sys
from queue import SimpleQueue
from threading import Thread
from typing import BinaryIO

from formulations.workers.engines import native_engine
from formulations.workers.frames import Frame, read_frame, write_frame


def main(name: str) -> None:
    """Load the engine, say so, and answer requests one by one."""
    requests, answers = private_streams()
    waiting: SimpleQueue[Frame] = SimpleQueue()
    Thread(target=receive, args=(requests, waiting), daemon=True).start()
    try:
        run = importlib.import_module(native_engine(name).module).load(name)
    # Whatever an engine raises becomes the answer: the host turns it into an error of its own.
    except Exception as cause:
        write_frame(answers, failure("load", cause))
        return
    write_frame(answers, Frame({"ready": name}))
    # Models of python-mip are cycles that hold native memory: collected after each answer, past all that was imported.
    gc.freeze()
    while True:
        request = waiting.get()
        try:
            answer = run(request)
        except Exception as cause:
            answer = failure("run", cause)
        write_frame(answers, answer)
        gc.collect()


def private_streams() -> tuple[BinaryIO, BinaryIO]:
    """Return the two ends of the protocol, with the usual file descriptors pointing elsewhere.

    Engines print banners and progress from native code to descriptor 1; that must not meet the answers.
    """
    requests = os.fdopen(os.dup(0), "rb", buffering=0)
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    os.dup2(nowhere, 1)
    os.close(nowhere)
    return requests, answers


def receive(requests: BinaryIO, waiting: SimpleQueue[Frame]) -> None:
    """Queue requests until the host closes the stream or dies; then end the process at once."""
    try:
        while True:
            waiting.put(read_frame(requests))
    except (EOFError, OSError):
        os._exit(0)


def failure(phase: str, cause: Exception) -> Frame:
    """Return the answer that reports an error."""
    return Frame({"error": phase, "type": type(cause).__name__, "message": str(cause)})


if __name__ == "__main__":
    main(sys.argv[1])
