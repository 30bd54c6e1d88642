"""The stand-in for a cross encoder has the signature and the result of the real one, and loads no torch."""

from __future__ import annotations

import inspect
import subprocess
import sys
from pathlib import Path

import pytest

from jar import Index, QueryError, Reranker
from jar.adapters.sentence_transformers import JarCrossEncoder

QUESTION = "Which clients have loans?"
TABLES = ["library.loans", "bank.loan", "retail.loyalty_cards", "bank.client", "bank.disposition", "bank.card"]
TEXTS = [f"{table}: what it holds" for table in TABLES]


def test_rank_has_the_parameters_of_a_cross_encoder() -> None:
    """The same names in the same order with the same defaults."""
    reason = 'sentence-transformers is not installed: pip install "jar-rerank[embed]"'
    encoder = pytest.importorskip("sentence_transformers", reason=reason).CrossEncoder

    def plain(function: object) -> list[tuple[str, object]]:
        parameters = inspect.signature(inspect.unwrap(function)).parameters.values()  # type: ignore[arg-type]
        return [(parameter.name, parameter.default) for parameter in parameters]

    assert plain(JarCrossEncoder.rank) == plain(encoder.rank)


def test_the_chosen_tables_come_first(lake_index: Index) -> None:
    """With top_k only they, else the others behind; scores fall."""
    model = JarCrossEncoder(lake_index, k=3)
    answer = Reranker(lake_index).rank(QUESTION, 3, candidates=TABLES)
    results = model.rank(QUESTION, TEXTS)
    assert [TABLES[result["corpus_id"]] for result in results[:3]] == list(answer.tables)
    assert sorted(result["corpus_id"] for result in results) == list(range(6))
    assert [result["score"] for result in results] == [1 / place for place in range(1, 7)]
    assert all(set(result) == {"corpus_id", "score"} for result in results)
    chosen = model.rank(QUESTION, TEXTS, top_k=2, return_documents=True, batch_size=8, show_progress_bar=False)
    pair = Reranker(lake_index).rank(QUESTION, 2, candidates=TABLES)
    assert [TABLES[result["corpus_id"]] for result in chosen] == list(pair.tables)
    assert [result["text"] for result in chosen] == [TEXTS[result["corpus_id"]] for result in chosen]


def test_top_k_counts_documents(lake_index: Index) -> None:
    """Chunks of a table never push a chosen table out."""
    chunks = ["bank.loan: a", "bank.loan: b", "bank.loan: c", "bank.client: a", "bank.client: b"]
    results = JarCrossEncoder(lake_index).rank(QUESTION, chunks, top_k=2)
    assert {result["corpus_id"] for result in results} == {0, 3}


def test_what_cannot_be_ranked(lake_index: Index) -> None:
    """Foreign texts, documents that are no texts, and pairs."""
    with pytest.raises(QueryError, match="no table 'release'"):
        JarCrossEncoder(lake_index).rank(QUESTION, ["release notes", *TEXTS])
    with pytest.raises(QueryError, match="id_of="):
        JarCrossEncoder(lake_index).rank(QUESTION, [{"image": "loan.png"}])
    named = JarCrossEncoder(lake_index, id_of=lambda document: document["table"])
    assert named.rank(QUESTION, [{"table": "bank.loan"}]) == [{"corpus_id": 0, "score": 1.0}]
    assert JarCrossEncoder(lake_index).rank(QUESTION, []) == []
    with pytest.raises(NotImplementedError, match="a set of tables"):
        JarCrossEncoder(lake_index).predict([(QUESTION, TEXTS[0])])


def test_it_loads_no_torch(shop: Path) -> None:
    """Neither at import nor in a question, with static vectors."""
    code = (
        "import sys; from jar.adapters.sentence_transformers import JarCrossEncoder; "
        f"JarCrossEncoder({str(shop / 'shop.jar')!r}).rank('Which clients have loans?', ['bank.loan', 'bank.client']); "
        "print({'torch', 'sentence_transformers'} & set(sys.modules))"
    )
    root = Path(__file__).parents[3]
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=root)
    assert run.stdout.strip() == "set()"
