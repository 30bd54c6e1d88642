"""The maps of the package: fitted on training databases, watched on others, written with their card."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import jar
from benchmarks.data.dataset_form import FOLDS, Dataset, fold_of
from benchmarks.late.contrastive import Maps, token_shares
from benchmarks.late.late_examples import Examples, column_examples, table_examples
from benchmarks.late.late_fitting import LateRecipe, Report, fit_maps
from jar import Index
from jar.index.file import open_index
from jar.late.late_head import FILE, LateHead, Side
from jar.late.max_similarity import token_maxima
from jar.tokens.token_store import load_token_vectors
from jar.tokens.token_vectors import read_tokens, units

PATH = Path(jar.__file__).parent / "late" / FILE
HELD_OUT = FOLDS - 1
"""The fold whose databases the maps never see."""
RECIPES = {"tables": LateRecipe(epochs=2), "columns": LateRecipe(epochs=2)}
SIZES = {"tables": (3, 5, 10), "columns": (5, 10, 20)}
TOGETHER = 64


def fit_head(dataset: Dataset, index: Index, report: Report) -> LateHead:
    """The maps for tables and columns, of the training questions on all databases but those of `HELD_OUT`."""
    contents = index.contents
    with open_index(index.path) as connection:
        stored = load_token_vectors(connection, int(contents.meta["dimension"]))
    if stored is None:
        raise ValueError("the index has no token vectors")
    report("reading the tokens of the questions")
    read = read_tokens(index.embedder, [question.text for question in dataset.questions])
    sides, figures = {}, {}
    for name, examples_of in (("tables", table_examples), ("columns", column_examples)):
        examples = examples_of(dataset, contents, stored, read)
        taught, held = split(examples, index, dataset)
        report(f"{name}: {len(taught.questions)} questions over {len(taught.told)}, {len(held.questions)} held out")
        maps = fit_maps(taught, RECIPES[name], lambda line, name=name: report(f"{name}: {line}"))  # type: ignore[misc]
        sides[name] = Side(*maps)
        dimension = len(maps.weight)
        untrained = Maps(*(np.eye(dimension, dtype=np.float32) for _ in range(2)), np.zeros(dimension, np.float32))
        figures[name] = {
            "untrained": recall(untrained, held, SIZES[name]),
            "trained": recall(maps, held, SIZES[name]),
        }
        report(f"{name}: {figures[name]}")
    return LateHead(sides["tables"], sides["columns"], card(dataset, index, figures))


def split(examples: Examples, index: Index, dataset: Dataset) -> tuple[Examples, Examples]:
    """Questions and documents of the databases that are fitted on; the questions of the others, over all of both.

    No database without training questions is in either, so that none of development is.
    """
    names = {
        int(number): table.database
        for number, table in zip(index.contents.databases, index.contents.tables, strict=True)
    }
    asked = {question.database for question in dataset.questions}
    known = np.array([names[number] in asked for number in range(len(names))])
    held = np.array([fold_of(names[number]) == HELD_OUT for number in range(len(names))])
    questions = held[examples.asked]
    return (
        examples.over(~questions, known[examples.told] & ~held[examples.told]),
        examples.over(questions, known[examples.told]),
    )


def scores(maps: Maps, examples: Examples) -> npt.NDArray[np.float32]:
    """S of each question with each document, shape (n, m)."""
    documents = units(examples.documents.tokens @ maps.document)
    rows = []
    for start in range(0, len(examples.questions), TOGETHER):
        batch = examples.batch(np.arange(start, min(start + TOGETHER, len(examples.questions))))
        best = token_maxima(units(batch.tokens @ maps.question), documents, examples.documents.first)
        rows.append(np.add.reduceat(token_shares(batch, maps.weight)[:, None] * best, batch.first[:-1], axis=0))
    return np.concatenate(rows).astype(np.float32)


def recall(maps: Maps, examples: Examples, sizes: Sequence[int]) -> dict[str, float]:
    """Complete recall (%) over the documents of all databases, and within those of the question's own."""
    scored = scores(maps, examples)
    own = examples.asked[:, None] == examples.told[None, :]
    figures = {}
    for label, each in (("", scored), (" within", np.where(own, scored, -np.inf))):
        order = np.argsort(-each, axis=1, kind="stable")
        for k in sizes:
            found = [
                set(needed.tolist()) <= set(best.tolist())
                for needed, best in zip(examples.needed, order[:, :k], strict=True)
                if len(needed)
            ]
            figures[f"CR@{k}{label}"] = round(100 * float(np.mean(found)), 1)
    return figures


def card(dataset: Dataset, index: Index, figures: Mapping[str, Any]) -> dict[str, Any]:
    """What the file of the maps says of itself."""
    databases = {question.database for question in dataset.questions}
    held = {database for database in databases if fold_of(database) == HELD_OUT}
    return {
        "about": "Maps of the token vectors of MiniLM for late interaction; written by: python -m benchmarks fit-late",
        "source": "Spider, training questions over databases that have some (CC BY-SA 4.0), none of development",
        "use": "relevance of tables to a question, and of columns to its parts, by the best token for each token",
        "limits": "questions in English; token vectors of all-MiniLM-L6-v2 alone; docs/late-interaction.md",
        "embedder": index.contents.meta["embedder"],
        "recipe": {name: asdict(recipe) for name, recipe in RECIPES.items()},
        "fitted_on": {
            "databases": len(databases - held),
            "questions": sum(question.database not in held for question in dataset.questions),
        },
        "held_out": {
            "databases": len(held),
            "questions": sum(question.database in held for question in dataset.questions),
            "complete recall over all training databases, and within the question's": figures,
        },
    }
