"""Names of copies: `orders_bkp2021`, `copy of orders`, `orders (1)` and `orders2` beside `orders`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from jar.lookalikes.sharded import DIGITS, LEAST
from jar.text.spelled_names import EVERYWHERE, NamedTable
from joinability.by_name.copy_marks import COPIES, MARKS, SELDOM
from joinability.names import name_words
from joinability.spelling.accents import unaccented
from joinability.spelling.vocabulary import singular

DOUBTFUL = SELDOM | frozenset(
    "alt alte alter altes arc arch bk dup dump final finale finales definitivo definitief neu neue new nieuw nieuwe "
    "nouveau nouvelle novo nova nuevo nueva nuovo nuova orig original originale save saved sauv".split()
)
"""Words at an end of a name that mark a copy where a table has the rest of the name, and the same columns."""
TOOLS = frozenset("airbyte dbt dlt fivetran hevo stitch".split())
"""Names of tools that stand beside the mark of a copy that the tool makes: `orders__dbt_tmp`."""
IN_FULL = dict(
    pair.split(":")
    for pair in "hist:history hst:history arch:archive arc:archive bak:backup bck:backup bk:backup bkp:backup "
    "bkup:backup stg:staging stage:staging tmp:temporary temp:temporary dev:development dup:duplicate "
    "orig:original".split()
)
"""Marks as questions say them, beside the marks themselves."""
LINKS = frozenset("de del di da do dos la le van von of the".split())
"""Words between a mark and the name of what is copied."""

_MARKED = re.compile(r"([^\W\d]+)(\d*)")
_VERSION = re.compile(r"v(?:er|ersion)?\d{1,3}")
_NUMBERED = re.compile(r"([^\W\d]{3,})[1-9]")
_COUNTED = re.compile(r"\s*\((\d{1,2})\)\s*$")


@dataclass(frozen=True)
class CopyName:
    """The name of a table, taken apart.

    Attributes
    ----------
    root : tuple of str
        The words of what it is a copy of, or its own.
    before, after : tuples of str
        The words that mark it as a copy, at the start and at the end of its name; none of an original.
    is_sure : bool
        Whether the marks tell so by themselves, without a table that has the rest of the name.
    """

    root: tuple[str, ...]
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    is_sure: bool = True

    @property
    def marks(self) -> tuple[str, ...]:
        """The words that mark it as a copy."""
        return self.before + self.after

    @property
    def said(self) -> frozenset[str]:
        """What a question may say of them, in the singular: no number, for that in it is seldom that of a copy."""
        words = (word if _VERSION.fullmatch(word) else word.strip("()0123456789") for word in self.marks)
        told = (form for word in words for form in (word, IN_FULL.get(word, word)))
        return frozenset(singular(word) for word in told if word and word not in LINKS)


def copy_names(tables: Sequence[NamedTable]) -> list[CopyName]:
    """The names of the tables, each as a copy of another one of its database where it is one by its words."""
    names = [CopyName(_words(table.name.rpartition(".")[2])) for table in tables]
    keys = [database_key(table.database) for table in tables]
    there: dict[str, set[str]] = {}
    forms: dict[str, Counter[str]] = {}
    for name, key in zip(names, keys, strict=True):
        own = "".join(name.root)
        there.setdefault(key, set()).add(own)
        forms.setdefault(key, Counter())[DIGITS.sub("#", own)] += 1
    return [_taken_apart(name, there[key], forms[key]) for name, key in zip(names, keys, strict=True)]


@lru_cache(maxsize=1 << 16)
def database_key(database: str) -> str:
    """The words of the name of a database that speak of no copy.

    A source may call a schema a database of its own ("shop.staging"), or copies may be one ("shop_backup").
    """
    return " ".join(word for word in name_words(database) if word not in COPIES and word not in EVERYWHERE)


@lru_cache(maxsize=1 << 16)
def _words(own: str) -> tuple[str, ...]:
    """The words of a name without accents; a number in brackets that ends it stays in them."""
    counted = _COUNTED.search(own)
    words = name_words(unaccented(own[: counted.start()] if counted else own)) or (own.casefold(),)
    return (*words, f"({counted.group(1)})") if counted else words


def _taken_apart(name: CopyName, there: Collection[str], forms: Mapping[str, int]) -> CopyName:
    """A name without its marks: the longest rest that another table has, taken apart in turn; else what is sure."""
    sure, chain = name, []
    while (shorter := _peeled(sure, forms, doubted=False)) is not None:
        chain.append(sure := shorter)
    shorter = _peeled(name, forms, doubted=True)
    while shorter is not None:
        chain.append(shorter)
        shorter = _peeled(shorter, forms, doubted=True)
    for rest in sorted(chain, key=lambda rest: -len("".join(rest.root))):
        if "".join(rest.root) in there:
            further = _taken_apart(CopyName(rest.root), there, forms)
            before, after = rest.before + further.before, further.after + rest.after
            return CopyName(further.root, before, after, rest.is_sure and further.is_sure)
    return sure


def _peeled(name: CopyName, forms: Mapping[str, int], doubted: bool) -> CopyName | None:
    """A name with one mark less, at its end or else at its start; None where there is none."""
    words = name.root
    count, is_sure = _marks_at_end(words, name.after)
    if count and (is_sure or doubted):
        return CopyName(words[:-count], name.before, (*words[-count:], *name.after), name.is_sure and is_sure)
    count, is_sure = _marks_at_start(words)
    if count and (is_sure or doubted):
        return CopyName(words[count:], (*name.before, *words[:count]), name.after, name.is_sure and is_sure)
    numbered = _NUMBERED.fullmatch(words[-1])
    if numbered and doubted and forms.get(DIGITS.sub("#", "".join(words)), 0) < LEAST:
        root = (*words[:-1], numbered.group(1))
        return CopyName(root, name.before, (words[-1][-1], *name.after), is_sure=False)
    return None


def _marks_at_end(words: Sequence[str], after: Sequence[str]) -> tuple[int, bool]:
    """How many words at the end of a name are a mark, before others that are taken off, and whether that is sure."""
    *rest, last = words
    if not rest:
        return 0, True
    is_number = last.strip("()").isdigit()
    if _is_mark(last) or (last in TOOLS and after):
        return 1, True
    if is_number and len(rest) > 1 and (_is_mark(rest[-1]) or _is_doubtful(rest[-1])):
        return 2, _is_mark(rest[-1])
    return int(_is_doubtful(last) or last.startswith("(") or (is_number and bool(after))), False


def _marks_at_start(words: Sequence[str]) -> tuple[int, bool]:
    """How many words at the start of a name are a mark, and whether that is sure."""
    count = 1 + (words[0] in TOOLS)
    if len(words) <= count or not (_is_mark(words[count - 1]) or _is_doubtful(words[0])):
        return 0, True
    is_sure = _is_mark(words[count - 1])
    while len(words) > count + 1 and words[count] in LINKS:
        count += 1
    return count, is_sure


@lru_cache(maxsize=1 << 16)
def _is_mark(word: str) -> bool:
    marked = _MARKED.fullmatch(word)
    return marked is not None and marked.group(1) in MARKS


@lru_cache(maxsize=1 << 16)
def _is_doubtful(word: str) -> bool:
    marked = _MARKED.fullmatch(word)
    return marked is not None and (marked.group(1) in DOUBTFUL or _VERSION.fullmatch(word) is not None)
