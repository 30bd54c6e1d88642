"""The fit of the structure head: softmax over the skeletons of training queries, by Adam, with fixed seeds."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from jar.examples import Example, StructureHead
from jar.examples.question_terms import (
    QUESTION_RUN,
    SKELETON_RUN,
    delexicalised,
    runs,
    skeleton_words,
    term_matrix,
    words,
)
from jar.examples.sql_structure import SqlTree
from jar.examples.tree_distance import tree_differences

FloatArray = npt.NDArray[np.float32]

PATH = Path(str(files("jar.examples"))) / "structure_head.npz"
SEED = 0
BATCH = 256
FIRST, SECOND, TINY = 0.9, 0.999, 1e-8
"""Adam's constants."""
VALIDATION = 27
"""Training databases that settings are chosen by."""


@dataclass(frozen=True)
class FitSettings:
    """How the head is fitted.

    Attributes
    ----------
    databases : int
        A word of a question is told apart when so many databases have it.
    questions, skeletons : int
        A run is a term when so many questions, or skeletons, have it.
    dimensions, epochs : int
    rate, penalty : float
        Of Adam, and of the sum of squared weights.
    temperature : float or None
        The target of a question: its own skeleton (None), or all skeletons by exp(-d / temperature), d being the
        difference of their trees.
    """

    databases: int = 8
    questions: int = 4
    skeletons: int = 3
    dimensions: int = 32
    epochs: int = 10
    rate: float = 0.01
    penalty: float = 1e-4
    temperature: float | None = 0.02


def split_databases(databases: Iterable[str]) -> tuple[list[str], list[str]]:
    """Training databases to fit on, and to choose settings by."""
    names = sorted(set(databases))
    order = np.random.default_rng(SEED).permutation(len(names))
    chosen = {names[place] for place in order[:VALIDATION]}
    return [name for name in names if name not in chosen], sorted(chosen)


def fit_head(
    examples: Sequence[Example], settings: FitSettings, report: Callable[[str], None], card: dict[str, Any]
) -> StructureHead:
    """The head of a number of questions with their SQL; the same questions give the same head."""
    kept = _kept_words(examples, settings.databases)
    told = [delexicalised(example.question, kept) for example in examples]
    counted = Counter(example.skeleton for example in examples)
    skeletons = sorted(counted)
    shapes = [skeleton_words(skeleton) for skeleton in skeletons]
    question_terms = _terms(told, QUESTION_RUN, settings.questions)
    skeleton_terms = _terms(shapes, SKELETON_RUN, settings.skeletons)
    x = term_matrix(told, {term: place for place, term in enumerate(question_terms)}, QUESTION_RUN)
    z = term_matrix(shapes, {term: place for place, term in enumerate(skeleton_terms)}, SKELETON_RUN)
    place = {skeleton: number for number, skeleton in enumerate(skeletons)}
    needed = np.array([place[example.skeleton] for example in examples])
    weights = _descend(x, z, needed, _targets(examples, skeletons, settings.temperature), settings, report)
    about = card | {"settings": asdict(settings), "seed": SEED, "questions": len(examples), "skeletons": len(skeletons)}
    return StructureHead(tuple(sorted(kept)), question_terms, skeleton_terms, *weights, card=about)


def _kept_words(examples: Sequence[Example], databases: int) -> set[str]:
    seen = defaultdict(set)
    for example in examples:
        for word in words(example.question):
            seen[word].add(example.database)
    return {word for word, having in seen.items() if len(having) >= databases}


def _terms(texts: Sequence[Sequence[str]], longest: int, least: int) -> tuple[str, ...]:
    counts = Counter(run for text in texts for run in set(runs(text, longest)))
    return tuple(sorted(run for run, count in counts.items() if count >= least))


def _targets(examples: Sequence[Example], skeletons: Sequence[str], temperature: float | None) -> FloatArray:
    """The target distribution of each skeleton over all of them, shape (s, s)."""
    if temperature is None:
        return np.eye(len(skeletons), dtype=np.float32)
    trees = {example.skeleton: example.tree for example in examples}
    weights = np.exp(-_differences(tuple(trees[skeleton] for skeleton in skeletons)) / temperature)
    return (weights / weights.sum(axis=1, keepdims=True)).astype(np.float32)


@lru_cache(maxsize=1)
def _differences(trees: tuple[SqlTree, ...]) -> npt.NDArray[np.float64]:
    """Of all pairs: they take longer than the fit, and several settings share them."""
    return tree_differences(trees, trees)


def _descend(
    x: Any, z: Any, needed: Any, targets: FloatArray, settings: FitSettings, report: Callable[[str], None]
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Weights and offset of questions (x, sparse), and of skeletons (z), by Adam over batches of questions."""
    generator = np.random.default_rng(SEED)
    r = settings.dimensions
    shapes = ((x.shape[1], r), (r,), (z.shape[1], r), (z.shape[1],))
    weights = [generator.normal(scale=0.05, size=shape).astype(np.float32) for shape in shapes]
    weights[1][:], weights[3][:] = 0, 0
    means, squares = ([np.zeros_like(weight) for weight in weights] for _ in range(2))
    penalties = (settings.penalty, 0.0, settings.penalty, settings.penalty)
    step = 0
    for epoch in range(1, settings.epochs + 1):
        loss, order = 0.0, generator.permutation(len(needed))
        for start in range(0, len(order), BATCH):
            rows, step = order[start : start + BATCH], step + 1
            part, gradients = _gradients(x[rows], z, targets[needed[rows]], weights)
            loss += part * len(rows)
            rate = settings.rate * np.sqrt(1 - SECOND**step) / (1 - FIRST**step)
            for number, gradient in enumerate(gradients):
                slope = gradient + 2 * penalties[number] * weights[number]
                means[number] += (1 - FIRST) * (slope - means[number])
                squares[number] += (1 - SECOND) * (slope**2 - squares[number])
                weights[number] -= (rate * means[number] / (np.sqrt(squares[number]) + TINY)).astype(np.float32)
        report(f"epoch {epoch}: cross entropy {loss / len(needed):.3f}")
    question_weights, question_offset, skeleton_weights, skeleton_offset = weights
    return question_weights, question_offset, skeleton_weights, skeleton_offset


def _gradients(x: Any, z: Any, target: FloatArray, weights: Sequence[FloatArray]) -> tuple[float, list[FloatArray]]:
    """The mean cross entropy of questions, and its slope by each array of weights."""
    question_weights, question_offset, skeleton_weights, skeleton_offset = weights
    vectors, shapes = x @ question_weights + question_offset, z @ skeleton_weights
    scores = vectors @ shapes.T + z @ skeleton_offset
    scores -= scores.max(axis=1, keepdims=True)
    odds = np.exp(scores)
    totals = odds.sum(axis=1, keepdims=True)
    loss = float((target * (np.log(totals) - scores)).sum(axis=1).mean())
    slope = (odds / totals - target) / len(target)
    by_vector = slope @ shapes
    return loss, [x.T @ by_vector, by_vector.sum(axis=0), z.T @ (slope.T @ vectors), z.T @ slope.sum(axis=0)]
