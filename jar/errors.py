"""What can go wrong, each error with its remedy in the message."""

from __future__ import annotations


class JarError(Exception):
    """Base of the errors that `jar` raises itself; the message states the fact and the remedy."""


class IndexFormatError(JarError):
    """The file is not an index that this version can open; the file is left untouched."""


class IndexWriteError(JarError):
    """The disk is full, or the folder may not be written; the previous index is as it was."""


class IndexBusyError(JarError):
    """Another process, or another thread of this one, is writing the same index."""


class IndexChangedError(JarError):
    """The file of an open index was written anew, or is gone: what it holds is not what was loaded."""


class EmbedderError(JarError):
    """An embedder is unknown, not installed, or returned something that is no embedding."""


class QueryError(JarError, ValueError):
    """A question, a table, a column, a number, or an objective that a re-ranker is asked with cannot be used."""


class FitRefusedError(JarError):
    """Logged questions are too few to learn from, or what was learned does not help; the index stays as it is."""


class LanguageModelError(JarError):
    """A language model cannot be set up, or gave no answer; no message holds a key."""


def is_interruption(error: BaseException | None) -> bool:
    """Whether an error comes of Ctrl-C: DuckDB ends a statement with a `RuntimeError`, or with an error of its own that
    tells of it, and what follows fails, too."""
    while error is not None:
        if isinstance(error, KeyboardInterrupt) or "failed: KeyboardInterrupt" in str(error):
            return True
        if type(error) is RuntimeError and str(error) == "Query interrupted":
            return True
        error = error.__cause__ or error.__context__
    return False
