"""Cached attributes have no lock: threads do not wait for each other, and a forked child waits for nobody."""

from __future__ import annotations

import gc
import re
import threading
import weakref
from pathlib import Path

import pytest

from joinability.attributes import WeakCache, cached_property

ROOT = Path(__file__).parents[2]


class Slow:
    """Its value is there once the event is set."""

    def __init__(self, go: threading.Event, begun: threading.Event) -> None:
        self.go, self.begun, self.count = go, begun, 0

    @cached_property
    def value(self) -> int:
        """What it counts."""
        self.begun.set()
        assert self.go.wait(60)
        self.count += 1
        return self.count


def test_it_is_computed_once_and_may_be_set() -> None:
    """As the one of functools."""
    go = threading.Event()
    go.set()
    one = Slow(go, threading.Event())
    assert (one.value, one.value, one.count) == (1, 1, 1)
    one.value = 7
    assert one.value == 7
    assert Slow.value.__doc__ == "What it counts."


def test_nobody_waits_for_another_object() -> None:
    """With the lock that functools had up to Python 3.11, the second object would wait for the first."""
    go, free, begun, found = threading.Event(), threading.Event(), threading.Event(), list[int]()
    free.set()
    first = threading.Thread(target=lambda: Slow(go, begun).value)
    first.start()
    assert begun.wait(60)
    second = threading.Thread(target=lambda: found.append(Slow(free, threading.Event()).value), daemon=True)
    second.start()
    second.join(20)
    go.set()
    first.join()
    assert found == [1]


def test_no_other_is_used() -> None:
    """In none of the packages."""
    sources = [path for name in ("jar", "joinability", "formulations") for path in sorted((ROOT / name).rglob("*.py"))]
    users = [path.name for path in sources if re.search(r"functools import .*cached_property", path.read_text())]
    assert users == ["attributes.py"]


class Owner:
    """An object that values are kept of."""


def test_a_weak_cache_keeps_a_value_for_each_pair_of_objects() -> None:
    """It is made once for an object, and once for that with each other one beside it."""
    cache: WeakCache[list[int]] = WeakCache()
    one, other = Owner(), Owner()
    alone, beside, reverse = (cache.of(*pair, list) for pair in ((one, None), (one, other), (other, one)))
    assert len({id(value) for value in (alone, beside, reverse)}) == 3
    assert cache.of(one, None, list) is alone
    assert cache.of(one, other, list) is beside
    assert cache.of(one, None, lambda: [1]) == []


@pytest.mark.parametrize("is_owner", [True, False])
def test_a_value_goes_with_either_of_its_objects(is_owner: bool) -> None:
    """Nothing else refers to it."""
    cache: WeakCache[Owner] = WeakCache()
    objects = {True: Owner(), False: Owner()}
    value = weakref.ref(cache.of(objects[True], objects[False], Owner))
    gc.collect()
    assert value() is not None
    del objects[is_owner]
    gc.collect()
    assert value() is None
