"""The relevance model: two stages of logistic regression over named features, read from a JSON file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from jar.arrays import Array
from jar.errors import JarError
from jar.learned.evidence import FEATURES, evidence
from jar.learned.stacking import STACKED, stacked
from jar.learned.width import broad_share, loose_share, own_words_share, wide_share

if TYPE_CHECKING:
    from jar.learned.candidates_seen import Candidates

FILE = "model.json"
OPTIONAL = ("within", "join", "join_within")
"""Weights that a file may lack."""
OTHER_STAGES = ("broad", "wide", "loose", "own_words")
"""Stages that a file may lack."""
VERSION = 1
"""Of the form of the file."""
SLIGHT = 0.1
"""Log-odds below which a feature is no reason."""


@dataclass(frozen=True, eq=False)
class Stage:
    """Logistic regression: log-odds ``intercept + weights . x``.

    Attributes
    ----------
    intercept : float
    weights : array (F,)
    """

    intercept: float
    weights: Array

    def log_odds(self, x: Array) -> Array:
        """Of n candidates by their features (n, F), shape (n,)."""
        odds: Array = self.intercept + x @ self.weights
        return odds

    def towards(self, other: Stage, share: float) -> Stage:
        """A stage between this one and another, which counts by a share from 0 to 1."""
        kept = 1 - share
        return Stage(
            kept * self.intercept + share * other.intercept, kept * self.weights + share * other.weights
        )

    def to_dict(self, names: Iterable[str]) -> dict[str, float]:
        """Intercept and weights by name."""
        return {"intercept": self.intercept, **dict(zip(names, self.weights.tolist(), strict=True))}

    @classmethod
    def of(cls, data: Mapping[str, Any], names: Iterable[str]) -> Stage:
        """The stage that `to_dict` tells.

        Raises
        ------
        JarError
            When the names are not those of the features of this version, or a weight is no finite number.
        """
        wanted = list(names)
        unknown = sorted(set(data) ^ {"intercept", *wanted})
        if unknown:
            raise JarError(f"a relevance model of other features than those of this version, {unknown}: fit it again")
        weights = np.array([data[name] for name in ["intercept", *wanted]], dtype=np.float64)
        if not np.isfinite(weights).all():
            raise JarError("a relevance model has a weight that is no finite number: fit it again")
        return cls(float(weights[0]), weights[1:])


class Stages(NamedTuple):
    """Both stages: the first over `FEATURES`, the second over `FEATURES` and `STACKED`."""

    first: Stage
    second: Stage

    def to_dict(self) -> dict[str, dict[str, float]]:
        """Intercepts and weights by name."""
        return {"first": self.first.to_dict(FEATURES), "second": self.second.to_dict([*FEATURES, *STACKED])}

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Stages:
        """The stages that `to_dict` tells.

        Raises
        ------
        JarError
            When their features are not those of this version, or a weight is no finite number.
        """
        return cls(Stage.of(data["first"], FEATURES), Stage.of(data["second"], [*FEATURES, *STACKED]))


@dataclass(frozen=True, eq=False)
class RelevanceModel:
    """How likely each candidate of a question is among the tables that it needs.

    The first stage sees the evidence on a candidate (`jar.learned.evidence`); the second the same, and what the first
    makes of the tables that it joins and of those of its database (`jar.learned.stacking`).

    Attributes
    ----------
    first, second : Stage
        Over `FEATURES`, and over `FEATURES` and `STACKED`.
    weight : float
        What log-odds weigh beside the terms of an objective over tables.
    card : mapping
        What the model is fitted on, how, and what for.
    within : float, optional
        What they weigh where all candidates are of one database and nothing is fitted to logged questions; by default
        as much.
    join : float, optional
        What joins weigh beside them where candidates are of several databases and the objective has the weights of
        "jar"; by default that of the objective.
    join_within : float, optional
        What joins weigh beside them where all candidates are of one database; by default that of the objective.
    broad, wide, loose, own_words : Stages, optional
        The stages that count in schemas of broad tables, in wide ones, in those of which hardly any join is known, and
        for questions in words of their own (`jar.learned.width`); by default the same.
    """

    first: Stage
    second: Stage
    weight: float = 1.0
    card: Mapping[str, Any] = field(default_factory=dict)
    within: float | None = None
    join: float | None = None
    join_within: float | None = None
    broad: Stages | None = None
    wide: Stages | None = None
    loose: Stages | None = None
    own_words: Stages | None = None

    def weight_of(self, several: bool) -> float:
        """What log-odds weigh where candidates are of several databases, or of one."""
        return self.weight if several or self.within is None else self.within

    def join_of(self, several: bool) -> float | None:
        """What joins weigh beside log-odds where candidates are of several databases, or of one; None for as usual."""
        return self.join if several else self.join_within

    def weighing_nothing(self) -> RelevanceModel:
        """The same model for probabilities alone: its log-odds weigh nothing."""
        return replace(self, weight=0.0, within=None)

    def at(self, seen: Candidates, x: Array) -> RelevanceModel:
        """The model of n candidates by their evidence, (n, F).

        Its stages lie between those for slim tables and `own_words` by `own_words_share`, between the result and
        `broad` by `broad_share`, between that and `wide` by `wide_share`, and at last between that and `loose` by
        `loose_share`. `join_within` moves towards `join` by the shares of broad tables and wide schemas, one after the
        other; `within` moves towards `weight` by `wide_share` alone. What the shares of schemas look at is told by the
        likeliest candidate of the first stage for slim tables.
        """
        likely, model = self.first.log_odds(x), replace(self, own_words=None, broad=None, wide=None, loose=None)
        if self.own_words is not None:
            model = model._towards(self.own_words, own_words_share(seen))
        if self.broad is not None:
            share = broad_share(seen, likely)
            join_within = _between(self.join_within, self.join, share)
            model = replace(model._towards(self.broad, share), join_within=join_within)
        if self.wide is not None:
            share = wide_share(seen, likely)
            join_within = _between(model.join_within, self.join, share)
            within = _between(self.within, self.weight, share)
            model = replace(model._towards(self.wide, share), within=within, join_within=join_within)
        if self.loose is not None:
            model = model._towards(self.loose, loose_share(seen, likely))
        return model

    def _towards(self, other: Stages, share: float) -> RelevanceModel:
        """The model with stages between its own and others, which count by a share."""
        first, second = (stage.towards(wanted, share) for stage, wanted in zip(self.stages, other, strict=True))
        return replace(self, first=first, second=second)

    @property
    def stages(self) -> Stages:
        """The stages for narrow schemas of slim tables, asked in their words."""
        return Stages(self.first, self.second)

    def log_odds(self, seen: Candidates) -> Array:
        """Calibrated log-odds that each of n candidates is needed, shape (n,)."""
        model, features = self.judging(seen)
        return model.second.log_odds(features)

    def judging(self, seen: Candidates) -> tuple[RelevanceModel, Array]:
        """The model of n candidates, and what its second stage sees of them, shape (n, F + S)."""
        x = evidence(seen)
        model = self.at(seen, x)
        return model, np.hstack([x, stacked(seen, model.first.log_odds(x))])

    def reasons(self, seen: Candidates, count: int = 3) -> list[tuple[str, ...]]:
        """What speaks most for each of n candidates, in words, strongest first: at most `count` for each."""
        model, features = self.judging(seen)
        return reasons_of(model, features, range(seen.n), count)

    def to_dict(self) -> dict[str, Any]:
        """The model as JSON types."""
        return {
            "version": VERSION,
            "card": dict(self.card),
            "weight": self.weight,
            **{name: value for name in OPTIONAL if (value := getattr(self, name)) is not None},
            **self.stages.to_dict(),
            **{name: stages.to_dict() for name in OTHER_STAGES if (stages := getattr(self, name)) is not None},
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> RelevanceModel:
        """The model that `to_dict` tells.

        Raises
        ------
        JarError
            When it is of another version, or of other features.
        """
        if data.get("version") != VERSION:
            raise JarError(f"a relevance model of version {data.get('version')!r}, not {VERSION}: fit it again")
        first, second = Stages.of(data)
        optional: dict[str, Any] = {name: float(data[name]) for name in OPTIONAL if name in data}
        optional |= {name: Stages.of(data[name]) for name in OTHER_STAGES if name in data}
        return cls(first, second, float(data["weight"]), data.get("card", {}), **optional)

    def save(self, path: str | Path) -> None:
        """Write the model as readable JSON, a line for each number."""
        Path(path).write_text(json.dumps(self.to_dict(), indent=1) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, path: str | Path) -> RelevanceModel:
        """Read a model.

        Raises
        ------
        JarError
            When the file holds none of this version.
        """
        try:
            return cls.from_dict(json.loads(Path(path).read_text(encoding="utf-8")))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise JarError(f"{path} holds no relevance model: {error}") from error

    @classmethod
    def blank(cls) -> RelevanceModel:
        """A model that knows nothing: even odds for every table."""
        first, both = len(FEATURES), len(FEATURES) + len(STACKED)
        return cls(Stage(0.0, np.zeros(first)), Stage(0.0, np.zeros(both)))


def _between(one: float | None, other: float | None, share: float) -> float | None:
    """A weight between two, of which the second counts by a share; the first where one of them is not given."""
    return one if one is None or other is None else one + share * (other - one)


def reasons_of(model: RelevanceModel, x: Array, places: Sequence[int], count: int = 3) -> list[tuple[str, ...]]:
    """`RelevanceModel.reasons` of those at p places among n candidates, by the features of all, (n, F + S).

    A feature speaks for a candidate by its weight times what it has more of it than the mean candidate; the first
    stage's log-odds are told by the features that they are made of.
    """
    above = x[list(places)] - x.mean(axis=0)
    spoken = above * model.second.weights
    whole = list(STACKED).index("odds") + len(FEATURES)
    spoken[:, : len(FEATURES)] += model.second.weights[whole] * above[:, : len(FEATURES)] * model.first.weights
    spoken[:, whole] = 0.0
    phrases = [*(feature.reason for feature in FEATURES.values()), *(feature.reason for feature in STACKED.values())]
    reasons = []
    for row in spoken:
        best = [place for place in np.argsort(-row, kind="stable").tolist() if phrases[place] and row[place] > SLIGHT]
        reasons.append(tuple(phrases[place] for place in best[:count]))
    return reasons


@cache
def shipped_model() -> RelevanceModel:
    """The model that comes with the package."""
    return RelevanceModel.from_dict(json.loads((files("jar.learned") / FILE).read_text("utf-8")))
