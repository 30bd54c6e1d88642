"""The search over lists of tables: a beam wide enough is exhaustive, one hop is the first stage, and so on."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jar import Catalog, Index, QueryError
from jar.multihop import MultiHopRetriever, Rewrite
from jar.multihop.forms import LEAST, PaperForm, ReleasedForm
from jar.multihop.hops import Search, _filled

Similarity = dict[tuple[int, ...], np.ndarray]
"""Of each table to the text of each list, by the tables of the list."""


def lists_of(n: int, length: int, stops: set[tuple[int, ...]], made: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    """Every list of at most so many tables that a search can end with: no longer one begins with a complete one."""
    open_ = [table for table in range(n) if table not in made]
    if len(made) == length or made in stops or not open_:
        yield made
        return
    for table in open_:
        yield from lists_of(n, length, stops, (*made, table))


def exhaustive(n: int, hops: int, similarity: Similarity, stops: set[tuple[int, ...]]) -> np.ndarray:
    """The score of each table by the paper's formula over all lists; -inf for a table of none."""
    scores = np.full(n, -np.inf)
    for made in lists_of(n, hops, stops):
        value = np.prod([max(similarity[made[:place]][table], LEAST) for place, table in enumerate(made)])
        for table in made:
            scores[table] = max(scores[table], value)
    return scores


def searched(n: int, hops: int, beams: int, similarity: Similarity, stops: set[tuple[int, ...]]) -> dict[int, float]:
    """The score of each table by the search; texts are lists, written out."""
    search = Search("()", PaperForm(), beams, np.ones(n, dtype=bool))
    for hop in range(1, hops + 1):
        if search.ended:
            break
        search.find(np.array([similarity[eval(text)] for text in search.texts]))
        if hop < hops:
            search.choose()
            search.go_on([Rewrite((str(made.tables),), made.tables in stops) for made in search.unasked])
    contents: Any = SimpleNamespace(tables=[SimpleNamespace(id=str(table)) for table in range(n)])
    proposals = search.proposals(contents, n)
    assert [score for _, score in proposals] == sorted((score for _, score in proposals), reverse=True)
    return {int(table): score for table, score in proposals}


@st.composite
def searches(draw: st.DrawFn) -> tuple[int, int, Similarity, set[tuple[int, ...]]]:
    """Up to five tables, up to four hops, any similarities, and lists that are complete."""
    n, hops = draw(st.integers(1, 5)), draw(st.integers(1, 4))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    prefixes = {made[:place] for made in lists_of(n, n, set()) for place in range(len(made) + 1)}
    share = draw(st.sampled_from([0.0, 0.3, 1.0]))
    stops = {made for made in sorted(prefixes - {()}) if random.random() < share}
    return n, hops, {made: random.uniform(-0.2, 1.0, n) for made in prefixes}, stops


@settings(max_examples=150, deadline=None)
@given(searches())
def test_a_wide_beam_is_exhaustive(drawn: tuple[int, int, Similarity, set[tuple[int, ...]]]) -> None:
    """With room for every list the scores are those of the formula over all lists; what no list holds comes last."""
    n, hops, similarity, stops = drawn
    expected = exhaustive(n, hops, similarity, stops)
    found = searched(n, hops, 10_000, similarity, stops)
    assert set(found) == set(range(n))
    held = [table for table in range(n) if np.isfinite(expected[table])]
    assert [found[table] for table in held] == pytest.approx([expected[table] for table in held])
    others = [found[table] for table in range(n) if table not in held]
    assert max(others, default=-np.inf) <= min(found[table] for table in held) + 1e-12


@settings(max_examples=50, deadline=None)
@given(searches(), st.integers(1, 3))
def test_a_narrow_beam_promises_no_more(drawn: tuple[int, int, Similarity, set[tuple[int, ...]]], beams: int) -> None:
    """The best table of a narrow beam scores at most what it scores over all lists."""
    n, hops, similarity, stops = drawn
    found = searched(n, hops, beams, similarity, stops)
    assert max(found.values()) <= exhaustive(n, hops, similarity, stops).max() + 1e-12


