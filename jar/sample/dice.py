"""Seeded draws of ids, choices, days and names: the same on every platform and every version of Python."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any, TypeVar

T = TypeVar("T")

FIRST_NAMES = {
    "F": ("Alwen", "Brisa", "Corinne", "Dalia", "Elske", "Fenna", "Gisel", "Hedda", "Ilka", "Jorun", "Kaya", "Lioba"),
    "M": ("Aldo", "Bertil", "Cyran", "Darek", "Edvin", "Floris", "Gunnar", "Henk", "Ivo", "Jaromir", "Kester", "Leif"),
}
LAST_NAMES = ("Ashdown", "Brandl", "Corvin", "Dormer", "Esker", "Fallow", "Grieve", "Holm", "Ingle", "Jarrow", "Lisle")


class Dice:
    """A stream of random draws.

    It uses `random()` alone, whose sequence Python promises to keep; `choice` or `shuffle` may change.
    """

    def __init__(self, seed: str) -> None:
        self._random = random.Random(seed).random  # noqa: S311

    def number(self, low: int, high: int) -> int:
        """Return a whole number from `low` to `high`, both included."""
        return low + int(self._random() * (high - low + 1))

    def numbers(self, count: int, low: int, high: int) -> list[int]:
        """Return whole numbers from `low` to `high`, both included."""
        return [self.number(low, high) for _ in range(count)]

    def prices(self, count: int, low: int, high: int) -> list[float]:
        """Return amounts from `low` to `high` with two decimals."""
        return [cents / 100 for cents in self.numbers(count, 100 * low, 100 * high)]

    def pick(self, items: Sequence[T]) -> T:
        """Return one of the items."""
        return items[self.number(0, len(items) - 1)]

    def picks(self, count: int, items: Sequence[T]) -> list[T]:
        """Return `count` items, each drawn from all of them."""
        return [self.pick(items) for _ in range(count)]

    def some(self, items: Iterable[T], percent: int) -> list[T]:
        """Return about `percent` of the items, each at most once, in their order."""
        return [item for item in items if self.number(1, 100) <= percent]

    def shuffled(self, items: Iterable[T]) -> list[T]:
        """Return the items in a random order."""
        return sorted(items, key=lambda _: self._random())

    def days(self, count: int, first_year: int, last_year: int) -> list[str]:
        """Return ISO dates from the first day of one year to the last day of another."""
        first, last = date(first_year, 1, 1).toordinal(), date(last_year, 12, 31).toordinal()
        return [date.fromordinal(day).isoformat() for day in self.numbers(count, first, last)]

    def ids(self, count: int, million: int) -> list[int]:
        """Return ascending ids with gaps, all within the given million: ids of different kinds never meet."""
        ids = [1_000_000 * million + self.number(0, 99_999)]
        while len(ids) < count:
            ids.append(ids[-1] + self.number(1, 7))
        return ids

    def people(self, count: int) -> dict[str, list[Any]]:
        """Return the columns that every list of people has: their names, gender and birth_date."""
        genders = self.picks(count, "FM")
        return {
            "first_name": [self.pick(FIRST_NAMES[gender]) for gender in genders],
            "last_name": self.picks(count, LAST_NAMES),
            "gender": genders,
            "birth_date": self.days(count, 1940, 1992),
        }
