"""Joins of an answer."""

from __future__ import annotations

import pytest

from jar.answers.join import Join, is_bridge


def join(left: str, right: str) -> Join:
    return Join(f"{left}.x", f"{right}.x", 0.9, {}, left, right)


@pytest.mark.parametrize(
    ("pairs", "bridges"),
    [
        (["ab", "bc"], "b"),
        (["ab", "bc", "ac"], ""),
        (["ab", "bc", "cd", "da"], ""),
        (["ab", "bc", "cd", "db"], "b"),
        (["ab", "cd"], ""),
        (["ab", "ab"], ""),
        ([], ""),
    ],
)
def test_a_bridge_is_what_alone_connects_others(pairs: list[str], bridges: str) -> None:
    """A table between others that also join past it is none."""
    joins = [join(*pair) for pair in pairs]
    assert [table for table in "abcd" if is_bridge(table, joins)] == list(bridges)
