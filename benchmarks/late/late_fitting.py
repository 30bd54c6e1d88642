"""The fit of the maps of late interaction: from the principal directions of tokens, down the contrastive loss."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from benchmarks.late.contrastive import Contrast, Maps
from benchmarks.late.descent import Adam
from benchmarks.late.late_examples import Examples, some_texts

Report = Callable[[str], None]


@dataclass(frozen=True)
class LateRecipe:
    """How maps are fitted.

    Attributes
    ----------
    width : int
        Dimensions that are mapped to.
    epochs, batch : int
    rate : float
        First size of a step.
    temperature : float
    seed : int
    """

    width: int = 128
    epochs: int = 6
    batch: int = 64
    rate: float = 1e-3
    temperature: float = 0.05
    seed: int = 1


def first_maps(examples: Examples, width: int) -> Maps:
    """Both sides on the principal directions of the documents' tokens (as they are, not centred), every token alike."""
    tokens = examples.documents.tokens.astype(np.float64)
    _, directions = np.linalg.eigh(tokens.T @ tokens)
    along = np.ascontiguousarray(directions[:, ::-1][:, :width]).astype(np.float32)
    return Maps(along, along.copy(), np.zeros(len(along), dtype=np.float32))


def fit_maps(examples: Examples, recipe: LateRecipe, report: Report) -> Maps:
    """The maps of questions over documents; each step compares with all documents of the batch's databases, and others.

    The same examples give the same maps, on one kind of machine.
    """
    chance = np.random.default_rng(recipe.seed)
    maps = first_maps(examples, recipe.width)
    taught = np.array([len(needed) > 0 for needed in examples.needed])
    order = np.flatnonzero(taught)
    steps = -(-len(order) // recipe.batch)
    adam = Adam(recipe.rate, steps * recipe.epochs)
    contrast = Contrast(recipe.temperature, negligible=1e-3)
    for epoch in range(recipe.epochs):
        losses = []
        for chosen in np.array_split(chance.permutation(order), steps):
            compared = _compared(examples, chosen, chance)
            goals = [goal._replace(rivals=goal.rivals[:, compared], needed=goal.needed[:, compared])
                     for goal in examples.goals(chosen)]  # fmt: skip
            documents = some_texts(examples.documents, compared)
            loss, slopes = contrast(maps, examples.batch(chosen), documents, goals)
            maps = adam.step(maps, slopes)
            losses.append(loss)
        report(f"epoch {epoch + 1} of {recipe.epochs}: loss {np.mean(losses):.3f}")
    return maps


MOST = 500
"""Documents that a step compares."""


def _compared(examples: Examples, chosen: npt.NDArray[np.int64], chance: np.random.Generator) -> npt.NDArray[np.int64]:
    """All documents of the databases of some questions, and others by chance, `MOST` where there are so many."""
    own = np.isin(examples.told, examples.asked[chosen])
    others = np.flatnonzero(~own)
    count = min(len(others), max(0, MOST - int(own.sum())))
    return np.sort(np.concatenate([np.flatnonzero(own), chance.choice(others, count, replace=False)])).astype(np.int64)
