"""Candidates from elsewhere: unknown ids, names without a database, missing scores, distances, chunks of one table."""

from __future__ import annotations

from typing import Any

import pytest

from jar import Foreign, Index, QueryError, Reranker
from jar.sample import QUESTIONS

BANK = QUESTIONS[0]
IDS = [*BANK.tables, "gym.members"]


def rank(index: Index, candidates: Any, foreign: Foreign | None = None, k: int = 3) -> Any:
    options = {} if foreign is None else {"foreign": foreign}
    return Reranker(index, expand=0, **options).rank(BANK.text, k, candidates=candidates)


def test_an_unknown_id_is_an_error_or_left_out_with_a_note(lake_index: Index) -> None:
    """The error names the nearest table and how to go on without; the note names what is left out."""
    unknown = ["bank.clint", *IDS, "x.a", "x.b", "x.c", "x.a"]
    with pytest.raises(QueryError, match=r'did you mean bank.client.*Foreign\(unknown="skip"\)'):
        rank(lake_index, unknown)
    selection = rank(lake_index, unknown, Foreign(unknown="skip"))
    assert selection.tables == rank(lake_index, IDS).tables
    assert selection.notes == ("4 candidates are not in the index and left out: bank.clint, x.a, x.b ...",)
    one = rank(lake_index, ["x.a", *IDS], Foreign(unknown="skip"))
    assert one.notes == ("1 candidate is not in the index and left out: x.a",)
    with pytest.raises(QueryError, match="no candidates are left"):
        rank(lake_index, ["x.a"], Foreign(unknown="skip"))


def test_a_score_for_some_only_counts_for_none(lake_index: Index) -> None:
    """The answer is that of the ids, with a note; None is no score."""
    ids = rank(lake_index, IDS)
    for mixed in ([(IDS[0], 7.0), *IDS[1:]], [(IDS[0], 7.0), *((name, None) for name in IDS[1:])]):
        selection = rank(lake_index, mixed)
        assert (selection.tables, selection.value) == (ids.tables, pytest.approx(ids.value))
        assert selection.notes == ("1 of 5 candidates have a score: none counts",)
    assert rank(lake_index, [(name, None) for name in IDS]).notes == ()


def test_of_the_chunks_of_a_table_the_first_counts(lake_index: Index) -> None:
    """With its place and its score."""
    scored = [(name, 9.0 - place) for place, name in enumerate(IDS)]
    repeated = [*scored[:2], (IDS[0], 1.0), *scored[2:], (IDS[1], 100.0)]
    one, other = rank(lake_index, scored), rank(lake_index, repeated)
    assert (one.tables, one.contributions, one.notes) == (other.tables, other.contributions, other.notes)


def test_distances_are_taken_as_ids(lake_index: Index) -> None:
    """Where the caller says so; where not, and they rise from the first to the last, a note asks."""
    distances = [(name, 0.1 + 0.1 * place) for place, name in enumerate(IDS)]
    ids = rank(lake_index, IDS)
    selection = rank(lake_index, distances, Foreign(scores="ignore"))
    assert (selection.tables, selection.notes) == (ids.tables, ())
    assert selection.value == pytest.approx(ids.value)
    assert 'if they are distances, say Foreign(scores="ignore")' in rank(lake_index, distances).notes[0]
    assert rank(lake_index, distances[::-1]).notes == ()


def test_names_without_a_database_get_one(lake_index: Index) -> None:
    """`loan` is `bank.loan`, `library.loans` stays, and the error for what is unknown names what was given."""
    names = [name.removeprefix("bank.") for name in IDS]
    foreign = Foreign(database="bank")
    assert rank(lake_index, names, foreign).tables == rank(lake_index, IDS).tables
    assert set(rank(lake_index, ["loans", "library.loans"], Foreign("skip", database="bank"), 1).tables) == {
        "library.loans"
    }
    with pytest.raises(QueryError, match="'loans'"):
        rank(lake_index, ["loans"], foreign)


def test_a_function_maps_names_to_ids(lake_index: Index) -> None:
    """What it maps to None is unknown; its answers may lack the database."""
    names = [f"doc://{name.removeprefix('bank.')}#0" for name in IDS]
    foreign = Foreign(id_of=lambda name: name[6:].partition("#")[0], database="bank")
    assert rank(lake_index, names, foreign).tables == rank(lake_index, IDS).tables
    skipping = Foreign("skip", id_of=lambda name: name if "." in name else None)
    assert rank(lake_index, ["a page", *IDS], skipping).notes == (
        "1 candidate is not in the index and left out: a page",
    )
    with pytest.raises(QueryError, match="'a page'"):
        rank(lake_index, ["a page"], Foreign(id_of=lambda name: None))


def test_a_retriever_is_read_by_the_same_rules(lake_index: Index) -> None:
    """It is told of excluded tables by the names that it knows."""
    seen: list[Any] = []

    def retrieve(question: str, count: int, *, exclude: Any = ()) -> list[tuple[str, float]]:
        seen.append(exclude)
        return [("client", 3.0), ("client", 2.0), ("nothing", 1.0), ("loan", 0.5)]

    reranker = Reranker(lake_index, retriever=retrieve, foreign=Foreign("skip", database="bank"))
    selection = reranker.rank(BANK.text, 2, exclude=["bank.card", "gym.members"])
    assert seen == [("card", "gym.members")]
    assert selection.notes == ("1 candidate is not in the index and left out: nothing",)
    assert set(selection.tables) <= {"bank.client", "bank.loan", *selection.retrieval}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"unknown": "ignore"}, "'raise' or 'skip', not 'ignore'"),
        ({"scores": "lower"}, "'use' or 'ignore', not 'lower'"),
        ({"database": 3}, "the name of a database"),
        ({"id_of": "bank"}, "a function from a name to a table id"),
    ],
)
def test_an_option_that_is_none_is_refused(options: dict[str, Any], message: str) -> None:
    """At once, with the real choices."""
    with pytest.raises(QueryError, match=message):
        Foreign(**options)
