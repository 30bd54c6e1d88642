"""Objects of this package as plain values and arrays, and back.

A plain value is None, a bool, a number, a text, bytes, or a tuple of such. Anything else becomes a tuple of a mark and
of what it is made of. What is there twice is told once. When objects are made again, no class is looked up but those of
this package, and none of their methods is called. Nothing may hold itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

import numpy as np
import numpy.typing as npt

from joinability.attributes import cached_property

AnyArray = npt.NDArray[Any]

PACKAGES = ("jar", "joinability", "formulations")
"""Packages whose objects are told by their attributes."""


def plain(value: object) -> tuple[Any, list[AnyArray]]:
    """A value as plain values, and the arrays in it.

    Objects are told by their attributes, without those that are computed when they are asked for (`cached_property`).

    Raises
    ------
    TypeError
        When something in it is of another kind.
    """
    telling = _Telling()
    return telling.told(value), telling.arrays


def made(told: Any, arrays: Sequence[AnyArray]) -> Any:
    """The value that `plain` told."""
    return _Making(arrays).made(told)


class _Telling:
    def __init__(self) -> None:
        self.arrays: list[AnyArray] = []
        self._known: dict[int, tuple[int, object]] = {}
        """The number of each object by its identity; the object is kept, so that no other gets it."""

    def told(self, value: Any) -> Any:
        kind = type(value)
        if kind in _PLAIN:
            return value
        if isinstance(value, np.generic):
            return value.item()
        if kind is tuple:
            told = tuple(map(self.told, value))
            return ("=", value) if all(one is two for one, two in zip(told, value, strict=True)) else ("(", told)
        if (known := self._known.get(id(value))) is not None:
            return "&", known[0]
        number = len(self._known)
        self._known[id(value)] = number, value
        return (*self._parts(value, kind), number)

    def _parts(self, value: Any, kind: type) -> tuple[Any, ...]:
        if isinstance(value, np.ndarray) and value.dtype.kind in "biuf":
            self.arrays.append(value)
            return "#", len(self.arrays) - 1
        if kind in _MARKS:
            items = value.items() if kind is dict else value
            return _MARKS[kind], tuple(map(self.told, items))
        if kind.__module__.split(".")[0] not in PACKAGES:
            raise TypeError(f"a {kind.__name__} of {kind.__module__} is no plain value")
        name = f"{kind.__module__}:{kind.__name__}"
        if isinstance(value, tuple):
            return "n", name, tuple(map(self.told, value))
        told = {
            attribute: self.told(own)
            for attribute, own in vars(value).items()
            if not isinstance(getattr(kind, attribute, None), cached_property)
        }
        return "o", name, tuple(told.items())


class _Making:
    def __init__(self, arrays: Sequence[AnyArray]) -> None:
        self.arrays = arrays
        self._known: dict[int, Any] = {}
        self._kinds: dict[str, Any] = {}

    def made(self, told: Any) -> Any:
        if type(told) is not tuple:
            return told
        mark = told[0]
        if mark == "=":
            return told[1]
        if mark == "(":
            return tuple(map(self.made, told[1]))
        if mark == "&":
            return self._known[told[1]]
        value = self._known[told[-1]] = self._of_parts(mark, told)
        return value

    def _of_parts(self, mark: str, told: tuple[Any, ...]) -> Any:
        if mark == "#":
            return self.arrays[told[1]]
        if mark in _CONTAINERS:
            return _CONTAINERS[mark](map(self.made, told[1]))
        kind = self._kind(told[1])
        if mark == "n":
            return tuple.__new__(kind, map(self.made, told[2]))
        value: Any = object.__new__(kind)
        vars(value).update({attribute: self.made(own) for attribute, own in told[2]})
        return value

    def _kind(self, name: str) -> Any:
        known = self._kinds.get(name)
        if known is None:
            module, _, kind = name.partition(":")
            if module.split(".")[0] not in PACKAGES:
                raise TypeError(f"{name} is of another package")
            known = self._kinds[name] = getattr(import_module(module), kind)
        return known


_PLAIN = {type(None), bool, int, float, str, bytes}
_MARKS: dict[type, str] = {list: "[", dict: "{", set: "<", frozenset: "f"}
_CONTAINERS: dict[str, Callable[[Any], Any]] = {mark: kind for kind, mark in _MARKS.items()}
