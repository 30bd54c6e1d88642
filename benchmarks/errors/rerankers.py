"""The re-ranker behind a system, for a look at what it solves."""

from __future__ import annotations

from dataclasses import asdict

from benchmarks.errors.recording import RecordingReranker
from benchmarks.systems import Setting, UnknownSystemError, find_system
from formulations import JarObjective
from formulations.jar_objective import Connect

PAPER: dict[str, tuple[Connect, bool]] = {
    "jar-d": ("ignore", False),
    "jar-f": ("require", False),
    "jar-g": ("require", True),
}
"""The paper's systems: whether sets must be connected, and whether declared keys are trusted."""


def check_system(name: str) -> None:
    """That a system chooses sets by the value of an objective, with proof.

    Raises
    ------
    UnknownSystemError
        When there is none of that name, or it does something else.
    """
    find_system(name)
    stem, *endings = name.split("+")
    if stem not in {*PAPER, "jar"}:
        known = ", ".join([*PAPER, "jar"])
        raise UnknownSystemError(f"{name!r} does not choose sets by their value: choose among {known}")
    if any(ending.startswith("solver=") for ending in endings):
        raise UnknownSystemError(f"{name!r}: losses are explained for the solver that proves its choice, exact")


def recording_reranker(name: str, setting: Setting) -> RecordingReranker:
    """The re-ranker of a system (see `benchmarks.systems.joined`) that keeps what it solves."""
    stem, *endings = name.split("+")
    scores = [ending.removeprefix("score=") for ending in endings if ending.startswith("score=")]
    if stem == "jar":
        return RecordingReranker(
            setting.index,
            candidates=setting.candidates,
            embedder=setting.embedder,
            score=scores[-1] if scores else "default",
        )
    connect, trust_declared = PAPER[stem]
    return RecordingReranker(
        setting.index,
        JarObjective(**asdict(setting.dataset.weights), connect=connect),
        candidates=setting.candidates,
        embedder=setting.embedder,
        score=scores[-1] if scores else "paper",
        trust_declared=trust_declared,
    )
