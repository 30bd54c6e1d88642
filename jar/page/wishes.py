"""The wishes whose best sets a page has: each size, each candidate required or excluded, and likely second wishes.

A wish is a size with some candidates that must be in the set and some that must not. Where the best set under weaker
wishes satisfies a stronger one, it is the best under that, too, so that no set is looked for twice: of n candidates, n
wishes of one table differ from none, and an answer of K tables has those of n - K required and K excluded ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from formulations import Solution
    from jar.page.solved_question import SolvedQuestion

LARGEST = 10
"""Sizes that a page has at most, beside larger ones that were asked for."""
MOST_SETS = 160
"""Different sets that a page has about: what it weighs, and how long it takes to make, grows with them."""
SOME, FEW = 6, 3
"""Candidates left out that may be required, the most relevant ones: of the nearest sizes, and beside another wish."""


class Wish(NamedTuple):
    """A size, and the candidates that must and must not be in the set, ascending."""

    size: int
    require: tuple[int, ...] = ()
    exclude: tuple[int, ...] = ()


def wishes(solved: SolvedQuestion) -> Mapping[Wish, Solution | None]:
    """The best set under each wish of a page; None where there is none.

    First all sizes without a wish, then that of the answer with one, the two nearest with one, that of the answer with
    two, the other sizes with one; as many as there is room for.
    """
    size = len(solved.chosen) or 1
    sizes = sorted(range(1, largest_size(solved) + 1), key=lambda other: (abs(other - size), other))
    solutions: dict[Wish, Solution | None] = {Wish(other): solved.best(other) for other in sizes}
    seen = {solution.items for solution in solutions.values() if solution is not None}
    for wish in _in_order(solved, solutions, size, sizes):
        if len(seen) >= MOST_SETS:
            break
        if wish not in solutions:
            solution = solutions[wish] = solved.best(*wish)
            if solution is not None:
                seen.add(solution.items)
    return solutions


def largest_size(solved: SolvedQuestion) -> int:
    """The largest size that a page has."""
    return min(solved.count, max(LARGEST, len(solved.chosen)))


def _in_order(
    solved: SolvedQuestion, solutions: Mapping[Wish, Solution | None], size: int, sizes: list[int]
) -> Iterator[Wish]:
    """Wishes, the likelier ones first; those that start from a set are made when this one is found."""
    single = list(_stricter(solved, Wish(size), solutions.get(Wish(size)), solved.count))
    yield from single
    for other in sizes[1:3]:
        yield from _stricter(solved, Wish(other), solutions.get(Wish(other)), SOME)
    for wish in single:
        yield from _stricter(solved, wish, solutions.get(wish), FEW)
    for other in sizes[1:]:
        yield from _stricter(solved, Wish(other), solutions.get(Wish(other)), solved.count)


def _stricter(solved: SolvedQuestion, wish: Wish, best: Solution | None, most: int) -> Iterator[Wish]:
    """Wishes of one table more, which the best set breaks: each of its tables excluded, `most` others required."""
    if best is None:
        return
    fixed = {*solved.problem.reduction.instance.require, *wish.require}
    for item in best.items:
        if item not in fixed:
            yield Wish(wish.size, wish.require, tuple(sorted((*wish.exclude, item))))
    others = [item for item in range(solved.count) if item not in best.items and item not in wish.exclude]
    for item in others[:most]:
        yield Wish(wish.size, tuple(sorted((*wish.require, item))), wish.exclude)
