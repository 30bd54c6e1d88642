"""Examples of references and of other pairs, as arrays that a model is fitted on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt

from benchmarks.joins.truth import Indices, Truth
from joinability.scores.features import FEATURES, Pairs, features
from joinability.scores.odds import states, supported
from joinability.scores.weights import KNOWLEDGE

COUNTS = np.array([[feature.state in ("", state) for feature in FEATURES.values()] for state in KNOWLEDGE])
"""Which features count in each state of knowledge."""


@dataclass(frozen=True)
class Examples:
    """n ordered pairs (child, parent) that there is evidence on.

    Attributes
    ----------
    x : (n, F) array
        Features.
    y : (n,) array of 0 and 1
        The child refers to the parent by a declared key.
    database : (n,) array of int
    child, parent : (n,) arrays of int
        Columns.
    weight : (n,) array
        How much each counts in a fit; 0 where it is neither a reference nor an example of a pair that is none.
    unrivalled : (n, 2) array of bool
        Which kind of rival excludes it never (`Pairs.unrivalled`).
    """

    x: npt.NDArray[np.float64]
    y: npt.NDArray[np.float64]
    database: Indices
    child: Indices
    parent: Indices
    weight: npt.NDArray[np.float64]
    unrivalled: npt.NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.y)

    @classmethod
    def stacked(cls, parts: Sequence[Examples]) -> Examples:
        """Several sets of examples, one after the other."""
        names = [field.name for field in fields(cls)]
        return cls(**{name: np.concatenate([getattr(part, name) for part in parts]) for name in names})

    def where(self, kept: npt.NDArray[np.bool_]) -> Examples:
        """Some of the examples."""
        return Examples(**{field.name: getattr(self, field.name)[kept] for field in fields(self)})

    def of(self, databases: Indices) -> npt.NDArray[np.bool_]:
        """Which examples are of these databases."""
        return np.isin(self.database, databases)


def examples(truth: Truth) -> Examples:
    """Both orders of each pair of columns within a database that the default score would look at."""
    pairs = [truth.pairs(database) for database in range(len(truth.databases))]
    left, right = (np.concatenate([pair[side] for pair in pairs]) for side in (0, 1))
    block = truth.evidence.pairs(left, right)
    part = block.chosen(np.flatnonzero(supported(block)))
    blocks = (part, part.reversed())
    return Examples(
        x=np.concatenate([features(block) * COUNTS[states(block)] for block in blocks]).astype(np.float64),
        y=np.concatenate([block.refers for block in blocks]).astype(np.float64),
        database=np.tile(truth.database[part.left], 2),
        child=np.concatenate([block.left for block in blocks]),
        parent=np.concatenate([block.right for block in blocks]),
        weight=np.ones(2 * len(part.left)),
        unrivalled=np.concatenate([Pairs(block).unrivalled for block in blocks]),
    )
