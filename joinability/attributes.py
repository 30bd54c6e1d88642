"""What is computed when it is first asked for: attributes of an object, and values that others keep of it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, TypeVar
from weakref import WeakKeyDictionary

__all__ = ["WeakCache", "cached_property"]

Kept = TypeVar("Kept")


class WeakCache(Generic[Kept]):
    """A value for each object, or for each object and a second one beside it, which lives as long as both.

    No value may refer to its objects, since these would then live for ever.
    """

    def __init__(self) -> None:
        self._kept: WeakKeyDictionary[object, WeakKeyDictionary[object, Kept]] = WeakKeyDictionary()

    def of(self, owner: object, second: object | None, make: Callable[[], Kept]) -> Kept:
        """The value that is kept, made when it is first asked for; threads that ask together get the same one."""
        kept = self._kept.setdefault(owner, WeakKeyDictionary())
        key = owner if second is None else second
        value = kept.get(key)
        return kept.setdefault(key, make()) if value is None else value


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
