"""The re-ranker behind a system, for a look at what it solves."""

from __future__ import annotations

from dataclasses import replace

from benchmarks.losses.recording import RecordingReranker
from benchmarks.systems.joined import VARIANTS
from benchmarks.systems.rows import Setting, UnknownSystemError
from benchmarks.systems.table_systems import read_name


def check_system(name: str) -> None:
    """That a system chooses sets by the value of an objective, with proof, among the candidates of the package.

    Raises
    ------
    UnknownSystemError
        When there is none of that name, or it does something else.
    """
    row, _, changes = read_name(name)
    if row.name not in VARIANTS:
        raise UnknownSystemError(f"{name!r} does not choose sets by their value: choose among {', '.join(VARIANTS)}")
    if changes.get("solver", "exact") != "exact" or "retriever" in changes:
        raise UnknownSystemError(f"{name!r}: losses are explained for the exact solver and the own first stage only")


def recording_reranker(name: str, setting: Setting) -> RecordingReranker:
    """The re-ranker of a system (see `benchmarks.systems.joined`) that keeps what it solves."""
    row, _, changes = read_name(name)
    return VARIANTS[row.name].reranker(replace(setting, **changes), RecordingReranker)
