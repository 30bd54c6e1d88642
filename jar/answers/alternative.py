"""`Alternative`: another set of tables that may answer a question."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Alternative:
    """A set of tables, none where nothing fits, and the probability that just these are needed."""

    tables: tuple[str, ...]
    probability: float
