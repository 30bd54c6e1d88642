"""Statements in parts: what stands between commas, the words and names in it, whatever else they say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from joinability.ddl.drafts import Name
from joinability.ddl.scripts import Statement

if TYPE_CHECKING:
    from sqlglot.tokenizer_core import Token


class Part:
    """A part of a statement: its tokens, and the words that they are (none of what stands in quotes)."""

    def __init__(self, statement: Statement, start: int, end: int) -> None:
        self.statement = statement
        self.start = start
        self.tokens: Sequence[Token] = statement.tokens[start:end]
        self.words = ["" if is_quoted(token) else token.text.upper() for token in self.tokens]

    def place(self, *words: str, after: int = 0) -> int | None:
        """Where one of some words stands outside of brackets."""
        depth = 0
        for place, word in enumerate(self.words):
            if place >= after and depth == 0 and word in words:
                return place
            depth += step(word)
        return None

    def until(self, *words: str) -> Sequence[str]:
        """The words before one of some words."""
        return self.words[: self.place(*words)]

    def names(self, after: int) -> list[str]:
        """The names in the next brackets: of each item the first word, without an order or a length."""
        names, depth, is_first = [], 0, True
        for token, word in zip(self.tokens[after:], self.words[after:], strict=True):
            if depth == 1 and is_first and word != ")":
                names.append(token.text)
            is_first = (word == "(" and depth == 0) or (word == "," and depth == 1)
            depth += step(word)
            if depth == 0 and word == ")":
                break
        return names


def parts_between(statement: Statement, start: int, end: int) -> list[Part]:
    """The parts between the commas from one token to another."""
    parts, depth, begin = [], 0, start
    angles = 0  # as in STRUCT<a INT64, b STRING>
    for place in range(start, end):
        word = "" if is_quoted(statement.tokens[place]) else statement.tokens[place].text
        depth += step(word)
        if depth == 0 and set(word) in ({"<"}, {">"}):
            angles = max(0, angles + word.count("<") - word.count(">"))
        if word == "," and depth == angles == 0:
            parts.append(Part(statement, begin, place))
            begin = place + 1
    parts.append(Part(statement, begin, end))
    return [part for part in parts if part.tokens]


def name_at(part: Part, place: int) -> tuple[Name, int]:
    """The qualified name at a place, and where it ends."""
    names = _names_of(part, place)
    place += 1
    while part.words[place : place + 1] == ["."]:
        names += _names_of(part, place + 1)
        place += 2
    return (".".join(names[:-1]), names[-1] if names else ""), place


def altered_name(statement: Statement) -> tuple[Part, Name, int]:
    """The whole of a statement ALTER TABLE, the table that it alters, and where its name ends."""
    whole, place = Part(statement, 0, len(statement.tokens)), 2
    while whole.words[place : place + 1] in (["ONLY"], ["IF"], ["EXISTS"]):
        place += 1
    return whole, *name_at(whole, place)


def _names_of(part: Part, place: int) -> list[str]:
    """The names that a token holds: several where BigQuery has one pair of backticks around all of them."""
    return [
        name
        for token in part.tokens[place : place + 1]
        for name in (token.text.split(".") if part.statement.script[token.start] == "`" else [token.text])
    ]


def is_quoted(token: Token) -> bool:
    """Whether a token is a name or a text in quotes."""
    return token.token_type.name == "IDENTIFIER" or is_text(token)


def is_text(token: Token) -> bool:
    """Whether a token is a text."""
    return token.token_type.name.endswith("STRING")


def step(word: str) -> int:
    """How much deeper in brackets the words behind one are."""
    return (word == "(") - (word == ")")
