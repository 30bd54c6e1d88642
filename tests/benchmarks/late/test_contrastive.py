"""The gradient by hand is that of finite differences, and descent finds what it shall."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.late.contrastive import Contrast, Goals, Maps, Texts
from benchmarks.late.late_examples import Examples
from benchmarks.late.late_fitting import LateRecipe, first_maps, fit_maps

CHANCE = np.random.default_rng(3)


def texts(lengths: list[int], dimension: int = 7) -> Texts:
    """Tokens by chance."""
    first = np.concatenate([[0], np.cumsum(lengths)])
    return Texts(CHANCE.normal(size=(sum(lengths), dimension)), first)


@pytest.mark.parametrize("trial", range(3))
def test_the_gradient_is_that_of_finite_differences(trial: int) -> None:
    """For both maps and for the weights of tokens, with two goals, one of them over some documents only, and a question
    that needs nothing."""
    questions, documents = texts([3, 1, 4, 2]), texts([2, 5, 1, 3, 2])
    needed = np.array([[1, 0, 0, 0, 0], [0, 0.5, 0, 0.5, 0], [0, 0, 1.0, 0, 0], [0, 0, 0, 0, 0]])
    some = (needed > 0) | (CHANCE.random(needed.shape) < 0.5)
    goals = [Goals(np.ones_like(some), needed), Goals(some | (needed.sum(axis=1, keepdims=True) == 0), needed)]
    maps = Maps(CHANCE.normal(size=(7, 4)), CHANCE.normal(size=(7, 4)), CHANCE.normal(size=7))
    contrast = Contrast(temperature=0.3)
    _, slopes = contrast(maps, questions, documents, goals)
    for place, part in enumerate(maps):
        for index in np.ndindex(part.shape):
            losses = []
            for step in (1e-6, -1e-6):
                moved = [told.copy() for told in maps]
                moved[place][index] += step
                losses.append(contrast(Maps(*moved), questions, documents, goals)[0])
            assert slopes[place][index] == pytest.approx((losses[0] - losses[1]) / 2e-6, abs=1e-6)


def test_what_is_negligible_is_left_out() -> None:
    """The loss stays; a share above the greatest possible leaves no gradient of the maps."""
    questions, documents = texts([3, 2]), texts([2, 4])
    goals = [Goals(np.ones((2, 2), dtype=np.bool_), np.eye(2))]
    maps = Maps(CHANCE.normal(size=(7, 4)), CHANCE.normal(size=(7, 4)), CHANCE.normal(size=7))
    whole, left_out = (
        Contrast()(maps, questions, documents, goals),
        Contrast(negligible=2)(maps, questions, documents, goals),
    )
    assert whole[0] == left_out[0]
    assert np.abs(whole[1].question).max() > 0 == np.abs(left_out[1].question).max()


def example(count: int = 40) -> Examples:
    """Documents of two tokens; the question of each says one of them turned by a fixed rotation, beside noise."""
    chance = np.random.default_rng(1)
    turn = np.linalg.qr(chance.normal(size=(12, 12)))[0]
    documents = chance.normal(size=(2 * count, 12)).astype(np.float32)
    questions = [np.vstack([documents[2 * i] @ turn, chance.normal(size=12)]).astype(np.float32) for i in range(count)]
    return Examples(
        questions,
        Texts(documents, 2 * np.arange(count + 1)),
        [np.array([i]) for i in range(count)],
        np.arange(count) // 4,
        np.arange(count) // 4,
    )


def test_descent_learns_and_repeats() -> None:
    """The loss falls far below that of the first maps, and the same seed gives the same maps."""
    examples, recipe = example(), LateRecipe(width=8, epochs=30, batch=10, rate=1e-2)
    goals = examples.goals(np.arange(40))
    batch = examples.batch(np.arange(40))
    before = Contrast()(first_maps(examples, 8), batch, examples.documents, goals)[0]
    fitted = fit_maps(examples, recipe, lambda _: None)
    assert Contrast()(fitted, batch, examples.documents, goals)[0] < before / 4
    for left, right in zip(fitted, fit_maps(examples, recipe, lambda _: None), strict=True):
        np.testing.assert_array_equal(left, right)


def test_a_part_of_the_examples_has_its_own_positions() -> None:
    """Questions keep their needs, databases and tokens."""
    whole = example(8)
    part = whole.over(whole.asked == 1, whole.told == 1)
    assert [needed.tolist() for needed in part.needed] == [[0], [1], [2], [3]]
    np.testing.assert_array_equal(part.documents.tokens, whole.documents.tokens[8:16])
    assert part.asked.tolist() == [1, 1, 1, 1]
