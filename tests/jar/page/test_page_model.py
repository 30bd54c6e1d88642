"""The model of a page: its sets are those that the solver proves under each wish, and nothing in it is a guess."""

from __future__ import annotations

import json
from itertools import combinations

import pytest

from formulations import solve
from jar import Index, QueryError, Reranker
from jar.page.answer_model import ROOM, answer_model, key, set_model
from jar.page.exploration import Exploration
from jar.page.wishes import MOST_SETS, Wish, wishes
from jar.sample import QUESTIONS

QUESTION = QUESTIONS[0].text


@pytest.fixture(scope="module")
def explored(lake_index: Index) -> Exploration:
    return Reranker(lake_index).explore(QUESTION, 4)


def test_the_answer_is_that_of_rank(lake_index: Index, explored: Exploration) -> None:
    """The page shows what `rank` answers: tables, joins, the words of `explain` and the SQL."""
    ranked, model = Reranker(lake_index).rank(QUESTION, 4), explored.model()
    answer = model["sets"][model["answer"]]
    assert [model["tables"][table]["id"] for table in answer["tables"]] == list(ranked.tables)
    assert [model["joins"][join]["condition"] for join in answer["joins"]] == [join.condition for join in ranked.joins]
    assert "\n".join(model["texts"][line] for line in answer["words"]) == ranked.explain()
    assert "\n".join(model["texts"][line] for line in answer["sql"]) == ranked.to_sql_context()
    assert sum(sum(part) for part in answer["parts"]) == pytest.approx(ranked.value, abs=0.02)


def test_every_set_is_the_best_under_its_wish(explored: Exploration) -> None:
    """Each wish of the page has the set that another exact solver finds, and -1 only where there is none."""
    model, instance = explored.model(), explored.problem.reduction.instance
    assert len(model["best"]) > 30
    for wish, place in list(model["best"].items())[::3]:
        size, require, exclude = (list(map(int, filter(None, part.split(",")))) for part in wish.split("|"))
        limited = instance.replace(size=size[0], require=require, exclude=exclude)
        proved = solve(limited, explored.problem.objective, "enumerate" if size[0] <= 3 else "exact")
        assert model["sets"][place]["value"] == pytest.approx(proved.value, abs=1e-3)
        assert set(require) <= set(model["sets"][place]["tables"])
        assert not set(exclude) & set(model["sets"][place]["tables"])


def test_each_candidate_can_be_required_or_excluded(explored: Exploration) -> None:
    """A wish on one table is on the page, or the answer satisfies it already."""
    found = wishes(explored)
    for item in range(explored.count):
        wish = Wish(4, (), (item,)) if item in explored.chosen else Wish(4, (item,), ())
        solution = found[wish]
        assert solution is not None
        assert (item in solution.items) == bool(wish.require)


def test_two_wishes_for_one_table_at_a_time(explored: Exploration) -> None:
    """Pairs of excluded tables of the answer are there, too, and a table is never required and excluded."""
    found = wishes(explored)
    pairs = [pair for pair in combinations(sorted(explored.chosen), 2) if Wish(4, (), pair) in found]
    assert pairs
    assert not any(set(wish.require) & set(wish.exclude) for wish in found)
    assert len({solution.items for solution in found.values() if solution}) <= MOST_SETS


def test_impossible_wishes_have_no_set(explored: Exploration) -> None:
    """More required tables than the size, or one that is excluded as well, have no best set."""
    assert explored.best(2, (0, 1, 2)) is None
    assert explored.best(2, (0,), (0,)) is None
    assert explored.best(explored.count, (), (0,)) is None
    assert set_model(explored, Wish(1, (0, 1)))["best"] == {"1|0,1|": -1}


def test_as_many_as_needed_tell_their_chances(lake_index: Index) -> None:
    """With k="auto" the page has the confidence of each size, and the next likeliest sets."""
    explored = Reranker(lake_index).explore(QUESTION, "auto")
    model = explored.model()
    assert model["chances"]
    assert len(model["alternatives"]) == 3
    answer = model["sets"][model["answer"]]
    assert answer["confidence"] == pytest.approx(explored.selection.confidence, abs=1e-4)
    sizes = [model["sets"][model["best"][key(Wish(size))]]["confidence"] for size in range(1, model["largest"] + 1)]
    assert all(0 <= confidence <= 1 for confidence in sizes)


def test_required_tables_of_the_caller_stay(lake_index: Index) -> None:
    """A table that the question came with is in every set of the page."""
    model = Reranker(lake_index).explore(QUESTION, 3, require=["gym.members"]).model()
    (required,) = model["required"]
    assert all(required in chosen["tables"] for chosen in model["sets"])
    assert "1||" in model["best"]


def test_a_single_wish_needs_no_other_set(explored: Exploration) -> None:
    """What a server sends for a wish has that set alone."""
    wished = set_model(explored, Wish(3, (explored.count - 1,)))
    assert list(wished["best"].values()) == [0]
    assert explored.count - 1 in wished["sets"][0]["tables"]


def test_a_model_is_json_and_bounded(explored: Exploration) -> None:
    """It is plain values without infinities, and further sets end where there is no room."""
    model = answer_model(explored, wishes(explored))
    text = json.dumps(model, allow_nan=False)
    assert json.loads(text) == model
    assert len(text) < ROOM + 40_000
    assert len(explored.to_html().encode()) < 300_000


def test_objectives_over_columns_have_no_page(lake_index: Index) -> None:
    """What chooses columns says that it has no page; relevance of the caller's own has one without chances."""
    with pytest.raises(QueryError, match="objectives over tables"):
        Reranker(lake_index, "crush").explore(QUESTION)


def test_what_rank_does_not_take_is_refused_by_name(lake_index: Index) -> None:
    """The message names the method, and lists what it takes."""
    with pytest.raises(TypeError, match=r"^explore\(\) got .* argument 'foo'; it takes k, candidates, "):
        Reranker(lake_index, relevance="cosine").explore(QUESTION, foo=1)
