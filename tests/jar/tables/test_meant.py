"""Which candidates the phrases of a question mean."""

from __future__ import annotations

from math import exp, log

import numpy as np
import pandas as pd
import pytest

from jar import Catalog, Index, Reranker
from jar.arrays import Array, IntArray
from jar.errors import EmbedderError
from jar.sample import QUESTIONS
from jar.tables.meant import CONSENSUS, TEMPERATURE, meant, tables_meant
from jar.tables.query import Ask, Limits, embed_queries, read_queries
from jar.tables.table_ranker import TableRanker
from jar.text.decomposition import decompose, phrase_spans
from jar.text.embedding import Embedder, load_embedder


def by_loops(cosines: Array, columns: IntArray, databases: IntArray) -> list[float]:
    """A database is drawn by what all phrases say, then a column of it for each phrase."""
    owners = [table for table, count in enumerate(columns) for _ in range(count)]
    kinds = [int(databases[owner]) for owner in owners]
    powers = [[exp(cosine / TEMPERATURE) for cosine in row] for row in cosines]
    said = {
        kind: sum(log(sum(p for p, k in zip(row, kinds, strict=True) if k == kind)) for row in powers) / len(powers)
        for kind in set(kinds)
    }
    absent = [1.0] * len(columns)
    for row in powers:
        weights = [p * exp(CONSENSUS * said[kind]) for p, kind in zip(row, kinds, strict=True)]
        for owner, weight in zip(owners, weights, strict=True):
            absent[owner] *= 1 - weight / sum(weights)
    return [1 - one for one in absent]


@pytest.mark.parametrize("seed", range(20))
def test_meant_is_what_loops_find(seed: int) -> None:
    rng = np.random.default_rng(seed)
    columns = np.append(rng.integers(1, 5, 5), 0)
    cosines = rng.uniform(0, 0.6, (int(rng.integers(1, 4)), columns.sum()))
    databases = rng.permutation([0, 1, *rng.integers(0, 2, 4)])
    found = meant(cosines, columns, databases)
    np.testing.assert_allclose(found, by_loops(cosines, columns, databases), atol=1e-9)
    assert found[-1] == 0, "a table without columns is not meant"


def test_tables_without_columns_are_not_meant() -> None:
    assert meant(np.zeros((2, 0)), np.zeros(3, dtype=np.int64), np.zeros(3, dtype=np.int64)).tolist() == [0, 0, 0]


def test_phrases_are_the_chunks_where_they_stand() -> None:
    """A word that stands inside an earlier one is not looked for there."""
    question = 'Which "Bank of Moravia" clients, and whose loans?'
    assert [question[start:end] for start, end in phrase_spans(question)] == decompose(question)
    assert phrase_spans("In which category is the cat?") == ((9, 17), (25, 28))
    assert phrase_spans("  How many? ") == ((2, 11),)
    assert phrase_spans('Who has " gold  "?') == ((10, 14),)


def test_nothing_is_meant_where_no_word_is_known(lake_index: Index) -> None:
    """Neither the wider of two tables, nor the only one."""
    frames = {"sky.narrow": pd.DataFrame(columns=["a"]), "sky.wide": pd.DataFrame(columns=[f"c{n}" for n in range(9)])}
    for some in (frames, dict(list(frames.items())[:1])):
        index = Index.build(Catalog.from_frames(some), embedder=nothing_known, progress=False)
        ranker = Reranker(index)._ranker()
        (question,) = ranker.read([Ask("Which galaxies collide?")])
        assert not tables_meant(index.contents, question, np.arange(len(some))).any()
    (known,) = Reranker(lake_index)._ranker().read([Ask("Which clients have loans?")])
    assert tables_meant(lake_index.contents, known, np.array([0])).tolist() == [0]


def nothing_known(texts: list[str]) -> Array:
    """Zeros."""
    return np.zeros((len(texts), 4))


