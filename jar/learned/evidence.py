"""Evidence on the candidates of a question: what the relevance model weighs, each by name.

All are normalised within the question, so that neither the embedder's scale (but for `meant`) nor the kind of schema
matters; where something is not known (no rows, no joins, one candidate) a feature is 0 for all.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from jar.arrays import Array
from jar.learned.candidates_seen import Candidates
from jar.learned.standardising import EQUAL, best_other, lead, mean_and_spread, standard, within

LINKED = 0.3
"""The least joinability of two candidates that counts as a join."""
SHARP = 2.0
"""What standard deviations are multiplied with where they become shares (a softmax)."""
NEAR = 0.45
"""The least cosine of a phrase and a value that may mean the same; tables with such a value become candidates."""
WARM = 0.06
"""What cosines of phrases and values are divided by where they become shares (a softmax)."""


@dataclass(frozen=True)
class Feature:
    """One quantity of a candidate.

    Attributes
    ----------
    name, family : str
    sign : -1, 0 or 1
        1 where more of it is evidence for a table by itself, -1 where against it; 0 where that depends on the others.
    of : callable
        The quantity of n candidates, shape (n,).
    meaning : str
        What it is.
    reason : str
        What it says of a table for which it speaks; "" for none.
    """

    name: str
    family: str
    sign: int
    of: Callable[[Candidates], Array]
    meaning: str
    reason: str = ""


def evidence(seen: Candidates) -> Array:
    """The features of n candidates, shape (n, F), a column for each of `FEATURES`."""
    return np.stack([feature.of(seen) for feature in FEATURES.values()], axis=-1)


def shares(x: Array) -> Array:
    """Rows of standard deviations as shares (..., n) that sum to 1: a softmax."""
    powers = np.exp(SHARP * (x - x.max(axis=-1, keepdims=True, initial=-np.inf)))
    part: Array = powers / powers.sum(axis=-1, keepdims=True)
    return part


def by_best(x: Array) -> Array:
    """Numbers from 0 as shares of the greatest; 0 where all are."""
    best = x.max(initial=0.0)
    part: Array = x / best if best > 0 else np.zeros(len(x))
    return part


def in_databases(seen: Candidates, x: Array, ufunc: np.ufunc, start: float) -> Array:
    """For each candidate the sum, or the greatest, over its database, of numbers (n,) or rows of them (r, n)."""
    of_databases = np.full((seen.database.max(initial=-1) + 1, *x.shape[:-1]), start)
    ufunc.at(of_databases, seen.database, x.T)
    of_tables: Array = of_databases[seen.database].T
    return of_tables


def _rank(seen: Candidates) -> Array:
    better: Array = (seen.coarse[None, :] > seen.coarse[:, None]).sum(axis=1)
    return -np.log1p(better)


def _column_sum(seen: Candidates) -> Array:
    """Logarithm of the sum over a table's columns of exp(standardised cosine): several near ones count."""
    powers = np.exp(SHARP * standard(seen.asked))
    owner = np.repeat(np.arange(seen.n), seen.columns)
    return standard(np.log(np.bincount(owner, weights=powers, minlength=seen.n) + 1e-2))


def _of_parts(reduce: Callable[..., Array], form: Callable[[Array], Array]) -> Callable[[Candidates], Array]:
    def told(seen: Candidates) -> Array:
        parts = seen.standard_parts
        return reduce(form(parts), axis=0) if len(parts) else np.zeros(seen.n)

    return told


def _parts_won(seen: Candidates) -> Array:
    """Share of the sub-queries that no candidate answers better."""
    parts = seen.parts
    if not len(parts) or seen.n < 2:
        return np.zeros(seen.n)
    won: Array = (parts >= parts.max(axis=1, keepdims=True)).mean(axis=0)
    return won


def _word_sums(seen: Candidates) -> Array:
    total: Array = seen.words.sum(axis=0)
    return total


def _word_shares(seen: Candidates) -> Array:
    """Mean over the shared words of a table's share of their weight."""
    if not len(seen.words):
        return np.zeros(seen.n)
    whole = seen.words.sum(axis=1, keepdims=True)
    part: Array = (seen.words / np.where(whole > 0, whole, 1)).mean(axis=0)
    return part


