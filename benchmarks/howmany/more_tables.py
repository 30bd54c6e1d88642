"""Fits how likely a question that needs some tables needs one more, by the number of its sub-queries (equation 4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from benchmarks.data.dataset_form import Dataset
from benchmarks.joins.logistic import fit_logistic
from jar.sizes.candidate_sets import LARGEST
from jar.text.decomposition import decompose

Array = npt.NDArray[np.float64]


class Needs(NamedTuple):
    """A question: the tables that it needs, its sub-queries, the tables of its database."""

    needed: int
    subqueries: int
    tables: int


def needs_of(dataset: Dataset) -> dict[str, list[Needs]]:
    """The questions of a data set by their databases, with the package's own decomposition."""
    sizes = Counter(table.database for table in dataset.catalog)
    needs: dict[str, list[Needs]] = {}
    for question in dataset.questions:
        need = Needs(len(question.gold_tables), len(decompose(question.text)), sizes[question.database])
        needs.setdefault(question.database, []).append(need)
    return needs


def fit_more(needs: Iterable[Needs]) -> Array:
    """The weights of equation (4) of `jar.sizes.set_model`, shape (3,).

    A logistic regression with an example for each question and each number l of tables, up to `LARGEST`, that it needs
    and that its database has more than: whether it needs more than l.
    """
    examples = [
        (np.log1p(one.subqueries), size, one.needed > size)
        for one in needs
        for size in range(1, LARGEST + 1)
        if one.needed >= size and one.tables > size
    ]
    rows = np.array(examples, dtype=np.float64)
    constant, slopes = fit_logistic(rows[:, :2], rows[:, 2])
    return np.array([constant, *slopes])
