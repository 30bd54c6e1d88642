"""Names are shortened in the middle, by the cells that they take."""

from __future__ import annotations

import pytest

from jar.layout.names_shown import cells, cut, shortened, wrapped

NAMES = ["bank.loan", "a" * 90, "データベース.顧客テーブル", "é" * 30, "e\u0301" * 30, "a\nb" * 20]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("width", [1, 2, 3, 5, 12, 40])
def test_what_is_shortened_fits(name: str, width: int) -> None:
    """It is one line of at most so many cells, as it was where there is room, and begins and ends as the name does."""
    for short in (shortened(name, width), cut(name, width)):
        assert cells(short) <= width
        assert "\n" not in short
    if width >= 12 and name.isprintable():
        short = shortened(name, width)
        assert name.startswith(short.partition("…")[0])
        assert name.endswith(short.rpartition("…")[2])


def test_wide_signs_take_two_cells() -> None:
    """As terminals show them; marks on letters take none."""
    assert [cells(text) for text in ("ab", "顧客", "e\u0301", "")] == [2, 4, 1, 0]


def test_long_texts_are_told_to_go_on() -> None:
    """Lines up to a number; none is lost without a sign."""
    assert wrapped("one two three", 7, 4) == ["one two", "three"]
    assert wrapped("one two three four", 7, 2) == ["one two", "three …"]
