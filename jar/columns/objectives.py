"""What can be chosen: tables, columns, or tables with the columns that propose them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from formulations import CrushObjective, InvalidInstanceError, JarObjective
from formulations.registry import load_solver
from jar.columns.search import DEFAULT_SEARCH, PAPER_SEARCH, SEARCHES, ColumnSearch, column_search
from jar.errors import QueryError
from jar.tables.objective import DEFAULT_OBJECTIVE

if TYPE_CHECKING:
    from formulations.objectives.jar import Connect

JOINT = "jar+crush"


@dataclass(frozen=True)
class JointObjective:
    """Tables by one objective, proposed by the probes of a search for columns; "jar+crush" stands for the defaults."""

    tables: JarObjective = DEFAULT_OBJECTIVE
    columns: ColumnSearch = DEFAULT_SEARCH


AnyObjective: TypeAlias = str | JarObjective | CrushObjective | ColumnSearch | JointObjective


def read_objective(objective: AnyObjective) -> tuple[JarObjective | None, ColumnSearch | None]:
    """What an objective consists of: one over tables, a search for columns, or both; None for the part that it lacks.

    Raises
    ------
    QueryError
        When there is none of that name; the message lists the names.
    """
    if isinstance(objective, JarObjective):
        return objective, None
    if isinstance(objective, JointObjective):
        return objective.tables, objective.columns
    if objective == "jar":
        return DEFAULT_OBJECTIVE, None
    if objective == JOINT:
        return read_objective(JointObjective())
    try:
        return None, column_search(objective)
    except (KeyError, TypeError):  # none of that name, or nothing that could be one
        known = ", ".join(map(repr, ("jar", JOINT, *SEARCHES)))
        raise QueryError(
            f"unknown objective {objective!r}: choose {known}, or give a JarObjective with your weights"
        ) from None


def connected_by(
    connect: Connect | None, tables: JarObjective | None, columns: ColumnSearch | None
) -> tuple[JarObjective | None, ColumnSearch | None]:
    """An objective that asks for connected sets as a caller does; as it is where he says nothing.

    Raises
    ------
    QueryError
        When it is about columns alone, or there is no such way to connect.
    """
    if connect is None:
        return tables, columns
    if tables is None:
        raise QueryError(f"connect={connect!r} is about tables, and this objective chooses columns: leave it out")
    try:
        return replace(tables, connect=connect), columns
    except InvalidInstanceError as error:
        raise QueryError(f"connect is {connect!r}; {error.remedy}") from error


def checked_solver(solver: str | None, tables: JarObjective | None, columns: ColumnSearch | None) -> str:
    """The name of the solver, or of the default one of an objective.

    Raises
    ------
    UnknownSolverError, SolverNotInstalledError
        At once, and not at the first question.
    """
    name = solver or ("sweep" if columns is PAPER_SEARCH and tables is None else "exact")
    for kind in ["jar"] * (tables is not None) + ["crush"] * (columns is not None):
        load_solver(name, kind)
    return name
