"""The fit of the structure head: softmax over the skeletons of training queries, by Adam, with fixed seeds."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from jar.examples import Example, StructureHead
from jar.examples.graph_head import GraphHead
from jar.examples.question_graph import GraphSchema, path_terms, question_graph
from jar.examples.question_terms import (
    QUESTION_RUN,
    SKELETON_RUN,
    delexicalised,
    runs,
    skeleton_words,
    term_matrix,
    term_rows,
    words,
)
from jar.examples.sql_structure import SqlTree
from jar.examples.tree_distance import tree_differences

FloatArray = npt.NDArray[np.float32]

PATH = Path(str(files("jar.examples"))) / "structure_head.npz"
GRAPH_PATH = PATH.with_name("graph_head.npz")
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
    paths : int
        The same of a path of graphs.
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
    paths: int = 16
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
    phrases = [delexicalised(example.question, kept) for example in examples]
    question_terms = _terms((runs(text, QUESTION_RUN) for text in phrases), settings.questions)
    x = term_matrix(phrases, _places(question_terms), QUESTION_RUN).csr
    return StructureHead(tuple(sorted(kept)), question_terms, **_fitted(x, examples, settings, report, card))


def fit_graph_head(
    examples: Sequence[Example],
    schemas: Mapping[str, GraphSchema],
    settings: FitSettings,
    report: Callable[[str], None],
    card: dict[str, Any],
) -> GraphHead:
    """The head of graphs, of questions with their SQL and the schemas of their databases."""
    kept = _kept_words(examples, settings.databases)
    words_told = [list(runs(delexicalised(example.question, kept), QUESTION_RUN)) for example in examples]
    graphs = (question_graph(example.question, schemas[example.database], kept) for example in examples)
    paths_told = [list(dict.fromkeys(path_terms(graph))) for graph in graphs]
    terms = (*_terms(words_told, settings.questions), *_terms(paths_told, settings.paths))
    places = _places(terms)
    x = csr_array(term_rows(words_told, places).csr + term_rows(paths_told, places).csr)
    return GraphHead(tuple(sorted(kept)), terms, **_fitted(x, examples, settings, report, card))


def _fitted(
    x: csr_array,
    examples: Sequence[Example],
    settings: FitSettings,
    report: Callable[[str], None],
    card: dict[str, Any],
) -> dict[str, Any]:
    """What a head has beside the terms of questions, fitted on these (x, a row for each example)."""
    skeletons = sorted({example.skeleton for example in examples})
    shapes = [skeleton_words(skeleton) for skeleton in skeletons]
    terms = _terms((runs(shape, SKELETON_RUN) for shape in shapes), settings.skeletons)
    z = term_matrix(shapes, _places(terms), SKELETON_RUN).csr
    place = _places(skeletons)
    needed = np.array([place[example.skeleton] for example in examples])
    weights = _descend(x, z, needed, _targets(examples, skeletons, settings.temperature), settings, report)
    names = ("question_weights", "question_offset", "skeleton_weights", "skeleton_offset")
    about = card | {"settings": asdict(settings), "seed": SEED, "questions": len(examples), "skeletons": len(skeletons)}
    return {"skeleton_terms": terms, **dict(zip(names, weights, strict=True)), "card": about}


def _places(terms: Iterable[str]) -> dict[str, int]:
    return {term: place for place, term in enumerate(terms)}


def _kept_words(examples: Sequence[Example], databases: int) -> set[str]:
    seen = defaultdict(set)
    for example in examples:
        for word in words(example.question):
            seen[word].add(example.database)
    return {word for word, having in seen.items() if len(having) >= databases}


def _terms(texts: Iterable[Iterable[str]], least: int) -> tuple[str, ...]:
    """Terms that so many texts have."""
    counts = Counter(term for terms in texts for term in set(terms))
    return tuple(sorted(term for term, count in counts.items() if count >= least))


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
