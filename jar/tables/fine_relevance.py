"""Fine relevance: columns against the sub-queries of a question, by texts, short forms, values, bookkeeping."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from jar.arrays import Array, IntArray, Vectors
from jar.text.lexical import content_words
from jar.text.stop_words import STOP_WORDS
from jar.text.word_runs import folded_words
from joinability.by_name.bookkeeping import asks_for_bookkeeping, is_bookkeeping
from joinability.spelling.vocabulary import singular

if TYPE_CHECKING:
    from jar.index.contents import IndexContents
    from jar.values.known_values import Mention

Cosines = TypeVar("Cosines", Array, Vectors)
"""Of sub-queries or probes with columns, in single or double precision."""
SHORT_FORM = 0.6
"""How near a column comes to a sub-query all of whose words its name has in short, as a share of the way."""
UNASKED = 0.8
"""What the cosine of a column that tells of the making of a row counts where nobody asks for that."""


def fine_relevance(contents: IndexContents, columns: IntArray, subqueries: Vectors) -> Array:
    """Relevance r_qk of each column to each sub-query: cosine with the column text, shape (m, C)."""
    cosines: Array = (subqueries @ contents.column_vectors[columns].T).astype(np.float64)
    return cosines


def with_short_forms(
    fine: Array,
    contents: IndexContents,
    columns: IntArray,
    subqueries: Sequence[str],
    stop_words: Collection[str] = STOP_WORDS,
) -> Array:
    """Fine relevance where names have words of sub-queries in short, shape (m, C): equation (8) of docs/ranking.md.

        r_qk + (1 - r_qk) SHORT_FORM h_qk / |q|

    |q| is the number of words of q that count, h_qk of how many of them the name of column k has a short form
    (`jar.text.short_forms`).

    Parameters
    ----------
    fine : array (m, C)
    columns : array (C,)
        Positions in the index.
    subqueries : m texts
    """
    read = fine
    for place, subquery in enumerate(subqueries):
        words = set(map(singular, content_words(subquery, stop_words)))
        short = [having for word in words if len(having := contents.columns_short_for(word))]
        hits = sum((np.isin(columns, having) for having in short), np.zeros(len(columns)))
        if hits.any():
            read = fine.copy() if read is fine else read
            read[place] += (1 - read[place]) * SHORT_FORM * hits / len(words)
    return read


def with_bookkeeping(fine: Cosines, contents: IndexContents, columns: IntArray, subqueries: Sequence[str]) -> Cosines:
    """Fine relevance where columns such as `created_at` answer only what asks for them, shape (m, C): equation (8a) of
    docs/ranking.md.

        UNASKED r_qk,    where column k tells when or by whom a row was made or changed, and q does not ask for it

    Parameters
    ----------
    fine : array (m, C)
    columns : array (C,)
        Positions in the index.
    subqueries : m texts
    """
    telling = np.array([is_bookkeeping(contents.evidence.name[column]) for column in columns.tolist()], dtype=np.bool_)
    others = np.array([not asks_for_bookkeeping(folded_words(subquery)) for subquery in subqueries], dtype=np.bool_)
    if not telling.any() or not others.any():
        return fine
    told = fine.copy()
    told[np.ix_(others, telling)] *= UNASKED
    return told


def with_values(
    fine: Cosines, owner: IntArray, columns: IntArray, subqueries: Sequence[str], mentions: Sequence[Mention]
) -> Cosines:
    """Fine relevance where values count that a sub-query names, shape (m, C): equation (7) of docs/ranking.md.

        r_qk + (1 - r_qk) m_v |v| / (|q| sqrt(n_v)),    for each value v in q that column k has

    |v| and |q| are numbers of words, n_v is how many tables of these columns have the value, m_v as for
    `value_relevance`. A sub-query that is a value which one table has is answered by its column completely. A word
    within longer values answers nothing.

    Parameters
    ----------
    fine : array (m, C)
    owner : array
        Table of each column of the index.
    columns : array (C,)
        Positions in the index.
    subqueries : m texts
    mentions : list of Mention
    """
    asked = [folded_words(subquery) for subquery in subqueries]
    raised = fine
    for mention in mentions:
        if mention.named_by == "word":
            continue
        here, words = np.isin(columns, mention.columns), folded_words(mention.text)
        tables = len(np.unique(owner[columns[here]]))
        for place, said in enumerate(asked):
            if tables and _has_run(said, words):
                raised = fine.copy() if raised is fine else raised
                share = mention.weight * len(words) / (len(said) * np.sqrt(tables))
                raised[place, here] += (1 - raised[place, here]) * share
    return raised


def _has_run(words: Sequence[str], run: Sequence[str]) -> bool:
    """Whether words have a run of others, one after the other."""
    return any(words[start : start + len(run)] == run for start in range(len(words) - len(run) + 1))


def schema_similarity(contents: IndexContents, columns: IntArray) -> Array:
    """Cosine between the schema texts of columns, shape (C, C)."""
    vectors = contents.schema_vectors[columns]
    cosines: Array = (vectors @ vectors.T).astype(np.float64)
    return cosines