def _words_covered(seen: Candidates) -> Array:
    """Share of the question's words that a table has, rare ones among the candidates more."""
    has = seen.words > 0
    rarity = np.log1p(seen.n / np.maximum(has.sum(axis=1), 1))
    total = rarity.sum() + np.log1p(seen.n) * max(seen.length - len(has), 0)
    part: Array = rarity @ has / total if total > 0 else np.zeros(seen.n)
    return part


def _words_headed(seen: Candidates) -> Array:
    """Sum over the words in a table's name of their rarity in the names of the candidates."""
    rarity = 1 / np.maximum(seen.heads.sum(axis=1), 1)
    headed: Array = np.minimum(rarity @ seen.heads, 2.0)
    return headed


def _value_sums(seen: Candidates, values: Array) -> Array:
    """Sum over values (V, n) of their weight by the root of the number of candidates of the table's database with
    them."""
    count = in_databases(seen, (values > 0).astype(np.float64), np.add, 0.0)
    sums: Array = np.minimum((values / np.sqrt(np.maximum(count, 1))).sum(axis=0), 2.0)
    return sums


def _values_alone(seen: Candidates) -> Array:
    """Sum of the weights of the values that no other candidate has."""
    alone = (seen.values > 0).sum(axis=1) == 1
    sums: Array = np.minimum(seen.values[alone].sum(axis=0), 2.0)
    return sums


def _value_near(seen: Candidates) -> Array:
    """Cosine of its nearest value with the question or a phrase, in standard deviations over those that have one."""
    best = seen.near.max(axis=0, initial=0.0)
    has = best > 0
    nearest = np.zeros(seen.n)
    nearest[has] = standard(best[has])
    return nearest


def _value_meant(seen: Candidates) -> Array:
    """Probability that the question or a phrase means one of its values.

        v_i = 1 - prod_q (1 - s_qi [c_qi > NEAR]),  s_qi = exp(c_qi / WARM) / sum_j exp(c_qj / WARM)

    with the cosine c_qi of the nearest value of table i with phrase q, and j over the candidates of which a value has
    one above 0 with it.
    """
    powers = np.where(seen.near > 0, np.exp(seen.near / WARM), 0.0)
    share = powers / np.maximum(powers.sum(axis=1, keepdims=True), 1.0)
    meant: Array = 1 - np.prod(np.where(seen.near > NEAR, 1 - share, 1.0), axis=0)
    return meant


def _values_elsewhere(seen: Candidates) -> Array:
    """1 where a table has none of the values, but another of its database has one."""
    has = seen.values.sum(axis=0) > 0
    near = in_databases(seen, has.astype(np.float64), np.maximum, 0.0) > 0
    elsewhere: Array = (near & ~has).astype(np.float64)
    return elsewhere


def _database_lead(seen: Candidates) -> Array:
    """How far the best of the own database is above that of the best other, in standard deviations; 0 with one."""
    spread, kinds = mean_and_spread(seen.coarse)[1], seen.database.max(initial=0) + 1
    if kinds < 2 or not spread > EQUAL:
        return np.zeros(seen.n)
    best = np.full(kinds, -np.inf)
    np.maximum.at(best, seen.database, seen.coarse)
    return within((best - best_other(best)) / spread)[seen.database]


def _database_share(seen: Candidates) -> Array:
    """Share of the own database in the relevance of all (a softmax), less 1: 0 with one database."""
    return in_databases(seen, shares(standard(seen.coarse)), np.add, 0.0) - 1


def _database_words(seen: Candidates) -> Array:
    """Share of the shared words that a candidate of the own database has, less 1."""
    if not len(seen.words):
        return np.zeros(seen.n)
    part: Array = in_databases(seen, (seen.words > 0).astype(np.float64), np.maximum, 0.0).mean(axis=0) - 1
    return part


def _database_values(seen: Candidates) -> Array:
    """Values that the own database has, less those of the database with most."""
    total = in_databases(seen, seen.values, np.maximum, 0.0).sum(axis=0)
    behind: Array = np.maximum(total - total.max(initial=0.0), -2.0)
    return behind


def _behind_own(seen: Candidates) -> Array:
    """How far a table is behind the best of its own database, in standard deviations."""
    _, spread = mean_and_spread(seen.coarse)
    if not spread > EQUAL:
        return np.zeros(seen.n)
    best = in_databases(seen, seen.coarse, np.maximum, -np.inf)
    return within((seen.coarse - best) / spread, 0.0)


