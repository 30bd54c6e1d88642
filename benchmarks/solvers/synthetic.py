"""Synthetic instances of any size: a seeded generator that imitates corpora of many databases, and some that do not.

A kind has four parts, for example "sparse-topical-light-require":

- *graph*: in ``sparse`` and ``dense`` graphs the tables belong to databases of 2 to 9 tables. A random tree joins those
  of a database, weights uniform in [0.5, 1], and each table has one more such join with chance 0.3. In a ``sparse``
  graph n/4 pairs also join by chance, weights uniform in [0, 0.5]: half a join for each table. In a ``dense`` graph
  every other pair has a weight of half the square of a uniform number: like the paper's score, which is positive for
  nearly every pair. A ``random`` graph has no databases: 3 n pairs join, weights uniform in [0, 1].
- *relevance*: ``topical`` tables and questions are unit vectors in 16 dimensions. A database has a direction, its
  tables lie around it, the question lies around one table and its sub-queries around the question; relevance is the
  cosine, coverage the best cosine of the table's columns, which lie around the table. ``flat`` relevance and coverage
  are independent and uniform in [0, 1], with no order that a bound could use.
- *joins*: the weights of the objective are 10, 2 and 8 as in the paper, and 1 (``light``, the paper's) or 10
  (``heavy``) for joins.
- *connect*: its mode, ``require`` or ``prefer``.

The same kind, seed and size give the same instance on every machine with the same numpy.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Literal, cast

import numpy as np
import numpy.typing as npt

from benchmarks.solvers.cases import Case
from formulations import Instance, JarObjective

Array = npt.NDArray[np.float64]

KINDS = tuple(
    "-".join(parts)
    for parts in product(("sparse", "dense", "random"), ("topical", "flat"), ("light", "heavy"), ("require", "prefer"))
)

DIMENSIONS, COLUMNS, SUBQUERIES = 16, 5, 4
LARGEST_DATABASE = 9


def synthetic_cases(count: int, n: int, size: int, kinds: Sequence[str] = KINDS) -> Iterator[Case]:
    """So many cases of each kind, of n tables and with so many to choose: seeds from 0; kinds take turns."""
    for seed in range(count):
        for kind in kinds:
            instance = synthetic_instance(kind, seed, n, size)
            yield Case(f"seed{seed}", "synthetic", kind, instance, synthetic_objective(kind))


def synthetic_objective(kind: str) -> JarObjective:
    """The objective of a kind."""
    *_, joins, connect = kind.split("-")
    mode = cast(Literal["require", "prefer"], connect)
    return JarObjective(coarse=10, fine=2, coverage=8, join=10 if joins == "heavy" else 1, connect=mode)


def synthetic_instance(kind: str, seed: int, n: int, size: int) -> Instance:
    """The instance of a kind of `KINDS`, a seed, a number of tables and of tables to choose."""
    graph, relevance, *_ = kind.split("-")
    random = np.random.default_rng([seed, KINDS.index(kind), n])
    database = _databases(random, n)
    weights = _random_graph(random, n) if graph == "random" else _databases_graph(random, database, graph == "dense")
    if relevance == "topical":
        coarse, coverage = _topical(random, database)
    else:
        coarse, coverage = random.random(n), random.random((SUBQUERIES, n))
    return Instance(coarse, coverage, weights, size)


def _databases(random: np.random.Generator, n: int) -> npt.NDArray[np.int64]:
    """The database of each table, not decreasing."""
    sizes = random.integers(2, LARGEST_DATABASE + 1, size=n)
    return np.repeat(np.arange(n), sizes)[:n]


def _random_graph(random: np.random.Generator, n: int) -> Array:
    weights = np.zeros((n, n))
    pairs = random.integers(0, n, size=(3 * n, 2))
    weights[pairs[:, 0], pairs[:, 1]] = random.random(len(pairs))
    weights = np.triu(np.maximum(weights, weights.T), 1)
    return weights + weights.T


def _databases_graph(random: np.random.Generator, database: npt.NDArray[np.int64], dense: bool) -> Array:
    n = len(database)
    weights = np.zeros((n, n))
    if dense:
        weights = np.triu(0.5 * random.random((n, n)) ** 2, 1)
    else:
        pairs = random.integers(0, n, size=(n // 4, 2))
        weights[pairs[:, 0], pairs[:, 1]] = 0.5 * random.random(len(pairs))
    weights = np.triu(np.maximum(weights, weights.T), 1)
    for table in range(1, n):
        earlier = np.flatnonzero(database[:table] == database[table])
        for _ in range(1 + int(random.random() < 0.3)):
            if len(earlier):
                weights[random.choice(earlier), table] = random.uniform(0.5, 1.0)
    return weights + weights.T


def _topical(random: np.random.Generator, database: npt.NDArray[np.int64]) -> tuple[Array, Array]:
    tables = _around(random, _unit(random.normal(size=(database.max() + 1, DIMENSIONS)))[database], 0.6)
    columns = _around(random, np.repeat(tables[:, None], COLUMNS, axis=1), 0.8)
    question = _around(random, tables[random.integers(len(tables))], 0.5)
    subqueries = _around(random, np.repeat(question[None], SUBQUERIES, axis=0), 0.8)
    return tables @ question, (columns @ subqueries.T).max(axis=1).T


def _around(random: np.random.Generator, vectors: Array, spread: float) -> Array:
    """Unit vectors around unit vectors: each with noise of about this length added."""
    noise = random.normal(size=vectors.shape) / np.sqrt(vectors.shape[-1])
    return _unit(vectors + spread * noise)


def _unit(vectors: Array) -> Array:
    unit: Array = vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)
    return unit
