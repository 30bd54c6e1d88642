"""The fit of the distilled vectors: its solution, the texts that it learns from, and what it refuses."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from benchmarks.data.wild.wordnet import FILES, WordNet, WordNetMissingError, read_wordnet
from benchmarks.distil.drawn_lessons import Draws
from benchmarks.distil.ridge import fit_rows, piece_weights, shares
from benchmarks.distil.schema_lessons import Lesson, schema_lessons

TEXTS = [[0, 1], [1, 2, 3], [3], [0, 0, 2], [4, 1, 0, 2]]
LINE = "00001740 03 n 02 credit_card 0 plastic(p) 0 000 | a card of a bank; \"she paid by credit card\""


def test_rows_solve_the_normal_equations() -> None:
    """What conjugate gradients find is what a dense solver finds, with a penalty and a count for each."""
    drawn = np.random.default_rng(0)
    weights = piece_weights(TEXTS, 5, 0.1)
    matrix = shares(TEXTS, weights, 3)
    goals = drawn.normal(size=(5, 4)).astype(np.float32)
    start = drawn.normal(size=(8, 4)).astype(np.float32)
    counts = np.array([1, 3, 1, 2, 1], dtype=np.float32)
    penalty = np.repeat(np.float32([0.5, 2.0]), [5, 3])
    x = matrix.toarray().astype(np.float64)
    ridge = np.diag(penalty * (x**2).sum() / len(x))
    wanted = start + np.linalg.solve(x.T @ (counts[:, None] * x) + ridge, x.T @ (counts[:, None] * (goals - x @ start)))
    np.testing.assert_allclose(fit_rows(matrix, goals, counts, start, penalty, 40), wanted, atol=1e-4)
    np.testing.assert_allclose(fit_rows(matrix, goals, counts, start, penalty, 0), start)


def test_shares_of_pieces_sum_to_one() -> None:
    """Pairs come on top; rare pieces weigh more."""
    weights = piece_weights(TEXTS, 5, 0.1)
    assert weights[4] > weights[0]
    np.testing.assert_allclose(shares(TEXTS, weights, 3).toarray()[:, :5].sum(axis=1), 1, atol=1e-6)


def test_wordnet_is_read_from_its_files(tmp_path: Path) -> None:
    """Phrases without markers, definitions without examples, sentences; the lines of the license are none."""
    for name in FILES:
        (tmp_path / name).write_text(f"  1 This software\n{LINE}\n", encoding="ascii")
    known = read_wordnet(tmp_path)
    assert known == WordNet(["credit card", "plastic"], ["a card of a bank"], ["she paid by credit card"])
    (tmp_path / FILES[1]).unlink()
    with pytest.raises(WordNetMissingError, match="apt-get install wordnet-base"):
        read_wordnet(tmp_path)


def test_drawn_texts_are_those_of_the_seed() -> None:
    """Equal seeds draw equal texts, others do not; each text stands once, and each kind has some."""
    lessons = [Lesson("client gender", "column", "a:b"), Lesson("Which clients have loans?", "question", "a:b")]
    known = WordNet(["credit card", "vineyard"], ["a card of a bank"], ["she paid by credit card"])
    counts = {"word": 5, "phrase": 2, "definition": 1, "sentence": 1, "drawn column": 9, "drawn question": 9,
              "drawn table": 9}  # fmt: skip
    first = Draws(lessons, known, 1).lessons(counts)
    assert first == Draws(lessons, known, 1).lessons(counts) != Draws(lessons, known, 2).lessons(counts)
    assert len({lesson.text for lesson in first}) == len(first)
    assert {lesson.kind for lesson in first} == set(counts)
    assert not any(lesson.database for lesson in first)


def test_nothing_of_a_development_set_is_learned_from(data_folder: Path) -> None:
    """No database with development questions, and none of these questions."""
    from benchmarks.data.datasets import load_dataset

    lessons = schema_lessons(data_folder)
    names, texts = {lesson.database for lesson in lessons}, {lesson.text for lesson in lessons}
    for source, dataset in (("spider", "spider"), ("spider", "spider-union"), ("bird", "bird")):
        questions = load_dataset(dataset, data_folder).questions
        assert not {f"{source}:{question.database}" for question in questions} & names
        shared = sum(question.text in texts for question in questions)
        assert shared <= len(questions) / 100  # "How many students are there?" is asked of many databases
