"""The table of the package: fitted on training databases and drawn texts, written with its card."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import jar
from benchmarks.distil.ridge import fit_rows, piece_weights, shares
from benchmarks.distil.schema_lessons import Lesson
from benchmarks.distil.teacher import TEACHER, lone_pieces, teacher_vectors
from jar.distilled.distilled_words import CARD, FILE, save_tables
from jar.distilled.piece_tokenizer import PieceTokenizer

Floats = npt.NDArray[np.float32]
Tables = tuple[Floats, Floats]
Report = Callable[[str], None]
PATH = Path(jar.__file__).parent / "distilled" / FILE


@dataclass(frozen=True)
class DistilRecipe:
    """How the table is fitted.

    Attributes
    ----------
    dimensions : int
        Principal components of the teacher's vectors that are kept.
    buckets : int
        For pairs of pieces.
    smooth : float
        Share of all pieces at which a piece weighs half, see `piece_weights`.
    penalty, pair_penalty : float
        What ties a piece to its own vector, and a bucket to zeros, see `fit_rows`.
    schema_count : float
        How much a text of a training database counts beside a drawn one.
    rounds : int
        Of conjugate gradients.
    seed : int
        Of the drawn texts.
    """

    dimensions: int = 256
    buckets: int = 1 << 14
    smooth: float = 1e-3
    penalty: float = 1.0
    pair_penalty: float = 2.0
    schema_count: float = 3.0
    rounds: int = 10
    seed: int = 18


def fit_table(lessons: Sequence[Lesson], folder: Path, recipe: DistilRecipe, report: Report) -> Tables:
    """Rows of pieces and buckets, (V + buckets, d), and weights of pieces; the teacher's vectors are kept."""
    tokenizer = PieceTokenizer()
    count = len(tokenizer.pieces)
    texts = list(dict.fromkeys(lesson.text for lesson in lessons))
    place = {text: number for number, text in enumerate(texts)}
    vectors = teacher_vectors(texts, folder, report)
    read = [(lesson, pieces) for lesson in lessons if (pieces := tokenizer(lesson.text))]
    targets = _units(vectors[[place[lesson.text] for lesson, _ in read]].astype(np.float32))
    values, components = np.linalg.eigh((targets.T @ targets).astype(np.float64))
    map_ = np.ascontiguousarray(components[:, ::-1][:, : recipe.dimensions], dtype=np.float32)
    report(f"{recipe.dimensions} components hold {values[-recipe.dimensions :].sum() / values.sum():.1%}")
    pieces = [pieces for _, pieces in read]
    weights = piece_weights(pieces, count, recipe.smooth)
    counts = np.array([recipe.schema_count if lesson.database else 1.0 for lesson, _ in read], dtype=np.float32)
    alone = _units(lone_pieces(count, folder, report)) @ map_
    start = np.concatenate([alone, np.zeros((recipe.buckets, recipe.dimensions), dtype=np.float32)])
    penalty = np.repeat(np.float32([recipe.penalty, recipe.pair_penalty]), [count, recipe.buckets])
    matrix = shares(pieces, weights, recipe.buckets)
    rows = fit_rows(matrix, targets @ map_, counts, start, penalty, recipe.rounds)
    near = (_units(matrix @ rows) * _units(targets @ map_)).sum(axis=1).mean()
    report(f"{len(read)} texts fitted, mean cosine with the teacher's components {near:.3f}")
    return rows, weights


def write_table(tables: Tables, lessons: Sequence[Lesson], recipe: DistilRecipe, path: Path = PATH) -> None:
    """Write the table and its card."""
    save_tables(path, *tables)
    card = _card(lessons, recipe, hashlib.sha256(path.read_bytes()).hexdigest())
    path.with_name(CARD).write_text(json.dumps(card, indent=1) + "\n", encoding="utf-8")


def _units(vectors: Floats) -> Floats:
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.where(norms > 0, norms, 1), dtype=np.float32)


def _card(lessons: Sequence[Lesson], recipe: DistilRecipe, digest: str) -> dict[str, Any]:
    """What the file of the table says of itself."""
    databases = Counter(lesson.database.partition(":")[0] for lesson in lessons if lesson.database)
    return {
        "about": "Rows of word pieces and of pairs, whose sums are near the vectors of all-MiniLM-L6-v2; written by: "
        "python -m benchmarks distil",
        "teacher": f"{TEACHER}: all-MiniLM-L6-v2 (Apache-2.0)",
        "sources": {
            "training questions and schemas of Spider, and damaged copies": "CC BY-SA 4.0",
            "training schemas of BIRD, without questions": "CC BY-SA 4.0",
            "phrases, definitions and sentences of WordNet 3.0": "WordNet 3.0 license, Princeton University",
            "frequent words of English, those of wordninja": "MIT",
        },
        "held out": "every database with a question of a development set, and Spider 2.0",
        "use": "vectors of questions, sub-queries, and names of tables and columns, compared by cosine",
        "limits": "English; of the order of words, pairs alone are seen; docs/distilled.md has the figures",
        "recipe": asdict(recipe),
        "texts": {
            "of databases": dict(databases),
            "kinds": dict(Counter(lesson.kind for lesson in lessons)),
        },
        "sha256": digest,
    }
