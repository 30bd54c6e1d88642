"""What each system shows of a corpus that is small enough to know the answer by heart."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.data.dataset_form import SPIDER_WEIGHTS, Dataset, Question
from benchmarks.sql.contexts import CONTEXTS, ShownTables, filled, show_tables
from benchmarks.systems.rows import Setting, UnknownSystemError
from jar import Catalog, Index
from jar.answers.token_budget import estimated_tokens
from jar.text.embedding import load_embedder

DDL = """
CREATE TABLE client (client_id INTEGER PRIMARY KEY, gender TEXT);
CREATE TABLE loan (loan_id INTEGER PRIMARY KEY, client_id INTEGER REFERENCES client, amount REAL);
CREATE TABLE weather (day TEXT, rainfall REAL);
"""
WORDS = ("client", "gender", "loan", "amount", "weather", "rainfall", "day")
GOLD = ({"bank.client", "bank.loan"}, {"bank.weather"})


@pytest.fixture(scope="module")
def setting() -> Setting:
    """Two questions over three tables."""
    catalog = Catalog.from_ddl(DDL, database="bank")
    texts = ("gender of clients by amount of loan", "rainfall by day")
    questions = tuple(
        Question(str(place), text, "bank", frozenset(GOLD[place]), None, "") for place, text in enumerate(texts)
    )

    def embed(texts: list[str]) -> np.ndarray:
        return np.array([[float(word in text.lower()) for word in WORDS] for text in texts])

    index = Index.build(catalog, embedder=embed)
    return Setting(Dataset("bank", catalog, questions, SPIDER_WEIGHTS), index, load_embedder(embed))


def test_every_system_shows_each_question_its_tables(setting: Setting) -> None:
    """A fixed number where one was asked for, in the order of names, with a statement each."""
    pytest.importorskip("schemagate")
    shown = show_tables(setting, list(CONTEXTS), 2)
    assert list(shown) == list(CONTEXTS)
    for name, contexts in shown.items():
        assert len(contexts) == 2
        for context in contexts:
            assert list(context.tables) == sorted(context.tables)
            assert context.text.count("CREATE TABLE") == len(context.tables)
            assert name not in ("dense", "schemagate", "jar") or len(context.tables) == 2
    assert [set(context.tables) for context in shown["gold"]] == list(GOLD)


def test_joins_are_those_that_jar_found(setting: Setting) -> None:
    """Its context has them as comments; the other contexts have declared keys alone."""
    shown = show_tables(setting, ["jar", "gold"], 2)
    assert "-- joins\n-- " in shown["jar"][0].text
    assert "-- joins" not in shown["gold"][0].text
    assert "REFERENCES client" in shown["gold"][0].text


def test_a_filled_context_is_as_long_as_fits(setting: Setting) -> None:
    """One more table of the ranking would be too long; the first is there even when it does not fit."""
    whole = show_tables(setting, ["dense"], 3)["dense"]
    less = [ShownTables((), context.text[:-1]) for context in whole]
    room = [estimated_tokens(context.text) for context in less]
    for context, tokens in zip(filled(setting, less), room, strict=True):
        assert len(context.tables) == 2
        assert estimated_tokens(context.text) <= tokens
    assert [len(context.tables) for context in filled(setting, whole)] == [3, 3]
    assert [len(context.tables) for context in filled(setting, [ShownTables((), "")] * 2)] == [1, 1]


def test_an_unknown_system_is_refused(setting: Setting) -> None:
    """The message lists what there is."""
    with pytest.raises(UnknownSystemError, match="unknown system 'best': choose among dense, dense-as-jar"):
        show_tables(setting, ["best"], 2)
