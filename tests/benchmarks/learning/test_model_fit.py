"""The fit of the relevance model: the least loss under its signs, stages that see no answer, settings of questions."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.special import expit

from benchmarks.data.dataset_form import FOLDS, SPIDER_WEIGHTS, Dataset, Question, fold_of
from benchmarks.joins.logistic import fit_logistic
from benchmarks.learning.ablation import NAMES, ablate, complete_of, loss_of
from benchmarks.learning.model_card import model_card
from benchmarks.learning.model_fit import (
    Recipe,
    cross_validated,
    cross_validated_stages,
    fit_first,
    fit_model,
    fit_second,
    fit_stages,
    out_of_fold,
    second_odds,
)  # fmt: skip
from benchmarks.learning.pool_settings import LAKE, PoolSetting, corpora
from benchmarks.learning.pools import Pool, teaching
from benchmarks.learning.ways import DefaultWay, Way, figures
from formulations import Instance
from jar.learned import width
from jar.learned.candidates_seen import Candidates
from jar.learned.evidence import FAMILIES, FEATURES
from jar.learned.relevance_model import RelevanceModel
from jar.learned.stacking import STACKED
from jar.tables.objective import DEFAULT_OBJECTIVE
from joinability import Catalog, Column, ForeignKey, Table
from tests.jar.sizes.made_candidates import chain

N = 8


def examples(seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(400, 4)) * [1.0, 5.0, 0.2, 1.0] + [0.0, 3.0, 0.0, 1.0]
    y = rng.random(400) < expit(-1 + x @ [1.0, -0.3, 2.0, 0.0])
    return x, y.astype(np.float64)


def test_without_signs_it_is_the_plain_fit() -> None:
    """Weights of any sign are those that no sign is asked of."""
    x, y = examples()
    intercept, weights = fit_logistic(x, y, 3.0, signs=np.zeros(4, dtype=np.int64))
    plain, others = fit_logistic(x, y, 3.0)
    np.testing.assert_allclose([intercept, *weights], [plain, *others], atol=1e-6)


def test_the_slope_is_0_where_a_weight_is_free_and_against_the_sign_where_it_is_0() -> None:
    """The conditions of Karush, Kuhn and Tucker, by a gradient that is computed here."""
    x, y = examples(1)
    signs = np.array([1, 1, -1, 1])
    intercept, weights = fit_logistic(x, y, 3.0, signs=signs)
    slack = expit(intercept + x @ weights) - y
    slope = x.T @ slack + 3.0 * weights * x.std(axis=0) ** 2
    assert slack.sum() == pytest.approx(0, abs=1e-3)
    assert (weights * signs >= 0).all()
    assert weights[1] == weights[2] == 0
    for place in range(4):
        if weights[place]:
            assert slope[place] == pytest.approx(0, abs=1e-3)
        else:
            assert slope[place] * signs[place] > 0


def pool(seed: int, fold: int) -> Pool:
    """A pool in which the first feature decides, and a table is needed where one that it joins is."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(N, len(FEATURES)))
    y = rng.random(N) < expit(2 * x[:, 0] - 1)
    joins = np.zeros((N, N))
    none, zeros = np.zeros((0, N)), np.zeros(N)
    columns = np.zeros(N, dtype=np.int64)
    cosines = zeros, zeros, zeros, columns, columns, np.zeros(0), np.zeros((0, 0))
    rest = joins, joins, joins, zeros, columns - 1
    seen = Candidates(*cosines, none, none, zeros, zeros, none, none, none, columns, *rest, 3)
    instance = Instance(relevance=x[:, 1], coverage=np.zeros((0, N)), compatibility=joins, size=2)
    return Pool("drawn", f"database {fold}", fold, x, y, int(y.sum()), seen, instance)


POOLS = [pool(seed, seed % FOLDS) for seed in range(120)]


@pytest.fixture(scope="module")
def judged() -> list[np.ndarray]:
    """The log-odds of the tables of each pool, by models that saw nothing of its database."""
    return cross_validated(POOLS)


def test_the_model_finds_what_decides() -> None:
    """The weight of the deciding feature comes out near the truth, the others smaller; twice the same."""
    model = fit_model(POOLS, Recipe(penalty=1.0))
    names = list(FEATURES)
    weights = model.first.weights
    assert names[int(np.argmax(weights))] == names[0]
    assert weights[0] == pytest.approx(2, abs=0.3)
    assert np.abs(weights[1:]).max() < 0.4
    assert model.to_dict() == fit_model(POOLS, Recipe(penalty=1.0)).to_dict()


