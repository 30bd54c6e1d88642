"""Candidates from elsewhere: unknown ids, names without a database, missing scores, distances, chunks of one table."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from jar import Catalog, Foreign, Index, QueryError, Reranker
from jar.proposals.foreign import read_name
from jar.sample import QUESTIONS
from tests.jar.conftest import toy_embedder

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
    with pytest.raises(QueryError, match=r"the only candidate is not in the index: x\.a"):
        rank(lake_index, ["x.a"], Foreign(unknown="skip"))


def test_a_score_for_some_only_counts_for_none(lake_index: Index) -> None:
    """The answer is that of the ids, with a note; None is no score."""
    ids = rank(lake_index, IDS)
    for mixed in ([(IDS[0], 7.0), *IDS[1:]], [(IDS[0], 7.0), *((name, None) for name in IDS[1:])]):
        selection = rank(lake_index, mixed)
        assert (selection.tables, selection.value) == (ids.tables, pytest.approx(ids.value))
        assert selection.notes == ("1 of 5 candidates have a score: no score counts",)
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
    with pytest.raises(QueryError, match="id_of names no table for 'a page'; Reranker"):
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
    left_out, connecting = selection.notes
    assert left_out == "1 candidate is not in the index and left out: nothing"
    assert connecting.startswith("bank.disposition would connect the parts: require it, or ask for ")
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


def test_a_full_id_stays_one() -> None:
    """Where the index has both, a name is the table of that id, not one of the database that `Foreign` adds."""
    frame = pd.DataFrame({"id": [1, 2, 3]})
    catalog = Catalog.from_frames({"a.t": frame, "b.a.t": frame, "b.u": frame})
    index = Index.build(catalog, embedder=toy_embedder, progress=False)
    assert {"a.t", "b.a.t"} <= set(index.contents.table_position)
    foreign = Foreign(database="b")
    assert read_name(index.contents, "a.t", foreign) == index.contents.table_position["a.t"]
    assert read_name(index.contents, "u", foreign) == index.contents.table_position["b.u"]
    assert read_name(index.contents, "v", foreign) is None


def test_an_unknown_database_is_an_error_that_names_those_there_are(lake_index: Index) -> None:
    """At once, whether or not unknown candidates are skipped; and `foreign` is a `Foreign`."""
    for unknown in ("raise", "skip"):
        with pytest.raises(QueryError, match=r"no database 'bnak'; it has bank, clinic"):
            Reranker(lake_index, foreign=Foreign(unknown, database="bnak"))  # type: ignore[arg-type]
    for other in ({"database": "bank"}, None):
        with pytest.raises(QueryError, match=r"foreign is a jar\.Foreign"):
            Reranker(lake_index, foreign=other)  # type: ignore[arg-type]


def test_id_of_may_name_a_table_of_the_index_as_none(lake_index: Index) -> None:
    """None is unknown, though what it was asked for is an id; anything else than a text is an error."""
    with pytest.raises(QueryError, match=r"id_of names no table for 'bank\.loan'"):
        rank(lake_index, IDS[::-1], Foreign(id_of=lambda name: None if name == "bank.loan" else name))
    skipped = rank(lake_index, IDS, Foreign("skip", id_of=lambda name: None if name == "bank.loan" else name))
    assert "bank.loan" not in skipped.tables
    with pytest.raises(QueryError, match="id_of gives 5 for 'bank"):
        rank(lake_index, IDS, Foreign(id_of=lambda name: 5))  # type: ignore[arg-type, return-value]


def test_keys_that_are_no_texts_reach_id_of(lake_index: Index) -> None:
    """A vector store has numbers; with and without scores."""
    keys = dict(enumerate(IDS))
    foreign = Foreign(id_of=keys.get)
    assert rank(lake_index, list(keys), foreign).tables == rank(lake_index, IDS).tables
    scored = [(key, 1.0 - key / 10) for key in keys]
    assert rank(lake_index, scored, foreign).tables == rank(lake_index, [(keys[key], s) for key, s in scored]).tables
    with pytest.raises(QueryError, match="a table id or a pair"):
        rank(lake_index, list(keys))
    assert rank(lake_index, [*keys, 99], Foreign("skip", id_of=keys.get)).notes == (
        "1 candidate is not in the index and left out: 99",
    )


def test_where_none_is_known_the_error_lists_them(lake_index: Index) -> None:
    """Though unknown ones may be skipped."""
    with pytest.raises(QueryError, match=r"none of the 2 candidates is in the index: lone, clint$"):
        rank(lake_index, ["lone", "clint"], Foreign("skip"))


def test_arrays_are_candidates(lake_index: Index) -> None:
    """Their methods `trace` and others are not what `Proposals` say."""
    assert rank(lake_index, np.array(IDS)).tables == rank(lake_index, IDS).tables


def test_excluded_candidates_leave_before_scores_are_judged(lake_index: Index) -> None:
    """One without a score does not cost the others theirs."""
    scored = [(name, 5.0 - place) for place, name in enumerate(IDS)]
    reranker = Reranker(lake_index, expand=0)
    expected = reranker.rank(BANK.text, 2, candidates=scored[1:])
    found = reranker.rank(BANK.text, 2, candidates=[(IDS[0], None), *scored[1:]], exclude=[IDS[0]])
    assert (found.tables, found.scores, found.notes) == (expected.tables, expected.scores, ())


def test_three_rising_scores_are_taken_for_distances(lake_index: Index) -> None:
    """Two may well be scores."""
    rising = [(name, float(place)) for place, name in enumerate(IDS)]
    assert "distances" in rank(lake_index, rising[:3]).notes[0]
    assert rank(lake_index, rising[:2], k=2).notes == ()


def test_the_nearest_names_are_found_in_any_case(lake_index: Index) -> None:
    """As people write them."""
    with pytest.raises(QueryError, match=r"did you mean bank\.loan"):
        rank(lake_index, ["BANK.LOANE"])


def test_a_series_is_a_list_of_ids_or_has_them_in_its_index(lake_index: Index) -> None:
    """Texts are ids, whatever their index; numbers are scores of the ids in the index, each once."""
    plain, scored = rank(lake_index, IDS), rank(lake_index, [(id_, 1.0 / place) for place, id_ in enumerate(IDS, 1)])
    assert rank(lake_index, pd.Series(IDS, index=range(7, 7 + len(IDS)))).scores == plain.scores
    scores = pd.Series([1.0 / place for place in range(1, len(IDS) + 1)], index=IDS)
    assert rank(lake_index, scores).scores == scored.scores
    twice = pd.concat([scores, pd.Series([0.01], index=IDS[:1])])
    assert rank(lake_index, twice).scores == scored.scores
    numbered = Foreign(id_of=lambda number: IDS[number])
    assert rank(lake_index, pd.Series(range(len(IDS))), numbered).tables == plain.tables


def test_a_frame_as_candidates_is_told_how_to_become_a_series(lake_index: Index) -> None:
    """Its columns, which are what it lists, are no candidates."""
    with pytest.raises(QueryError, match=r'no DataFrame: give ids and scores, frame\.set_index\("table"\)'):
        rank(lake_index, pd.DataFrame({"table": IDS, "score": 1.0}))
