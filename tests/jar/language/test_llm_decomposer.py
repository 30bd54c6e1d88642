"""A language model writes the sub-queries of a ranking; without its answer the ranking comes all the same."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Sequence

import pytest
from chat_server import (
    Behaviour,
    ChatServer,
    Handler,
    completion,
    drips,
    drops,
    hangs_up,
    refuses,
    says,
    sends,
    stays_silent,
)

from jar import Index, Reranker
from jar.language import LanguageModelError, LlmDecomposer, Message, OpenAiModel, SchemaContext
from jar.sample import QUESTIONS
from jar.text.decomposition import Decomposition, decompose

Ask = Callable[..., tuple[OpenAiModel, ChatServer]]

QUESTION = QUESTIONS[0].text
GOOD = '["client:gender", "card:type", "loan"]'


class Toy:
    """A model that says what it is told, and remembers what it was asked."""

    def __init__(self, answer: object, name: str = "toy") -> None:
        self.answer = answer
        self.name = name
        self.asked: list[Sequence[Message]] = []
        self.forgotten = 0

    def complete(self, messages: Sequence[Message]) -> str:
        self.asked.append(messages)
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer

    def forget(self, messages: Sequence[Message]) -> None:
        self.forgotten += messages == self.asked[-1]


def test_the_model_s_sub_queries_are_ranked_with(ask: Ask, lake_index: Index) -> None:
    """What the server wrote is covered, the result names the model, and equals that of the same sub-queries given."""
    model, server = ask(says(f"Sure! {GOOD}"))
    result = Reranker(lake_index, decomposer=LlmDecomposer(model)).rank(QUESTION, k=4)
    given = Reranker(lake_index).rank(QUESTION, k=4, subqueries=json.loads(GOOD))
    assert result.subqueries == ("client:gender", "card:type", "loan")
    assert result.decomposition == "llm:toy"
    assert result.notes == ()
    assert (result.tables, result.value) == (given.tables, given.value)
    assert "sub-queries (llm:toy): client:gender | card:type | loan" in result.explain()
    assert result.to_dict()["decomposition"] == "llm:toy"
    assert len(server.requests) == 1


def test_only_the_question_is_sent(ask: Ask, lake_index: Index) -> None:
    """No name and no value of a table of the index is in the request, other than those of the fixed examples."""
    model, server = ask(says(GOOD))
    decomposer = LlmDecomposer(model)
    Reranker(lake_index, decomposer=decomposer).rank("Anything new?", k=2)
    sent = server.requests[0]["body"]["messages"]
    assert sent == decomposer.messages("Anything new?")
    assert sent[-1] == {"role": "user", "content": "Anything new?"}
    assert sent[:-1] == LlmDecomposer(Toy("")).messages("")[:-1]


def test_names_are_sent_where_they_are_asked_for(lake_index: Index) -> None:
    """A context adds tables, or tables with columns, to what the model is told."""
    plain = SchemaContext(lake_index, "tables", count=3)
    model = Toy(GOOD)
    LlmDecomposer(model, context=plain)(QUESTION)
    told = model.asked[0][0]["content"]
    assert plain(QUESTION) in told
    assert len(plain(QUESTION).splitlines()) == 3
    assert "(" not in plain(QUESTION)
    detailed = SchemaContext(lake_index, count=21)(QUESTION)
    assert "bank.client(client_id, gender, birth_date, district_id)" in detailed


def port_without_server() -> int:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        return int(unused.getsockname()[1])


FAULTS: dict[str, tuple[Behaviour, str]] = {
    "slow": (stays_silent, "timeout"),
    "dripping": (drips(b" ", b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"), "timeout"),
    "dropped": (drops, "no connection"),
    "closed": (hangs_up, "no connection"),
    "too many requests": (refuses(429, "slow down", Retry_After="60"), "status 429: slow down"),
    "internal error": (refuses(500, "oh"), "status 500: oh"),
    "truncated JSON": (sends(completion(GOOD)[:-20]), "no whole JSON document"),
    "wrong content": (sends(b'{"weather": "fine"}'), "no chat completion"),
    "a megabyte": (says("x, " * 333_333), "more than 262,144 bytes"),
    "an apology": (says("I am sorry, I cannot help with that."), "makes no sense"),
    "an essay": (says("The client is a person. " * 500), "makes no sense"),
    "other JSON": (says('{"error": "overloaded"}'), "makes no sense"),
    "an empty list": (says("[]"), "makes no sense"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_the_ranking_comes_whatever_the_server_does(ask: Ask, lake_index: Index, fault: str) -> None:
    """Tables and value are those without a model, the result says why, and at most two requests were made."""
    behaviour, reason = FAULTS[fault]
    model, server = ask(behaviour, attempts=2, timeout=0.3 if reason == "timeout" else 20.0, deadline=2.0)
    result = Reranker(lake_index, decomposer=LlmDecomposer(model)).rank(QUESTION, k=4)
    default = Reranker(lake_index).rank(QUESTION, k=4)
    assert default.decomposition == "default"
    assert (result.tables, result.value, result.subqueries) == (default.tables, default.value, default.subqueries)
    assert result.decomposition.startswith("default (toy failed: ")
    assert reason in result.decomposition
    (note,) = result.notes
    assert reason in note
    assert f"note: {note}" in str(result)
    assert len(server.requests) <= 2


def test_the_ranking_comes_without_a_server(lake_index: Index) -> None:
    """A refused connection is such a fault too."""
    model = OpenAiModel("toy", base_url=f"http://127.0.0.1:{port_without_server()}/v1", attempts=1)
    result = Reranker(lake_index, decomposer=LlmDecomposer(model)).rank(QUESTION, k=4)
    assert result.tables == Reranker(lake_index).rank(QUESTION, k=4).tables
    assert result.decomposition == "default (toy failed: no connection (ConnectError))"


def test_nonsense_is_not_kept(ask: Ask) -> None:
    """The next call asks again; a good answer is kept then."""
    model, server = ask(says("I am sorry."), says(GOOD))
    decomposer = LlmDecomposer(model)
    assert decomposer(QUESTION) == decompose(QUESTION)
    assert decomposer(QUESTION) == json.loads(GOOD)
    assert decomposer(QUESTION) == json.loads(GOOD)
    assert len(server.requests) == 2


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (LanguageModelError("out of breath"), "out of breath"),
        (RuntimeError("sk-secret in my words"), "RuntimeError"),
        (None, "returned NoneType and no text"),
        ("Hm.", 'makes no sense: "Hm."'),
        ("Hm,\n\x1b[31mhm. " * 50, 'makes no sense: "Hm, [31mhm. Hm, [31mhm.'),
    ],
)
def test_any_model_may_fail(answer: object, reason: str) -> None:
    """A model of the caller's own may raise or return what it likes; strange words of exceptions are not repeated."""
    model = Toy(answer)
    found = LlmDecomposer(model)(QUESTION)
    assert found == decompose(QUESTION)
    assert reason in found.source
    assert "sk-secret" not in found.source + found.note
    assert found.source.isprintable()
    assert len(found.note) < 300
    assert model.forgotten == isinstance(answer, str)


