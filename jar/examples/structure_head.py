"""`StructureHead`: from a question to the shape of its SQL, by weights that were fitted on training databases."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any, TypeVar
from zipfile import BadZipFile

import numpy as np

from jar.arrays import Vectors
from jar.errors import JarError
from jar.examples.question_terms import QUESTION_RUN, SKELETON_RUN, delexicalised, skeleton_words, term_matrix
from joinability.attributes import cached_property

__all__ = ["StructureHead", "shipped_head"]

Head = TypeVar("Head", bound="StructureHead")

FILE = "structure_head.npz"
VERSION = 1
"""Of the form of the file."""
ARRAYS = ("question_weights", "question_offset", "skeleton_weights", "skeleton_offset")


@dataclass(frozen=True, eq=False)
class StructureHead:
    """Two linear maps into one space of r dimensions, one of questions and one of skeletons.

    With x the runs of words of a question and z those of a skeleton, each of norm 1,

        h(x) = A x + a,   g(z) = B z,   score(x, z) = h(x) . g(z) + b . z

    is fitted as the log-odds that the question needs the skeleton, by softmax over all skeletons of the training
    queries (an InfoNCE loss whose negatives are all of them). Words of a question that are in too few training
    databases are one and the same word to it.

    Attributes
    ----------
    kept : tuple of str
        Words of questions that it tells apart.
    question_terms, skeleton_terms : tuple of str
        The runs x and z count, Q and S of them.
    question_weights, question_offset : arrays (Q, r), (r,)
        A (transposed) and a.
    skeleton_weights, skeleton_offset : arrays (S, r), (S,)
        B (transposed) and b.
    card : mapping
        What it is fitted on, how, and what for.
    """

    kept: tuple[str, ...]
    question_terms: tuple[str, ...]
    skeleton_terms: tuple[str, ...]
    question_weights: Vectors
    question_offset: Vectors
    skeleton_weights: Vectors
    skeleton_offset: Vectors
    card: Mapping[str, Any] = field(default_factory=dict)

    def question_vectors(self, questions: Sequence[str]) -> Vectors:
        """h of n questions, shape (n, r)."""
        read = (delexicalised(question, self._kept) for question in questions)
        terms = term_matrix(read, self._question_places, QUESTION_RUN)
        vectors: Vectors = terms.times(self.question_weights) + self.question_offset
        return vectors

    def log_odds(self, questions: Sequence[str], skeletons: Sequence[str]) -> Vectors:
        """The score of n questions with m skeletons, shape (n, m)."""
        return self.odds_of_vectors(self.question_vectors(questions), skeletons)

    def odds_of_vectors(self, vectors: Vectors, skeletons: Sequence[str]) -> Vectors:
        """The same from h of the questions, shape (n, r)."""
        terms = term_matrix(map(skeleton_words, skeletons), self._skeleton_places, SKELETON_RUN)
        scores: Vectors = vectors @ terms.times(self.skeleton_weights).T
        scores += terms.times(self.skeleton_offset)
        return scores

    @cached_property
    def _kept(self) -> frozenset[str]:
        return frozenset(self.kept)

    @cached_property
    def _question_places(self) -> dict[str, int]:
        return {term: place for place, term in enumerate(self.question_terms)}

    @cached_property
    def _skeleton_places(self) -> dict[str, int]:
        return {term: place for place, term in enumerate(self.skeleton_terms)}

    def save(self, path: str | Path) -> None:
        """Write the head in half precision, with its card and words as JSON inside."""
        about = {"version": VERSION, "card": dict(self.card), "kept": self.kept}
        about |= {"question_terms": self.question_terms, "skeleton_terms": self.skeleton_terms}
        document = np.frombuffer(json.dumps(about).encode(), dtype=np.uint8)
        arrays = {name: getattr(self, name).astype(np.float16) for name in ARRAYS}
        np.savez_compressed(path, told=document, **arrays)

    @classmethod
    def load(cls: type[Head], path: str | Path) -> Head:
        """Read a head.

        Raises
        ------
        JarError
            When the file holds none of this version.
        """
        try:
            with np.load(path, allow_pickle=False) as file:
                about = json.loads(file["told"].tobytes())
                arrays = {name: file[name].astype(np.float32) for name in ARRAYS}
            texts: dict[str, Any] = {name: tuple(about[name]) for name in ("kept", "question_terms", "skeleton_terms")}
            head = cls(**texts, **arrays, card=about["card"])
        except (OSError, ValueError, KeyError, TypeError, EOFError, BadZipFile) as error:
            raise JarError(f"{path} holds no structure head: {error}") from error
        shapes = (len(head.question_terms), len(head.skeleton_terms))
        if about["version"] != VERSION or shapes != (len(head.question_weights), len(head.skeleton_weights)):
            raise JarError(f"{path} holds a structure head of another version: fit it again")
        if not all(np.isfinite(array).all() for array in arrays.values()):
            raise JarError(f"{path} holds a weight that is no finite number: fit the head again")
        return head


@cache
def shipped_head() -> StructureHead:
    """The head that comes with the package."""
    with as_file(files("jar.examples") / FILE) as path:
        return StructureHead.load(path)
