""" "jar+crush": the probes propose tables, JAR chooses those that join, and their columns come with them."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from formulations import SolverError
from jar import Catalog, Index, QueryError, Reranker
from jar.answers.column_selection import ColumnSelection
from jar.columns.candidates import build_pool
from jar.columns.joint_ranker import COLUMNS
from jar.columns.objectives import JointObjective
from jar.columns.probed_question import read_probed_questions, stack
from jar.columns.search import DEFAULT_SEARCH
from jar.rerank import DATABASE, DEFAULT_OBJECTIVE, LEXICAL, NAMES
from jar.sample import QUESTIONS
from jar.tables.first_stage import PRESENCE
from jar.tables.problem import Joinability, joinability_of
from jar.tables.query import EmbeddedQuery, Limits, Query
from jar.tables.relevance import CosineRelevance
from joinability.scores.score import join_score

BANK = QUESTIONS[0]
IMAGINED = "client(client_id, gender)\ncard(card_id, type)\nloan(loan_id, amount)"


@pytest.fixture(scope="module")
def reranker(lake_index: Index) -> Reranker:
    """A re-ranker with both objectives."""
    return Reranker(lake_index, objective="jar+crush", budget=8)


def test_tables_join_and_bring_their_columns(reranker: Reranker) -> None:
    """The bridge table is there, sub-queries and probes are both told, and no column is of another table."""
    found = reranker.rank(BANK.text, 4, probes=IMAGINED)
    assert isinstance(found, ColumnSelection)
    assert set(found.tables) == set(BANK.tables)
    assert found.connected
    assert all(found.by_table.values())
    assert {column.table for column in found.columns} == set(found.tables)
    assert len(found.columns) == 8
    assert found.probes[0] == "client.client_id"
    assert (found.probe_source, found.decomposition) == ("caller", "default")
    assert found.subqueries == Reranker(reranker.index).rank(BANK.text, 4).subqueries
    assert all(probe in found.explain() for probe in found.probes)
    plain = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert plain["probes"] == list(found.probes)
    assert plain["contributions"]


def test_the_coarse_term_is_relevance_and_presence(reranker: Reranker) -> None:
    """What each table adds by its coarse relevance is the weight times both, here by hand."""
    contents, embedder = reranker.index.contents, reranker.embedder
    (probed,) = read_probed_questions(embedder, [BANK.text], [IMAGINED], None)
    probes = stack(probed, question=True)
    cosines = np.maximum(contents.schema_vectors.cosines(probes), contents.column_vectors.cosines(probes))
    pool = build_pool(contents, cosines, DEFAULT_SEARCH, COLUMNS * 20, Limits(), reranker.join_score)
    presence = dict(zip(pool.tables.tolist(), pool.table_scores.tolist(), strict=True))
    asked = EmbeddedQuery(Query(BANK.text, ()), embedder([BANK.text]))
    similar = CosineRelevance(contents, LEXICAL, DATABASE, NAMES).tables(asked, [])
    found = reranker.rank(BANK.text, 5, probes=IMAGINED)
    for table, contribution in zip(found.tables, found.contributions, strict=True):
        place = contents.table_position[table]
        wanted = reranker.objective.coarse * (similar[place] + PRESENCE * presence.get(place, 0.0))
        assert contribution.coarse == pytest.approx(wanted, abs=1e-5)
    assert found.value == pytest.approx(sum(found.scores))


def test_probes_change_the_candidates(lake_index: Index) -> None:
    """With one candidate it is the table that the probes mean, and not the one nearest to the question."""
    one = Reranker(lake_index, objective="jar+crush", candidates=1)
    assert one.rank(BANK.text, 1, probes=["gym.members.member_id"]).tables == ("gym.members",)
    assert Reranker(lake_index, candidates=1).rank(BANK.text, 1).tables != ("gym.members",)


def test_many_questions_give_the_same_answers_as_one_by_one(reranker: Reranker) -> None:
    """In tables, joins and columns."""
    texts = [question.text for question in QUESTIONS]
    probes = [IMAGINED] + [None] * (len(texts) - 1)
    for text, own, together in zip(texts, probes, reranker.rank_many(texts, 3, probes=probes), strict=True):
        alone = reranker.rank(text, 3, probes=own)
        assert (alone.tables, alone.joins) == (together.tables, together.joins)
        assert alone.column_names == together.column_names


def test_wishes_of_the_caller_are_kept(reranker: Reranker) -> None:
    """Pinned and excluded tables, another retriever's candidates, and a budget that every table has a column of."""
    found = reranker.rank(BANK.text, 3, require=["gym.members"], exclude=["bank.client"])
    assert "gym.members" in found.tables
    assert "bank.client" not in found.tables
    given = ["bank.client", "library.loans", "gym.members"]
    bounded = Reranker(reranker.index, objective="jar+crush", expand=0)
    assert set(bounded.rank(BANK.text, 5, candidates=given).tables) == set(given)
    small = Reranker(reranker.index, objective="jar+crush", budget=1).rank(BANK.text, 3)
    assert len(small.columns) == 3
    assert not small.notes
    large = Reranker(reranker.index, objective="jar+crush", budget=100).rank(BANK.text, 3)
    assert len(large.columns) == sum(len(table.columns) for table in large.schemas)
    assert not large.notes
    assert all(small.by_table.values())