def _gains_joined(place: int) -> Callable[[Candidates], Array]:
    """The greatest, or the next, product of joinability and relevance among the joins of each."""

    def told(seen: Candidates) -> Array:
        if seen.n <= place:
            return np.zeros(seen.n)
        joined = np.sort(seen.joins * seen.gains[None, :], axis=1)[:, ::-1]
        return np.ascontiguousarray(joined[:, place])

    return told


def _degree(seen: Candidates) -> Array:
    degrees: Array = np.log1p((seen.joins >= LINKED).sum(axis=1))
    return degrees


def _best_joined(seen: Candidates) -> Array:
    """1 where it joins the most relevant of the other candidates of its database."""
    others = np.where(seen.neighbours, seen.coarse, -np.inf)
    best = others >= others.max(axis=1, keepdims=True, initial=-np.inf)
    joined: Array = (best & seen.neighbours & (seen.joins >= LINKED)).any(axis=1).astype(np.float64)
    return joined


def _constant(of: Callable[[Candidates], float]) -> Callable[[Candidates], Array]:
    return lambda seen: np.full(seen.n, float(of(seen)))


def _certainty(seen: Candidates) -> float:
    """Lead of the most relevant candidate over the next."""
    return float(lead(seen.coarse).max(initial=0.0))


# fmt: off
_TABLE = (
    Feature("relevance", "text", 1, lambda seen: standard(seen.coarse),
            "coarse relevance of the package: text, name, words, values and database by set weights",
            "it is relevant by its text, words and values"),
    Feature("relevance_lead", "text", 1, lambda seen: lead(seen.coarse),
            "the same, above the best of the others", "no other candidate is as relevant"),
    Feature("rank", "text", 1, _rank,
            "minus the logarithm of its place by coarse relevance", "it ranks high among the candidates"),
    Feature("text", "text", 1, lambda seen: standard(seen.text),
            "cosine of question and signature", "its signature is close to the question"),
    Feature("text_lead", "text", 1, lambda seen: lead(seen.text),
            "the same, above the best of the others", "its signature is the closest to the question"),
    Feature("name", "text", 1, lambda seen: standard(seen.name),
            "cosine of question and the words of database and name", "its name is close to the question"),
    Feature("name_lead", "text", 1, lambda seen: lead(seen.name),
            "the same, above the best of the others", "its name is the closest to the question"),
    Feature("column_best", "columns", 1, lambda seen: standard(seen.nearest),
            "cosine of question and the nearest column", "it has a column close to the question"),
    Feature("column_lead", "columns", 1, lambda seen: lead(seen.nearest),
            "the same, above the best of the others", "it has the column closest to the question"),
    Feature("column_sum", "columns", 1, _column_sum,
            "logarithm of the sum of exp(2 z) over its columns, z their standardised cosines with the question",
            "several of its columns are close to the question"),
    Feature("part_mean", "parts", 1, _of_parts(np.mean, np.asarray),
            "relevance of its best column to a sub-query, mean over these",
            "its columns answer the parts of the question"),
    Feature("part_best", "parts", 1, _of_parts(np.max, np.asarray),
            "relevance of its best column to the sub-query that it answers best",
            "one of its columns answers a part of the question"),
    Feature("part_share", "parts", 1, _of_parts(np.mean, shares),
            "share of it in each sub-query (a softmax), mean over these",
            "it answers parts of the question better than others"),
    Feature("part_only", "parts", 1, _of_parts(np.max, shares),
            "share of it in the sub-query of which it has most", "a part of the question is answered best here"),
    Feature("parts_won", "parts", 1, _parts_won,
            "share of the sub-queries that no other candidate answers better",
            "parts of the question are answered best here"),
    Feature("meant", "phrases", 1, lambda seen: seen.meant,
            "probability that a phrase of the question, read within it, means one of its columns",
            "phrases of the question mean its columns"),
    Feature("words", "words", 1, lambda seen: by_best(_word_sums(seen)),
            "BM25 of its names by that of the best candidate", "its names have words of the question"),
    Feature("words_lead", "words", 1, lambda seen: lead(_word_sums(seen)),
            "BM25 of its names, above the best of the others", "its names have most words of the question"),
    Feature("word_share", "words", 1, _word_shares,
            "share of it in the weight of each shared word, mean over these",
            "words of the question are in its names more than in others"),
    Feature("words_covered", "words", 1, _words_covered,
            "share of the words of the question that its names have, rare ones among the candidates more",
            "its names cover the words of the question"),
    Feature("words_headed", "words", 1, _words_headed,
            "words of the question in its name, each by the number of candidates whose names have it",
            "the question says its name"),
    Feature("named", "words", 1, lambda seen: seen.named,
            "share of the words of its name that the question has", "the question says its whole name"),
    Feature("named_lead", "words", 1, lambda seen: lead(seen.named),
            "the same, above the best of the others", "the question says its name more than others"),
    Feature("values", "values", 1, lambda seen: _value_sums(seen, seen.values),
            "values that the question names and its rows have, less where other tables have them",
            "its rows have values that the question names"),
    Feature("values_alone", "values", 1, _values_alone,
            "values that the question names and no other candidate has",
            "it alone has a value that the question names"),
    Feature("values_within", "values", 1, lambda seen: _value_sums(seen, seen.within),
            "words of the question within values of several words of its rows, less where other tables have them",
            "its rows have values with words of the question"),
    Feature("value_near", "values", 1, _value_near,
            "cosine of its nearest value with the question or a phrase, among the candidates that have values",
            "its rows have a value close to the question"),
    Feature("value_meant", "values", 1, _value_meant,
            "probability that the question or a phrase means one of its values",
            "words of the question mean values of its rows"),
    Feature("values_elsewhere", "values", -1, _values_elsewhere,
            "it has no value that the question names, and another of its database has"),
    Feature("database_lead", "database", 1, _database_lead,
            "coarse relevance of the best of its database, above that of the best other database",
            "the question is about its database"),
    Feature("database_share", "database", 1, _database_share,
            "share of its database in the relevance of all candidates, less 1",
            "most of what is relevant is in its database"),
    Feature("database_words", "database", 1, _database_words,
            "share of the shared words that the names of its database's candidates have, less 1",
            "its database has the words of the question"),
    Feature("database_values", "database", 1, _database_values,
            "values that the rows of its database's candidates have, less those of the database with most",
            "its database has the values of the question"),
    Feature("behind_own", "database", 1, _behind_own,
            "coarse relevance, below that of the best of its own database", "it is the most relevant of its database"),
    Feature("join_gain", "joins", 1, _gains_joined(0),
            "greatest product of joinability and relevance among the candidates that it joins",
            "it joins a relevant table"),
    Feature("join_second", "joins", 1, _gains_joined(1),
            "the next such product: of a bridge both are high", "it connects two relevant tables"),
    Feature("joins", "joins", 0, _degree,
            "logarithm of the number of candidates that it joins, plus one", "many candidates join it"),
    Feature("joins_best", "joins", 1, _best_joined,
            "whether it joins the most relevant other candidate of its database",
            "it joins the most relevant table of its database"),
    Feature("referred", "joins", 1, lambda seen: seen.answers.max(axis=1, initial=0.0),
            "greatest product of joinability and worth as an answer among the columns of others that refer to it: 1 for"
            " the best answer to a sub-query, exp(-x) for one x standard deviations behind",
            "a column that refers to it answers a part of the question"),
    Feature("people", "people", 1, lambda seen: seen.people,
            "where the question asks for somebody: 1 for a table that holds people, 1/2 for one that names some",
            "the question asks for somebody, and it tells who"),
    Feature("people_joined", "people", 1, lambda seen: seen.people * _gains_joined(0)(seen),
            "the same, by the greatest product of joinability and relevance among the candidates that it joins",
            "the question asks for somebody, and it tells who beside a relevant table"),
    Feature("width", "shape", 0, lambda seen: standard(np.log1p(seen.columns)),
            "logarithm of the number of its columns", "its number of columns is usual for such tables"),
    Feature("parts", "question", 0, _constant(lambda seen: np.log1p(len(seen.fine))),
            "logarithm of the number of sub-queries, plus one: equal for all"),
    Feature("length", "question", 0, _constant(lambda seen: np.log1p(seen.length)),
            "logarithm of the number of words that count, plus one: equal for all"),
    Feature("pool", "question", 0, _constant(lambda seen: np.log(max(seen.n, 1))),
            "logarithm of the number of candidates: equal for all"),
    Feature("certainty", "question", 0, _constant(_certainty),
            "lead of the most relevant candidate over the next: equal for all"),
)
# fmt: on
FEATURES: dict[str, Feature] = {feature.name: feature for feature in _TABLE}
"""The features by name, in the order of the columns of `evidence`. A new one is a row; then fit the model."""
FAMILIES = tuple(dict.fromkeys(feature.family for feature in _TABLE))
"""Families of features, each of which the ablation leaves out once."""
