"""The systems that are compared: a registry with a row for each.

A system is asked for the tables of every question at every size K, since the best set of two tables need not be part of
the best set of five.
"""

from benchmarks.systems.rows import (
    DECOMPOSITIONS,
    Answers,
    Decomposition,
    MissingSystemError,
    Outcome,
    Setting,
    SystemRow,
    UnknownSystemError,
)
from benchmarks.systems.table_systems import SYSTEMS, find_system

__all__ = [
    "DECOMPOSITIONS",
    "SYSTEMS",
    "Answers",
    "Decomposition",
    "MissingSystemError",
    "Outcome",
    "Setting",
    "SystemRow",
    "UnknownSystemError",
    "find_system",
]
