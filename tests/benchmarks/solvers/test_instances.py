"""Real instances: they are what the re-ranker solves, and the committed ones load and solve with proof."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from benchmarks.systems.problems import question_instance
from formulations import Instance, JarObjective, objective_from_dict, solve
from formulations.instance import read_json
from jar import Catalog, Index, Reranker

PATHS = sorted((Path(__file__).parents[3] / "benchmarks" / "instances").glob("*.json"))
VOCABULARY = ("client", "card", "loan", "name", "issued", "amount", "id")


def count_words(texts: list[str]) -> list[list[float]]:
    """An embedder: how often each word of the vocabulary occurs."""
    return [[text.lower().count(word) + 0.1 for word in VOCABULARY] for text in texts]


@pytest.mark.parametrize("score", ["paper", "default"])
def test_an_instance_is_what_the_reranker_solves(score: str) -> None:
    """The value of the best set over the instance is the value that `rank` reports with the paper's relevance."""
    ids = list(range(20))
    frames = {
        "bank.client": pd.DataFrame({"client_id": ids, "name": [f"n{i}" for i in ids]}),
        "bank.card": pd.DataFrame({"card_id": ids[:10], "client_id": ids[5:15], "issued": "1997"}),
        "bank.loan": pd.DataFrame({"loan_id": ids[3:9], "client_id": ids[2:8], "amount": 7}),
        "shop.client": pd.DataFrame({"number": [100 + i for i in ids], "amount": 1}),
    }
    index = Index.build(Catalog.from_frames(frames), embedder=count_words, score="paper")
    objective = JarObjective(coarse=3, fine=2, coverage=1, join=5)
    reranker = Reranker(index, objective, score=score, candidates=20, lexical=0, database=0, names=0, value=0)
    question = "Which clients have a card issued and a loan amount?"
    instance = question_instance(index, index.embedder, question, 3, score=score)
    assert solve(instance, objective).value == pytest.approx(reranker.rank(question, 3).value)


def test_there_are_instances() -> None:
    """Spider and BIRD are there, over 20 candidates and over whole corpora, in at most 3 MB."""
    kinds = {path.name.rsplit("-", 2)[0] for path in PATHS}
    assert kinds == {"spider-n20", "spider-n81", "bird-n20", "bird-n75"}
    assert sum(path.stat().st_size for path in PATHS) < 3_000_000


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_a_committed_instance_is_solved_with_proof(path: Path) -> None:
    """Each instance names its objective, has no names of tables, and is solved to optimality."""
    instance, objective = Instance.from_json(path), objective_from_dict(read_json(path)["objective"])
    assert instance.ids == tuple(str(item) for item in range(instance.n))
    solution = solve(instance, objective)
    assert solution.status == "optimal"
    assert solution.connected
    assert len(solution.items) == instance.size
