"""Errors of the formulation layer: each states the fact, where it was found, and the remedy."""

from __future__ import annotations


class FormulationError(Exception):
    """Base of every error that this package raises on purpose."""


class InvalidInstanceError(FormulationError, ValueError):
    """Input data that no instance or objective can be built from.

    Parameters
    ----------
    field : str
        The offending field, with its index where there is one: ``"relevance[3]"``.
    fact : str
        What was found there.
    remedy : str
        What to do about it.
    """

    def __init__(self, field: str, fact: str, remedy: str) -> None:
        super().__init__(f"{field}: {fact}; {remedy}")
        self.field = field
        self.fact = fact
        self.remedy = remedy

    def __reduce__(self) -> tuple[type[InvalidInstanceError], tuple[str, str, str]]:
        return type(self), (self.field, self.fact, self.remedy)


class SolverError(FormulationError, RuntimeError):
    """A solver failed, refused the instance, or returned a solution that does not verify."""


class UnknownSolverError(SolverError, LookupError):
    """No solver of that name is registered; the message lists those that are."""


class SolverNotInstalledError(SolverError, ImportError):
    """The solver is registered, but a package that it needs is missing; the message has the install line."""


class SolverRefusalError(SolverError):
    """A solver does not take this problem, objective or task; the message lists those that do. A fallback may."""


class SolverOptionError(SolverError):
    """A limit or an option of a solver that it does not have, or a value that it can not have.

    A mistake of the caller: no fallback answers in its place.
    """
