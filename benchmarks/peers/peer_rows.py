"""The contestants by name: what each needs, and how it is installed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec

from benchmarks.data.refusal import RefusalError
from benchmarks.peers import packages
from benchmarks.peers.databases import Database
from benchmarks.peers.pair_answers import Answer

OURS = "jar"
"""The row that the others are compared with."""


@dataclass(frozen=True)
class Contestant:
    """A row of the registry: from a database to scored pairs of columns.

    `module` and `distribution` are what it imports and what is installed for it, "" for what is always there. With
    `reads_frames` it takes data frames, which are read before the clock starts.
    """

    name: str
    summary: str
    answer: Callable[[Database], Answer]
    module: str = ""
    distribution: str = ""
    reads_frames: bool = False

    @property
    def is_installed(self) -> bool:
        """Whether it can run here; found out without importing it."""
        return not self.module or find_spec(self.module) is not None

    @property
    def version(self) -> str:
        """Version of the distribution; "" for none."""
        try:
            return version(self.distribution) if self.distribution else ""
        except PackageNotFoundError:
            return ""


CONTESTANTS: dict[str, Contestant] = {
    row.name: row
    for row in (
        Contestant(OURS, "this package, a store for each database", packages.this_package),
        Contestant("schema-linker", "its inference", packages.schema_linker, "schema_linker", "schema-linker"),
        Contestant("smartjoin", "its analysis", packages.smartjoin, "smartjoin", "smartjoin-py"),
        *(
            Contestant(name, summary, answer, package, package, reads_frames=True)
            for name, summary, answer, package in (
                ("valentine-jaccard", "Jaccard of equal values", packages.valentine_jaccard, "valentine"),
                ("valentine-coma", "COMA on names and values", packages.valentine_coma, "valentine"),
                ("datasketch", "LSH Ensemble, then exact containment", packages.datasketch_ensemble, "datasketch"),
            )
        ),
        Contestant("query-loop", "an SQL query for each pair of columns", packages.query_loop),
    )
}


class UnknownPeerError(RefusalError, ValueError):
    """A contestant that is not in the registry; the message lists the names."""


def chosen_contestants(names: list[str]) -> list[Contestant]:
    """Contestants by name, ours first; all of them for no names."""
    unknown = [name for name in names if name not in CONTESTANTS]
    if unknown:
        raise UnknownPeerError(f"unknown contestant {unknown[0]!r}: choose among {', '.join(CONTESTANTS)}")
    return [row for name, row in CONTESTANTS.items() if not names or name in names or name == OURS]
