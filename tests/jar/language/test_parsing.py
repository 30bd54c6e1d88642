"""Sub-queries are read out of answers however models write them, and out of nothing else."""

from __future__ import annotations

import json
import string
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jar.language import parse_subqueries
from jar.language.parsing import LONGEST
from jar.text.decomposition import MAXIMUM

EXPECTED = ["client:gender", "credit card", "loan:amount"]

ANSWERS = {
    "the JSON that was asked for": '["client:gender", "credit card", "loan:amount"]',
    "in a fence": '```json\n["client:gender", "credit card", "loan:amount"]\n```',
    "between sentences": 'Sure! Here it is:\n\n["client:gender", "credit card", "loan:amount"]\n\nHope this [helps]!',
    "after thinking aloud": '<think>\n1. maybe ["age"]\n</think>\n["client:gender", "credit card", "loan:amount"]',
    "blanks after the colon": '["client: gender", "credit card", "loan :amount"]',
    "a Python list": "['client:gender', 'credit card', 'loan:amount']",
    "Python's quotes mixed": "subqueries = ['client:gender', \"credit card\", 'loan:amount']",
    "cut off": '["client:gender", "credit card", "loan:amount", "and th',
    "an object": '{"subqueries": ["client:gender", "credit card", "loan:amount"]}',
    "an object that explains": '{"reasoning": "We need clients.", "sub-queries": ["client:gender", "credit card", '
    '"loan:amount"]}',
    "objects": '[{"concept": "client", "attribute": "gender"}, {"concept": "credit card"}, '
    '{"concept": "loan", "attribute": "amount"}]',
    "objects with lists": '[{"table": "client", "columns": ["gender"]}, {"table": "credit card", "columns": []}, '
    '{"table": "loan", "columns": ["amount"]}]',
    "objects with texts": '[{"id": 1, "subquery": "client:gender"}, {"id": 2, "subquery": "credit card"}, '
    '{"id": 3, "subquery": "loan:amount"}]',
    "a mapping": '{"client": ["gender"], "credit card": [], "loan": "amount"}',
    "a JSON line each": '"client:gender"\n"credit card"\n"loan:amount"',
    "numbers": "1. client:gender\n2. credit card\n3. loan:amount",
    "numbers with brackets": "1) client:gender\n2) credit card\n3) loan:amount",
    "letters": "a) client:gender\nb) credit card\nc) loan:amount",
    "bullets": "- client:gender\n- credit card\n- loan:amount",
    "stars and prose": "Here are the sub-queries:\n\n* client:gender\n* credit card\n* loan:amount\n\nLet me know!",
    "bold, with reasons": "1. **client:gender** - only women\n2. **credit card** (the card itself)\n"
    "3. **loan:amount** -- because loans are asked for",
    "bold concepts": "- **client**: gender\n- **credit card**\n- **loan**: amount",
    "code": "- `client:gender`\n- `credit card`\n- `loan:amount`",
    "arrows": "1. female clients -> client:gender\n2. credit cards -> credit card\n3. loans → loan:amount".replace(
        "credit cards -> ", ""
    ),
    "labels": "Sub-query 1: client:gender\nSub-query 2: credit card\nSub-query 3: loan:amount",
    "labels in a list": "1. Sub-query: client:gender\n2. Sub-query: credit card\n3. Sub-query: loan:amount",
    "a labelled line": "Sub-queries: client:gender, credit card, loan:amount",
    "a line": "client:gender, credit card; loan:amount",
    "lines": "client:gender\ncredit card\nloan:amount\n\nThese cover the whole question.",
    "dots for colons": "- client.gender\n- credit card\n- loan.amount",
    "tables with columns": "client(gender)\ncredit card\nloan(amount)",
    "Windows": "1. client:gender\r\n2. credit card\r\n3. loan:amount\r\n",
    "twice": '["client:gender", "credit card", "Client:Gender", "loan:amount", "credit card"]',
    "quotes in a list": "1. \"client:gender\"\n2. “credit card”\n3. 'loan:amount'",
}


@pytest.mark.parametrize("form", ANSWERS)
def test_the_forms_in_which_models_answer(form: str) -> None:
    """All say the same three things."""
    assert parse_subqueries(ANSWERS[form]) == EXPECTED


