"""Whatever a language model answers, who asks one has an answer, and a note of what went wrong."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

from chat_server import says, sends, stays_silent
from hostile_answers import SEED, Hostile, answers, damaged, huge, odd_value

from benchmarks.sql.writer import WrittenSql
from jar import Index, Reranker
from jar.imagined.probes import MOST_PROBES
from jar.language import LlmDecomposer, OpenAiModel, SchemaHallucinator
from jar.language.credentials import Secret
from jar.language.exchange import Failure, Reply, read_reply
from jar.multihop import LlmRewriter, MultiHopRetriever, ResidualRewriter
from jar.multihop.llm_rewriter import MOST
from jar.text.decomposition import MAXIMUM

COUNT = 500
RANKED = 8
"""Answers that a whole ranking is made of, of those that were read as something."""
QUESTION = "Which female clients of the bank own credit cards and also have loans?"
SERVED = 12


def are_texts(texts: Any) -> bool:
    """Texts that any embedder takes."""
    return all(isinstance(text, str) and text.strip() and text.encode("utf-8") for text in texts)


def spread(found: list[Any]) -> list[Any]:
    """A few of them, evenly spaced."""
    return found[:: max(1, len(found) // RANKED)]


def test_subqueries_of_any_answer(lake_index: Index) -> None:
    """Those of the model, or those without one and a note; a ranking with either is strict JSON."""
    read, noted = [], 0
    for answer in answers(COUNT):
        found = LlmDecomposer(Hostile(answer))(QUESTION)
        assert 0 < len(found) <= MAXIMUM
        assert are_texts(found)
        assert found.note.isprintable()
        assert bool(found.note) == (found.source != "llm:hostile")
        noted += bool(found.note)
        read += [] if found.note else [answer]
    assert min(noted, len(read)) > COUNT / 10
    for answer in spread(read):
        selection = Reranker(lake_index, decomposer=LlmDecomposer(Hostile(answer))).rank(QUESTION, 3)
        assert len(selection.tables) == 3
        assert json.dumps(selection.to_dict(), allow_nan=False)


def test_schemas_of_any_answer(lake_index: Index) -> None:
    """Those of the model, or the question's own words and a note; a choice of columns with either is strict JSON."""
    read, noted = [], 0
    for answer in answers(COUNT):
        found = SchemaHallucinator(Hostile(answer))(QUESTION)
        assert 0 < len(found) <= MOST_PROBES
        assert are_texts(probe.text for probe in found)
        assert bool(found.note) == (found.source != "llm:hostile")
        assert found.note.isprintable()
        noted += bool(found.note)
        read += [] if found.note else [answer]
    assert min(noted, len(read)) > COUNT / 10
    for answer in spread(read):
        columns = Reranker(lake_index, hallucinator=SchemaHallucinator(Hostile(answer))).columns(QUESTION, 4)
        assert len(columns.column_names) == 4
        assert json.dumps(columns.to_dict(), allow_nan=False)


def test_rewrites_of_any_answer(lake_index: Index) -> None:
    """Those of the model, an end, or those without one and a note; the retriever finds tables with any of them."""
    fallback, read, noted = ResidualRewriter(lake_index), [], 0
    signatures = lake_index.signatures[:2]
    for answer in answers(COUNT):
        found = LlmRewriter(Hostile(answer), fallback)(QUESTION, signatures)
        assert len(found.texts) <= MOST
        assert are_texts(found.texts)
        assert found.note.isprintable()
        noted += bool(found.note)
        read += [] if found.note else [answer]
    assert min(noted, len(read)) > COUNT / 10
    for answer in spread(read):
        rewriter = LlmRewriter(Hostile(answer), fallback)
        assert len(MultiHopRetriever(lake_index, rewriter, hops=2)(QUESTION, 5)) == 5


def test_queries_of_any_answer() -> None:
    """The text from which a query is read may be any: what is found is a text without a second statement."""
    for answer in answers(COUNT):
        if isinstance(answer, str):
            assert ";" not in WrittenSql(answer).sql


def body(chance: random.Random) -> bytes:
    """What a server may send in place of a completion, or a completion of something odd."""
    ended = chance.choice(["stop", "length", None, 3])
    choice: Any = {"finish_reason": ended, "message": {"content": odd_value(chance)}}
    document = {"choices": [choice], "usage": odd_value(chance)}
    match chance.randrange(6):
        case 0:
            return json.dumps(odd_value(chance)).encode("utf-8", "surrogatepass")
        case 1:
            return chance.randbytes(chance.randrange(2000))
        case 2:
            return huge(chance).encode()
        case 3:
            return damaged(json.dumps(document), chance).encode("utf-8", "surrogatepass")
        case 4:
            choice["message"] = odd_value(chance)
        case _:
            document["choices"] = odd_value(chance)
    return json.dumps(document).encode("utf-8", "surrogatepass")


def test_any_body_is_a_reply_or_a_failure() -> None:
    """Of a server that promises a completion."""
    chance = random.Random(SEED)
    for _ in range(COUNT):
        found = read_reply(body(chance), Secret("s3cret"))
        assert isinstance(found, Failure) or (isinstance(found, Reply) and found.text.strip())


def test_a_server_that_sends_anything(ask: Callable[..., tuple[OpenAiModel, Any]]) -> None:
    """Through the client, with statuses of all kinds, and one that says nothing in time."""
    chance = random.Random(SEED)
    script = [sends(body(chance), chance.choice([200, 200, 201, 302, 400, 401, 404, 418])) for _ in range(SERVED)]
    script += [says("["), stays_silent]
    model, server = ask(*script, attempts=1, timeout=0.3, deadline=0.6)
    for _ in script:
        model._rests_until = 0.0  # it rests after several failures in a row
        found = LlmDecomposer(model)(QUESTION)
        assert are_texts(found)
        assert found.note or found.source == "llm:toy"
    assert len(server.requests) >= len(script) - 1
