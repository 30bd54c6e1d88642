"""One re-ranker for many threads and for an event loop."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Collection, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest

from jar import Index, QueryError, Reranker, Selection
from jar.sample import QUESTIONS
from tests.jar.conftest import toy_embedder

TOPICS = "clients loans cards books members gender district poetry amount orders customers phones regions".split()
PAIRS = [(one, other) for one in TOPICS for other in TOPICS][:125]
TEXTS = [f"{QUESTIONS[place % 3].text} {one} of {other}" for place, (one, other) in enumerate(PAIRS)]
THREADS, ASKED = 8, 1_000


def fresh(index: Index) -> Reranker:
    """A re-ranker whose index has nothing computed yet."""
    return Reranker(Index.load(index.path, embedder=toy_embedder))


def essence(selection: Selection) -> tuple[Any, ...]:
    return selection.tables, selection.scores, selection.joins, selection.retrieval, selection.notes


def test_many_threads_get_the_answers_of_one(lake_index: Index) -> None:
    """1,000 questions from 8 threads that start together, on an index with nothing computed yet."""
    expected = {text: essence(selection) for text, selection in zip(TEXTS, rank_all(lake_index), strict=True)}
    reranker, start = fresh(lake_index), threading.Barrier(THREADS)

    def ask(first: int) -> list[tuple[str, Any]]:
        start.wait()
        texts = [TEXTS[(first * 31 + place) % len(TEXTS)] for place in range(ASKED // THREADS)]
        return [(text, essence(reranker.rank(text, 4))) for text in texts]

    with ThreadPoolExecutor(THREADS) as pool:
        answers = [answer for found in pool.map(ask, range(THREADS)) for answer in found]
    assert len(answers) == ASKED
    assert [text for text, found in answers if found != expected[text]] == []


def rank_all(index: Index) -> list[Selection]:
    reranker = fresh(index)
    return [reranker.rank(text, 4) for text in TEXTS]


@pytest.mark.parametrize("objective", ["crush", "jar+crush"])
def test_threads_may_choose_columns(lake_index: Index, objective: str) -> None:
    """As well as tables."""
    expected = [essence(Reranker(lake_index, objective).rank(text, 3)) for text in TEXTS[:8]]
    reranker = Reranker(Index.load(lake_index.path, embedder=toy_embedder), objective)
    with ThreadPoolExecutor(THREADS) as pool:
        assert [essence(one) for one in pool.map(lambda text: reranker.rank(text, 3), TEXTS[:8])] == expected


def test_references_of_columns_stay_with_what_is_known_of_them(lake_index: Index) -> None:
    """Threads that look for the references of different columns at once never lose any."""
    expected = lake_index.contents.joins.references(Reranker(lake_index).join_score, all_columns(lake_index))
    assert expected is not None
    for _ in range(5):
        reranker, start = fresh(lake_index), threading.Barrier(THREADS)
        contents, columns = reranker.index.contents, all_columns(lake_index)

        def look(part: int) -> Any:
            start.wait()  # noqa: B023 - all threads end before the next round
            for column in columns[part::THREADS]:  # noqa: B023
                found = contents.joins.references(reranker.join_score, columns[column : column + 1])  # noqa: B023
                assert pairs(found, column) == pairs(expected, column)

        with ThreadPoolExecutor(THREADS) as pool:
            list(pool.map(look, range(THREADS)))
        found = contents.joins.references(reranker.join_score, columns)
        assert sorted(pairs(found)) == sorted(pairs(expected))


def all_columns(index: Index) -> Any:
    contents = index.contents
    return contents.columns_of(range(len(contents.tables)))  # type: ignore[arg-type]


def pairs(references: Any, child: int | None = None) -> list[tuple[int, int]]:
    found = zip(references.child.tolist(), references.key.tolist(), strict=True)
    return sorted(pair for pair in found if child is None or pair[0] == child)


def test_an_event_loop_goes_on_while_a_question_is_answered(lake_index: Index) -> None:
    """Several questions at once, each with the answer of `rank`."""
    reranker = Reranker(lake_index)

    async def ask() -> list[Selection]:
        return await asyncio.gather(*(reranker.arank(text, 4, exclude=["gym.members"]) for text in TEXTS[:6]))

    expected = [essence(reranker.rank(text, 4, exclude=["gym.members"])) for text in TEXTS[:6]]
    assert [essence(selection) for selection in asyncio.run(ask())] == expected


@contextmanager
def held_back(index: Index) -> Iterator[tuple[Reranker, threading.Event, threading.Event]]:
    """A re-ranker whose retriever says that it has begun, and waits until it may go on."""
    begun, go = threading.Event(), threading.Event()

    def retrieve(question: str, count: int, *, exclude: Collection[str] = ()) -> list[tuple[str, float]]:
        begun.set()
        assert go.wait(60)
        return [(table, 1.0) for table in QUESTIONS[0].tables]

    try:
        yield Reranker(index, retriever=retrieve), begun, go
    finally:
        go.set()


def test_a_cancelled_question_ends_at_once(lake_index: Index) -> None:
    """Though its thread is still at work; the re-ranker answers the next one."""

    async def cancel() -> Selection:
        with held_back(lake_index) as (reranker, begun, go):
            task = asyncio.create_task(reranker.arank(TEXTS[0], 4))
            await asyncio.to_thread(begun.wait, 60)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert not go.is_set()
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(reranker.arank(TEXTS[0], 4), 0.01)
            go.set()
            return await reranker.arank(TEXTS[0], 4)

    assert set(asyncio.run(cancel()).tables) == set(QUESTIONS[0].tables)


def test_an_error_reaches_who_awaits(lake_index: Index) -> None:
    """As from `rank`."""
    with pytest.raises(QueryError, match="the question is empty"):
        asyncio.run(Reranker(lake_index).arank(" "))
