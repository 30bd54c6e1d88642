"""What the score learns from: examples of the training databases, clean, and of damaged copies of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from benchmarks.data.join_schemas import RowSchema
from benchmarks.data.noise import Noise
from benchmarks.data.wild.surrogates import with_random_ids, with_surrogates
from benchmarks.joins.examples import Examples, examples
from benchmarks.joins.truth import KNOWLEDGE, Indices, Truth, schema_truth
from joinability.evidence.traits import KEY_UNIQUENESS

CLEAN = 0.67
"""Share of the weight of an example that falls to the clean copy; the damaged ones share the rest."""
NOISES = (1, 2)
"""Seeds of the damaged copies."""
SURROGATES = 0.5
"""Share of the tables that are referred to which have a number of their own in front, in the third copy."""
RANDOM, STRANGE = 0.7, 0.5
"""Share of the keys that are random identifiers, in the last copy, and of their columns whose names say nothing."""


@dataclass(frozen=True)
class Lessons:
    """Examples of the training databases in one state of knowledge, from several copies of them.

    Attributes
    ----------
    truths : tuple of Truth
        The clean copy, then the damaged ones.
    examples : Examples
        Of all copies. Columns and tables of a copy have numbers of their own, so that rivals stay within a copy;
        databases have those of the clean copy.
    copy : (n,) array of int
        Index into `truths`.
    table : array of int
        Table of each column of all copies.
    """

    truths: tuple[Truth, ...]
    examples: Examples
    copy: Indices
    table: Indices

    @classmethod
    def of(cls, truths: Sequence[Truth], uniqueness: Sequence[npt.NDArray[np.float64]]) -> Lessons:
        """The examples of the training databases of a clean copy and of the damaged ones.

        Spider declares composite keys as one reference for each column; a part of a composite key is neither a
        reference by itself nor an example of a pair that is none: its weight is 0.

        Parameters
        ----------
        uniqueness : sequence of (C,) arrays
            Of all columns of each copy, whatever the state of knowledge of the examples.
        """
        number = {name: place for place, name in enumerate(truths[0].databases)}
        parts = []
        for truth, unique, weight in zip(truths, uniqueness, copy_weights(len(truths)), strict=True):
            made = examples(truth)
            made = made.where(made.of(truth.of_part("train")))
            known = np.array([number[name] for name in truth.databases])
            parts.append(
                replace(
                    made, database=known[made.database], weight=np.where(whole(made, unique), weight, 0.0)
                )
            )
        return cls.stacked(truths, parts)

    @classmethod
    def stacked(cls, truths: Sequence[Truth], parts: Sequence[Examples]) -> Lessons:
        """The examples of several copies together, with columns and tables numbered on from copy to copy.

        Parameters
        ----------
        truths : sequence of Truth
            The clean copy first.
        parts : sequence of Examples
            Of each copy, its columns numbered as in its evidence, its databases as in the clean copy.
        """
        numbered, tables, columns, seen = [], [], 0, 0
        for truth, part in zip(truths, parts, strict=True):
            numbered.append(replace(part, child=part.child + columns, parent=part.parent + columns))
            tables.append(truth.evidence.table + seen)
            columns, seen = columns + len(truth.evidence), seen + len(truth.evidence.table_names)
        copy = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
        return cls(tuple(truths), Examples.stacked(numbered), copy, np.concatenate(tables))

    @property
    def first_columns(self) -> Indices:
        """The number of the first column of each copy."""
        return np.cumsum([0, *(len(truth.evidence) for truth in self.truths[:-1])])


def copy_weights(copies: int) -> list[float]:
    """Weights of the clean copy and of the damaged ones; they sum up to 1."""
    return [CLEAN, *[(1 - CLEAN) / (copies - 1)] * (copies - 1)] if copies > 1 else [1.0]


def whole(made: Examples, uniqueness: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
    """Which examples are no part of a composite key."""
    return np.asarray((made.y == 0) | (uniqueness[made.parent] >= KEY_UNIQUENESS))


def read_lessons(
    truths: dict[str, Truth], training: Sequence[RowSchema], report: Callable[[str], None] = lambda message: None
) -> dict[str, Lessons]:
    """Lessons in each state of knowledge that a truth is given for; "values" has to be among them.

    Parameters
    ----------
    truths : dict
        The clean copy in each state.
    training : sequence of RowSchema
        The training databases, to be damaged.
    """
    copies = [[schema.damaged(Noise.drawn(seed, schema.name), seed) for schema in training] for seed in NOISES]
    copies.append([with_surrogates(schema.damaged(Noise(), 1), SURROGATES, 1) for schema in training])
    copies.append([with_random_ids(schema.damaged(Noise(), 1), RANDOM, STRANGE, 1) for schema in training])
    damaged = {}
    for state in KNOWLEDGE:
        if state in truths:
            report(f"damaged copies of the training databases, known: {state}")
            learnt = copies if state == "values" else copies[: len(NOISES)]  # other keys are told by values alone
            damaged[state] = [schema_truth(schemas, "train", state) for schemas in learnt]
    uniqueness = [truth.evidence.uniqueness for truth in (truths["values"], *damaged["values"])]
    return {
        state: Lessons.of([truths[state], *others], uniqueness[: len(others) + 1]) for state, others in damaged.items()
    }
