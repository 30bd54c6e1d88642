"""Attributes that are computed when they are first asked for, without a lock."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

__all__ = ["cached_property"]

if TYPE_CHECKING or sys.version_info >= (3, 12):
    from functools import cached_property
else:

    class cached_property:  # noqa: N801 - stands for that of functools
        """`functools.cached_property` as Python 3.12 has it.

        Before, all objects of a class share a lock for each property: threads that work on different objects wait for
        each other, and a child that is forked while one of them computes waits for ever. Threads that ask one object
        together may both compute, and keep one of two equal values.
        """

        def __init__(self, function: Any) -> None:
            self.function = function
            self.name = function.__name__
            self.__doc__ = function.__doc__

        def __set_name__(self, owner: type, name: str) -> None:
            self.name = name

        def __get__(self, instance: Any, owner: Any = None) -> Any:
            if instance is None:
                return self
            value = vars(instance)[self.name] = self.function(instance)
            return value
