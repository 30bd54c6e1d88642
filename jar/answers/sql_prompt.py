"""The SQL of an answer as its reader wants it: in a dialect, with sample values, within a number of tokens."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, TypeAlias

from jar.answers.sql_dialects import dialect_named
from jar.answers.token_budget import Worth, check_budget_of_tokens, token_counter, within
from jar.errors import QueryError
from joinability.graph.edge import text_literal

if TYPE_CHECKING:
    from jar.answers.sql_context import SqlContext
    from jar.answers.token_budget import Tokenizer
    from joinability import Column

Examples: TypeAlias = Callable[[str], Sequence[Any]] | Sequence[Any]
"""Examples of `jar.examples` or pairs (question, SQL), or a function from a question to these."""
TRUTH = {"0": "FALSE", "1": "TRUE"}
"""Truth values as they are kept, in SQL."""
LONGEST_VALUE = 40
"""Characters of a sample value; of a longer one the first are told."""


@dataclass(frozen=True)
class PromptForm:
    """What `Selection.to_sql_context` was asked for."""

    dialect: str | None = None
    max_tokens: int | None = None
    tokenizer: Tokenizer | None = None
    values: Mapping[str, Sequence[object]] | None = None
    examples: Examples | None = None


def check_form(options: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments of `Selection.to_sql_context`, checked before there is a selection.

    Raises
    ------
    QueryError
        When one is unknown, or cannot be used.
    """
    known = [field.name for field in fields(PromptForm)]
    for name in options:
        if name not in known:
            raise QueryError(f"sql_context has no {name!r}: it takes {', '.join(known)}")
    form = PromptForm(**options)
    if form.dialect is not None:
        dialect_named(form.dialect)
    if form.max_tokens is not None:
        check_budget_of_tokens(form.max_tokens)
    token_counter(form.tokenizer)
    return dict(options)


def sql_prompt(
    context: SqlContext,
    form: PromptForm,
    worth: Worth,
    named: Iterable[tuple[tuple[str, str], str]] = (),
    question: str = "",
) -> str:
    """The text of a context in a form.

    Parameters
    ----------
    worth : Worth
        What its columns are good for.
    question : str
        What examples are looked for by.
    named : pairs of (table id, column name) and text
        Values that the question names.

    Raises
    ------
    QueryError
        When the dialect is unknown, or a number, the tokenizer, the sample values or the examples cannot be used.
    """
    dialect = None if form.dialect is None else dialect_named(form.dialect)
    count = token_counter(form.tokenizer)
    if form.values is not None:
        context = with_values(context, form.values, named)
    if form.examples is not None:
        context = replace(context, examples=example_pairs(form.examples, question))
    if form.max_tokens is not None:
        most = check_budget_of_tokens(form.max_tokens)
        context = _within(context, worth, lambda part: count(part.text(dialect)) <= most, most)
    return context.text(dialect)


def example_pairs(examples: Examples, question: str) -> tuple[tuple[str, str], ...]:
    """Questions with their SQL, of examples or of what finds them for a question.

    An example of a store is told without its values, a found one as its retriever tells it, a pair as it stands.

    Raises
    ------
    QueryError
        When one is no example and no pair of texts.
    """
    found = examples(question) if callable(examples) else examples
    pairs = []
    for example in found if isinstance(found, Iterable) and not isinstance(found, (str, bytes)) else [found]:
        pair = getattr(example, "masked", None) or (getattr(example, "question", None), getattr(example, "sql", None))
        pair = example if isinstance(example, (tuple, list)) else pair
        if len(pair) != 2 or not all(isinstance(text, str) and text.strip() for text in pair):
            raise QueryError(
                "examples are those of jar.examples, pairs (question, SQL), or a function from a question to these, "
                f"such as StructureExamples(store); one is {type(example).__name__}"
            )
        pairs.append((pair[0], pair[1]))
    return tuple(pairs)


def _within(context: SqlContext, worth: Worth, fits: Callable[[SqlContext], bool], most: int) -> SqlContext:
    """`within`, without the last examples, and without the least sure joins beside the forest, where even the least
    text is too long with them."""
    while context.more_joins and not fits(within(replace(context, examples=()), worth, fits, most)):
        context = replace(context, more_joins=context.more_joins[:-1])
    tried = context
    for left in range(len(context.examples), -1, -1):
        gone = len(context.examples) - left
        notes = (f"{gone} example{'s' * (gone != 1)} left out",) if gone else ()
        some = replace(context, examples=context.examples[:left], notes=(*context.notes, *notes))
        tried = within(some, worth, fits, most)
        if fits(tried):
            break
    return tried


def with_values(
    context: SqlContext, values: Mapping[str, Sequence[object]], named: Iterable[tuple[tuple[str, str], str]]
) -> SqlContext:
    """A context with sample values by "db.table.column", and with the values that the question names.

    Raises
    ------
    QueryError
        When the values are no mapping to lists.
    """
    if not isinstance(values, Mapping) or any(
        isinstance(texts, (str, bytes)) or not isinstance(texts, Iterable) for texts in values.values()
    ):
        raise QueryError(
            'values maps columns "db.table.column" to lists of values, such as index.sample_values(result.tables)'
        )
    by_column: dict[tuple[str, str], list[str]] = {}
    for place, text in named:
        by_column.setdefault(place, []).append(text)
    remarks, is_known = dict(context.remarks), False
    for table in context.schemas:
        for column in table.columns:
            place = table.id, column.name
            samples = list(values.get(f"{table.id}.{column.name}", ()))
            is_known = is_known or bool(samples)
            parts = [f"the question names {', '.join(map(_quoted, by_column[place]))}"] if place in by_column else []
            parts += [f"e.g. {', '.join(_literal(column, sample) for sample in samples)}"] if samples else []
            if parts:
                remarks[place] = "; ".join(parts)
    notes = () if is_known or not context.schemas else ("no sample values of these tables are known",)
    return replace(context, remarks=remarks, notes=(*context.notes, *notes))


def _literal(column: Column, value: object) -> str:
    """A value as it stands in SQL, of a number without quotes; truth values are kept as 1 and 0."""
    if column.family == "boolean" and str(value) in TRUTH and "bool" in column.type.lower():
        return TRUTH[str(value)]
    is_bare = column.family in ("number", "boolean") and not isinstance(value, str)
    text = str(value)
    return text if is_bare or (column.family == "number" and _is_number(text)) else _quoted(text)


def _quoted(text: str) -> str:
    return text_literal(text if len(text) <= LONGEST_VALUE else f"{text[:LONGEST_VALUE]}...")


def _is_number(text: str) -> bool:
    """Whether SQL reads a text as a number: what Python takes besides (nan, 1_0, blanks) is none."""
    return re.fullmatch(r"[+-]?\d+(\.\d*)?([eE][+-]?\d+)?", text, re.ASCII) is not None