def test_where_no_set_is_feasible_there_are_no_columns(lake_index: Index) -> None:
    """The answer of JAR stands as it is, and has no columns; so it is where no table has any."""
    connected = replace(DEFAULT_OBJECTIVE, connect="require")
    strict = Reranker(lake_index, objective=JointObjective(connected))
    apart = ["gym.members", "bank.client"]
    found = strict.rank(BANK.text, 2, require=apart, forbid_joins=[(apart[0], apart[1])])
    assert found.status == "infeasible"
    assert found.tables == ()
    assert found.columns == ()
    assert found.probe_source == "question"
    frames = Catalog.from_frames({"a": pd.DataFrame(index=[0, 1])})
    bare = Index.build(frames, embedder=lambda texts: np.ones((len(texts), 2)))
    nothing = Reranker(bare, objective="jar+crush").rank("a", 1)
    assert nothing.tables == ("main.a",)
    assert nothing.columns == ()


def test_what_it_cannot_use_is_refused(lake_index: Index, reranker: Reranker) -> None:
    """A solver that takes no columns, probes that are none, and lists that do not fit."""
    with pytest.raises(SolverError):
        Reranker(lake_index, objective="jar+crush", solver="paper-mip")
    with pytest.raises(QueryError, match="probes are"):
        reranker.rank(BANK.text, 3, probes=[3])
    with pytest.raises(QueryError, match="one entry for each"):
        reranker.rank_many([BANK.text], 3, probes=[])


def test_an_embedder_that_knows_nothing_gives_an_answer(lake: object) -> None:
    """Zeros for a question: the tables of JAR, their columns, and the note once."""
    index = Index.build(
        lake, embedder=lambda texts: np.array([[float("é" not in t), 0.1 * ("é" not in t)] for t in texts])
    )
    found = Reranker(index, objective="jar+crush").rank("é", 2)
    assert len(found.tables) == 2
    assert len(set(found.notes)) == len(found.notes)


def test_joinability_is_assembled_twice_for_a_question(lake_index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once for the columns that the probes mean, once for the candidate tables; more sizes of one pool add nothing."""
    assembled = []

    def counting(*arguments: object) -> object:
        assembled.append(arguments)
        return joinability_of(*arguments)  # type: ignore[arg-type]

    for module in ("jar.tables.problem", "jar.columns.candidates"):
        monkeypatch.setattr(f"{module}.joinability_of", counting)
    reranker = Reranker(lake_index, objective="jar+crush")
    for ask in (
        lambda: reranker.rank(BANK.text, 4),
        lambda: reranker.rank(BANK.text, 4, probes=IMAGINED, require=["gym.members"]),
        lambda: reranker.rank(BANK.text, 3, candidates=["bank.client", "library.loans", "gym.members"]),
        lambda: reranker.rank_sizes([BANK.text], [1, 2, 5]),
    ):
        assembled.clear()
        ask()
        assert len(assembled) == 2


def test_a_part_of_an_assembly_is_the_assembly_of_the_part(lake_index: Index) -> None:
    """Columns in any order have to the last bit the joinability that they have by themselves."""
    contents, rng = lake_index.contents, np.random.default_rng(0)
    for _ in range(20):
        tables = rng.choice(len(contents.tables), 12, replace=False)
        others = np.setdiff1d(np.arange(len(contents.tables)), tables)
        columns = contents.columns_of(tables)
        part = rng.choice(columns, 17, replace=False)
        whole, alone = (
            joinability_of(contents, some, contents.owner[some], Limits(), join_score("default"))
            for some in (columns, part)
        )
        joined = np.flatnonzero(whole.any(axis=0))  # the others may be left out
        known = Joinability(tables, columns[joined], whole[np.ix_(joined, joined)])
        np.testing.assert_array_equal(known.between(part, contents.owner[part]), alone)
        assert known.between(contents.columns_of(others), contents.owner[contents.columns_of(others)]) is None
