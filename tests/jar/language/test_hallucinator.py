"""A language model imagines a schema; without its answer the question's own words are the probes."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

import pytest
from chat_server import Behaviour, ChatServer, Handler, completion, drops, refuses, says, sends

from jar.imagined.probes import Probe, parse_schema
from jar.language import LlmDecomposer, Message, OpenAiModel, SchemaHallucinator
from jar.language.hallucinator import Hallucination, probes_of
from jar.language.prompts import EXAMPLES, schema_messages
from jar.sample import QUESTIONS
from jar.text.decomposition import decompose

Ask = Callable[..., tuple[OpenAiModel, ChatServer]]

QUESTION = QUESTIONS[0].text
SCHEMA = "client(client_id, gender)\ncard(type)\nloan"
PROBES = (Probe("client", "client_id"), Probe("client", "gender"), Probe("card", "type"), Probe("loan"))


@pytest.mark.parametrize(
    "answer",
    [
        "client(client_id, gender)\ncard(type)\nloan(amount)",
        "<think>client? account(id)?</think>\n```\nclient(client_id, gender)\ncard(type)\nloan(amount)\n```",
        "1. client(client_id, gender)\n2. card(type)\n3. loan(amount)",
        '{"client": ["client_id", "gender"], "card": ["type"], "loan": ["amount"]}',
    ],
)
def test_the_imagined_columns_are_probes(ask: Ask, answer: str) -> None:
    """Tables and columns come back in order, with the model's name; the second call is answered from the disk."""
    model, server = ask(says(answer))
    hallucinate = SchemaHallucinator(model)
    probes = hallucinate(QUESTION)
    assert probes == (*PROBES[:3], Probe("loan", "amount"))
    assert (probes.source, probes.note) == ("llm:toy", "")
    assert hallucinate(QUESTION) == probes
    assert len(server.requests) == 1
    assert server.requests[0]["body"]["messages"] == hallucinate.messages(QUESTION) == schema_messages(QUESTION)


def test_the_answers_of_the_examples_are_what_is_read() -> None:
    """The form that is asked for is read without loss."""
    for example in EXAMPLES:
        text = "\n".join(example.schema)
        assert Hallucination(parse_schema(text), "").text == text


def test_a_schema_is_shown_as_text() -> None:
    """A line for each table, columns of one table together."""
    mixed = Hallucination([*PROBES, Probe("card", "issued")], "llm:toy")
    assert mixed.text == "client(client_id, gender)\ncard(type, issued)\nloan"
    assert Hallucination((), "default").text == ""


FAULTS: dict[str, tuple[Behaviour, str]] = {
    "dropped": (drops, "no connection"),
    "refused": (refuses(404, "no toy here"), "status 404: no toy here"),
    "another schema": (sends(b'{"answer": 1}'), "no chat completion"),
    "an apology": (says("I am sorry, I cannot help with that."), "makes no sense"),
    "an empty list": (says("[]"), "makes no sense"),
    "a page": (says("<html><body>Bad gateway</body></html>"), "makes no sense"),
    "a refusal": (says("Unauthorized"), "makes no sense"),
    "a failure": (says('{"error": {"message": "too many requests"}}'), "makes no sense"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_probes_come_whatever_the_server_does(ask: Ask, fault: str) -> None:
    """They are the question's words then, and say why; nonsense is not kept."""
    behaviour, reason = FAULTS[fault]
    model, server = ask(behaviour, attempts=1)
    probes = SchemaHallucinator(model)(QUESTION)
    assert probes == probes_of(QUESTION)
    assert [probe.table for probe in probes] == decompose(QUESTION)
    assert probes.source.startswith("default (toy failed: ")
    assert reason in probes.source
    assert reason in probes.note
    server.script[:] = [says("client(gender)")]
    assert SchemaHallucinator(model)(QUESTION).source == "llm:toy"


def test_probes_without_a_model_take_concepts_and_attributes_apart() -> None:
    """ "client:gender" is a table and a column; a chunk alone is a table."""
    assert probes_of("What is the client:gender of loans?")[-1] == Probe("loans")
    assert all(probe.text for probe in probes_of(QUESTION))
    assert probes_of("") == ()


def test_a_fallback_and_a_context_of_the_caller_s() -> None:
    """`fallback` takes the place of the question's words, `context` is told to the model."""

    class Silent:
        def complete(self, messages: Sequence[Message]) -> str:
            self.told = messages[0]["content"]
            return ""

    model = Silent()
    hallucinate = SchemaHallucinator(model, context=lambda question: "bank.client", fallback=lambda question: PROBES)
    assert hallucinate(QUESTION) == PROBES
    assert model.told.endswith("\nbank.client")
    assert hallucinate("  ") == ()


def test_many_schemas_are_asked_for_at_once(ask: Ask) -> None:
    """In pairs, in the order of the questions; a decomposition of the same question is another request."""
    pairs = threading.Barrier(2, timeout=60)

    def answers(handler: Handler) -> None:
        pairs.wait()
        question = handler.body["messages"][-1]["content"]
        handler.send(completion(f"{question}(gender)"))

    model, server = ask(answers, concurrency=2, timeout=60.0, deadline=60.0)
    found = SchemaHallucinator(model).many(["client", "loan", "card", "district"])
    assert [probes[0].table for probes in found] == ["client", "loan", "card", "district"]
    assert server.most_busy == 2
    LlmDecomposer(model).many(["client", "loan"])
    assert len(server.requests) == 6
