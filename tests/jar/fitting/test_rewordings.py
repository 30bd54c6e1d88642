"""Questions that are one in other words are in one group."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from jar.fitting.logged import LoggedQuestion
from jar.fitting.rewordings import NEAR, with_rewordings
from jar.text.lexical import content_words

WORDS = ["ship", "port", "crane", "driver", "cargo"]


def logged(*asked: tuple[str, tuple[int, ...]]) -> list[LoggedQuestion]:
    return [LoggedQuestion(row, text, tables, f"group {row}") for row, (text, tables) in enumerate(asked)]


def test_a_question_in_other_words_is_in_its_group() -> None:
    """Where it needs the same tables."""
    found = with_rewordings(
        logged(
            ("Which ships left the harbour of Delta with cargo?", (0, 1)),
            ("What ships left the harbour of Delta with cargo this year", (1, 0)),
            ("What ships left the harbour of Delta with cargo this year", (2,)),
            ("Which drivers delivered containers?", (0, 1)),
            ("", (0, 1)),
        )
    )
    groups = [question.group for question in found]
    assert groups == ["group 0", "group 0", "group 2", "group 3", "group 4"]


@given(st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=5), max_size=8))
def test_groups_are_those_of_the_definition(asked: list[list[str]]) -> None:
    """By comparing all pairs until nothing changes."""
    questions = logged(*((" ".join(words), (0,)) for words in asked))
    sets = [set(content_words(question.question)) for question in questions]
    first = list(range(len(sets)))
    for _ in sets:
        for one, other in combinations(range(len(sets)), 2):
            if len(sets[one] & sets[other]) >= NEAR * len(sets[one] | sets[other]):
                first[one] = first[other] = min(first[one], first[other])
    assert [question.group for question in with_rewordings(questions)] == [f"group {place}" for place in first]


def test_groups_are_merged_whole() -> None:
    """What has the SQL of a rewording goes with it."""
    questions = [
        LoggedQuestion(1, "Which ships left Delta?", (0,), "a"),
        LoggedQuestion(2, "Which ships have left Delta?", (0,), "b"),
        LoggedQuestion(3, "Departures, please", (0,), "b"),
        LoggedQuestion(4, "Which cranes are idle?", (0,), "c"),
    ]
    assert [question.group for question in with_rewordings(questions)] == ["a", "a", "a", "c"]
    assert with_rewordings([]) == ()
