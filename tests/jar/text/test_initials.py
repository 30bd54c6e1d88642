"""Acronyms of tables that a question says in words: found by trying all runs of words, and no names of people."""

from __future__ import annotations

import re
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jar import Catalog, Index, Reranker
from jar.text.initials import LINKS, MOST, acronyms, said_in_words
from jar.text.stop_words import STOP_WORDS
from joinability.schema import Column, Table
from tests.jar.conftest import toy_embedder

WORDS = "goods receipt of the Goods Receipt bill material is open, and note".split()


@given(st.lists(st.sampled_from(WORDS), max_size=9))
def test_they_are_those_of_all_runs_of_words(words: list[str]) -> None:
    """Every run without another stop word inside, with and without the letters of words such as "of"."""
    question = " ".join(words)
    known = {"".join(pair) for size in (2, 3, 4) for pair in combinations("grobmtn", size)} | {"gr", "gotr", "bom"}
    expected = set()
    for first in range(len(words)):
        for end in range(first + 2, len(words) + 1):
            run = words[first:end]
            if any(re.search(r"\W", word) for word in run[:-1]):
                continue
            bare = [re.sub(r"\W", "", word) for word in run]
            inner = {word.lower() for word in bare} & STOP_WORDS
            kept = [word for word in bare if word.lower() not in STOP_WORDS]
            if bare[0].lower() in STOP_WORDS or bare[-1].lower() in STOP_WORDS or inner - LINKS or len(kept) > MOST:
                continue
            if not all(word[0].isupper() for word in kept):
                expected |= {"".join(word[0].lower() for word in form) for form in (bare, kept)}
    assert set(said_in_words(question, known)) == expected & known


def test_which_parts_of_names_may_be_acronyms() -> None:
    """Two letters, or more that are no common word; not what says the kind of a column."""
    assert acronyms(["GR_HDR", "order_ln", "MSDS", "id_no", "is_x", "a1b2"]) == {"gr", "hdr", "ln", "msds"}
    assert said_in_words("goods receipts", acronyms([])) == []


@pytest.mark.parametrize("question", ["the goods receipts of May", "Goods receipts?", "a goods-receipt of 'X'"])
def test_the_table_is_found(question: str) -> None:
    """By BM25, and in what the model sees."""
    frames = [Table("erp", name, (Column("number", "TEXT"),)) for name in ("XY_GR_HDR", "XY_QP_HDR", "XY_ZT_HDR")]
    index = Index.build(Catalog(frames), embedder=toy_embedder, progress=False)
    assert "gr" in index.contents.asked_words(question, STOP_WORDS)
    assert Reranker(index).rank(question, k=1).tables == ("erp.XY_GR_HDR",)
    found = index.contents.words.match_words(index.contents.asked_words(question, STOP_WORDS))
    np.testing.assert_array_equal(found > 0, [True, False, False])
