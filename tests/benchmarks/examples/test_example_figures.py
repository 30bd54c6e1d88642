"""The head's fit, the figures and Spider's hardness are what they say, and no development database is learned from."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csr_array

from benchmarks.examples.example_pairs import compare
from benchmarks.examples.example_study import ExampleStudy, find_all, study
from benchmarks.examples.examples_page import level_grid, study_grid, write_part
from benchmarks.examples.figures import ceiling
from benchmarks.examples.hardness import hardness
from benchmarks.examples.head_fit import FitSettings, _gradients, fit_head, split_databases
from benchmarks.pages.markdown import MissingMarksError
from jar.examples import Example, ExampleStore, FoundExample, LexicalExamples, SkeletonExamples
from jar.examples.structure_head import ARRAYS, shipped_head

NOUNS = ("singer", "club", "stadium", "pet", "car", "film")
SHAPES = (
    ("How many {0}s are there?", "SELECT COUNT(*) FROM {0}"),
    ("List the names of all {0}s.", "SELECT name FROM {0}"),
    ("Which {0} is the oldest?", "SELECT name FROM {0} ORDER BY age DESC LIMIT 1"),
    ("Show the {0}s from Peru.", "SELECT name FROM {0} WHERE country = 'Peru'"),
)
STORE = ExampleStore(
    {"question": question.format(noun), "sql": sql.format(noun), "database": noun}
    for noun in NOUNS
    for question, sql in SHAPES
)
SETTINGS = FitSettings(databases=3, questions=2, skeletons=1, dimensions=8, epochs=40)


def test_the_slopes_are_those_of_the_loss() -> None:
    """By differences, for every weight."""
    generator = np.random.default_rng(1)
    x, z = (csr_array(generator.random(shape)) for shape in ((5, 4), (3, 6)))
    target = generator.dirichlet(np.ones(3), size=5)
    weights = [generator.normal(size=shape) for shape in ((4, 2), (2,), (6, 2), (6,))]
    _, slopes = _gradients(x, z, target, weights)
    for weight, slope in zip(weights, slopes, strict=True):
        for place in np.ndindex(weight.shape):
            kept = weight[place]
            losses = []
            for moved in (kept + 1e-5, kept - 1e-5):
                weight[place] = moved
                losses.append(_gradients(x, z, target, weights)[0])
            weight[place] = kept
            assert slope[place] == pytest.approx((losses[0] - losses[1]) / 2e-5, abs=1e-6)


@pytest.mark.parametrize("temperature", [None, 0.02])
def test_a_head_learns_shapes_that_carry_over(temperature: float | None) -> None:
    """On a database that it has not seen it finds the shape; the same questions give the same head."""
    lessons, asked = STORE.without(["film"]), STORE.of(["film"])
    settings = FitSettings(**{**vars(SETTINGS), "temperature": temperature})
    head, again = (fit_head(list(lessons), settings, lambda message: None, {}) for _ in range(2))
    assert all(np.array_equal(getattr(head, name), getattr(again, name)) for name in ARRAYS)
    for example in asked:
        assert SkeletonExamples(lessons, head)(example.question, 1)[0].skeleton == example.skeleton


def test_figures_by_hand() -> None:
    """A store that has the asked queries themselves is at its ceiling; one that lacks two shapes of four at half."""
    found = find_all(STORE, STORE, {"own": LexicalExamples(STORE)}, lambda message: None)
    figures = study(STORE, STORE, found).figures["own"]
    assert (figures.first, figures.any, figures.nearest) == (100.0, 100.0, 0.0)
    assert figures.by_hardness == {"easy": (100.0, 100.0), "medium": (100.0, 100.0)}
    half = ExampleStore(row for row in _rows(STORE) if "ORDER" not in row["sql"] and "WHERE" not in row["sql"])
    assert ceiling(half, list(STORE)) == 50.0


def _rows(store: ExampleStore) -> list[dict[str, str]]:
    return [{"question": one.question, "sql": one.sql, "database": one.database} for one in store]


@pytest.mark.parametrize(
    ("sql", "level"),
    [
        ("SELECT count(*) FROM a WHERE b > 1", "easy"),
        ("SELECT a, b FROM c ORDER BY d", "medium"),
        ("SELECT a FROM b JOIN c ON b.x = c.x WHERE d = 1", "medium"),
        ("SELECT a FROM b WHERE c NOT IN (SELECT c FROM d)", "hard"),
        ("SELECT a FROM b JOIN c ON b.x = c.x GROUP BY d ORDER BY count(*) DESC LIMIT 1", "extra"),
        ("SELECT a, b FROM c WHERE d = 1 INTERSECT SELECT a, b FROM c WHERE d = 2", "extra"),
    ],
)
def test_hardness(sql: str, level: str) -> None:
    """Examples of Spider's rules."""
    assert hardness(sql) == level


def test_validation_databases_are_others() -> None:
    """27 of them, always the same, none that is fitted on."""
    names = [f"database {number}" for number in range(137)]
    fitted, chosen = split_databases(reversed(names))
    assert (fitted, chosen) == split_databases(names)
    assert len(chosen) == 27
    assert sorted(fitted + chosen) == sorted(names)


def test_the_head_never_sees_a_development_database(data_folder: Path) -> None:
    """Its lessons and the databases that its settings were chosen on are training databases alone."""
    with (data_folder / "spider" / "train_questions.csv").open(newline="", encoding="utf-8") as file:
        training = {row["database"] for row in csv.DictReader(file)}
    development = json.loads((data_folder / "spider" / "dev_questions.json").read_text(encoding="utf-8"))
    card = shipped_head().card
    assert training.isdisjoint(row["db_id"] for row in development)
    assert card["databases"] == len(training)
    assert set(card["settings_chosen_on"]) <= training


def test_tables_go_between_their_marks(tmp_path: Path) -> None:
    """A page without marks is refused."""
    measured: ExampleStudy = study(STORE, STORE, find_all(STORE, STORE, {}, lambda message: None))
    text = "\n\n".join([study_grid(measured, "All").markdown(), level_grid(measured).markdown()])
    page = tmp_path / "page.md"
    page.write_text("<!-- dev: written by `python -m benchmarks examples` -->\n<!-- /dev -->\n")
    write_part(page, "dev", "", text)
    assert "| random examples |" in page.read_text()
    with pytest.raises(MissingMarksError):
        write_part(page, "heads", " --variants", text)


def test_pairs_count_the_questions_that_one_alone_finds() -> None:
    """Won and lost as counted by hand; a retriever that was not asked has no row."""
    asked = STORE.of(["film"])
    right = [[found_of(example)] for example in asked]
    found = {"`StructureExamples`, graph": right, "`StructureExamples`": [right[1], *right[1:]]}
    rows = compare(found, list(asked))
    assert [(row.figure, row.won, row.lost, row.difference) for row in rows] == [
        ("first", 1, 0, 25.0),
        ("any of 5", 1, 0, 25.0),
    ]
    assert all(row.p == row.p_holm == 1.0 for row in rows)


def found_of(example: Example) -> FoundExample:
    """As a retriever would find it."""
    return FoundExample(example.question, example.sql, example.database, example.skeleton, 1.0, 0)
