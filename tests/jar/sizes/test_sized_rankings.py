"""`rank(k="auto")` on the sample lake: wishes are kept, chances are told, and bad input is refused."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from formulations import JarObjective
from jar import Catalog, Index, QueryError, Reranker
from jar.arrays import Array, IntArray
from jar.sample import QUESTIONS
from jar.sizes.prices import table_prices
from jar.sizes.sized_ranker import AMONG_FEW, SizedRanker

BANK = QUESTIONS[0].text
STRANGE = "What is the capital of France?"


@pytest.fixture(scope="module")
def reranker(lake_index: Index) -> Reranker:
    return Reranker(lake_index)


def test_an_answer_tells_its_chances(reranker: Reranker) -> None:
    """Confidence and alternatives are probabilities, the alternatives are other sets, and JSON has them."""
    for question in QUESTIONS:
        selection = reranker.rank(question.text, k="auto", recall=0.9)
        assert selection.confidence is not None
        assert selection.nothing_fits is not None
        assert 0 <= selection.confidence + selection.nothing_fits <= 1 + 1e-9
        assert len(selection.alternatives) == 3
        chosen = {frozenset(selection.tables)}
        assert chosen.isdisjoint(frozenset(other.tables) for other in selection.alternatives)
        plain = json.loads(json.dumps(selection.to_dict()))
        assert plain["confidence"] == selection.confidence
        assert [other["probability"] for other in plain["alternatives"]] == [
            other.probability for other in selection.alternatives
        ]
        assert f"({100 * selection.confidence:.0f} %)" in str(selection)
        assert f"({100 * selection.confidence:.0f} %)" in selection.explain()


def test_the_search_for_the_bound_has_the_whole_limit(reranker: Reranker, monkeypatch: pytest.MonkeyPatch) -> None:
    """The worth of the chosen set, which takes no search, has no second one."""
    limits: list[float | None] = []
    solve = SizedRanker._solution

    def counted(self: SizedRanker, *arguments: Any) -> Any:
        of_tables = self.tables.solve

        def timed(instance: Any, objective: Any, limit: float | None) -> Any:
            limits.append(limit)
            return of_tables(instance, objective, limit)

        return solve(replace(self, tables=replace(self.tables, solve=timed)), *arguments)

    monkeypatch.setattr(SizedRanker, "_solution", counted)
    for question in QUESTIONS:
        reranker.rank(question.text, k="auto", recall=0.9, time_limit=5)
    assert limits.count(5) == len(QUESTIONS)
    assert set(limits) <= {5, None}


def test_a_number_of_tables_has_no_chances(reranker: Reranker) -> None:
    """With a given k nothing is said of confidence."""
    selection = reranker.rank(BANK, k=3)
    assert (selection.confidence, selection.nothing_fits, selection.alternatives) == (None, None, ())


def test_the_certificate_holds_for_the_chosen_size(reranker: Reranker) -> None:
    """Value and bound are those of the objective: the best set of as many tables is worth the bound."""
    for question in QUESTIONS:
        selection = reranker.rank(question.text, k="auto", recall=0.9)
        fixed = reranker.rank(question.text, k=len(selection.tables), candidates=None)
        assert selection.bound == pytest.approx(fixed.value)
        assert selection.value <= fixed.value + 1e-9
        assert (selection.status == "optimal") == (set(selection.tables) == set(fixed.tables))
        assert sum(selection.scores) == pytest.approx(selection.value)


def test_many_questions_are_answered_as_one_by_one(reranker: Reranker) -> None:
    """A batch changes nothing but the time."""
    texts = [question.text for question in QUESTIONS]
    together = reranker.rank_many(texts, "auto", recall=0.8, max_k=5)
    for selection, text in zip(together, texts, strict=True):
        alone = reranker.rank(text, "auto", recall=0.8, max_k=5)
        assert (selection.tables, selection.confidence) == (alone.tables, pytest.approx(alone.confidence))


def test_wishes_are_kept(reranker: Reranker) -> None:
    """Required tables are in every set, excluded ones in none, a vetoed join is not used, limits hold."""
    selection = reranker.rank(BANK, "auto", require=["gym.members", "bank.card"], exclude=["bank.loan"])
    for tables in (selection.tables, *(other.tables for other in selection.alternatives)):
        assert {"gym.members", "bank.card"} <= set(tables)
        assert "bank.loan" not in tables
    assert selection.nothing_fits == 0
    joined = reranker.rank(BANK, "auto", require=["bank.client", "bank.disposition"])
    join = joined.joins[0]
    apart = reranker.rank(BANK, "auto", require=joined.tables, forbid_joins=[(join.left, join.right)])
    assert frozenset((join.left, join.right)) not in {frozenset((one.left, one.right)) for one in apart.joins}
    assert len(reranker.rank(BANK, "auto", recall=0.99, max_k=2).tables) == 2
    many = [table.id for table in reranker.index.contents.tables][:12]
    assert set(many) <= set(reranker.rank(BANK, "auto", require=many).tables)


@pytest.mark.parametrize("recall", [None, 0.95])
def test_a_budget_of_tokens_is_kept(reranker: Reranker, recall: float | None) -> None:
    """The statements of the chosen tables take no more tokens than allowed."""
    by_id = {table.id: table for table in reranker.index.contents.tables}
    for budget in (60, 100, 200):
        chosen = reranker.rank(BANK, "auto", recall=recall, max_tokens=budget, require=["bank.client"]).tables
        assert table_prices(by_id[table] for table in chosen).sum() <= budget


@pytest.mark.parametrize("recall", [None, 0.95])
def test_what_a_budget_leaves_out_is_told(reranker: Reranker, recall: float | None) -> None:
    """The tables that would be chosen without it; nothing where it leaves out none."""
    free = set(reranker.rank(BANK, "auto", recall=recall).tables)
    within = reranker.rank(BANK, "auto", recall=recall, max_tokens=60)
    (note,) = [note for note in within.notes if note.startswith("max_tokens=60 leaves out ")]
    left_out = free - set(within.tables)
    assert left_out
    assert {table for table in free if table in note} == left_out or len(left_out) > 5
    assert not any("leaves out" in note for note in reranker.rank(BANK, "auto", recall=recall, max_tokens=9999).notes)


def test_that_a_needed_table_is_no_candidate_is_not_counted(reranker: Reranker) -> None:
    """And a note says so where fewer are given, or proposed, than the first stage takes as it comes."""
    few = reranker.rank(BANK, "auto", candidates=["gym.members", "bank.card"])
    assert AMONG_FEW in few.notes
    assert AMONG_FEW in Reranker(reranker.index, candidates=2).rank(BANK, "auto").notes
    every = [table.id for table in reranker.index.contents.tables]
    for wishes in ({}, {"candidates": every}):
        assert AMONG_FEW not in reranker.rank(BANK, "auto", **wishes).notes
    assert AMONG_FEW not in reranker.rank(BANK, 2, candidates=["gym.members", "bank.card"]).notes


def test_more_recall_brings_more_tables(reranker: Reranker) -> None:
    """Confidence and number grow with the wished recall; what is out of reach is said."""
    sizes, confidences = [], []
    for recall in (0.5, 0.7, 0.9, 0.95):
        selection = reranker.rank(BANK, "auto", recall=recall)
        sizes.append(len(selection.tables))
        confidences.append(selection.confidence)
    assert sizes == sorted(sizes)
    assert confidences == sorted(confidences, key=float)
    note = reranker.rank(BANK, "auto", recall=0.999, max_k=1).notes[-1]
    assert note.startswith("a recall of 0.999 is out of reach")


def test_nothing_fits_is_an_answer(lake: Catalog) -> None:
    """A question about what no table holds has no table, and says so with a probability."""
    reranker = Reranker(Index.build(lake, embedder="static", progress=False))
    selection = reranker.rank(STRANGE, "auto")
    assert selection.tables == ()
    assert selection.status == "nothing fits"
    assert selection.to_sql_context() == "-- no table was chosen\n"
    assert selection.confidence == selection.nothing_fits
    assert selection.nothing_fits is not None
    assert selection.nothing_fits > 0.5
    assert "nothing here" in str(selection)
    assert selection.to_dict()["tables"] == []
    assert reranker.rank(STRANGE, "auto", recall=0.5).tables != ()


def test_connected_sets_are_chosen_where_they_must_be(lake_index: Index) -> None:
    """With connect="require" the answer is connected, or infeasible where required tables are not."""
    reranker = Reranker(lake_index, JarObjective(connect="require"))
    for question in QUESTIONS:
        assert reranker.rank(question.text, "auto", recall=0.9).connected
    apart = reranker.rank(BANK, "auto", require=["gym.members", "bank.card"])
    assert apart.status == "infeasible" or apart.connected


def test_without_k_a_wish_says_how_many(reranker: Reranker) -> None:
    """Else they are five; the word may be written in any letter case."""
    assert len(reranker.rank(BANK).tables) == 5
    for wishes in ({"recall": 0.8}, {"max_k": 3}, {"max_tokens": 300}):
        wanted = reranker.rank(BANK, "auto", **wishes)
        assert reranker.rank(BANK, **wishes).tables == wanted.tables
        assert reranker.rank_many([BANK], **wishes)[0].tables == wanted.tables
        assert reranker.rank(BANK, "Auto", **wishes).tables == wanted.tables


@pytest.mark.parametrize(
    ("wishes", "message"),
    [
        ({"k": 3, "recall": 0.9}, 'give k="auto" with it'),
        ({"k": 3, "max_k": 4}, 'give k="auto" with it'),
        ({"k": "many"}, 'or "auto"'),
        ({"k": "auto", "recall": 1.0}, "above 0 and below 1"),
        ({"k": "auto", "recall": True}, "above 0 and below 1"),
        ({"k": "auto", "max_k": 0}, "max_k is a number of tables"),
        ({"k": "auto", "max_tokens": 0}, "max_tokens is 0"),
        ({"k": "auto", "max_tokens": 3}, "the shortest candidate takes"),
        ({"k": "auto", "max_k": 1, "require": ["bank.card", "bank.loan"]}, "2 tables are required, but max_k is 1"),
    ],
)
def test_bad_wishes_are_refused(reranker: Reranker, wishes: dict[str, object], message: str) -> None:
    """The error says what is wrong and what to give."""
    with pytest.raises(QueryError, match=message):
        reranker.rank(BANK, **wishes)  # type: ignore[arg-type]


def test_chances_are_those_of_the_relevance_model(lake_index: Index) -> None:
    """With learned relevance the chances are the same; a relevance that has no log-odds has none."""
    for question in QUESTIONS:
        cosine = Reranker(lake_index).rank(question.text, "auto")
        learned = Reranker(lake_index, relevance="learned").rank(question.text, "auto")
        assert learned.tables == cosine.tables
        assert learned.confidence == pytest.approx(cosine.confidence)

    class Nothing:
        def tables(self, question: str) -> list[float]:
            return [0.0] * len(lake_index.tables)

        def columns(self, question: str, subqueries: Sequence[str], columns: IntArray) -> Array:
            return np.zeros((len(subqueries), len(columns)))

    with pytest.raises(QueryError, match="relevance of your own"):
        Reranker(lake_index, relevance=Nothing()).rank(BANK, "auto")


def test_objectives_over_columns_need_a_number(lake_index: Index) -> None:
    """Their size is a budget of columns."""
    with pytest.raises(QueryError, match="objectives over tables"):
        Reranker(lake_index, "crush").rank(BANK, "auto")
