"""The studies by name, in the order in which they run: the longest last.

Each is a module of `benchmarks.solvers.studies` with a SUMMARY, with `measure`, which makes the study, and with `tell`,
which makes its table and its checks of the runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType

from benchmarks.data.refusal import RefusalError
from benchmarks.solvers.studies import agreement, paper, scale, thousand

STUDIES: dict[str, ModuleType] = {"agreement": agreement, "scale": scale, "thousand": thousand, "paper": paper}


class UnknownStudyError(RefusalError, ValueError):
    """A study that is not in the registry."""


def chosen_studies(names: Sequence[str]) -> list[str]:
    """These names, or all for none."""
    for name in names:
        if name not in STUDIES:
            raise UnknownStudyError(f"unknown study {name!r}: choose among {', '.join(STUDIES)}")
    return list(names or STUDIES)
