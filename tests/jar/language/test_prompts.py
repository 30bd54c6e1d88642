"""What a model is told: versioned, with examples that are true of the sample lake."""

from __future__ import annotations

import hashlib
import json
import re

import pytest

from jar.language import PROMPT_VERSION, parse_subqueries
from jar.language.prompts import EXAMPLES, Example, decomposition_messages, schema_messages, show
from jar.sample import QUESTIONS, sample_columns

DIGESTS = {1: "1b1d5882c30f28dc"}
"""Of all texts, by version: whoever changes a text raises `PROMPT_VERSION` and adds its digest here."""


def test_a_change_of_the_prompts_raises_their_version() -> None:
    """Kept answers to other prompts must not be taken for answers to these."""
    texts = json.dumps([decomposition_messages("?", "tables"), schema_messages("?", "tables")])
    assert hashlib.sha256(texts.encode()).hexdigest()[:16] == DIGESTS[PROMPT_VERSION]


@pytest.mark.parametrize("build", [decomposition_messages, schema_messages])
def test_a_conversation_ends_with_the_question(build: object) -> None:
    """A task, then examples question by question, then the user's own question, untouched."""
    question = '  Which "loans"\nare {open}? %s'
    messages = build(question)
    assert [message["role"] for message in messages] == ["system", *["user", "assistant"] * len(EXAMPLES), "user"]
    assert messages[-1]["content"] == question
    assert build("another")[:-1] == messages[:-1]
    told = build(question, "bank.loan\nbank.client")
    assert told[1:] == messages[1:]
    assert told[0]["content"].startswith(f"{messages[0]['content']}\n")
    assert told[0]["content"].endswith("\nbank.loan\nbank.client")


@pytest.mark.parametrize("example", EXAMPLES, ids=[example.question for example in EXAMPLES])
def test_examples_are_true_of_the_sample_lake(example: Example) -> None:
    """Their tables stand in one database of the lake with these columns, and each sub-query names one of them."""
    tables = {}
    for line in example.schema:
        name, columns = re.fullmatch(r"(\w+)\((.+)\)", line).groups()
        tables[name] = set(columns.split(", "))
    lake = {table_id: set(columns) for table_id, columns in sample_columns(rows=10).items()}
    databases = {table_id.split(".")[0] for table_id in lake}
    assert [
        database
        for database in databases
        if all(columns <= lake.get(f"{database}.{name}", set()) for name, columns in tables.items())
    ]
    for subquery in example.subqueries:
        concept, _, attribute = subquery.lower().replace(" ", "_").partition(":")
        assert any(
            name == f"{concept}s" and any(column.startswith(attribute) for column in columns)
            for name, columns in tables.items()
        )


def test_examples_are_no_questions_of_the_demo() -> None:
    """A model could copy those answers."""
    assert not {example.question for example in EXAMPLES} & {question.text for question in QUESTIONS}


def test_the_answers_of_the_examples_are_what_is_read() -> None:
    """The form that is asked for is read without loss."""
    messages = decomposition_messages("?")
    answers = [message["content"] for message in messages if message["role"] == "assistant"]
    assert [tuple(parse_subqueries(answer)) for answer in answers] == [example.subqueries for example in EXAMPLES]


def test_a_conversation_is_shown_in_order() -> None:
    """Role by role, text by text."""
    assert show([{"role": "system", "content": "Do."}, {"role": "user", "content": "Hm?"}]) == (
        "--- system ---\nDo.\n\n--- user ---\nHm?"
    )
