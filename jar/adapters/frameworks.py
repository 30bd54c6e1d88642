"""Which extra installs the framework of an adapter."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def from_extra(extra: str) -> Iterator[None]:
    """Around the imports of a framework: where it is not installed, the error says how to install it.

    Raises
    ------
    ModuleNotFoundError
    """
    try:
        yield
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            f'{error.name} is missing; install it: pip install "jar-rerank[{extra}]"', name=error.name
        ) from error
