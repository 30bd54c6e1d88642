"""Cross-validation by database, and what each feature and each kind of rival adds."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from benchmarks.joins.examples import Examples, examples
from benchmarks.joins.fitting import SIGNS, fit_references, taken_by_rivals, whole
from benchmarks.joins.key_ranking import Scored, find_keys
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
        As in `Findings`.
    """

    label: str
    loss: float
    best_pair: float
    top_columns: float
    top_tables: float


def ablation(truth: Truth, vectors: npt.NDArray[np.float32]) -> Iterator[Validated]:
    """Cross-validation with all features, with the cosine of the columns' texts as one more, without each of them, and
    without each kind of rival.

    Parameters
    ----------
    truth : Truth
    vectors : (C, d) array
        Unit vectors of the texts.
    """
    made = examples(truth)
    yield cross_validate(truth, made, "all features")
    cosine = np.einsum("nd,nd->n", vectors[made.child], vectors[made.parent])
    further = replace(made, x=np.column_stack([made.x, cosine]))
    yield cross_validate(truth, further, "with the cosine", np.append(SIGNS, 1.0))
    for place, name in enumerate(FEATURES):
        fewer = replace(made, x=np.delete(made.x, place, axis=1))
        yield cross_validate(truth, fewer, f"without {name}", np.delete(SIGNS, place))
    for name in RIVALS:
        yield cross_validate(truth, made, f"without {name}", rivals=RIVALS.keys() - {name})
    yield cross_validate(truth, made, "without rivals", rivals=())


def cross_validate(
    truth: Truth, made: Examples, label: str = "", signs: Array = SIGNS, rivals: Collection[str] = RIVALS
) -> Validated:
    """Fit on all but a fold of the training databases, measure on the fold; for each fold and each seed.

    Parameters
    ----------
    truth : Truth
    made : Examples
    label : str
    signs : (F,) array of 1 and -1
        Of the weights of the features.
    rivals : names
        Of the kinds of rivals that count.
    """
    ours = made.where(made.of(truth.of_part("train")))
    used = whole(ours, truth.evidence.uniqueness)
    losses, findings = [], []
    for seed in SEEDS:
        logits = _held_out_logits(truth, ours, seed, signs, rivals)
        z = np.where(ours.y > 0, -logits, logits)[used]
        losses.append(float(np.logaddexp(0, z).mean()))
        findings.append(find_keys(_scored(truth, ours, logits)))
    return Validated(
        label,
        float(np.mean(losses)),
        float(np.mean([finding.best_pair for finding in findings])),
        float(np.mean([finding.top_columns for finding in findings])),
        float(np.mean([finding.top_tables for finding in findings])),
    )


def held_out_scores(truth: Truth, made: Examples, seed: int) -> list[Scored]:
    """The pairs of each training database, scored by a model that was fitted on the other folds."""
    ours = made.where(made.of(truth.of_part("train")))
    return list(_scored(truth, ours, _held_out_logits(truth, ours, seed)))


def _held_out_logits(
    truth: Truth, ours: Examples, seed: int, signs: Array = SIGNS, rivals: Collection[str] = RIVALS
) -> Array:
    """Log-odds of all examples of the training databases, each by the model without its fold, and after its rivals."""
    used = whole(ours, truth.evidence.uniqueness)
    fold = _folds(truth, seed)[ours.database]
    logits = np.zeros(len(ours))
    table = truth.evidence.table
    for number in range(FOLDS):
        intercept, weights = fit_references(ours.where((fold != number) & used), table, signs, rivals)
        inside = fold == number
        logits[inside] = intercept + ours.x[inside] @ weights
    return logits + taken_by_rivals(ours, logits, table, rivals)


def _folds(truth: Truth, seed: int) -> Indices:
    """A fold for each training database, -1 for the others."""
    ours = truth.of_part("train")
    fold = np.full(len(truth.databases), -1)
    fold[ours] = np.random.default_rng(seed).permutation(len(ours)) % FOLDS
    return fold


def _scored(truth: Truth, ours: Examples, logits: Array) -> Iterator[Scored]:
    """The pairs of the training databases, scored by the greater probability of the two orders."""
    evidence = truth.evidence
    probability = 1 / (1 + np.exp(-logits))
    size = len(evidence)
    key = np.minimum(ours.child, ours.parent) * size + np.maximum(ours.child, ours.parent)
    for database in truth.of_part("train"):
        left, right = truth.pairs(int(database))
        if not len(left):
            continue
        pairs = left * size + right
        score = np.zeros(len(pairs))
        inside = ours.database == database
        np.maximum.at(score, np.searchsorted(pairs, key[inside]), probability[inside])
        numbers = evidence.table[left] * len(evidence.table_names) + evidence.table[right]
        yield Scored(score, evidence.pairs(left, right).declared, numbers)
