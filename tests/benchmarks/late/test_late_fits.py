"""The fits see training databases alone, and hold some of these out."""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from benchmarks.data.dataset_form import SPIDER_WEIGHTS, Dataset, Question, fold_of
from benchmarks.late.filter_draws import Draw, draw, kept_by, least_needed
from benchmarks.late.filter_fit import WAYS, fit_filter
from benchmarks.late.filter_study import RECALLS, figures_of, filter_grid, gone_at, plot_filter, ways_grid
from benchmarks.late.late_examples import column_examples, table_examples
from benchmarks.late.map_fit import HELD_OUT, RECIPES, fit_head, split
from jar import Index
from jar.index.file import open_index
from jar.late import LateRelevance, add_token_vectors
from jar.late.schema_evidence import SchemaEvidence
from jar.tokens.token_store import load_token_vectors
from jar.tokens.token_vectors import read_tokens
from joinability import Catalog, Column, Table

DIMENSION = 16


class Words:
    """A vector for each word."""

    def __call__(self, texts: Sequence[str]) -> np.ndarray:
        return np.stack([tokens.mean(axis=0) for tokens, *_ in self.tokens(texts)])

    def tokens(self, texts: Sequence[str]) -> list[tuple[np.ndarray, np.ndarray, bool]]:
        """Vectors, places, and that the text was read to its end."""
        answers = []
        for text in texts:
            found = list(re.finditer(r"[^\W_]+", text))
            seeds = [zlib.crc32(match.group().lower().encode()) for match in found]
            rows = [np.random.default_rng(seed).normal(size=DIMENSION) for seed in seeds]
            answers.append((np.array(rows), np.array([match.span() for match in found]), True))
        return answers


THINGS = ("cat", "dog", "tree", "car", "boat", "moon", "fork", "lamp")
DATABASES = [f"base{number}" for number in range(24)]
UNASKED = "secret"


@pytest.fixture(scope="module")
def lake() -> tuple[Dataset, Index]:
    """Databases of four tables, each with two questions, and one that nobody asks."""
    tables, questions = [], []
    for number, database in enumerate([*DATABASES, UNASKED]):
        some = [THINGS[(number + step) % len(THINGS)] for step in range(4)]
        tables += [Table(database, thing, (Column(f"{thing} name"), Column(f"{thing} size"))) for thing in some]
        for thing in some[:2] if database != UNASKED else ():
            gold, sql = frozenset({f"{database}.{thing}"}), f'SELECT "{thing} name" FROM {thing}'
            questions.append(Question(str(len(questions)), f"What {thing} name is there?", database, gold, None, sql))
    index = Index.build(Catalog(tables), embedder=Words(), progress=False)
    add_token_vectors(index, progress=False)
    return Dataset("toy", Catalog(tables), tuple(questions), SPIDER_WEIGHTS), index


@pytest.fixture(scope="module")
def draws(lake: tuple[Dataset, Index]) -> list[Draw]:
    """What the filter sees of all questions."""
    dataset, index = lake
    return list(draw(SchemaEvidence(index, LateRelevance(index)), dataset.questions))


def test_no_database_without_training_questions_is_seen(lake: tuple[Dataset, Index]) -> None:
    """The maps are fitted on questions and documents of some of the others, and watched on the rest."""
    dataset, index = lake
    with open_index(index.path) as connection:
        stored = load_token_vectors(connection, DIMENSION)
    assert stored is not None
    read = read_tokens(index.embedder, [question.text for question in dataset.questions])
    contents = index.contents
    numbers = {table.database: number for number, table in zip(contents.databases, contents.tables, strict=True)}
    held = {numbers[database] for database in DATABASES if fold_of(database) == HELD_OUT}
    assert 0 < len(held) < len(DATABASES) / 2
    for examples_of in (table_examples, column_examples):
        taught, rest = split(examples_of(dataset, index.contents, stored, read), index, dataset)
        assert held.isdisjoint(taught.asked)
        assert held.isdisjoint(taught.told)
        assert set(rest.asked) == held
        assert numbers[UNASKED] not in {*taught.told, *rest.told}
        assert all(len(needed) == 1 for needed in taught.needed)


def test_the_fit_of_the_maps_learns(lake: tuple[Dataset, Index], monkeypatch: pytest.MonkeyPatch) -> None:
    """And its card tells on how much, with figures of what was held out."""
    for name, recipe in RECIPES.items():
        monkeypatch.setitem(RECIPES, name, type(recipe)(width=8, epochs=3, batch=8))
    head = fit_head(*lake, lambda _: None)
    assert head.tables.question.shape == (DIMENSION, 8)
    assert head.card["fitted_on"]["databases"] + head.card["held_out"]["databases"] == len(DATABASES)
    assert "CR@3 within" in str(head.card["held_out"])


def test_draws_know_what_is_needed(draws: list[Draw]) -> None:
    """One table and one of its columns, of four and eight."""
    for one in draws:
        assert (len(one.tables), one.tables.sum()) == (4, 1)
        assert (len(one.columns), one.columns.sum()) == (8, 1)
        assert not one.lost


def test_the_filter_is_fitted_and_measured(draws: list[Draw], tmp_path: Path) -> None:
    """It compares the ways to score tables, and what it keeps is at least what a threshold keeps."""
    lines: list[str] = []
    model = fit_filter(draws, lines.append)
    assert len(lines) == len(WAYS)
    assert len(model.tables.least) == sum(fold_of(one.question.database) == HELD_OUT for one in draws)
    study = figures_of("toy", draws, model, [one.seen.late - one.seen.late.max() for one in draws])
    assert [row[0] for row in filter_grid(study).rows] == [f"{100 * recall:.0f}" for recall in RECALLS]
    for recall in RECALLS:
        assert study.both[recall] <= study.tables[recall].complete
        assert study.columns[recall].gone >= study.tables[recall].gone - 1e-9
    assert ways_grid([study]).header[1:] == ("toy at 95", "toy at 98")
    assert plot_filter(study).get_xlabel() == "complete recall of tables, %"


def test_kept_counts_by_hand() -> None:
    """Two questions over three and two tables; the best is kept whatever the threshold."""
    scores = [np.array([0.0, -1.0, -2.0]), np.array([-3.0, 0.0])]
    needed = [np.array([True, True, False]), np.array([True, False])]
    kept = kept_by(scores, needed, -1.5)
    assert (kept.complete, kept.gone) == (50, pytest.approx(40))
    assert kept.mean_gone == pytest.approx(100 * (1 - (2 / 3 + 1 / 2) / 2))
    assert least_needed(scores, needed).tolist() == [-3, -1]
    assert kept_by(scores, needed, 1.0).gone == pytest.approx(60)
    assert gone_at([(90.0, 60.0), (96.0, 50.0), (100.0, 0.0)], 95) == 50
