"""The fitted weights of the default score, read from the data file beside this module."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

import numpy as np

from joinability.scores.features import FEATURES

if TYPE_CHECKING:
    from joinability.arrays import Array

KNOWLEDGE = ("values", "samples", "schema")
"""What is known of the values of a pair: all; of a side only samples and counts; of a side nothing."""
VALUES, SAMPLES, SCHEMA = range(3)
FILE = "weights.json"


@dataclass(frozen=True)
class Weights:
    """Logistic models of a reference, one for each state of `KNOWLEDGE`.

    Attributes
    ----------
    intercepts : (3,) array
    coefficients : (3, F) array
        In the order of `FEATURES`.
    """

    intercepts: Array
    coefficients: Array

    @classmethod
    def of(cls, fitted: dict[str, dict[str, float]]) -> Weights:
        """Weights by state and name, as the data file has them under "weights".

        Raises
        ------
        ValueError
            When the names are not those of the features of this version.
        """
        for state in KNOWLEDGE:
            expected = {"intercept", *counting(state)}
            if set(fitted[state]) != expected:
                unknown = sorted(set(fitted[state]) ^ expected)
                raise ValueError(f"the weights for {state!r} differ from the features in {unknown}: fit them again")
        return cls(
            np.array([fitted[state]["intercept"] for state in KNOWLEDGE]),
            np.array([[fitted[state].get(name, 0.0) for name in FEATURES] for state in KNOWLEDGE]),
        )


def counting(state: str) -> list[str]:
    """The names of the features that count in a state of knowledge."""
    return [name for name, feature in FEATURES.items() if feature.state in ("", state)]


@cache
def load_weights() -> Weights:
    """The weights that come with the package."""
    return Weights.of(json.loads((files("joinability.scores") / FILE).read_text("utf-8"))["weights"])