@pytest.mark.parametrize("held", [0.05, 0.9, -0.3])
def test_tables_without_a_score_come_last(held: float) -> None:
    """In the order of the first hop, whatever the least score is; those with one keep it."""
    first = np.array([0.6, 0.5, 0.4, -0.1, -np.inf])
    filled = _filled(np.array([held, -np.inf, -np.inf, -np.inf, -np.inf]), first)
    assert filled[0] == held
    assert np.argsort(-filled, kind="stable").tolist() == [0, 1, 2, 3, 4]
    assert np.isneginf(filled[4])


DDL = """
CREATE TABLE a (x INT); CREATE TABLE b (y INT); CREATE TABLE c (z INT); CREATE TABLE d (w INT);
"""
VECTORS = {
    "db.a(x)": [1.0, 0.0, 0.0, 0.0],
    "db.b(y)": [0.0, 1.0, 0.0, 0.0],
    "db.c(z)": [0.0, 0.0, 1.0, 0.0],
    "db.d(w)": [0.0, 0.0, 0.0, 1.0],
    "question": [0.8, 0.5, 0.3, 0.1414],
    "after a": [0.0, 0.2, 0.9, 0.3873],
    "after b": [0.6, 0.0, 0.6, 0.5292],
}
"""The first three numbers of a text's unit vector are its cosines with the first three tables."""


def embedded(texts: list[str]) -> np.ndarray:
    return np.array([VECTORS.get(text, [0.5, 0.5, 0.5, 0.5]) for text in texts])


@pytest.fixture(scope="module")
def four() -> Index:
    """Four tables whose vectors are the axes."""
    return Index.build(Catalog.from_ddl(DDL, dialect="sqlite", database="db"), embedder=embedded, progress=False)


class Recorded:
    """A rewriter with an answer for each list, which keeps what it was asked."""

    def __init__(self, answers: dict[tuple[str, ...], Rewrite]) -> None:
        self.answers = answers
        self.asked: list[tuple[str, ...]] = []

    def __call__(self, question: str, signatures: Any) -> Rewrite:
        self.asked.append(tuple(signatures))
        return self.answers[tuple(signatures)]


ANSWERS = {("db.a(x)",): Rewrite(("after a",)), ("db.b(y)",): Rewrite(("after b",))}


def test_recorded_rewrites_give_what_the_paper_s_algorithm_gives_by_hand(four: Index) -> None:
    """Two lists, two hops: [a] 0.8, then c 0.9; [b] 0.5, then a or c 0.6.

    After [a]: b 0.8 * 0.2 = 0.16, c 0.8 * 0.9 = 0.72, d 0.8 * 0.3873 = 0.310; a 0.72 by its best extension. After [b]:
    a and c 0.5 * 0.6 = 0.30, d 0.5 * 0.5292 = 0.265; b 0.30, which is more than its 0.16.
    """
    rewriter = Recorded(ANSWERS)
    found = MultiHopRetriever(four, rewriter, beams=2, hops=2)("question", 4)
    assert rewriter.asked == [("db.a(x)",), ("db.b(y)",)]
    assert [table for table, _ in found] == ["db.a", "db.c", "db.d", "db.b"]
    assert [score for _, score in found] == pytest.approx([0.72, 0.72, 0.8 * 0.3873, 0.30], abs=1e-4)
    assert found.trace == {"db.a": "hop 1", "db.c": "hop 2, after db.a", "db.d": "hop 2, after db.a", "db.b": "hop 1"}
    assert found.source == "multihop (paper form)"


def test_a_complete_list_stays_in_the_race_as_it_is(four: Index) -> None:
    """[a] is complete and worth 0.8; a and c by way of [b] are worth 0.30."""
    rewriter = Recorded(ANSWERS | {("db.a(x)",): Rewrite(stop=True)})
    found = MultiHopRetriever(four, rewriter, beams=2, hops=2)("question", 4)
    assert dict(found) == pytest.approx({"db.a": 0.8, "db.b": 0.30, "db.c": 0.30, "db.d": 0.5 * 0.5292}, abs=1e-4)


