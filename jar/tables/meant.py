"""Which candidates the phrases of a question mean: one reading of the question in place of many of its parts.

A sub-query that is no phrase of the question is embedded by itself, so that "open ones" means nothing. A phrase is the
mean of its tokens as the embedder reads them within the whole question, and with all others it says which tables are
meant: by the posterior of CRUSH over columns (`jar.tables.posterior`), here over those of the candidates.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from jar.arrays import Array, IntArray
from jar.tables.fine_relevance import with_values
from jar.tables.posterior import presence, probe_posterior

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jar.index.contents import IndexContents
    from jar.tables.query import EmbeddedQuery
    from jar.values.known_values import Mention

MOST_VALUES = 30_000
"""Values that are compared with a question where candidates are looked for by them: a hundredth of a second."""
TEMPERATURE, CONSENSUS = 0.04, 1.0
"""Of the posterior, as in the search for columns; with 0.03 and 0.06 the questions of companies that are chosen by are
told no better."""


def tables_meant(
    contents: IndexContents, question: EmbeddedQuery, tables: IntArray, mentions: Sequence[Mention] = ()
) -> Array:
    """Probability that a phrase of a question, or the question as a whole, means a column of each table, shape (n,).

    0 for all where the embedder knows no word of the question, and where there is one table alone, so that nothing is
    told apart.

    How near a phrase is to a column is the greater of the cosines with its two texts, in words and as its name is
    written, and what equation (7) of docs/ranking.md makes of it for values.

    Parameters
    ----------
    tables : array (n,)
        Positions in the index.
    """
    phrases, columns = question.phrases.vectors, contents.columns_of(tables)
    vectors = np.concatenate([question.vectors[:1], phrases.reshape(-1, question.vectors.shape[1])])
    known = np.flatnonzero(vectors.any(axis=1))
    if len(tables) < 2 or not len(known):
        return np.zeros(len(tables))
    vectors = vectors[known]
    spelled, written = (of[columns] @ vectors.T for of in (contents.column_vectors, contents.schema_vectors))
    said = question.query.question, *question.phrases.texts
    near = np.maximum(spelled, written).T.astype(np.float64)
    near = with_values(near, contents.owner, columns, [said[place] for place in known], mentions)
    return meant(near, np.diff(contents.first_column)[tables], contents.databases[tables])


def values_near(contents: IndexContents, question: EmbeddedQuery, tables: IntArray) -> Array:
    """How near the nearest value of each table is to the question and to each of its phrases, shape (1 + p, n).

    Cosines of the distilled word pieces, 0 where a table has no values that mean something: see
    `jar.values.value_meanings`. Without any such table no phrase is read, and there are no rows.

    Parameters
    ----------
    tables : array (n,)
        Positions in the index.
    """
    if not contents.meanings.count(tables):
        return np.zeros((0, len(tables)))
    return contents.meanings.near(question.meanings, tables)


def tables_of_values(
    contents: IndexContents, question: EmbeddedQuery, among: IntArray, most: int, least: float
) -> list[int]:
    """The tables of which a value is nearest to the question or a phrase, best first.

    Parameters
    ----------
    among : array (n,)
        Positions of the tables that may be. Where they have more than `MOST_VALUES` values, none is looked for.
    most : int
        Their number at most.
    least : float
        The least cosine.
    """
    some = among[contents.meanings.first[among + 1] > contents.meanings.first[among]]
    if not len(some) or contents.meanings.count(some) > MOST_VALUES:
        return []
    near = values_near(contents, question, some).max(axis=0)
    best = np.argsort(-near, kind="stable")[:most]
    found: list[int] = some[best[near[best] > least]].tolist()
    return found


def meant(cosines: Array, columns: IntArray, databases: IntArray) -> Array:
    """Probability that some phrase means a column of each of n tables, shape (n,).

        u_i = 1 - prod_{k of i} prod_q (1 - p_qk)                                                   (docs/relevance.md)

    with the posterior p_qk of phrase q over the columns k of all tables, equation 1 of `jar.tables.posterior`.

    Parameters
    ----------
    cosines : array (p, C)
        Of phrases with columns, table by table.
    columns : array (n,)
        Number of columns of each table.
    databases : array (n,)
        A number for each database.
    """
    owners = np.repeat(np.arange(len(columns)), columns)
    kinds = np.unique(databases, return_inverse=True)[1]
    posterior = probe_posterior(cosines, kinds[owners], TEMPERATURE, CONSENSUS)
    return presence(posterior, owners, len(columns))
