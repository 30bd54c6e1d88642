"""Answers that a language model may give and nobody asked for, drawn with a fixed seed."""

from __future__ import annotations

import concurrent.futures
import json
import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from jar.errors import LanguageModelError
from jar.language import Message

SEED = 20_261
NAMES = [
    "client", "bank.loan", "amount", "", " ", "\0", "a\nb", "\x1b[31mred", "\u202egnp", "\ud83d", "名前", "é" * 200,
    "x" * 5000, "'; DROP TABLE x; --", "<script>", "{{7*7}}", "%s%n", "../../etc", "NaN", "None", "a:b:c:d", "a(b(c",
    "\u2028", "\ufeffid", "`", '"', "\\", "\\u00", "1e999", "-", "|", "SELECT", "CREATE TABLE",
]  # fmt: skip
VALUES = [None, True, False, 0, -1, 3.5, 10**30, 1e308, float("nan"), float("inf"), "", [], {}, [[]], [None], {"": 0}]
WHOLE = [
    '["client:gender", "loan:amount"]',
    '{"tables": [{"name": "client", "columns": [{"name": "id"}, {"name": "gender"}]}]}',
    "client(client_id, gender)\nloan(loan_id, amount)",
    "bank.loan(loan_id, amount)\nbank.card(card_id)",
    "CREATE TABLE client (id INT PRIMARY KEY, gender VARCHAR(1), FOREIGN KEY (id) REFERENCES x(id));",
    "### client\n- id\n- gender\n\n| table | column |\n| --- | --- |\n| loan | amount |",
    "<think>what joins?</think>\n1. **client: gender** - only women\n2. `loan`",
    "```json\n{'client': ['id', 'name',], 'loan': ['amount'\n```",
]
REFUSALS = [
    "", " \n\t ", "I am sorry, I cannot help with that.", "As an AI language model, I", "None.", "null", "[]", "{}",
    "429 Too Many Requests", "<html><body>502 Bad Gateway</body></html>", '{"error": {"message": "no", "code": 500}}',
    '{"detail": "not found"}', "Unauthorized", "...", "?", "data: [DONE]", "\ufffd\ufffd",
]  # fmt: skip
NO_TEXTS: list[Any] = [None, 3, float("nan"), b"client(id)", ["client(id)"], {"content": "client(id)"}, object(), ()]
FAILURES: list[Exception] = [
    LanguageModelError("timeout: no whole answer in 60 s"), TimeoutError(), concurrent.futures.TimeoutError(),
    ConnectionResetError(104, "reset"), ValueError("\ud800"), KeyError("choices"), RecursionError(), MemoryError(),
    UnicodeDecodeError("utf-8", b"\xff", 0, 1, "no"), StopIteration(), OSError(28, "No space left on device"),
    AssertionError(), NotImplementedError(), ZeroDivisionError(),
]  # fmt: skip


def odd_value(chance: random.Random, depth: int = 0) -> Any:
    """A JSON value of names and of what is none."""
    kind = chance.random()
    if depth > 4 or kind < 0.3:
        return chance.choice(NAMES)
    if kind < 0.45:
        return chance.choice(VALUES)
    inner = [odd_value(chance, depth + 1) for _ in range(chance.randrange(5))]
    if kind < 0.75:
        return inner
    keys = ["table", "tables", "name", "columns", "column", "concept", "attribute", "subqueries", "error", *NAMES]
    return {chance.choice(keys): value for value in inner}


def damaged(text: str, chance: random.Random) -> str:
    """A text cut off, doubled, with a piece of it moved, or with something odd in it."""
    place = chance.randrange(len(text) + 1)
    match chance.randrange(5):
        case 0:
            return text[:place]
        case 1:
            return text[place:] + text[:place]
        case 2:
            return text[:place] + chance.choice(NAMES) + text[place:]
        case 3:
            return text.replace(chance.choice("[](){}\"':,\n"), chance.choice(["", "((", "[[", '"', "\n\n", "\0"]))
        case _:
            return text + "\n" + chance.choice(REFUSALS)


def huge(chance: random.Random) -> str:
    """A text of some hundred thousand characters, all alike or nested as deep."""
    number = 150_000
    kinds = ["[", "{", "(", '{"a":', "[[1", "client(", "<think>", "<b>", "a(b) ", "- x\n", "|", "`", "/*", "--", " ("]
    return chance.choice([*kinds, "\n", " ", "9", '"', "x", "client(id)\n", '["client:id"],', "::", "<br/>"]) * number


def nested(chance: random.Random) -> str:
    """A whole JSON document of tens to hundreds of levels."""
    pairs = [("[", "]"), ('{"client": ', "}"), ('{"subqueries": [', "]}"), ('[{"tables": ', "}]")]
    opened, closed = chance.choice(pairs)
    levels = chance.randrange(10, 480)
    return opened * levels + '["client:gender"]' + closed * levels


def one_answer(chance: random.Random) -> Any:
    """An answer: a text, another object, or an exception that is to be raised."""
    kind = chance.random()
    if kind < 0.3:
        return json.dumps(odd_value(chance), ensure_ascii=chance.random() < 0.5)
    if kind < 0.65:
        return damaged(chance.choice(WHOLE), chance)
    if kind < 0.72:
        return "".join(chance.choices([*NAMES, *"[](){},:\n"], k=chance.randrange(60)))
    if kind < 0.75:
        return huge(chance)
    if kind < 0.78:
        return nested(chance)
    if kind < 0.84:
        return chance.choice(REFUSALS)
    return chance.choice(NO_TEXTS) if kind < 0.91 else chance.choice(FAILURES)


def answers(count: int) -> Iterator[Any]:
    """So many, the same each time."""
    chance = random.Random(SEED)
    return (one_answer(chance) for _ in range(count))


class Hostile:
    """A model that gives one answer, or raises it; `forget` fails, as that of a full disk would."""

    name = "hostile"

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def complete(self, messages: Sequence[Message]) -> Any:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer

    @property
    def forget(self) -> Callable[[object], None]:
        def fail(messages: object) -> None:
            raise OSError(28, "No space left on device")

        return fail
