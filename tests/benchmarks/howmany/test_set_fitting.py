"""The fit of the set model: it finds what made its lessons, and writes what the package reads."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from benchmarks.howmany.more_tables import fit_more, needs_of
from benchmarks.howmany.set_figures import AUTO, answers_frame, answers_of_lessons, reliability_grid, summary_grid
from benchmarks.howmany.set_fitting import (
    NEGATIVES,
    Lesson,
    batch_of,
    fit_set_model,
    model_document,
    question_weights,
    undeclared_parts,
    wide_documents,
    with_undeclared,
    write_model,
)
from benchmarks.howmany.wide_schemas import with_broad, with_loose, with_own_words, with_wide
from benchmarks.learning.pools import Pool
from formulations import Instance
from jar.sizes.candidate_sets import LARGEST
from jar.sizes.set_model import SetModel
from tests.jar.sizes.made_candidates import made_candidates, made_odds


def made_lessons(model: SetModel, count: int, seed: int) -> list[Lesson]:
    """Questions whose right sets are drawn from the distribution of a model."""
    rng = np.random.default_rng(seed)
    lessons = []
    for number in range(count):
        n = int(rng.integers(3, 13))
        seen, odds = made_candidates(1000 * seed + number, n), made_odds(1000 * seed + number, n)
        found = model.distribution(seen, odds)
        assert found is not None
        row = int(rng.choice(len(found.sets), p=found.probability / found.probability.sum()))
        gold = np.zeros(n, dtype=np.bool_)
        gold[list(found.items(row))] = True
        instance = Instance(relevance=seen.coarse, coverage=seen.parts, compatibility=seen.joins, size=1)
        pool = Pool("made", f"d{number % 9}", number % 5, np.zeros((n, 0)), gold, int(gold.sum()), seen, instance)
        lessons.append(Lesson(pool, odds))
    return lessons


def loss(model: SetModel, lessons: list[Lesson]) -> float:
    """Mean negative log-likelihood of the right sets, without what lies beyond the sets."""
    total = 0.0
    for lesson in lessons:
        found = model.distribution(lesson.pool.seen, lesson.log_odds)
        assert found is not None
        wanted = lesson.pool.y[found.pool]
        right = np.all(found.sets.member == wanted, axis=1) & (wanted.sum() == lesson.pool.y.sum())
        total -= np.log(found.probability[right].sum() or 1e-9)
    return total / len(lessons)


@pytest.fixture(scope="module")
def truth() -> SetModel:
    """A model whose sets are neither certain nor random."""
    sets = np.array([1.0, -0.7, -0.5, -1.0, 0.5, 0.2, 0.4, 0.2, -0.5, -0.4, -0.6, -0.3, -0.2, 0.4, -0.3])
    nothing, never = np.array([-2.0, 1, 0, -1, 0, 0.1, 0.5]), np.array([-9.0, 0.0, 0.0, 0.0])
    return SetModel(np.array([-0.3, 0.9, 0.4, -0.5]), sets, nothing, never, np.array([-9.0, 0.0, 0.0, 0.0]))


@pytest.fixture(scope="module")
def other(truth: SetModel) -> SetModel:
    """A model of other sets."""
    sets = np.array([0.2, 0.0, -0.5, -1.0, 0.5, 0.2, 1.0, 0.9, 0.2, -0.4, -0.6, -0.3, -0.5, 0.1, 0.2])
    return replace(truth, sets=sets)


@pytest.fixture(scope="module")
def lessons_of_other(other: SetModel) -> list[Lesson]:
    """What the other model made."""
    return made_lessons(other, 700, 7)


@pytest.fixture(scope="module")
def unseen(other: SetModel) -> list[Lesson]:
    """What the other model made, and no fit sees."""
    return made_lessons(other, 200, 8)


@pytest.fixture(scope="module")
def bare(truth: SetModel) -> list[Lesson]:
    """Lessons on schemas without rows."""
    return [without_rows(lesson) for lesson in made_lessons(truth, 300, 13)]


def test_questions_that_need_more_tables_than_any_set_tell_nothing_of_the_pool(truth: SetModel) -> None:
    """Equation (5) tells how likely they are; of the others, (4) tells which need a table beyond the ten."""
    lessons = made_lessons(truth, 80, 4)
    more = [replace(lesson, pool=replace(lesson.pool, gold=LARGEST + 1)) for lesson in lessons[:20]]
    outside = [replace(lesson, pool=replace(lesson.pool, gold=lesson.pool.gold + 1)) for lesson in lessons[:20]]
    outside = [lesson for lesson in outside if 1 < lesson.pool.gold <= LARGEST]
    expected = fit_set_model(lessons + outside)
    with_more = fit_set_model(lessons + outside + more).beyond  # sums over more rows are rounded otherwise
    np.testing.assert_allclose(with_more, expected.beyond, rtol=1e-4)
    assert expected.beyond[0] > fit_set_model(lessons).beyond[0]


def test_the_fit_comes_near_what_made_its_lessons(truth: SetModel) -> None:
    """On questions of the same kind that it has not seen, the fitted model is as good as the one that made them."""
    lessons, others = made_lessons(truth, 700, 1), made_lessons(truth, 200, 2)
    fitted = fit_set_model(lessons)
    assert loss(fitted, others) < loss(truth, others) + 0.05
    assert loss(fitted, lessons) < loss(truth, lessons)
    for unknown in (0.0, 0.3):
        odds = np.array([-2.0, 1.0])
        assert fitted.odds(odds, unknown) == pytest.approx(truth.odds(odds, unknown), abs=0.4)


def test_schemas_without_keys_have_weights_of_their_own(
    truth: SetModel, other: SetModel, lessons_of_other: list[Lesson], unseen: list[Lesson], bare: list[Lesson]
) -> None:
    """They are fitted to their lessons around those of the model, which stay; a great penalty leaves them the same."""
    fitted = with_undeclared(truth, lessons_of_other)
    assert fitted.tables is truth.tables
    assert loss(fitted, unseen) < loss(truth, unseen) - 0.05
    assert loss(fitted, unseen) < loss(other, unseen) + 0.05
    strict = with_undeclared(truth, lessons_of_other, penalty=1e9).undeclared
    assert strict is not None
    np.testing.assert_allclose(strict.sets, truth.sets, atol=1e-3)
    assert fitted.undeclared_without_rows is None
    both = with_undeclared(truth, [*lessons_of_other, *bare])
    assert both.undeclared is not None
    assert both.undeclared_without_rows is not None
    assert fitted.undeclared is not None
    np.testing.assert_array_equal(both.undeclared.sets, fitted.undeclared.sets)
    assert loss(both.undeclared_without_rows, unseen) > loss(both.undeclared, unseen) + 0.05


def test_wide_schemas_have_weights_of_their_own(
    truth: SetModel, lessons_of_other: list[Lesson], unseen: list[Lesson], bare: list[Lesson]
) -> None:
    """All of them: also how likely more tables are needed, and held; others where no rows are known. Those of the model
    stay."""
    lessons = lessons_of_other
    fitted = with_wide(truth, [*lessons, *bare])
    assert fitted.sets is truth.sets
    assert fitted.more is truth.more
    assert fitted.wide is not None
    assert loss(fitted.wide, unseen) < loss(truth, unseen) - 0.05
    np.testing.assert_array_equal(fitted.wide.more, fit_more(needs_of(lesson.pool for lesson in lessons)))
    alone = with_wide(truth, bare)
    assert alone.wide is None
    assert fitted.wide_without_rows is not None
    assert alone.wide_without_rows is not None
    np.testing.assert_array_equal(fitted.wide_without_rows.sets, alone.wide_without_rows.sets)
    keyed = [with_keys(lesson) for lesson in bare if lesson.pool.seen.joins.any()]
    both = with_wide(truth, [*lessons, *bare, *keyed])
    assert both.wide_declared_without_rows is not None
    assert both.wide_without_rows is not None
    np.testing.assert_array_equal(both.wide_without_rows.sets, alone.wide_without_rows.sets)
    documents = wide_documents(both, [*lessons, *bare, *keyed])
    for name, some in (("wide", lessons), ("wide_without_rows", bare), ("wide_declared_without_rows", keyed)):
        weights = getattr(both, name)
        assert sum(documents[name]["fitted_on"].values()) == len(some) + sum(not lesson.pool.gold for lesson in some)
        assert list(documents[name]["sets"].values()) == pytest.approx(weights.sets.tolist(), abs=1e-3)


@pytest.mark.parametrize(("kind", "fit"), [("broad", with_broad), ("loose", with_loose), ("own_words", with_own_words)])
def test_broad_tables_missing_joins_and_own_words_have_weights_of_their_own(
    truth: SetModel, kind: str, fit: Callable[[SetModel, Sequence[Lesson]], SetModel]
) -> None:
    """All of them, whether rows are known or not; the data file has them."""
    lessons = made_lessons(replace(truth, sets=truth.sets + 0.3), 300, 21)
    fitted = fit(truth, lessons)
    of_kind = getattr(fitted, kind)
    assert fitted.sets is truth.sets
    assert loss(of_kind, lessons) < loss(truth, lessons) - 0.02
    np.testing.assert_array_equal(of_kind.more, fit_more(needs_of(lesson.pool for lesson in lessons)))
    document = model_document(fitted, lessons, {}, **{kind: lessons})
    read = getattr(SetModel.of(document), kind)
    assert read.sets == pytest.approx(of_kind.sets, abs=6e-4)
    assert document[kind]["fitted_on"]["made"] == 300


def test_weights_of_each_kind_are_fitted_around_those_that_they_depart_from(truth: SetModel) -> None:
    """A great penalty leaves them there."""
    apart = [replace(truth, sets=truth.sets + shift) for shift in (1.0, 2.0)]
    model = replace(truth, undeclared=apart[0], undeclared_without_rows=apart[1])
    lessons = made_lessons(truth, 60, 31)
    bare = [without_rows(lesson) for lesson in lessons]
    keyed = [with_keys(lesson) for lesson in bare if lesson.pool.seen.joins.any()]
    strict = with_wide(model, [*lessons, *bare, *keyed], penalty=1e9)
    for fit in (with_broad, with_loose, with_own_words):
        strict = fit(strict, lessons, penalty=1e9)
    around = {
        "wide": apart[0],
        "wide_without_rows": apart[1],
        "wide_declared_without_rows": truth,
        "broad": apart[0],
        "loose": apart[0],
        "own_words": apart[0],
    }
    for kind, center in around.items():
        np.testing.assert_allclose(getattr(strict, kind).sets, center.sets, atol=1e-3)


def with_keys(lesson: Lesson) -> Lesson:
    """The same question where every join is declared."""
    seen = lesson.pool.seen
    return replace(lesson, pool=replace(lesson.pool, seen=replace(seen, joins=(seen.joins > 0).astype(np.float64))))


def without_rows(lesson: Lesson) -> Lesson:
    """The same question where no values are known."""
    return replace(lesson, pool=replace(lesson.pool, seen=replace(lesson.pool.seen, has_rows=False)))


def test_questions_without_an_answer_count_as_stated(truth: SetModel) -> None:
    """Their weights make up `NEGATIVES` of all, however many they are; what is none of the sets has no weight."""
    lessons = made_lessons(truth, 120, 3)
    lost = replace(lessons[0], pool=replace(lessons[0].pool, y=np.zeros_like(lessons[0].pool.y), gold=2))
    batch = batch_of([lost, *lessons])
    weights = question_weights(batch)
    negative = np.array([True] + [lesson.pool.gold == 0 for lesson in lessons])
    assert batch.answer[0] == -1
    assert weights[0] == 0
    assert negative[1:].any()
    assert weights[negative].sum() / weights.sum() == pytest.approx(NEGATIVES)


def test_a_question_counts_by_its_weight(truth: SetModel) -> None:
    """One of weight 2 is fitted to as two are, also where none of the sets is right."""
    lessons = made_lessons(truth, 120, 9)
    heavy = [replace(lesson, pool=replace(lesson.pool, weight=2.0)) for lesson in lessons[:40]]
    once, twice = fit_set_model([*heavy, *lessons[40:]]), fit_set_model([*lessons, *lessons[:40]])
    for name in ("tables", "sets", "nothing", "beyond"):
        np.testing.assert_allclose(getattr(once, name), getattr(twice, name), atol=1e-3)


def test_the_package_reads_what_the_fit_writes(truth: SetModel, tmp_path: Path) -> None:
    """The data file holds the model to three decimals, with its recipe."""
    path = tmp_path / "model.json"
    other, bare = (replace(truth, sets=truth.sets + more) for more in (0.5, 0.25))
    model = replace(truth, undeclared=other, undeclared_without_rows=bare)
    lessons = made_lessons(truth, 20, 4)
    taught = [*lessons[:8], *map(without_rows, lessons[:3])]
    write_model(model_document(model, lessons, {"seed": 1}, **undeclared_parts(taught)), path)
    document = json.loads(path.read_text())
    read = SetModel.of(document)
    assert read.tables == pytest.approx(truth.tables, abs=6e-4)
    assert read.sets == pytest.approx(truth.sets, abs=6e-4)
    assert read.more == pytest.approx(truth.more, abs=6e-4)
    assert document["recipe"]["seed"] == 1
    assert read.undeclared is not None
    assert read.undeclared.sets == pytest.approx(truth.sets + 0.5, abs=6e-4)
    assert read.undeclared_without_rows is not None
    assert read.undeclared_without_rows.sets == pytest.approx(truth.sets + 0.25, abs=6e-4)
    assert document["fitted_on"]["made"] == 20
    assert document["undeclared"]["fitted_on"]["made"] == 8
    assert document["undeclared_without_rows"]["fitted_on"]["made"] == 3


def test_figures_are_means_over_questions(truth: SetModel) -> None:
    """The tables have a row for each way, and every share lies between 0 and 100."""
    frame = answers_frame(answers_of_lessons(made_lessons(truth, 60, 6), truth))
    answered = frame[(frame["gold_tables"] > 0) & (frame["way"] == AUTO)]
    (first, second) = summary_grid({"made": frame}).rows
    assert first[:2] == ("made, auto", str(len(answered)))
    assert first[3] == f"{100 * answered['f1'].mean():.1f}"
    assert float(second[6]) >= float(first[6])
    counted = sum(int(row[2]) for row in reliability_grid({"made": frame}).rows)
    assert counted == 2 * len(answered)