def test_a_fallback_of_the_caller_s_takes_the_place_of_the_default() -> None:
    """`fallback` is any decomposer."""
    found = LlmDecomposer(Toy("Hm."), fallback=lambda question: ["anything"])(QUESTION)
    assert found == ["anything"]


def test_a_model_without_a_name_goes_by_that_of_its_class() -> None:
    """Results name whom they can."""
    assert LlmDecomposer(Toy(GOOD, name=""))(QUESTION).source == "llm:Toy"


def test_many_questions_are_asked_at_once(ask: Ask, lake_index: Index) -> None:
    """`rank_many` asks as many as the model allows and answers like `rank`, in the order of the questions."""
    pairs = threading.Barrier(2, timeout=60)

    def echoes(handler: Handler) -> None:
        pairs.wait()
        handler.send(completion('["loan:amount", "region"]'))

    model, server = ask(echoes, concurrency=2, timeout=60.0, deadline=60.0)
    reranker = Reranker(lake_index, decomposer=LlmDecomposer(model))
    questions = [question.text for question in QUESTIONS] + ["How many loans are there?"]
    results = reranker.rank_many(questions, k=3)
    assert [result.question for result in results] == questions
    assert {result.decomposition for result in results} == {"llm:toy"}
    assert server.most_busy == 2
    assert [reranker.rank(question, k=3).tables for question in questions] == [result.tables for result in results]
    assert len(server.requests) == 4


def test_each_of_many_questions_gets_its_own_answer(ask: Ask, lake_index: Index) -> None:
    """Answers are not mixed up between threads, and one failure does not touch the others."""

    def last_word(handler: Handler) -> None:
        question = handler.body["messages"][-1]["content"]
        handler.send(completion("no idea" if "poetry" in question else json.dumps([question.split()[-1].strip("?")])))

    model, _ = ask(last_word)
    results = Reranker(lake_index, decomposer=LlmDecomposer(model)).rank_many([q.text for q in QUESTIONS], k=3)
    assert [result.subqueries for result in results] == [
        ("loans",),
        tuple(decompose(QUESTIONS[1].text)),
        ("bank",),
    ]
    assert [bool(result.notes) for result in results] == [False, True, False]


def test_given_sub_queries_ask_no_model(ask: Ask, lake_index: Index) -> None:
    """The caller's win, one by one."""
    model, server = ask(says(GOOD))
    reranker = Reranker(lake_index, decomposer=LlmDecomposer(model))
    assert reranker.rank(QUESTION, k=2, subqueries=["loan"]).decomposition == "caller"
    assert server.requests == []
    results = reranker.rank_many([QUESTION, "Which loans?"], k=2, subqueries=[["loan"], None])
    assert [result.decomposition for result in results] == ["caller", "llm:toy"]
    assert len(server.requests) == 1


def test_a_plain_callable_is_named(lake_index: Index) -> None:
    """Results tell which decomposer wrote the sub-queries."""

    def by_comma(question: str) -> list[str]:
        return question.split(",")

    def signed(question: str) -> Decomposition:
        return Decomposition([question], "my own", note="written in haste")

    plain = Reranker(lake_index, decomposer=by_comma).rank("client,loan", k=2)
    assert plain.decomposition.startswith("callable:")
    assert plain.decomposition.endswith("by_comma")
    result = Reranker(lake_index, decomposer=signed).rank("client", k=2)
    assert (result.decomposition, result.notes) == ("my own", ("written in haste",))
