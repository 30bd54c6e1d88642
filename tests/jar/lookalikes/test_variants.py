"""Variants: tables of equal columns whose names differ in words, of which a question names some."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from formulations import JarObjective
from jar import Catalog, Index, Reranker
from jar.lookalikes.variants import LEAST, Variants
from joinability.schema import Column, Table

COLUMNS = ("id", "title", "body", "score", "user")


def tables(names: Sequence[str], columns: Sequence[str] = COLUMNS) -> list[Table]:
    """Tables of one database with equal columns."""
    return [Table("forum", name, [Column(column, "TEXT") for column in columns]) for name in names]


POSTS = tables(["posts_answers", "posts_questions", "posts_tag_wiki", "posts_tag_wiki_excerpt", "posts"])


def unasked(question: str, kept: Sequence[int] = ()) -> set[int]:
    """Those of `POSTS` that a question, in singular words, does not ask for."""
    return set(Variants.of(POSTS).unasked(question.split(), kept))


def test_the_words_of_the_question_choose() -> None:
    """Those of which most own words are said; of a word that all have, or that none has, nothing follows."""
    assert unasked("answer question user") == {2, 3, 4}
    assert unasked("question tag") == {0, 2, 3, 4}
    assert unasked("tag") == {0, 1, 3, 4}
    assert unasked("post user") == set()
    assert unasked("answer", kept=[2]) == {1, 3, 4}


def test_what_is_no_variant() -> None:
    """Two tables, other columns, other schemas, names that differ in numbers alone, look-up tables."""
    assert not Variants.of(POSTS[: LEAST - 1]).groups
    assert not Variants.of([*POSTS[:2], *tables(["posts_tags"], ["id", "tag"])]).groups
    assert not Variants.of([*POSTS[:2], *tables(["old.posts_tags"])]).groups
    assert not Variants.of(tables(["day_2020", "day_2021", "day_2022"])).groups
    assert not Variants.of(tables(["artists", "genres", "media_types"], ["id", "name"])).groups


@given(st.sets(st.sampled_from(["answer", "question", "tag", "wiki", "excerpt", "post"])))
def test_some_variant_is_always_asked_for(said: set[str]) -> None:
    """As brute force: the share of the own words that are said is greatest for all that are left."""
    own = [{"answer"}, {"question"}, {"tag", "wiki"}, {"tag", "wiki", "excerpt"}, set()]
    shares = [len(words & said) / len(words) if words else 0.0 for words in own]
    behind = Variants.of(POSTS).unasked(said)
    assert set(range(len(POSTS))) - set(behind) == {place for place in range(5) if shares[place] == max(shares)}


def test_variants_do_not_fill_the_places_of_other_tables() -> None:
    """Equally relevant by their columns, they come after tables that the question does not name; 0 has them back."""
    others = [Table("forum", name, [Column(f"{name}_{one}") for one in COLUMNS]) for name in ("users", "badges")]
    index = Index.build(Catalog([*POSTS, *others]), embedder=lambda texts: np.array([[1.0, 0.0] for _ in texts]))
    question = "Who gave the best answer by title and score?"
    chosen = Reranker(index).rank(question, k=3).tables
    assert set(chosen) == {"forum.posts_answers", "forum.users", "forum.badges"}
    most_relevant = JarObjective(fine=0, coverage=0, join=0)
    filled = Reranker(index, variant=0, objective=most_relevant).rank(question, k=3).tables
    assert sum("posts" in table for table in filled) > 1
