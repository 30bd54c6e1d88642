"""Retrievers: whose candidates count, what a retriever is asked, and what the answer tells of its proposals."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Collection, Sequence
from typing import Any

import pytest

from jar import Foreign, Index, Proposals, QueryError, Reranker
from jar.sample import QUESTIONS

BANK = QUESTIONS[0]
TEXTS = [question.text for question in QUESTIONS]
SCORED = [(table, 9.0 - place) for place, table in enumerate([*BANK.tables, "gym.members"])]


class Recorder:
    """A retriever that keeps what it is asked."""

    def __init__(self, proposals: Any = SCORED) -> None:
        self.proposals = proposals
        self.asked: list[tuple[str, int, tuple[str, ...]]] = []

    def __call__(self, question: str, count: int, *, exclude: Collection[str] = ()) -> Sequence[tuple[str, float]]:
        self.asked.append((question, count, tuple(exclude)))
        return self.proposals


class Batched(Recorder):
    """One that answers many questions at once."""

    def __init__(self, proposals: Any = SCORED, answers: int | None = None) -> None:
        super().__init__(proposals)
        self.batches: list[tuple[int, int]] = []
        self.answers = answers

    def many(self, questions: Sequence[str], count: int) -> list[Sequence[tuple[str, float]]]:
        self.batches.append((len(questions), count))
        return [self.proposals] * (len(questions) if self.answers is None else self.answers)


def sets(reranker: Reranker, k: int = 4, **options: Any) -> list[set[str]]:
    return [set(selection.tables) for selection in reranker.rank_many(TEXTS, k, **options)]


def test_the_candidates_of_a_call_win_over_the_retriever_which_wins_over_the_own(lake_index: Index) -> None:
    """The answer tells which of the three proposed a table."""
    asked = Recorder()
    reranker = Reranker(lake_index, retriever=asked, candidates=5, expand=0)
    assert set(reranker.rank(BANK.text, 4).retrieval.values()) == {"retriever"}
    assert asked.asked == [(BANK.text, 5, ())]
    assert set(reranker.rank(BANK.text, 1, candidates=["gym.members"]).tables) == {"gym.members"}
    assert reranker.rank(BANK.text, 1, candidates=["gym.members"]).retrieval == {"gym.members": "given"}
    assert len(asked.asked) == 1
    assert set(Reranker(lake_index).rank(BANK.text, 4).retrieval.values()) == {"relevance"}


def test_a_retriever_answers_as_its_proposals_given_to_the_call(lake_index: Index) -> None:
    """Where it proposes as many as it is asked for, nothing else differs."""
    reranker = Reranker(lake_index, retriever=Recorder(), candidates=len(SCORED))
    one, other = reranker.rank(BANK.text, 4), reranker.rank(BANK.text, 4, candidates=SCORED)
    assert (one.tables, one.joins) == (other.tables, other.joins)
    assert one.value == pytest.approx(other.value)


def test_a_retriever_gets_the_excluded_tables_before_its_cut(lake_index: Index) -> None:
    """And those that it proposes all the same are left out, before what is beyond the number asked for."""
    asked = Recorder()
    reranker = Reranker(lake_index, retriever=asked, candidates=3, expand=0)
    selection = reranker.rank(BANK.text, 3, exclude=["bank.client"])
    assert asked.asked == [(BANK.text, 3, ("bank.client",))]
    assert set(selection.tables) == set(BANK.tables) - {"bank.client"}


def test_the_own_first_stage_fills_up(lake_index: Index) -> None:
    """A retriever that finds less than is wanted, or nothing, leaves the rest to the package."""
    few = Reranker(lake_index, retriever=Recorder(SCORED[:2])).rank(BANK.text, 4)
    assert set(few.tables) == set(BANK.tables)
    assert set(few.retrieval.values()) == {"retriever", "relevance"}
    assert sum(few.scores) == pytest.approx(few.value)
    none = Reranker(lake_index, retriever=Recorder([]), candidates=10, expand=0)
    assert sets(none) == sets(Reranker(lake_index, candidates=10))


def test_candidates_of_a_call_are_not_filled_up(lake_index: Index) -> None:
    """The caller's list is all that there is, but for join neighbours."""
    selection = Reranker(lake_index, expand=0).rank(BANK.text, 4, candidates=["bank.client", "bank.loan"])
    assert set(selection.tables) == {"bank.client", "bank.loan"}
    assert "4 tables were asked for, there are only 2 candidates" in selection.notes