def test_recorded_rewrites_give_what_the_released_code_gives_by_hand(four: Index) -> None:
    """Sums of log((s + 2) / 2): after [a] the best new table is c with 0.9, after [b] a and c with 0.6.

    A list's own tables count again among those that it saw, and the list shares the best sum.
    """

    def worth(*similarities: float) -> float:
        return float(sum(np.log((s + 2) / 2) for s in similarities))

    found = dict(MultiHopRetriever(four, Recorded(ANSWERS), beams=2, hops=2, form="released")("question", 4))
    after_b = worth(0.5, 0.6)
    assert found == pytest.approx(
        {"db.a": worth(0.8, 0.9), "db.c": worth(0.8, 0.9), "db.b": after_b, "db.d": worth(0.8, 0.3873)}, abs=1e-4
    )


def test_in_the_released_form_the_first_complete_list_ends_the_question(four: Index) -> None:
    """The hop before it counts: here the first, whose scores are (s + 2) / 2."""
    rewriter = Recorded(ANSWERS | {("db.b(y)",): Rewrite(stop=True)})
    found = MultiHopRetriever(four, rewriter, beams=2, hops=3, form="released")("question", 4)
    assert dict(found) == pytest.approx({"db.a": 1.4, "db.b": 1.25, "db.c": 1.15, "db.d": 1.0707}, abs=1e-4)


def test_of_several_texts_the_nearest_counts(four: Index) -> None:
    """A table is as near to a rewrite as to one of its texts."""
    rewriter = Recorded({("db.a(x)",): Rewrite(("after a", "after b"))})
    found = dict(MultiHopRetriever(four, rewriter, beams=1, hops=2)("question", 4))
    assert found == pytest.approx({"db.a": 0.72, "db.c": 0.72, "db.d": 0.8 * 0.5292, "db.b": 0.16}, abs=1e-4)


@pytest.mark.parametrize("form", ["paper", "released"])
def test_excluded_tables_take_no_place(four: Index, form: str) -> None:
    """Not among the lists, so that the next table starts one, and not among the proposals."""
    rewriter = Recorded(ANSWERS)
    found = MultiHopRetriever(four, rewriter, beams=1, hops=2, form=form)("question", 4, exclude=["db.a"])
    assert rewriter.asked == [("db.b(y)",)]
    assert {table for table, _ in found} == {"db.b", "db.c", "db.d"}
    everything = [f"db.{name}" for name in "abcd"]
    assert MultiHopRetriever(four, rewriter, form=form)("question", 4, exclude=everything) == []


def test_the_released_form_cuts_the_first_hop_without_excluded_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two tables that later hops may find none is lost to an excluded one."""
    monkeypatch.setattr("jar.multihop.forms.FIRST_HOP", 2)
    found = ReleasedForm().within(np.array([-np.inf, 0.9, 0.1, 0.5]))
    assert found.tolist() == [False, True, False, True]


def test_tables_that_no_list_saw_follow_in_the_order_of_the_first_hop(
    four: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With no greater score than the others, also where these are small."""
    monkeypatch.setattr("jar.multihop.forms.FIRST_HOP", 2)
    found = MultiHopRetriever(four, Recorded(ANSWERS), beams=1, hops=2, form="released")("question", 4)
    assert [table for table, _ in found] == ["db.a", "db.b", "db.c", "db.d"]
    scores = [score for _, score in found]
    assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize(
    ("options", "message"),
    [({"form": "papers"}, "choose 'paper' or 'released'"), ({"beams": 0}, "beams is"), ({"hops": 1.5}, "hops is")],
)
def test_settings_that_cannot_be_used_are_refused(four: Index, options: dict[str, Any], message: str) -> None:
    """With what is wrong."""
    with pytest.raises(QueryError, match=message):
        MultiHopRetriever(four, **options)


def test_a_rewriter_has_to_return_rewrites(four: Index) -> None:
    """One for each list."""
    for wrong in (lambda question, signatures: ["loan"], SimpleNamespace(many=lambda asked: [])):
        with pytest.raises(QueryError, match="a rewriter returns one"):
            MultiHopRetriever(four, wrong, beams=1)("question", 4)  # type: ignore[arg-type]
