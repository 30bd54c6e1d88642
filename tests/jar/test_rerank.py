"""Rankings on the sample lake: the right set, and every wish of the caller kept."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from formulations import JarObjective, UnknownSolverError
from jar import Index, QueryError, Reranker
from jar.sample import QUESTIONS, sample_frames
from tests.jar.conftest import toy_embedder

BANK = QUESTIONS[0]


@pytest.fixture(scope="module")
def reranker(lake_index: Index) -> Reranker:
    return Reranker(lake_index)


def test_the_bridge_table_is_found(reranker: Reranker) -> None:
    """The question of the introduction gets its four tables, connected, with the bridge that it never names."""
    selection = reranker.rank(BANK.text, k=4)
    assert set(selection.tables) == set(BANK.tables)
    assert selection.connected
    assert selection.status == "optimal"
    pairs = {frozenset((join.left, join.right)) for join in selection.joins}
    assert frozenset(("bank.disposition.client_id", "bank.client.client_id")) in pairs


def test_the_answer_is_that_of_enumeration(lake_index: Index, reranker: Reranker) -> None:
    """The branch and bound and the brute force agree on the value for every question and size."""
    oracle = Reranker(lake_index, solver="enumerate", candidates=12)
    exact = Reranker(lake_index, candidates=12)
    for question in QUESTIONS:
        for k in (1, 2, 4):
            assert exact.rank(question.text, k).value == pytest.approx(oracle.rank(question.text, k).value)


def test_scores_add_up_to_the_value(reranker: Reranker) -> None:
    """What the tables add, in order, is the value of the set."""
    selection = reranker.rank(BANK.text, k=5)
    assert sum(selection.scores) == pytest.approx(selection.value)
    for score, part in zip(selection.scores, selection.contributions, strict=True):
        assert part.coarse + part.coverage + part.join == pytest.approx(score)


def test_required_tables_come_even_from_outside_the_candidates(reranker: Reranker) -> None:
    """A required table is chosen although the first stage did not propose it."""
    few = Reranker(reranker.index, candidates=3)
    outside = next(t.id for t in reranker.index.contents.tables if t.id not in few.rank(BANK.text, 3).tables)
    assert outside in few.rank(BANK.text, 3, require=[outside]).tables


def test_excluded_tables_stay_out_and_others_move_up(reranker: Reranker) -> None:
    """An excluded table is not chosen, and the set keeps its size."""
    first = reranker.rank(BANK.text, 4)
    second = reranker.rank(BANK.text, 4, exclude=[first.tables[0]])
    assert first.tables[0] not in second.tables
    assert len(second.tables) == 4


def test_a_vetoed_join_is_not_used(reranker: Reranker) -> None:
    """Neither the column pair nor, when tables are named, the pair of tables serves as a join."""
    join = reranker.rank(BANK.text, 4).joins[0]
    by_column = reranker.rank(BANK.text, 4, forbid_joins=[(join.left, join.right)])
    assert frozenset((join.left, join.right)) not in {frozenset((j.left, j.right)) for j in by_column.joins}
    by_table = reranker.rank(BANK.text, 4, forbid_joins=[(join.left_table, join.right_table)])
    pairs = {frozenset((j.left_table, j.right_table)) for j in by_table.joins}
    assert frozenset((join.left_table, join.right_table)) not in pairs


def test_candidates_of_another_retriever_bound_the_choice(lake_index: Index) -> None:
    """Without join neighbours, only the given candidates are chosen from, with or without scores."""
    reranker = Reranker(lake_index, expand=0)
    ids = [*BANK.tables, "gym.members"]
    for given in (ids, [(name, 20.0 - place) for place, name in enumerate(ids)]):
        assert set(reranker.rank(BANK.text, 3, candidates=given).tables) <= set(ids)


def test_the_unit_of_a_retrievers_scores_does_not_matter(reranker: Reranker) -> None:
    """Scores times a thousand plus a constant give the same choice and the same value."""
    ids = [table.id for table in reranker.index.contents.tables]
    scores = np.random.default_rng(0).uniform(size=len(ids))
    plain = reranker.rank(BANK.text, 4, candidates=list(zip(ids, scores.tolist(), strict=True)))
    moved = reranker.rank(BANK.text, 4, candidates=list(zip(ids, (1000 * scores + 7).tolist(), strict=True)))
    assert plain.tables == moved.tables
    assert plain.value == pytest.approx(moved.value)


def test_given_subqueries_win(reranker: Reranker) -> None:
    """The caller's sub-queries replace the decomposer's."""
    assert reranker.rank(BANK.text, 2, subqueries=["client:gender", " ", "client:gender"]).subqueries == (
        "client:gender",
    )
    assert reranker.rank(BANK.text, 2, subqueries=(part for part in ["loan"])).subqueries == ("loan",)
    assert reranker.rank(BANK.text, 2, subqueries=[]).coverage == ()
    with pytest.raises(QueryError, match="the sub-queries are empty: leave them out"):
        reranker.rank(BANK.text, 2, subqueries=["", " "])


def test_coverage_names_columns_of_chosen_tables(reranker: Reranker) -> None:
    """Each sub-query is matched once, by a column of a chosen table."""
    selection = reranker.rank(BANK.text, 4)
    assert [match.subquery for match in selection.coverage] == list(selection.subqueries)
    assert all(match.table in selection.tables for match in selection.coverage)
    assert all(match.column == f"{match.table}.{match.column_name}" for match in selection.coverage)


def test_many_questions_give_the_same_answers_as_one_by_one(reranker: Reranker) -> None:
    """A batch changes nothing but the time."""
    texts = [question.text for question in QUESTIONS] * 2
    together = reranker.rank_many(texts, 3)
    for text, selection in zip(texts, together, strict=True):
        alone = reranker.rank(text, 3)
        assert alone.tables == selection.tables
        assert alone.value == pytest.approx(selection.value)
    assert reranker.rank_many([], 3) == []


@pytest.mark.parametrize("objective", ["jar", "jar+crush", "crush"])
def test_many_sizes_answer_as_one(lake_index: Index, objective: str) -> None:
    """Sizes in any order, repeated, beyond the number of candidates and of tables."""
    texts = [question.text for question in QUESTIONS]
    reranker = Reranker(lake_index, objective, candidates=4, budget=6)
    found = reranker.rank_sizes(texts, [5, 2, 1000, 3, 2])
    assert list(found) == [5, 2, 1000, 3]
    for k, selections in found.items():
        for text, selection in zip(texts, selections, strict=True):
            alone = reranker.rank(text, k)
            assert (selection.tables, selection.notes) == (alone.tables, alone.notes)
            assert selection.value == pytest.approx(alone.value)
            if objective == "jar":
                assert sum(selection.timings.values()) == pytest.approx(selection.seconds)
    assert reranker.rank_sizes(texts, []) == {}
    assert reranker.rank_sizes([], [2]) == {2: []}
    with pytest.raises(QueryError, match="take a list of questions"):
        reranker.rank_sizes(texts[0], [2])
    with pytest.raises(QueryError):
        reranker.rank_sizes(texts, [0])


def test_more_tables_than_there_are_gives_all_with_a_note(reranker: Reranker) -> None:
    """k beyond the catalog chooses everything and says so."""
    selection = reranker.rank(BANK.text, 1000)
    assert len(selection.tables) == len(reranker.index)
    assert "1000 tables were asked for" in selection.notes[0]


def test_unknown_words_are_noted(lake: object) -> None:
    """When the embedder knows nothing of the question, the answer comes with a note."""
    index = Index.build(
        lake, embedder=lambda texts: np.array([[float("é" not in t), 0.1 * ("é" not in t)] for t in texts])
    )
    assert any("no word" in note for note in Reranker(index).rank("é", 2).notes)


def test_connect_keeps_the_weights(lake_index: Index) -> None:
    """Those of the package, or of the given objective."""
    strict = Reranker(lake_index, connect="require")
    assert replace(strict.objective, connect="prefer") == Reranker(lake_index).objective
    assert Reranker(lake_index, JarObjective(), connect="ignore").objective == JarObjective(connect="ignore")
    with pytest.raises(QueryError, match="about tables, and this objective chooses columns"):
        Reranker(lake_index, "crush", connect="require")
    with pytest.raises(QueryError, match="connect is 'yes'; choose one of require, prefer, ignore"):
        Reranker(lake_index, connect="yes")  # type: ignore[arg-type]


def test_require_connected_says_when_it_is_impossible(lake_index: Index) -> None:
    """Two required tables that nothing joins are infeasible under "require", and fine under "prefer"."""
    wish = {"require": ["gym.members", "print_shop.card_designs"]}
    vetoes = [("gym.members", "print_shop.card_designs")]
    strict = Reranker(lake_index, objective=JarObjective(connect="require"), score="default")
    selection = strict.rank(BANK.text, 2, forbid_joins=vetoes, **wish)
    assert selection.status == "infeasible"
    assert selection.tables == ()
    assert 'connect="prefer"' in selection.notes[0]
    loose = Reranker(lake_index).rank(BANK.text, 2, forbid_joins=vetoes, **wish)
    assert set(loose.tables) == set(wish["require"])
    assert not loose.connected
    assert len(loose.components) == 2


@pytest.mark.parametrize("solver", ["exact", "greedy", "local", "enumerate"])
def test_a_time_limit_of_nothing_still_gives_a_set(lake_index: Index, solver: str) -> None:
    """At a limit of zero seconds there is a set, with a bound that is not below its value."""
    selection = Reranker(lake_index, solver=solver, candidates=10).rank(BANK.text, 3, time_limit=0.0)
    assert len(selection.tables) == 3
    assert selection.bound >= selection.value - 1e-9


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ({"question": " "}, "the question is empty"),
        ({"question": 3}, "a question is a text"),
        ({"k": 0}, "whole number from 1"),
        ({"k": True}, "whole number from 1"),
        ({"k": 2.5}, "whole number from 1"),
        ({"require": ["bank.clint"]}, "did you mean bank.client"),
        ({"require": "bank.client"}, "list of ids"),
        ({"require": ["bank.client"], "exclude": ["bank.client"]}, "both required and excluded"),
        ({"require": list(BANK.tables), "k": 2}, "raise k"),
        ({"forbid_joins": [("bank.client.client_id", "bank.client.nothing")]}, "no column"),
        ({"forbid_joins": ["bank.client"]}, "pairs"),
        ({"forbid_joins": [("bank.client", "client")]}, "on both sides"),
        ({"candidates": "bank.client"}, "list of ids"),
        ({"candidates": ["nowhere"]}, "no table 'nowhere'"),
        ({"candidates": [("bank.client", float("nan"))]}, "finite"),
        ({"candidates": [("bank.client", 10**400)]}, "finite"),
        ({"candidates": [3]}, "a candidate is a table id or a pair"),
        ({"candidates": []}, "no candidates are left: the list of candidates is empty"),
        ({"exclude": sorted(sample_frames())}, r"no candidates are left: all \d+ tables of the index are excluded"),
        ({"subqueries": "client"}, "list of texts"),
    ],
    ids=str,
)
def test_bad_input_is_named_with_its_remedy(reranker: Reranker, call: dict[str, object], message: str) -> None:
    """Each unusable argument raises one error that says what is wrong."""
    with pytest.raises(QueryError, match=message):
        reranker.rank(**{"question": BANK.text, "k": 3, **call})


def test_none_is_an_empty_list(reranker: Reranker) -> None:
    """As callers pass on what they were not given."""
    wishes: dict[str, None] = dict.fromkeys(("require", "exclude", "forbid_joins", "candidates"))
    assert reranker.rank(BANK.text, 3, **wishes).tables == reranker.rank(BANK.text, 3).tables


def test_a_question_of_many_words_is_answered(reranker: Reranker) -> None:
    """In time that grows with its words, not with their square: this would take minutes."""
    assert reranker.rank(" ".join(["loan"] * 100_000), 2).tables[0] == "bank.loan"


def test_unknown_solvers_objectives_and_scores_are_refused_at_once(lake_index: Index) -> None:
    """A re-ranker that cannot work is not made."""
    with pytest.raises(UnknownSolverError, match="exact"):
        Reranker(lake_index, solver="simplex")
    with pytest.raises(QueryError, match="jar"):
        Reranker(lake_index, objective="rough")
    with pytest.raises(ValueError, match="paper"):
        Reranker(lake_index, score="rough")


def test_an_embedder_of_another_width_is_refused(lake_index: Index) -> None:
    """Vectors that cannot be compared with the index are found before the first question."""
    from jar.errors import EmbedderError

    with pytest.raises(EmbedderError, match="dimensions"):
        Reranker(lake_index, embedder=lambda texts: np.ones((len(texts), 3)))


def test_the_dictionary_is_plain_json(reranker: Reranker) -> None:
    """`to_dict` survives JSON unchanged."""
    plain = reranker.rank(BANK.text, 4).to_dict()
    assert json.loads(json.dumps(plain, allow_nan=False)) == json.loads(json.dumps(plain))
    assert plain["tables"]
    assert plain["joins"][0].keys() >= {"left", "right", "score", "evidence"}


def test_the_same_question_gives_the_same_answer(lake: object) -> None:
    """Two indexes of the same lake answer alike."""
    again = Reranker(Index.build(lake, embedder=toy_embedder, progress=False))
    assert again.rank(BANK.text, 4).tables == again.rank(BANK.text, 4).tables


def test_an_answer_tells_joins_that_are_guesses(lake_index: Index) -> None:
    """By their number, in the line on what was proved; a join with a score of 0.5 goes without a remark."""
    selection = Reranker(lake_index).rank("Which clients have loans?", 3)
    assert selection.joins
    unlikely = "connected, 1 of the joins is unlikely: a table between may be missing; optimal"
    guess = "connected, 1 of the joins is a guess; optimal"
    for score, told in ((0.04, unlikely), (0.49, guess), (0.5, "connected; optimal")):
        (first, *_) = selection.joins
        assert told in str(replace(selection, connected=True, joins=(replace(first, score=score),)))
    both = tuple(replace(first, score=0.1) for _ in range(2))
    assert "connected, 2 of the joins are guesses; " in replace(selection, connected=True, joins=both).explain()
