"""The errors of this package: each says what is wrong, where, and what to do about it."""

from __future__ import annotations


class JoinabilityError(Exception):
    """Base class of every error that this package raises on purpose."""


class CatalogError(JoinabilityError, ValueError):
    """A catalog that contradicts itself: clashing ids, statistics for unknown tables, unusable schema text."""


class UnknownScoreError(JoinabilityError, ValueError):
    """A score that is not among `SCORES`."""


class StoreVersionError(JoinabilityError):
    """A store that another version of the package has made."""


class ScoreRangeError(JoinabilityError, ValueError):
    """A least score that is no number between 0 and 1."""


class SourceError(JoinabilityError):
    """A source that cannot be read.

    Parameters
    ----------
    source : str
        The table id, or the path where no table is known yet.
    cause : str
        What went wrong, in the words of the engine that met it.
    """

    def __init__(self, source: str, cause: str) -> None:
        super().__init__(f"{source}: {cause}")
        self.source = source
        self.cause = cause


class NoTableError(SourceError):
    """A source that can be read and holds no table: in a folder it is skipped."""


def first_line(error: BaseException) -> str:
    """The first line of what an error says, or its kind where it says nothing."""
    return (str(error).splitlines() or [type(error).__name__])[0]
