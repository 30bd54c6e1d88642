"""The base of the errors whose message the command line shows without a traceback."""

from __future__ import annotations


class RefusalError(Exception):
    """The caller asked for something that is not there or cannot be done; the message says what to do."""
