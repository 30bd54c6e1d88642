"""The maps of late interaction: one for the tokens of questions, one for those of tables or of columns."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import numpy as np

from jar.arrays import IntArray, Vectors, units
from jar.errors import JarError

FILE = "head.npz"
EMBEDDER = "minilm"
"""The embedder that the package's maps are fitted for."""
SIDES = ("tables", "columns")
PARTS = ("question", "document", "weight")


@dataclass(frozen=True, eq=False)
class Side:
    """Maps of the tokens (d,) of questions and of documents of one kind, as in MR-SQL a convolution of width 1 each.

    Attributes
    ----------
    question, document : arrays (d, k)
    weight : array (d,)
        A token x of a question counts exp(x . weight), by the sum of it over the tokens.
    """

    question: Vectors
    document: Vectors
    weight: Vectors

    def asked(self, tokens: Vectors) -> Vectors:
        """Unit vectors (t, k) of tokens (t, d) of a question."""
        return units(tokens @ self.question)

    def told(self, tokens: Vectors) -> Vectors:
        """Unit vectors (T, k) of tokens (T, d) of documents."""
        return units(tokens @ self.document)

    def shares(self, tokens: Vectors) -> Vectors:
        """What each token (t, d) of a question counts, shape (t,); all sum to 1."""
        logits = tokens @ self.weight
        odds = np.exp(logits - logits.max(initial=-np.inf)) if len(logits) else logits
        shares: Vectors = (odds / odds.sum()).astype(np.float32) if len(odds) else odds
        return shares


@dataclass(frozen=True, eq=False)
class LateHead:
    """The maps for tables and for columns.

    Attributes
    ----------
    tables, columns : Side
    card : dict
        What the maps were fitted on, and how.
    """

    tables: Side
    columns: Side
    card: Mapping[str, Any] = field(default_factory=dict)

    @property
    def dimension(self) -> int:
        """Of the vectors that are mapped."""
        return len(self.tables.question)

    @classmethod
    def untrained(cls, dimension: int) -> LateHead:
        """No map at all: tokens as the encoder has them, each counting alike."""
        same, alike = np.eye(dimension, dtype=np.float32), np.zeros(dimension, dtype=np.float32)
        side = Side(same, same, alike)
        return cls(side, side)

    def save(self, path: str | Path) -> None:
        """Write the maps in half precision to ``path``, and the card beside it, with the ending ``.json``."""
        maps = {f"{side}_{part}": getattr(getattr(self, side), part) for side in SIDES for part in PARTS}
        np.savez_compressed(path, **{name: values.astype(np.float16) for name, values in maps.items()})
        Path(path).with_suffix(".json").write_text(json.dumps(self.card, indent=1) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, path: str | Path) -> LateHead:
        """The maps that `save` wrote.

        Raises
        ------
        JarError
            When the file holds something else.
        """
        try:
            with np.load(path, allow_pickle=False) as file:
                maps = {name: np.asarray(file[name], dtype=np.float32) for name in file.files}
            card = json.loads(Path(path).with_suffix(".json").read_text(encoding="utf-8"))
            tables, columns = (Side(*(maps[f"{side}_{part}"] for part in PARTS)) for side in SIDES)
        except (OSError, ValueError, KeyError) as error:
            raise JarError(f"{path} holds no maps of late interaction: {error}") from error
        for side in (tables, columns):
            fits = side.question.ndim == side.document.ndim == 2 and side.question.shape == side.document.shape
            if not fits or side.weight.shape != side.question.shape[:1]:
                raise JarError(f"{path} holds maps of shapes that do not fit together")
            if not all(np.isfinite(getattr(side, part)).all() for part in PARTS):
                raise JarError(f"{path} holds maps with numbers that are not finite")
        return cls(tables, columns, card)


@cache
def shipped_head() -> LateHead:
    """The maps of the package, fitted for `EMBEDDER`."""
    with as_file(files(__package__).joinpath(FILE)) as path:
        return LateHead.load(path)


def tokens_within(spans: IntArray, start: int, end: int) -> IntArray:
    """The tokens that stand for characters of a part of a text."""
    return np.flatnonzero((spans[:, 1] > start) & (spans[:, 0] < end))