def test_proposals_tell_their_source_their_note_and_how_tables_were_reached(lake_index: Index) -> None:
    """The selection has them, in `retrieval` and in its notes."""
    trace = {"bank.card": "second hop, after bank.client"}
    asked = Recorder(Proposals(SCORED, "hops", "the rewriter failed", trace))
    selection = Reranker(lake_index, retriever=asked, candidates=5, expand=0).rank(BANK.text, 4)
    assert selection.retrieval["bank.card"] == "hops: second hop, after bank.client"
    assert selection.retrieval["bank.client"] == "hops"
    assert selection.notes == ("the rewriter failed",)
    assert "retriever's rank 3, hops: second hop, after bank.client" in selection.explain()
    with pytest.raises(QueryError, match="trace of proposals is a mapping"):
        Reranker(lake_index, retriever=Recorder(Proposals(SCORED, trace=["hop"]))).rank(BANK.text, 4)  # type: ignore[arg-type]


def test_proposals_survive_a_copy_and_a_pickle() -> None:
    """With all that they say; so does a part of them."""
    proposals = Proposals(SCORED, "hops", "note", {"bank.card": "hop"})
    assert proposals[:2] == SCORED[:2]
    assert proposals[-1] == SCORED[-1]
    for other in (copy.deepcopy(proposals), pickle.loads(pickle.dumps(proposals)), proposals[:]):
        assert other == proposals
        assert (other.source, other.note, other.trace) == ("hops", "note", {"bank.card": "hop"})


def test_many_questions_are_asked_at_once_where_the_retriever_can(lake_index: Index) -> None:
    """The answers are those of one by one; questions with candidates of their own are not asked for."""
    batched = Batched()
    reranker = Reranker(lake_index, retriever=batched, candidates=5)
    assert sets(reranker) == sets(Reranker(lake_index, retriever=Recorder(), candidates=5))
    assert batched.batches == [(3, 5)]
    sets(reranker, candidates=[None, ["bank.loan"], None])
    assert batched.batches == [(3, 5), (2, 5)]
    assert not batched.asked
    with pytest.raises(QueryError, match="answered 1 of 3 questions"):
        sets(Reranker(lake_index, retriever=Batched(answers=1)))


def test_each_size_gets_as_many_candidates_as_alone(lake_index: Index) -> None:
    """A retriever is asked once for all small sizes, and once more for one beyond."""
    batched = Batched()
    Reranker(lake_index, retriever=batched).rank_sizes(TEXTS, [2, 5, 30])
    assert batched.batches == [(3, 20), (3, 30)]


@pytest.mark.parametrize("objective", ["jar", "jar+crush", "crush"])
def test_candidates_of_many_questions_are_those_of_each_alone(lake_index: Index, objective: str) -> None:
    """With an entry for each question, None where it has none."""
    reranker = Reranker(lake_index, objective)
    given = [SCORED, None, ["bank.loan", "bank.account", "gym.members"]]
    for text, candidates, selection in zip(TEXTS, given, reranker.rank_many(TEXTS, 3, candidates=given), strict=True):
        alone = reranker.rank(text, 3, candidates=candidates)
        assert (alone.tables, alone.retrieval, alone.notes) == (
            selection.tables,
            selection.retrieval,
            selection.notes,
        )
    with pytest.raises(QueryError, match="3 questions and candidates for 1"):
        reranker.rank_many(TEXTS, 3, candidates=[SCORED])


def test_an_objective_over_columns_takes_them_from_the_proposed_tables(lake_index: Index) -> None:
    """Required ones join these; where none is proposed, a note says that all tables are open."""
    reranker = Reranker(lake_index, "crush", retriever=Recorder(SCORED))
    selection = reranker.rank(BANK.text, 3, require=["library.loans"])
    assert set(selection.tables) <= {table for table, _ in SCORED} | {"library.loans"}
    assert selection.retrieval["library.loans"] == "required"
    assert set(selection.retrieval.values()) == {"required", "retriever"}
    nothing = Reranker(lake_index, "crush", retriever=Recorder([])).rank(BANK.text, 3)
    assert nothing.tables == Reranker(lake_index, "crush").rank(BANK.text, 3).tables
    assert "the retriever proposes no table" in nothing.notes[0]


def test_what_cannot_retrieve_is_refused_at_once(lake_index: Index) -> None:
    """The error shows the form."""
    with pytest.raises(QueryError, match="a retriever is a function"):
        Reranker(lake_index, retriever=["bank.loan"])  # type: ignore[arg-type]
    with pytest.raises(QueryError, match="expand is a number of join neighbours"):
        Reranker(lake_index, expand=-1)