def test_a_pool_of_weight_two_counts_as_two() -> None:
    """In the first stage, and in the second on the same log-odds."""
    heavy, odds = [replace(one, weight=2.0) for one in POOLS[:30]], [one.x[:, 0] for one in POOLS]
    first = fit_first([*heavy, *POOLS[30:]], Recipe()), fit_first([*POOLS, *POOLS[:30]], Recipe())
    second = fit_second([*heavy, *POOLS[30:]], odds, Recipe()), fit_second(
        [*POOLS, *POOLS[:30]], [*odds, *odds[:30]], Recipe()
    )
    for once, twice in (first, second):
        np.testing.assert_allclose(once.weights, twice.weights, atol=1e-3)


def test_the_second_stage_learns_from_log_odds_of_fits_without_the_fold() -> None:
    """Those of a pool are of a first stage over the pools of other databases."""
    odds = out_of_fold(POOLS, Recipe())
    stage = fit_first([pool for pool in POOLS if pool.fold != 2], Recipe())
    np.testing.assert_array_equal(odds[2], stage.log_odds(POOLS[2].x))


def test_cross_validation_never_sees_the_database(judged: list[np.ndarray]) -> None:
    """Changed answers of a fold change nothing that is said of it."""
    turned = [replace(one, y=~one.y) if one.fold == 3 else one for one in POOLS]
    for one, other, told in zip(judged, cross_validated(turned), POOLS, strict=True):
        if told.fold == 3:
            np.testing.assert_array_equal(one, other)


def test_pools_on_which_no_model_is_fitted_are_judged_without_their_databases() -> None:
    """They change nothing that is said of the others, and one that is another's copy is judged as that."""
    alone, both = cross_validated(POOLS[:60]), cross_validated(POOLS[:60], others=POOLS[:7])
    for one, other in zip([*alone, *alone[:7]], both, strict=True):
        np.testing.assert_array_equal(one, other)


