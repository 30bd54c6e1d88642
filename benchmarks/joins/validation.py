"""Cross-validation by database, and what each feature and each kind of rival adds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from benchmarks.joins.fitting import FORM, Form, fit_references, taken_by_rivals
from benchmarks.joins.key_ranking import Scored, find_keys
from benchmarks.joins.lessons import Lessons
from benchmarks.joins.truth import Indices, Truth
from joinability.scores.features import FEATURES
from joinability.scores.rivals import RIVALS

FOLDS = 8
SEEDS = (0, 1, 2)

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Validated:
    """Figures of models on databases that they were not fitted on, averaged over the seeds.

    Attributes
    ----------
    label : str
    loss : float
        Mean logistic loss of an example.
    best_pair, top_columns, top_tables : float
        As in `Findings`, of the clean copy.
    damaged_columns : float
        `top_columns` of the damaged copies.
    """

    label: str
    loss: float
    best_pair: float
    top_columns: float
    top_tables: float
    damaged_columns: float


def ablation(lessons: Lessons, vectors: npt.NDArray[np.float32]) -> Iterator[Validated]:
    """Cross-validation with all features, with the cosine of the columns' texts as one more, without each of them, and
    without each kind of rival.

    Parameters
    ----------
    lessons : Lessons
    vectors : (C, d) array
        Unit vectors of the texts of the columns of all copies.
    """
    yield cross_validate(lessons, "all features")
    made = lessons.examples
    cosine = np.einsum("nd,nd->n", vectors[made.child], vectors[made.parent])
    further = replace(lessons, examples=replace(made, x=np.column_stack([made.x, cosine])))
    yield cross_validate(further, "with the cosine", FORM.extended(1.0))
    for place, name in enumerate(FEATURES):
        fewer = replace(lessons, examples=replace(made, x=np.delete(made.x, place, axis=1)))
        yield cross_validate(fewer, f"without {name}", FORM.without(place))
    for name in RIVALS:
        yield cross_validate(lessons, f"without {name}", replace(FORM, rivals=RIVALS.keys() - {name}))
    yield cross_validate(lessons, "without rivals", replace(FORM, rivals=()))


def cross_validate(lessons: Lessons, label: str = "", form: Form = FORM) -> Validated:
    """Fit on all but a fold of the training databases, in all copies; measure on the fold; for each fold and each seed.

    Parameters
    ----------
    lessons : Lessons
    label : str
    form : Form
        Of the model that is fitted.
    """
    made = lessons.examples
    losses, clean, damaged = [], [], []
    for seed in SEEDS:
        logits = held_out_logits(lessons, _folds(lessons.truths[0], seed), form)
        z = np.where(made.y > 0, -logits, logits)
        losses.append(float(np.average(np.logaddexp(0, z), weights=made.weight)))
        clean.append(find_keys(_scored(lessons, 0, logits)))
        copies = range(1, len(lessons.truths))
        damaged.append([find_keys(_scored(lessons, copy, logits)).top_columns for copy in copies])
    return Validated(
        label,
        float(np.mean(losses)),
        float(np.mean([finding.best_pair for finding in clean])),
        float(np.mean([finding.top_columns for finding in clean])),
        float(np.mean([finding.top_tables for finding in clean])),
        float(np.mean(damaged)) if damaged[0] else float("nan"),
    )


def held_out_scores(lessons: Lessons, seed: int) -> list[Scored]:
    """The pairs of each training database, undamaged, scored by a model that was fitted on the other folds."""
    return list(_scored(lessons, 0, held_out_logits(lessons, _folds(lessons.truths[0], seed))))


def held_out_logits(lessons: Lessons, fold: Indices, form: Form = FORM, shift: float = 0.0) -> Array:
    """Log-odds of all examples, each by the model without the databases of its fold, and after its rivals.

    Parameters
    ----------
    lessons : Lessons
    fold : (D,) array of int
        Of each database of the clean copy.
    form : Form
        Of the models that are fitted.
    shift : float
        What is added to the intercepts.
    """
    made = lessons.examples
    fold = fold[made.database]
    logits = np.zeros(len(made))
    for number in np.unique(fold).tolist():
        inside = fold == number
        intercept, weights = fit_references(made.where(~inside & (made.weight > 0)), lessons.table, form)
        logits[inside] = intercept + shift + made.x[inside] @ weights
    return logits + taken_by_rivals(made, logits, lessons.table, form.rivals)


def _folds(truth: Truth, seed: int) -> Indices:
    """A fold for each training database, -1 for the others."""
    ours = truth.of_part("train")
    fold = np.full(len(truth.databases), -1)
    fold[ours] = np.random.default_rng(seed).permutation(len(ours)) % FOLDS
    return fold


def _scored(lessons: Lessons, copy: int, logits: Array) -> Iterator[Scored]:
    """The pairs of the training databases of a copy, scored by the greater probability of the two orders."""
    truth, inside_copy = lessons.truths[copy], lessons.copy == copy
    evidence, first = truth.evidence, lessons.first_columns[copy]
    made = lessons.examples.where(inside_copy)
    probability = 1 / (1 + np.exp(-logits[inside_copy]))
    size = len(evidence)
    child, parent = made.child - first, made.parent - first
    key = np.minimum(child, parent) * size + np.maximum(child, parent)
    number = {name: place for place, name in enumerate(lessons.truths[0].databases)}
    for database in truth.of_part("train"):
        left, right = truth.pairs(int(database))
        if not len(left):
            continue
        pairs = left * size + right
        score = np.zeros(len(pairs))
        inside = made.database == number[truth.databases[database]]
        np.maximum.at(score, np.searchsorted(pairs, key[inside]), probability[inside])
        numbers = evidence.table[left] * len(evidence.table_names) + evidence.table[right]
        yield Scored(score, evidence.pairs(left, right).declared, numbers)
