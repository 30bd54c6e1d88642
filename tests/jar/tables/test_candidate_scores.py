"""Scores of a retriever beside the relevance of the index: equation (2a) of docs/ranking.md, and lookalikes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from jar import Catalog, Foreign, Index, QueryError, Reranker
from jar.tables.query import Ask
from jar.tables.relevance import CosineRelevance, ScoredTables, on_scale
from jar.tables.table_ranker import TableRanker
from joinability import Column, Table

QUESTION = "Which clients have loans?"


def table(id_: str, columns: str) -> Table:
    database, _, name = id_.partition(".")
    return Table(database, name, tuple(map(Column, columns.split())))


def flat(*tables: Table) -> Index:
    """An index in which no text is nearer than another."""
    return Index.build(Catalog(tables), embedder=lambda texts: np.array([[1.0, 0.0] for _ in texts]), progress=False)


@pytest.mark.parametrize("weight", [0.0, 0.5, 1.0])
def test_similarity_and_scores_are_mixed(lake_index: Index, weight: float) -> None:
    """With the deviation of the cosines and the mean of the similarities; what has no score is no better than scored
    tables, and keeps its own part."""
    ranker = Reranker(lake_index)._ranker()
    assert isinstance(ranker, TableRanker)
    (question,) = ranker.read([Ask(QUESTION)])
    relevance, tables = ranker.relevance, np.array([3, 0, 7])
    own, scores = relevance.similarity(question, []), np.array([30.0, 10.0, 20.0])
    cosines = CosineRelevance(lake_index.contents, names=relevance.names).similarity(question, [])[tables]
    scaled = (scores - 20) / scores.std() * cosines.std() + own[tables].mean()
    found = relevance.mixed(own, question, ScoredTables(tables, scores, weight))
    for number, told in enumerate(own):
        theirs = dict(zip(tables.tolist(), scaled, strict=True)).get(number, min(told, scaled.min()))
        assert found[number] == pytest.approx((1 - weight) * told + weight * theirs)


@pytest.mark.parametrize("weight", [-0.1, 1.5, "half", None, True])
def test_a_weight_that_is_none_is_refused(weight: Any) -> None:
    """It is a share."""
    with pytest.raises(QueryError, match="from 0 to 1"):
        Foreign(weight=weight)


def test_scores_alone_decide_with_a_weight_of_one(lake_index: Index) -> None:
    """And nothing of them with a weight of 0, as with scores that are ignored."""
    given = [("bank.card", 3.0), ("bank.client", 2.0), ("gym.members", 1.0)]
    ways = {"all": Foreign(weight=1), "none": Foreign(weight=0), "ignored": Foreign(scores="ignore")}
    chosen = {}
    for name, foreign in ways.items():
        reranker = Reranker(lake_index, foreign=foreign, expand=0, database=0)
        chosen[name] = reranker.rank("members of the gym", 1, candidates=given)
    assert chosen["none"].tables == chosen["ignored"].tables == ("gym.members",)
    coarse = {name: answer.contributions[0].coarse for name, answer in chosen.items()}
    assert coarse["none"] == pytest.approx(coarse["ignored"])


@pytest.mark.parametrize("score", [0.1, 1.0, 3.3e7])
def test_equal_scores_are_the_mean(score: float) -> None:
    """Whatever they are: what rounding leaves is no deviation."""
    np.testing.assert_allclose(on_scale(np.full(3, score), np.array([0.2, 0.3, 0.7])), 0.4)
    np.testing.assert_allclose(on_scale(np.array([0.1 + 0.2, 0.3]), np.array([0.2, 0.4])), 0.3)


@pytest.mark.parametrize("scores", [None, [0.9, 0.8]])
def test_a_variant_that_is_no_candidate_comes_before_none(scores: list[float] | None) -> None:
    """The question asks for another one, which cannot be chosen."""
    columns = "id body owner score created"
    names = ["forum.posts_questions", "forum.posts_answers", "forum.posts_wiki"]
    index = flat(*(table(name, columns) for name in names), table("forum.votes", "id post"))
    coarse = {}
    for candidates in ([names[0], "forum.votes"], names):
        given = candidates if scores is None else list(zip(candidates, [0.9, 0.8, 0.7], strict=False))
        answer = Reranker(index, expand=0, lexical=0).rank("Which answers have votes?", 3, candidates=given)
        parts = zip(answer.tables, answer.contributions, strict=True)
        coarse[len(candidates)] = dict(parts)["forum.posts_questions"].coarse
    assert coarse[2] > coarse[3]


def test_of_two_editions_that_come_as_neighbours_one_falls_behind() -> None:
    """As it does where the package finds them itself."""
    columns = "patient_id name born"
    index = flat(
        table("clinic.visits", "visit_id patient_id day"),
        table("clinic.patients_v1", columns),
        table("clinic.patients_v2", columns),
    )
    index.pin_join("clinic.visits.patient_id", "clinic.patients_v1.patient_id")
    index.pin_join("clinic.visits.patient_id", "clinic.patients_v2.patient_id")
    reranker = Reranker(index, lexical=0)
    for candidates in (None, ["clinic.visits"], [("clinic.visits", 0.7)]):
        answer = reranker.rank("visits of patients v2", 3, candidates=candidates)
        coarse = {name: part.coarse for name, part in zip(answer.tables, answer.contributions, strict=True)}
        assert coarse["clinic.patients_v2"] > coarse["clinic.patients_v1"]