def test_stages_for_wide_schemas_never_see_the_database_either(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a whole model or with one that stays; elsewhere they change nothing."""
    monkeypatch.setattr(width, "NARROW", 1)
    monkeypatch.setattr(width, "WIDE", N)
    wide = [replace(one, seen=replace(one.seen, joins=chain(N, N).joins)) for one in POOLS]
    turned = [replace(one, y=~one.y) if one.fold == 3 else one for one in wide]
    model = fit_model(POOLS)
    for told, other in (
        (cross_validated(POOLS, wide=wide)[len(POOLS) :], cross_validated(POOLS, wide=turned)[len(POOLS) :]),
        [cross_validated_stages(model, wide, wide=some, broad=POOLS) for some in (wide, turned)],
    ):
        for one, two, of in zip(told, other, wide, strict=True):
            assert (one == two).all() == (of.fold == 3)
    for one, two in zip(cross_validated(POOLS, wide=wide), cross_validated(POOLS), strict=False):
        np.testing.assert_array_equal(one, two)


def test_stages_for_broad_tables_never_see_the_database_either(monkeypatch: pytest.MonkeyPatch) -> None:
    """They judge the pools that they are fitted on; elsewhere they change nothing."""
    monkeypatch.setattr(width, "SEVERAL", N)
    columns = np.full(N, width.BROAD)
    broad = [replace(one, seen=replace(one.seen, joins=chain(N, N).joins, breadth=columns)) for one in POOLS]
    turned = [replace(one, y=~one.y) if one.fold == 3 else one for one in broad]
    told, other = cross_validated(POOLS, broad=broad), cross_validated(POOLS, broad=turned)
    for one, two, of in zip(told[len(POOLS) :], other[len(POOLS) :], broad, strict=True):
        assert (one == two).all() == (of.fold == 3)
    for one, two in zip(told, cross_validated(POOLS), strict=False):
        np.testing.assert_array_equal(one, two)


def test_stages_where_hardly_any_join_is_known_never_see_the_database_either(monkeypatch: pytest.MonkeyPatch) -> None:
    """Changed answers of a fold change only what is said of the other folds. Where wide schemas are fitted alone, the
    stages of the model stay."""
    monkeypatch.setattr(width, "FEW", 1)
    monkeypatch.setattr(width, "SEVERAL", N)
    alone, columns = chain(N, 1).joins, np.full(N, width.BROAD)
    loose = [replace(one, seen=replace(one.seen, joins=alone, breadth=columns)) for one in POOLS]
    turned = [replace(one, y=~one.y) if one.fold == 3 else one for one in loose]
    told, other = cross_validated(loose, loose=loose), cross_validated(loose, loose=turned)
    for one, two, of in zip(told, other, loose, strict=True):
        assert (one == two).all() == (of.fold == 3)
    plain = fit_model(POOLS)
    model = replace(plain, loose=fit_stages(turned))
    some = [cross_validated_stages(one, loose, wide=loose, broad=POOLS)[0] for one in (plain, model)]
    assert not np.allclose(*some)


def test_stages_for_questions_in_own_words_never_see_the_database_either() -> None:
    """They judge the pools that they are fitted on; changed answers of a fold change nothing that is said of it."""
    own = [replace(one, seen=replace(one.seen, words=np.zeros((1, N)))) for one in POOLS]
    turned = [replace(one, y=~one.y) if one.fold == 3 else one for one in own]
    told, other = (cross_validated(POOLS, others=own, own_words=some)[len(POOLS) :] for some in (own, turned))
    for one, two, of in zip(told, other, own, strict=True):
        assert (one == two).all() == (of.fold == 3)


def test_the_ablation_tells_databases_that_a_model_saw_from_others() -> None:
    """There is a row for no model, the whole one and each family, with figures of both; no model has no log-odds."""
    _, _, none, whole, *rows = ablate(POOLS, lambda told: None)
    assert len(rows) == len(FAMILIES) + 1
    assert all(row.count("|") == 2 * len(NAMES) + 2 for row in (none, whole, *rows))
    assert none.startswith("| the model |  |  |  | ")
    losses = [float(whole.split("|")[place]) for place in (2, 2 + len(NAMES))]
    assert losses[0] != losses[1]


def test_a_family_without_which_is_fitted_has_no_weight(judged: list[np.ndarray]) -> None:
    """Its columns are left out of both stages, and what is stacked out of the second."""
    model = fit_model(POOLS, Recipe(without=frozenset(["text", "stacked"])))
    text = [feature.family == "text" for feature in FEATURES.values()]
    assert not model.first.weights[text].any()
    assert not model.second.weights[[*text, *[True] * len(STACKED)]].any()
    less = cross_validated(POOLS, Recipe(without=frozenset(["text"])))
    assert loss_of(POOLS, judged) < loss_of(POOLS, less)
    assert complete_of(POOLS, judged) > complete_of(POOLS, less)


def test_figures_count_what_the_best_sets_hold() -> None:
    """With the answer as log-odds everything is found that sizes allow; without weight the relevance decides alone."""
    some = [one for one in POOLS if one.gold == 2]
    known = [np.where(one.y, 100.0, 0.0) for one in some]
    assert figures(some, known, Way("known", 1.0)) == {"F1@2": 100.0, "CR@3": 100.0, "CR@5": 100.0, "CR@10": 100.0}
    assert figures(some, known, Way("without", 0.0))["F1@2"] < 60
    model = fit_model(POOLS)
    assert second_odds(model, POOLS[0]).shape == (N,)


def test_the_default_way_asks_what_the_candidates_are() -> None:
    """Log-odds and joins weigh what the model says for several databases, and for one of slim tables and of broad."""
    stage = fit_model(POOLS[:40])
    way = DefaultWay(RelevanceModel(stage.first, stage.second, 1.5, {}, 0.5, 9.0, 1.0, broad=stage.stages))
    joined = chain(N, N).joins
    odds = -12 * POOLS[0].instance.relevance
    of_one, found = np.zeros(N, dtype=np.int64), []
    share = (N - width.FEW) / (width.SEVERAL - width.FEW)
    for databases, columns, weight, join in (
        (np.arange(N), width.SLIM, 1.5, 9.0), (of_one, width.SLIM, 0.5, 1.0), (of_one, width.BROAD, 0.5, 1 + 8 * share)
    ):
        seen = replace(POOLS[0].seen, databases=databases, breadth=np.full(N, columns), joins=joined)
        asked = replace(POOLS[0], seen=seen)
        found.append(way.chosen(asked, odds, 3))
        assert found[-1] == Way("", weight, replace(DEFAULT_OBJECTIVE, join=join)).chosen(asked, odds, 3)
    assert len(set(found)) > 1


def test_the_card_counts_what_the_model_is_fitted_on() -> None:
    """Databases, candidates and pools by setting."""
    others = {"broad": POOLS[:10], "wide": POOLS[:20], "loose": POOLS[:30], "own_words": POOLS[:40]}
    card = model_card(POOLS, others, ["static"])
    fitted_on = card["fitted_on"]
    assert fitted_on["databases"] == FOLDS
    taught = teaching(POOLS)
    assert 0 < len(taught) < len(POOLS)
    assert fitted_on["candidates"] == N * len(taught)
    assert fitted_on["pools"] == {"drawn": len(taught)}
    assert card["broad"]["pools"] == {"drawn": len(teaching(POOLS[:10]))}
    assert card["wide"]["pools"] == {"drawn": len(teaching(POOLS[:20]))}
    assert card["loose"]["pools"] == {"drawn": len(teaching(POOLS[:30]))}
    assert card["own_words"]["pools"] == {"drawn": len(teaching(POOLS[:40]))}


def table(database: str, name: str) -> Table:
    return Table(database, name, (Column("id", "INTEGER"), Column(f"{name}_name", "TEXT")))


def question(number: int, database: str, *tables: str) -> Question:
    return Question(str(number), "Which?", database, frozenset(f"{database}.{name}" for name in tables), None, "")


DATASET = Dataset(
    "drawn",
    Catalog([table(database, name) for database in ("a", "b", "c", "unasked") for name in ("city", database * 3)]),
    tuple(question(number, database, "city") for number, database in enumerate("abcabc")),
    SPIDER_WEIGHTS,
)


def no_words(word: str) -> tuple[str, ...]:
    return ()


def test_settings_keep_questions_and_databases_together() -> None:
    """Each question is asked once of a corpus with its database; databases that no question is on are in none."""
    bare = PoolSetting("bare", 2, knowledge="schema")
    for setting in (PoolSetting("all"), PoolSetting("two", 2), PoolSetting("one", 1), bare):
        parts = list(corpora(DATASET, setting, no_words))
        assert sorted(one.id for part in parts for one in part.questions if one.gold_tables) == list("012345")
        for part in parts:
            databases = {one.database for one in part.catalog}
            assert "unasked" not in databases
            assert {one.database for one in part.questions if one.gold_tables} == databases
            assert databases.isdisjoint(one.database for one in part.questions if not one.gold_tables)
            assert setting.databases == 0 or len(databases) <= setting.databases
        strange = [one for part in parts for one in part.questions if not one.gold_tables]
        assert len(strange) == len(parts) - 1
    assert [fold_of("a"), fold_of("a")] == [fold_of("a")] * 2
    assert {fold_of(f"database {number}") for number in range(60)} == set(range(FOLDS))


def test_a_setting_without_keys_declares_none() -> None:
    """The tables are the same but for their foreign keys."""
    key = ForeignKey(("id",), "a.city", ("id",))
    tables = [replace(one, foreign_keys=(key,)) if one.name == "aaa" else one for one in DATASET.catalog]
    keyed = replace(DATASET, catalog=Catalog(tables))
    for keys, count in ((True, 1), (False, 0)):
        (part,) = corpora(keyed, PoolSetting("all", keys=keys), no_words)
        assert sum(len(one.foreign_keys) for one in part.catalog) == count
        assert len(part.catalog) == 6


def test_several_databases_become_one() -> None:
    """Tables of one name are told apart by the names of their databases, and the answers go with them."""
    (part,) = corpora(DATASET, PoolSetting("lake", as_one=True), no_words)
    names = {one.name for one in part.catalog}
    assert names == {"a_city", "b_city", "c_city", "aaa", "bbb", "ccc"}
    assert {one.database for one in part.catalog} == {LAKE}
    assert part.questions[0].gold_tables == {f"{LAKE}.a_city"}


def test_a_setting_may_have_questions_in_other_words() -> None:
    """The same questions with the same answers."""
    cities = replace(DATASET, questions=tuple(replace(one, text="Which cities?") for one in DATASET.questions))
    setting = PoolSetting("all", reworded=True)
    (part,) = corpora(cities, setting, {"city": ("town",)}.__getitem__)
    assert {one.text for one in part.questions} == {"Which cities?", "Which towns?"}
    assert [one.gold_tables for one in part.questions] == [one.gold_tables for one in DATASET.questions]
