"""A prompt within a number of tokens: what is left out of it, and in which order."""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Mapping, Sequence, Sized
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

import numpy as np

from jar.errors import QueryError

if TYPE_CHECKING:
    from jar.answers.sql_context import SqlContext
    from joinability import Table

Tokenizer: TypeAlias = Callable[[str], Any]
"""``text -> tokens``: their number, a list of them, or a mapping that has them as "input_ids"."""

_PIECES = re.compile(r"[A-Za-z]+|[0-9]+|[^\sA-Za-z0-9]|\n")


def estimated_tokens(text: str) -> int:
    """About how many tokens a language model reads a text as, without its tokenizer.

    A run of letters from A to Z is ceil(length / 5) tokens and a run of digits ceil(length / 3); a line break and any
    other sign is one, or two where it is not ASCII. The estimate errs on the long side: docs/prompts.md compares it
    with the tokenizers of language models.

    Examples
    --------
    >>> estimated_tokens("CREATE TABLE loan (\\n  loan_id BIGINT\\n);\\n")
    15
    """
    return sum(map(_estimated, _PIECES.findall(text)))


def _estimated(piece: str) -> int:
    if not piece.isascii():
        return 2
    return math.ceil(len(piece) / 5) if piece.isalpha() else math.ceil(len(piece) / 3) if piece.isdigit() else 1


def token_counter(tokenizer: Tokenizer | None) -> Callable[[str], int]:
    """A tokenizer as a function to the number of tokens; `estimated_tokens` where there is none.

    Raises
    ------
    QueryError
        When it is no function, or (once called) gives neither a number nor tokens.
    """
    if tokenizer is None:
        return estimated_tokens
    if not callable(tokenizer):
        raise QueryError("tokenizer is a function from a text to its tokens or their number, such as encoding.encode")

    def count(text: str) -> int:
        tokens = tokenizer(text)
        if isinstance(tokens, Mapping):
            tokens = tokens.get("input_ids")
        if isinstance(tokens, (int, np.integer)) and not isinstance(tokens, bool):
            return int(tokens)
        if isinstance(tokens, Sized) and not isinstance(tokens, (str, bytes)):
            return len(tokens)
        raise QueryError(f"the tokenizer gives {type(tokens).__name__}, not a number or a list of tokens")

    return count


def check_budget_of_tokens(max_tokens: int) -> int:
    """Return the number of tokens when it is valid.

    Raises
    ------
    QueryError
        When it is no whole number from 1 up.
    """
    if isinstance(max_tokens, bool) or not isinstance(max_tokens, (int, np.integer)) or max_tokens < 1:
        raise QueryError(f"max_tokens is {max_tokens!r}; it must be a whole number from 1 up")
    return int(max_tokens)


class Part(NamedTuple):
    """Something that may be left out: a column, a remark on it, its description, or that of a table (column "")."""

    kind: Literal["column", "remark", "description"]
    table: str
    column: str


@dataclass(frozen=True)
class Worth:
    """What columns are good for, each as (table id, column name).

    Attributes
    ----------
    used : collection
        Columns that answer a sub-query, or have a value that the question names.
    relevance : mapping
        How near columns are to the question; 0 where it says nothing.
    named : collection
        Those of `used` that have a value which the question names: a query without them cannot ask for it.
    """

    used: Collection[tuple[str, str]]
    relevance: Mapping[tuple[str, str], float]
    named: Collection[tuple[str, str]] = ()


def within(context: SqlContext, worth: Worth, fits: Callable[[SqlContext], bool], budget: int) -> SqlContext:
    """A context from which as little is left out as has to be, for it to fit.

    Parts are left out one by one in the order of `parts_to_drop`. Where the least context is still too long, it is the
    answer, with a note that says so. How many parts is found by bisection: as few as possible, by a tokenizer for which
    no text gets longer when a part of it goes. By any tokenizer the answer fits, or has the note.
    """
    if fits(context):
        return context
    order = parts_to_drop(context, worth)
    place = bisect_left(range(1, len(order) + 1), True, key=lambda count: fits(without(context, order[:count])))
    if place < len(order):
        return without(context, order[: place + 1])
    least = without(context, order)
    note = f"longer than the {budget} tokens asked for: all tables and keys, and the joins that connect them, are kept"
    return replace(least, notes=(note, *least.notes))


def parts_to_drop(context: SqlContext, worth: Worth) -> list[Part]:
    """What may be left out, in this order, each kind from the least relevant column on:

    1. columns that are not used, no primary key, and join nothing;
    2. remarks on columns (sample values);
    3. descriptions of columns, then of tables;
    4. columns that are used, those with a value that the question names last.

    Columns of primary keys, of the joins, and of declared keys between the tables are never left out, and each table
    keeps one column at least.
    """
    ranked = [
        (worth.relevance.get((table.id, column.name), 0.0), -place, -position, table.id, column)
        for place, table in enumerate(context.schemas)
        for position, column in enumerate(table.columns)
    ]
    ranked.sort(key=lambda entry: entry[:3])
    places = [(table, column.name) for *_, table, column in ranked]
    used, named, kept = set(worth.used), set(worth.named), key_columns(context)
    for table in context.schemas:
        if table.columns and not any(owner == table.id for owner, _ in kept):
            of_table = [place for place in places if place[0] == table.id]
            kept.add(max(of_table, key=lambda place: (place in named, place in used, of_table.index(place))))
    free = [place for place in places if place not in kept]
    described = [(table, column.name) for *_, table, column in ranked if column.description]
    return [
        *(Part("column", *place) for place in free if place not in used),
        *(Part("remark", *place) for place in places if place in context.remarks),
        *(Part("description", *place) for place in described),
        *(Part("description", table.id, "") for table in reversed(context.schemas) if table.description),
        *(Part("column", *place) for place in free if place in used - named),
        *(Part("column", *place) for place in free if place in named),
    ]


def without(context: SqlContext, parts: Sequence[Part]) -> SqlContext:
    """A context without some parts, with a note on how many columns these are."""
    gone = set(parts)
    columns = {
        table.id: [column.name for column in table.columns if Part("column", table.id, column.name) not in gone]
        for table in context.schemas
    }
    count = sum(part.kind == "column" for part in gone)
    notes = (f"{count} column{'s' * (count != 1)} left out",) if count else ()
    remarks = {place: text for place, text in context.remarks.items() if Part("remark", *place) not in gone}
    left = replace(context, remarks=remarks, notes=(*context.notes, *notes)).with_columns(columns)
    return replace(left, schemas=tuple(_undescribed(table, gone) for table in left.schemas))


def _undescribed(table: Table, gone: Collection[Part]) -> Table:
    """A table without the descriptions that are left out."""
    columns = tuple(
        replace(column, description=None) if Part("description", table.id, column.name) in gone else column
        for column in table.columns
    )
    is_gone = Part("description", table.id, "") in gone
    return replace(table, columns=columns, description=None if is_gone else table.description)


def key_columns(context: SqlContext) -> set[tuple[str, str]]:
    """Columns of primary keys, of joins, and of declared keys between the tables."""
    tables = {table.id for table in context.schemas}
    keys = {(table.id, name) for table in context.schemas for name in table.primary_key}
    for join in (*context.joins, *context.more_joins):
        keys.update(join.used_columns)
    for table in context.schemas:
        for key in table.foreign_keys:
            if key.target in tables:
                keys |= {(table.id, name) for name in key.columns}
                keys |= {(key.target, name) for name in key.target_columns}
    return keys