NONSENSE = {
    "nothing": "",
    "blank": "  \n ",
    "an apology": "I'm sorry, but I cannot help with that.",
    "two": "Sorry.\nI cannot help with that.",
    "a question": "Could you tell me more about the tables?",
    "an essay": "The question asks for clients. A client has a gender: male or female, as stored in a column. " * 20,
    "an empty list": "[]",
    "numbers": "[1, 2, 3]",
    "null": "null",
    "an error": '{"error": {"message": "overloaded", "code": 503}}',
    "a page": "<!DOCTYPE html>\n<html><head><title>502</title></head></html>",
    "endless thought": '<think>["client:gender"] would do, or maybe not. ' + "Hm. " * 99,
    "marks": "!!!\n---\n***",
    "deep": "[" * 10_000,
    "deep objects": '{"a":' * 5_000,
    "a long word": "x" * 10_000,
    "control characters": "- \x00\x01\n- \x1b[2J",
}


@pytest.mark.parametrize("form", NONSENSE)
def test_what_holds_no_sub_query(form: str) -> None:
    """Apologies, essays and error pages are no sub-queries, and nothing is raised."""
    assert parse_subqueries(NONSENSE[form]) == []


@given(st.text() | st.text(alphabet='[]{}":,-*1.)\n abc<think>/`(', max_size=300))
def test_any_text_is_read_within_bounds(text: str) -> None:
    """Whatever a model writes, there are few sub-queries, short, distinct, in one printable line each."""
    found = parse_subqueries(text)
    assert len(found) <= MAXIMUM
    assert len({subquery.casefold() for subquery in found}) == len(found)
    for subquery in found:
        assert 0 < len(subquery) <= LONGEST
        assert subquery == subquery.strip()
        assert subquery.isprintable()
        subquery.encode("utf-8")


WORD = st.text(string.ascii_lowercase, min_size=2, max_size=8).filter(
    lambda word: word not in {"because", "answer", "output", "decomposition", "error"}
)
PART = st.lists(WORD, min_size=1, max_size=3).map(" ".join)
PAIRS = st.lists(st.builds("{}:{}".format, PART, PART), min_size=1, max_size=MAXIMUM, unique=True)
FORMS: list[Callable[[list[str]], str]] = [
    json.dumps,
    lambda subqueries: json.dumps({"subqueries": subqueries}, indent=2),
    repr,
    lambda subqueries: "\n".join(f"- {subquery}" for subquery in subqueries),
    lambda subqueries: "\n".join(f"{number}. **{subquery}**" for number, subquery in enumerate(subqueries, 1)),
    lambda subqueries: (
        "Here you go:\n\n" + "\n".join(f"{n}) {s} - needed" for n, s in enumerate(subqueries, 1)) + "\n\nDone."
    ),
    lambda subqueries: f"<think>hm: {subqueries[0]}!</think>\n```\n{json.dumps(subqueries)}\n```",
    lambda subqueries: "Sub-queries: " + "; ".join(subqueries),
    "\n".join,
]


@given(PAIRS, st.sampled_from(FORMS))
def test_any_sub_queries_come_back_from_any_form(subqueries: list[str], form: Callable[[list[str]], str]) -> None:
    """Writing and reading are inverse for "concept:attribute", whatever the words and the form."""
    assert parse_subqueries(form(subqueries)) == subqueries


def test_sides_that_are_sentences_are_left_out() -> None:
    """A concept with a sentence after its colon keeps the concept; a sentence alone goes."""
    answer = "1. Client: we want to know of each client whether she is female\n2. " + "and so on " * 20
    assert parse_subqueries(answer) == ["Client"]


def test_more_than_the_maximum_is_cut() -> None:
    """The first ones stay, as in the default decomposition."""
    letters = string.ascii_lowercase[:20]
    assert parse_subqueries(json.dumps([f"concept {letter}" for letter in letters])) == [
        f"concept {letter}" for letter in letters[:MAXIMUM]
    ]


@pytest.mark.timeout(30)
@pytest.mark.parametrize("unit", ["'", "1", "*", " ", "#", "a:", "->", '"'])
def test_no_answer_is_read_for_minutes(unit: str) -> None:
    """No run of marks makes a pattern try its parts in as many ways as there are of them."""
    for start in ("", "}\n", "- ", '["'):
        assert len(parse_subqueries((start + unit * 20_000)[:19_998] + "]\n")) <= MAXIMUM