def test_a_phrase_is_read_within_its_question() -> None:
    """The same word has another vector in another question; the question itself has that of a call."""
    minilm = load_embedder("minilm")
    queries = read_queries(decompose, [Ask("Who works at the bank?"), Ask("How steep is the bank of the river?")])
    read = embed_queries(minilm, queries, [phrase_spans(query.question) for query in queries])
    banks = [question.phrases.vectors[question.phrases.texts.index("bank")] for question in read]
    assert 0.2 < float(banks[0] @ banks[1]) < 0.9
    wholes = minilm([query.question for query in queries])
    np.testing.assert_allclose([question.vectors[0] for question in read], wholes, atol=0.02)


def test_a_subquery_that_is_a_phrase_is_read_within_its_question() -> None:
    """Another one, of the caller's, is read alone."""
    minilm = load_embedder("minilm")
    question = "How steep is the bank of the river?"
    (query,) = read_queries(decompose, [Ask(question, subqueries=["bank", "river:depth", "river"])])
    (read,) = embed_queries(minilm, [query], [phrase_spans(question)])
    phrases = dict(zip(read.phrases.texts, read.phrases.vectors, strict=True))
    assert np.array_equal(read.vectors[[1, 3]], [phrases["bank"], phrases["river"]])
    np.testing.assert_allclose(read.vectors[2], minilm(["river depth"])[0], atol=0.02)
    assert float(read.vectors[1] @ minilm(["bank"])[0]) < 0.9


def test_the_words_that_mean_no_table_part_phrases(lake_index: Index) -> None:
    ranker = Reranker(lake_index, stop_words=["zeig", "mir"])._ranker()
    assert ranker.read([Ask("Zeig mir Kredite")])[0].phrases.texts == ("Kredite",)


def test_what_is_cut_off_is_read_alone() -> None:
    """MiniLM reads 256 tokens."""
    minilm, text = load_embedder("minilm"), "loan " * 400 + "client"
    (late,) = minilm.with_parts([text], [(text, (len(text) - 6, len(text)))])[1]
    np.testing.assert_allclose(late, minilm(["client"])[0], atol=0.02)


def test_what_an_encoder_returns_for_parts_is_checked() -> None:
    encode = OneRow()
    with pytest.raises(EmbedderError, match=r"shape \(1, 3\) for 2 texts"):
        Embedder("callable:one", encode).with_parts(["a b"], [("a b", (0, 1)), ("a b", (2, 3))])


class OneRow:
    """An encoder with one vector for whatever it is asked."""

    def __call__(self, texts: list[str]) -> Array:
        return np.ones((1, 3))

    def with_parts(self, texts: list[str], parts: list[tuple[str, tuple[int, int]]]) -> tuple[Array, Array]:
        return np.ones((1, 3)), np.ones((1, 3))


def test_many_questions_are_ranked_as_one_by_one(lake_index: Index) -> None:
    questions = [question.text for question in QUESTIONS]
    ranker = Reranker(lake_index)
    together = ranker.rank_many(questions, k=3)
    assert [answer.tables for answer in together] == [ranker.rank(question, k=3).tables for question in questions]


def test_an_encoder_without_vectors_of_tokens_reads_phrases_alone() -> None:
    asked: list[list[str]] = []

    def encode(texts: list[str]) -> Array:
        asked.append(texts)
        return np.eye(8)[: len(texts)]

    wholes, parts = Embedder("callable:letters", encode).with_parts(["a b", "b"], [("a b", (0, 1)), ("a b", (2, 3))])
    assert asked == [["a b", "b", "a"]]
    assert wholes.tolist() == np.eye(8)[:2].tolist()
    assert parts.tolist() == np.eye(8)[[2, 1]].tolist()


def test_a_phrase_speaks_for_the_table_whose_column_it_means() -> None:
    frames = {
        "shop.parcel": pd.DataFrame(columns=["tracking number", "weight"]),
        "shop.member": pd.DataFrame(columns=["date of birth", "loyalty points"]),
    }
    index = Index.build(Catalog.from_frames(frames), embedder="minilm", progress=False)
    ranker = Reranker(index)._ranker()
    assert isinstance(ranker, TableRanker)
    problem = ranker.problem(*ranker.read([Ask("How heavy is the parcel?")]), 1, 2, Limits())
    assert problem.judged is not None
    told = dict(zip(problem.reduction.instance.ids, problem.judged.seen.meant.tolist(), strict=True))
    assert told["shop.parcel"] > 0.9 > 0.3 > told["shop.member"]
