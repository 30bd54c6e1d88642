"""How likely an answer holds what is none of the sets: the fit sees such questions alone, by their weights."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.howmany.held_tables import fit_held
from benchmarks.howmany.set_fitting import Lesson, is_beyond
from benchmarks.learning.pools import Pool
from formulations import Instance
from jar.sizes.distribution import NEVER
from jar.sizes.set_model import SetModel, load_set_model
from tests.jar.sizes.made_candidates import made_candidates, made_odds

N = 16


def made_lesson(seed: int, model: SetModel) -> Lesson:
    """A question that needs its likeliest table and, of the others, some by their probability."""
    rng, seen, odds = np.random.default_rng(seed), made_candidates(seed, N), made_odds(seed, N)
    presence = 1 / (1 + np.exp(-model.at(seen, odds).odds(odds, 0.2)))
    gold = rng.random(N) < presence / presence.sum() * rng.integers(1, 7)
    gold[int(np.argmax(odds))] = True
    instance = Instance(relevance=seen.coarse, coverage=seen.parts, compatibility=seen.joins, size=1)
    pool = Pool("made", "d", 0, np.zeros((N, 0)), gold, int(gold.sum()), seen, instance)
    return Lesson(pool, odds)


@pytest.fixture(scope="module")
def model() -> SetModel:
    """The one of the package."""
    return load_set_model()


@pytest.fixture(scope="module")
def lessons(model: SetModel) -> list[Lesson]:
    """Some need more tables than any set has, or one that is not among the ten."""
    return [made_lesson(seed, model) for seed in range(250)]


def test_the_more_is_missing_the_less_likely_an_answer_holds_all(model: SetModel, lessons: list[Lesson]) -> None:
    """The slope is that of a falling chance."""
    constant, slope = fit_held(lessons, model)
    assert np.isfinite(constant)
    assert slope < 0


def test_questions_within_the_sets_teach_nothing(model: SetModel, lessons: list[Lesson]) -> None:
    """Nor do those that nothing answers."""
    beyond = [lesson for lesson in lessons if is_beyond(lesson, model)]
    nothing = replace(lessons[0], pool=replace(lessons[0].pool, y=np.zeros(N, np.bool_), gold=0))
    assert 20 < len(beyond) < len(lessons)
    np.testing.assert_array_equal(fit_held([*beyond, nothing], model), fit_held(lessons, model))
    within = [lesson for lesson in lessons if not is_beyond(lesson, model)]
    assert fit_held(within, model).tolist() == list(NEVER)


def test_a_lesson_of_weight_two_counts_as_two(model: SetModel, lessons: list[Lesson]) -> None:
    """As in the fit of the sets."""
    heavy = [replace(lesson, pool=replace(lesson.pool, weight=2.0)) for lesson in lessons[:60]]
    once, twice = fit_held([*heavy, *lessons[60:]], model), fit_held([*lessons, *lessons[:60]], model)
    np.testing.assert_allclose(once, twice, atol=1e-6)
