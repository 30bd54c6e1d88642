"""The relevance model: its file, its log-odds, its reasons, and how it enters a ranking."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from test_evidence import candidates

from formulations import solve
from jar import Index, JarError, JarObjective, RelevanceModel, Reranker
from jar.learned.evidence import FEATURES, evidence
from jar.learned.relevance_model import OTHER_STAGES, Stage, Stages, shipped_model
from jar.learned.stacking import STACKED, stacked
from jar.learned.width import BROAD, JOINED_UP, KNOWN, LOOSE, NARROW, SLIM, STRANGE, WIDE
from jar.sample import QUESTIONS
from jar.tables.objective import DEFAULT_OBJECTIVE
from jar.tables.query import Ask, Conditions, Limits
from tests.jar.sizes.made_candidates import chain

BOTH = [*FEATURES, *STACKED]


def model_of(first: dict[str, float], second: dict[str, float], weight: float = 1.0) -> RelevanceModel:
    """A model with a few weights."""
    told = (first, list(FEATURES)), (second, BOTH)
    stages = [Stage(0.0, np.array([weights.get(name, 0.0) for name in names])) for weights, names in told]
    return RelevanceModel(*stages, weight)


@pytest.mark.parametrize("wide", [None, model_of({"words": 1.5}, {"width": 0.2}).stages])
def test_a_model_survives_its_file(wide: Stages | None, tmp_path: Path) -> None:
    """What is read has the log-odds, the weight and the card of what was written."""
    model = model_of({"text": 0.5}, {"odds": 1.25, "joins": -0.3}, 0.7)
    model = replace(model, card={"recipe": "by hand"}, join_within=5.5, broad=wide, wide=wide)
    model.save(tmp_path / "model.json")
    other = RelevanceModel.load(tmp_path / "model.json")
    assert other.to_dict() == model.to_dict()
    for seen in (candidates(0), chain(30, 30)):
        assert (other.log_odds(seen) == model.log_odds(seen)).all()


def test_log_odds_are_those_of_two_stages() -> None:
    """The second stage sees the evidence, and what the first one makes of all candidates."""
    seen = candidates(2)
    x = evidence(seen)
    first = 0.5 * x[:, BOTH.index("text")]
    told = 2.0 * stacked(seen, first)[:, list(STACKED).index("neighbour")] - x[:, BOTH.index("joins")]
    model = model_of({"text": 0.5}, {"neighbour": 2.0, "joins": -1.0})
    np.testing.assert_allclose(model.log_odds(seen), told)


@pytest.mark.parametrize("connected", [NARROW, NARROW + 3, WIDE])
def test_both_stages_lie_between_those_for_narrow_and_for_wide_schemas(connected: int) -> None:
    """By hand; the second stage sees what the mixed first one says, and reasons are those of the mixed weights."""
    narrow, wide = model_of({"text": 0.5}, {"odds": 1.0}), model_of({"named": 2.0}, {"odds": 0.5, "width": 3.0})
    seen = chain(30, connected)
    seen = replace(seen, text=seen.text + (np.arange(30) == 0), named=np.linspace(1, 0, 30))  # in the chain
    share = (connected - NARROW) / (WIDE - NARROW)
    x = evidence(seen)
    first = (1 - share) * 0.5 * x[:, BOTH.index("text")] + share * 2.0 * x[:, BOTH.index("named")]
    told = (1 - share / 2) * first + share * 3.0 * x[:, BOTH.index("width")]
    model = replace(narrow, wide=wide.stages)
    np.testing.assert_allclose(model.log_odds(seen), told)
    weighed = replace(model, within=1.0, weight=2.0, join=6.0, join_within=4.0).at(seen, x)
    assert (weighed.within, weighed.join_within) == (1 + share, 4 + 2 * share)
    unweighed = model.at(seen, x)
    assert (unweighed.within, unweighed.join_within) == (None, None)
    spoken = [reason for reasons in model.reasons(seen) for reason in reasons]
    assert (FEATURES["named"].reason in spoken) == (connected > NARROW)
    assert (FEATURES["text"].reason in spoken) == (connected < WIDE)


def test_stages_for_broad_tables_count_before_those_for_wide_schemas() -> None:
    """By hand: tables of many columns, of which joins connect a quarter more than in a narrow schema."""
    slim, broad, wide = (model_of({"text": weight}, {"odds": 1.0, "width": weight}) for weight in (0.5, 1.0, 3.0))
    seen = chain(30, NARROW + (WIDE - NARROW) // 4)
    seen = replace(seen, text=seen.text + (np.arange(30) == 0))  # in the chain
    x = evidence(seen)
    for columns, weight in ((SLIM, 0.75 * 0.5 + 0.25 * 3.0), (BROAD, 0.75 * 1.0 + 0.25 * 3.0)):
        wider = replace(seen, breadth=np.full(30, columns))
        model = replace(slim, broad=broad.stages, wide=wide.stages)
        told = weight * (x[:, BOTH.index("text")] + x[:, BOTH.index("width")])
        np.testing.assert_allclose(model.log_odds(wider), told, atol=1e-12)
    weighed = replace(model, within=1.0, weight=2.0, join=6.0, join_within=4.0)
    at = weighed.at(replace(seen, breadth=np.full(30, BROAD)), x)
    assert (at.within, at.join_within) == pytest.approx((1.25, 6.0))
    at = weighed.at(replace(seen, breadth=np.full(30, SLIM)), x)
    assert (at.within, at.join_within) == pytest.approx((1.25, 4.5))


@pytest.mark.parametrize("named", [8, 4, 3, 2, 0])
def test_stages_for_questions_in_own_words_lie_beside_those_for_words_of_the_schema(named: int) -> None:
    """By hand, with so many of eight words in names; where tables are broad they do not count."""
    narrow, own, broad = (model_of({"text": weight}, {"odds": 1.0, "width": weight}) for weight in (0.5, 3.0, 7.0))
    words = np.zeros((8, 30))
    words[:named, 0] = 1.0
    seen = replace(chain(30, NARROW), words=words, length=8, breadth=np.full(30, SLIM), people=np.zeros(30))
    seen = replace(seen, text=seen.text + (np.arange(30) == 0))  # in the chain
    share = min(max((1 - named / 8 - KNOWN) / (STRANGE - KNOWN), 0), 1)
    model = replace(narrow, own_words=own.stages, broad=broad.stages)
    of_broad = replace(seen, breadth=np.full(30, BROAD))
    for asked, weight in ((seen, share * 3.0 + (1 - share) * 0.5), (of_broad, 7.0)):
        x = evidence(asked)
        told = weight * (x[:, BOTH.index("text")] + x[:, BOTH.index("width")])
        np.testing.assert_allclose(model.log_odds(asked), told, atol=1e-12)


@pytest.mark.parametrize("connected", [30, 18, 12, 1])
def test_stages_where_hardly_any_join_is_known_count_last(connected: int) -> None:
    """By hand: beside those for wide schemas, by the share of the tables that join no other."""
    narrow, wide, loose = (model_of({"text": weight}, {"odds": 1.0, "width": weight}) for weight in (0.5, 3.0, 7.0))
    seen = replace(chain(30, connected), breadth=np.full(30, BROAD))
    seen = replace(seen, text=seen.text + (np.arange(30) == 0))  # in the chain
    v = min(max((connected - NARROW) / (WIDE - NARROW), 0), 1)
    share = min(max(((30 - connected) / 30 - JOINED_UP) / (LOOSE - JOINED_UP), 0), 1)
    weight = share * 7.0 + (1 - share) * (v * 3.0 + (1 - v) * 0.5)
    x = evidence(seen)
    told = weight * (x[:, BOTH.index("text")] + x[:, BOTH.index("width")])
    model = replace(narrow, wide=wide.stages, loose=loose.stages)
    np.testing.assert_allclose(model.log_odds(seen), told, atol=1e-12)


def test_a_file_of_other_features_is_refused(tmp_path: Path) -> None:
    """So is one of another version, one with a weight that is no number, and one that is no model."""
    whole = RelevanceModel.blank().to_dict()
    for changes, message in (
        ({"version": 0}, "version 0, not 1: fit it again"),
        ({"first": {**whole["first"], "smell": 1.0}}, "other features.*smell"),
        ({"second": {**whole["second"], "odds": float("nan")}}, "no finite number"),
        ({"wide": {**whole, "second": {"odds": 1.0}}}, "other features"),
    ):
        with pytest.raises(JarError, match=message):
            RelevanceModel.from_dict({**whole, **changes})
    path = tmp_path / "model.json"
    for text in ("[1, 2]", "{", json.dumps({"version": 1})):
        path.write_text(text)
        with pytest.raises(JarError, match="model"):
            RelevanceModel.load(path)


def test_the_shipped_model_is_whole() -> None:
    """It says what it is fitted on; none of its weights has the sign against which its feature speaks."""
    model = shipped_model()
    assert {"about", "source", "recipe"} <= set(model.card)
    signs = {name: feature.sign for name, feature in [*FEATURES.items(), *STACKED.items()]}
    others = [getattr(model, name) for name in OTHER_STAGES]
    assert None not in others
    for stages in (model.stages, *others):
        for stage, names in zip(stages, (list(FEATURES), BOTH), strict=True):
            assert stage.weights.any()
            assert [name for name, weight in zip(names, stage.weights, strict=True) if weight * signs[name] < 0] == []


def test_reasons_are_the_greatest_contributions() -> None:
    """In words, strongest first; a candidate that has less than the mean of everything has none."""
    seen = replace(candidates(3), text=np.arange(9.0), named=np.arange(9.0) / 100)
    model = model_of({"named": 200.0}, {"text": 1.0, "odds": 1.0})
    assert model.reasons(seen)[8] == (FEATURES["named"].reason, FEATURES["text"].reason)
    assert model.reasons(seen)[0] == ()
    assert model.reasons(seen, 1)[8] == (FEATURES["named"].reason,)


def test_a_model_without_weights_changes_no_answer(lake_index: Index) -> None:
    """Even odds are the relevance of the package."""
    for question in QUESTIONS:
        plain = Reranker(lake_index, relevance="cosine").rank(question.text, 4)
        blank = Reranker(lake_index, relevance=RelevanceModel.blank()).rank(question.text, 4)
        assert (plain.tables, plain.value) == (blank.tables, pytest.approx(blank.value))


def test_log_odds_stand_beside_the_terms_of_the_objective(lake_index: Index) -> None:
    """A set is worth its weighted log-odds above the least more, and the proof is of that."""
    weight, objective = 0.8, JarObjective(coarse=10, fine=6, coverage=8, join=2.5)
    model = model_of({}, {"name": 1.0, "values": 2.0}, weight)
    rankers = [Reranker(lake_index, objective, relevance=one)._ranker() for one in ("cosine", model)]
    plain, judged = (ranker.problem(*ranker.read([Ask(QUESTIONS[0].text)]), 3, 20, Limits()) for ranker in rankers)
    odds = judged.judged.log_odds
    one, two = plain.reduction.instance, judged.reduction.instance
    items = solve(two, objective).items
    gained = weight * sum(odds[item] - odds.min() for item in items)
    assert objective.value(two, items) == pytest.approx(objective.value(one, items) + gained)
    best = solve(two, objective, "enumerate")
    assert solve(two, objective).value == pytest.approx(best.value)
    assert plain.judged is None


def test_an_answer_tells_the_reasons_of_its_tables(lake_index: Index) -> None:
    """In the selection, in its plain form and in the explanation; without a model there are none."""
    model = model_of({}, {"name": 1.0, "part_mean": 1.0})
    selection = Reranker(lake_index, relevance=model).rank(QUESTIONS[0].text, 3)
    assert set(selection.reasons) == set(selection.tables)
    told = [reason for reasons in selection.reasons.values() for reason in reasons]
    assert told
    assert set(told) <= {FEATURES["name"].reason, FEATURES["part_mean"].reason}
    assert selection.to_dict()["reasons"] == {table: list(told) for table, told in selection.reasons.items()}
    assert all("; ".join(reasons) in selection.explain() for reasons in selection.reasons.values())
    assert Reranker(lake_index, relevance="cosine").rank(QUESTIONS[0].text, 3).reasons == {}


def test_candidates_are_judged_in_any_order(lake_index: Index) -> None:
    """The same candidates in another order have the same log-odds, table by table."""
    model = model_of({"text": 1.0}, {"odds": 1.0, "neighbour": 1.0})
    ranker = Reranker(lake_index, relevance=model, expand=0)._ranker()
    (question,) = ranker.read([Ask(QUESTIONS[0].text)])
    names = [table.id for table in lake_index.contents.tables]
    found = []
    for listed in (names, names[::-1]):
        (given,) = ranker.given([question], [Ask(QUESTIONS[0].text, candidates=listed)], 5, Conditions())
        problem = ranker.problem(question, 3, len(names), Limits(), given)
        found.append(dict(zip(problem.tables.tolist(), problem.judged.log_odds.tolist(), strict=True)))
    assert found[0] == pytest.approx(found[1])






def test_by_default_the_model_judges_what_the_own_first_stage_finds(lake_index: Index) -> None:
    """With its own weights of odds and joins; candidates from elsewhere, and weights of a caller, are not judged."""
    reranker, text = Reranker(lake_index), QUESTIONS[0].text
    own = reranker.rank(text, 4)
    assert (own.relevance, own.value) == ("learned", Reranker(lake_index, relevance="learned").rank(text, 4).value)
    assert "relevance: learned" in own.explain()
    names = [table.id for table in lake_index.contents.tables]
    weighed = replace(DEFAULT_OBJECTIVE, join=3.0)
    for other in (reranker.rank(text, 4, candidates=names), Reranker(lake_index, weighed).rank(text, 4)):
        assert (other.relevance, other.reasons) == ("cosine", {})
        assert "relevance: cosine" in other.explain()


def test_within_one_database_log_odds_weigh_less(lake_index: Index) -> None:
    """And so do joins, but more than without them."""
    model = shipped_model()
    ranker = Reranker(lake_index)._ranker()
    tables, databases = np.arange(len(lake_index)), lake_index.contents.databases
    one = np.flatnonzero(databases == databases[0])
    assert [ranker.weight(some, True, model) for some in (tables, one)] == [model.weight, model.within]
    assert [ranker.weight(some, False, model) for some in (tables, one)] == [0.0, 0.0]
    assert ranker.weighing(tables, model.weight, model).join == model.join
    assert ranker.weighing(one, model.weight, model).join == model.join_within
    assert ranker.weighing(tables, 0.0, model) == DEFAULT_OBJECTIVE


def test_a_model_without_weights_of_joins_leaves_them_to_the_objective(lake_index: Index) -> None:
    """As one does that is fitted without."""
    data = shipped_model().to_dict()
    model = RelevanceModel.from_dict({name: value for name, value in data.items() if not name.startswith("join")})
    ranker = Reranker(lake_index, relevance=model)._ranker()
    for tables in (np.arange(len(lake_index)), np.arange(1)):
        assert ranker.weighing(tables, 1.0, model) == DEFAULT_OBJECTIVE


def test_joins_are_worth_enough_beside_log_odds(lake_index: Index) -> None:
    """Tables that join come before a look-alike of another database that does not."""
    for question in QUESTIONS:
        chosen = Reranker(lake_index).rank(question.text, len(question.tables))
        assert (set(chosen.tables), chosen.connected) == (set(question.tables), True)