def test_a_bridge_that_the_retriever_missed_is_chosen(lake_index: Index) -> None:
    """The answer says that it came as a join neighbour, with and without scores; `expand=0` leaves it out."""
    found = [pair for pair in SCORED if pair[0] != "bank.disposition"]
    for candidates in (found, [table for table, _ in found]):
        selection = Reranker(lake_index).rank(BANK.text, 4, candidates=candidates)
        assert set(selection.tables) == set(BANK.tables)
        assert selection.retrieval["bank.disposition"].startswith("join neighbour of bank.")
        assert "bank.disposition adds" in selection.explain()
        assert "join neighbour of bank." in selection.explain()
        without = Reranker(lake_index, expand=False).rank(BANK.text, 4, candidates=candidates)
        assert "bank.disposition" not in without.tables


@pytest.mark.parametrize("expand", [1, 3])
def test_no_more_neighbours_come_than_are_allowed(lake_index: Index, expand: int) -> None:
    """And none that is excluded, or forced to be there anyway."""
    found = [pair for pair in SCORED if pair[0] != "bank.disposition"]
    everything = Reranker(lake_index, expand=expand).rank(BANK.text, 100, candidates=found)
    joined = [table for table, origin in everything.retrieval.items() if origin.startswith("join neighbour")]
    assert len(joined) == expand
    assert len(everything.tables) == len(found) + expand
    excluded = Reranker(lake_index, expand=expand).rank(BANK.text, 100, candidates=found, exclude=["bank.disposition"])
    assert "bank.disposition" not in excluded.tables


def test_a_table_without_a_score_is_no_better_than_the_least_that_has_one(lake_index: Index) -> None:
    """Join neighbours, required tables and those that fill up have none; where scores alone count."""
    reranker = Reranker(lake_index, retriever=Recorder(SCORED[:3]), database=0, foreign=Foreign(weight=1))
    selection = reranker.rank(BANK.text, 8, require=["gym.members"])
    coarse = dict(zip(selection.tables, (part.coarse for part in selection.contributions), strict=True))
    scored = [coarse.pop(table) for table, _ in SCORED[:3] if table in coarse]
    assert max(coarse.values()) <= min(scored) + 1e-9


class Many:
    """Answers many questions with nothing."""

    def __call__(self, question: str, count: int, *, exclude: Any = ()) -> list[str]:
        return ["bank.loan"]

    def many(self, questions: list[str], count: int) -> None:
        return None


async def waiting(question: str, count: int, *, exclude: Any = ()) -> list[str]:
    """A coroutine."""
    return ["bank.loan"]


@pytest.mark.parametrize(
    ("retriever", "said"),
    [
        (lambda question, count: ["bank.loan"], "cannot be called so: .*exclude"),
        (waiting, "not a coroutine"),
        (["bank.loan"], "not list"),
    ],
)
def test_a_retriever_is_checked_when_it_is_plugged_in(lake_index: Index, retriever: Any, said: str) -> None:
    """Not with the first question."""
    with pytest.raises(QueryError, match=said):
        Reranker(lake_index, retriever=retriever)


def test_what_a_retriever_returns_is_a_list(lake_index: Index) -> None:
    """Else the error says what came."""
    for answer in (None, "bank.loan", 3):
        plugged = Reranker(lake_index, retriever=lambda question, count, *, exclude=(), found=answer: found)  # type: ignore[arg-type]
        with pytest.raises(QueryError, match=f"the retriever returned {type(answer).__name__}, not a list"):
            plugged.rank("loans", 2)
    with pytest.raises(QueryError, match="many of the retriever gave NoneType"):
        Reranker(lake_index, retriever=Many()).rank_many(["loans", "cards"], 2)  # type: ignore[arg-type]


def test_sizes_and_questions_are_lists(lake_index: Index) -> None:
    """A single one is an error that says so."""
    with pytest.raises(QueryError, match=r"sizes are a list of numbers of tables, such as \[3, 5\], not 5"):
        Reranker(lake_index).rank_sizes(["loans"], 5)  # type: ignore[arg-type]
    with pytest.raises(QueryError, match="questions are a list of texts, not int"):
        Reranker(lake_index).rank_many(3)  # type: ignore[arg-type]


def test_a_retriever_of_full_ids_gets_full_ids(lake_index: Index) -> None:
    """Whatever the names of foreign candidates leave out."""
    asked: list[tuple[str, ...]] = []

    class Native:
        full_ids = True

        def __call__(self, question: str, count: int, *, exclude: Collection[str] = ()) -> list[tuple[str, float]]:
            asked.append(tuple(exclude))
            return [("bank.loan", 1.0)]

    reranker = Reranker(lake_index, retriever=Native(), foreign=Foreign(database="bank"))
    assert "bank.client" not in reranker.rank("clients and loans", 2, exclude=["bank.client"]).tables
    assert asked == [("bank.client",)]
