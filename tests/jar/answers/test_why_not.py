"""Why a table is not in an answer, where its number of tables was left open."""

from __future__ import annotations

from dataclasses import replace

from jar import Index, Reranker
from jar.answers.why_not import why_not
from jar.sample import sample_catalog

QUESTION = "Which female clients of the bank own credit cards?"


def test_an_answer_by_chances_may_be_worth_less_than_another_set() -> None:
    """It says by what it is chosen, and nothing where it is worth more, or its number of tables was given."""
    reranker = Reranker(Index.build(sample_catalog(), embedder="static", progress=False))
    wished = reranker.rank(QUESTION, 2, require=["bank.district"])
    given = reranker.rank(QUESTION, 2)
    likely = replace(given, confidence=0.5)
    behind = "but the answer is chosen by how likely its tables are needed"
    table = next(name for name in wished.tables if name not in given.tables)
    assert behind not in why_not(likely, wished, table)
    assert behind in why_not(replace(likely, value=-1000.0), wished, table)
    assert behind not in why_not(replace(given, value=-1000.0), wished, table)
