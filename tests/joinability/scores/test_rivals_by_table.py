"""Rivals and references of single tables: the same as over the whole index, to the last bit, and only where asked."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from joinability import Catalog, EvidenceStore, JoinEvidence, References, Verdicts, default_score, edges
from joinability.evidence.blocks import PairBlock
from joinability.scores import estimates
from joinability.scores import implied as chains
from joinability.scores import rivals_by_table as module
from joinability.scores import score as scores
from joinability.scores.bounds import SLACK, bounds_of
from joinability.scores.candidates import candidate_pairs
from joinability.scores.estimates import estimated_odds
from joinability.scores.features import OF_NAMES
from joinability.scores.implied import implied
from joinability.scores.odds import LEAST, log_odds, supported, terms
from joinability.scores.rivals import Rivals
from joinability.scores.rivals_by_table import rivals_by_table, rivals_of
from joinability.scores.score import JoinScore, likelihood

EvidenceOf = Callable[[Catalog], JoinEvidence]


def lake(seed: int, tables: int = 9) -> Catalog:
    """Tables of small integers, words and references by chance, in three databases, some of them without rows."""
    rng = np.random.default_rng(seed)
    words = ["order", "client", "item", "stock", "visit"]
    frames = {}
    for number in range(tables):
        rows = int(rng.integers(0, 12)) if number % 4 == 3 else int(rng.integers(3, 12))
        frames[f"db{number % 3}.{words[number % 5]}{number // 5}"] = pd.DataFrame(
            {
                "id": np.arange(rows),
                f"{words[int(rng.integers(5))]}_id": rng.integers(0, 4, rows),
                "kind": rng.integers(0, 3, rows),
                "code": [f"c{int(value)}" for value in rng.integers(0, 20, rows)],
            }
        )
    return Catalog.from_frames(frames)


def whole(evidence: JoinEvidence, vetoes: Verdicts | None = None) -> Rivals:
    """The rivals of all tables, of every pair there is evidence on, without bounds and parts."""
    left, right = candidate_pairs(evidence)
    database = evidence.database[evidence.table]
    inside = database[left] == database[right]
    block = PairBlock(evidence, left[inside], right[inside], vetoes)
    counted = supported(block)
    if vetoes is not None:
        counted &= ~vetoes.are_vetoed(block)
    forth = block.chosen(np.flatnonzero(counted))
    sides = (forth, forth.reversed())
    child, parent, strength = (
        np.concatenate(parts)
        for parts in zip(*((side.left, side.right, log_odds(side)) for side in sides), strict=True)
    )
    kept = strength >= np.log(LEAST / (1 - LEAST))
    child, parent, strength = child[kept], parent[kept], strength[kept]
    names = terms(PairBlock(evidence, child, parent))[1][:, OF_NAMES].sum(axis=-1)
    taken = implied(evidence, child, parent, strength, names, vetoes)
    return Rivals.of(child, parent, strength, evidence.table, database, taken)


def every_pair(evidence: JoinEvidence) -> tuple[np.ndarray, np.ndarray]:
    """All ordered pairs of columns."""
    child, parent = np.divmod(np.arange(len(evidence) ** 2), len(evidence))
    return child, parent


def veto_of_the_best(evidence: JoinEvidence) -> Verdicts:
    """A veto of the join that scores most."""
    found = edges(evidence, default_score)
    return Verdicts.of(evidence, vetoed=[(evidence.ids[found.left[0]], evidence.ids[found.right[0]])])


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("has_vetoes", [False, True])
def test_rivals_by_table_are_those_of_the_whole(evidence_of: EvidenceOf, seed: int, has_vetoes: bool) -> None:
    """Asked for table by table, in any order, rivals and chains take exactly what those of the whole index take."""
    evidence = evidence_of(lake(seed))
    vetoes = veto_of_the_best(evidence) if has_vetoes else None
    expected = whole(evidence, vetoes)
    for table in np.random.default_rng(seed).permutation(len(evidence.table_names)):
        rivals_of(evidence, vetoes, np.array([table]))
    child, parent = every_pair(evidence)
    np.testing.assert_array_equal(rivals_of(evidence, vetoes).implied(child, parent), expected.implied(child, parent))
    for strength in (-9.0, -1.0, 3.0):
        strengths = np.full(len(child), strength)
        got = rivals_of(evidence, vetoes).terms(child, parent, strengths)
        np.testing.assert_array_equal(got, expected.terms(child, parent, strengths))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("has_vetoes", [False, True])
def test_rivals_that_estimates_choose_are_those_of_the_whole(
    evidence_of: EvidenceOf, monkeypatch: pytest.MonkeyPatch, seed: int, has_vetoes: bool
) -> None:
    """Where estimates of a matrix choose the likeliest parents, rivals and chains still take exactly the same: of more
    tables than parents are kept, with vetoes, and in any order of the tables."""
    monkeypatch.setattr(estimates, "MANY", 0)
    monkeypatch.setattr(estimates, "DENSE", 0.0)
    monkeypatch.setattr(estimates, "CELLS", 300)
    monkeypatch.setattr(estimates, "MOST", 3)  # of 30 tables in three databases
    monkeypatch.setattr(chains, "MOST", 3)
    evidence = evidence_of(lake(seed, 30))
    vetoes = veto_of_the_best(evidence) if has_vetoes else None
    expected = whole(evidence, vetoes)
    for table in np.random.default_rng(seed).permutation(len(evidence.table_names)):
        rivals_of(evidence, vetoes, np.array([table]))
    got = rivals_of(evidence, vetoes)
    assert got.look is not None
    assert sum(map(len, (layer.group for layer in got.children.layers))) < sum(
        map(len, (layer.group for layer in expected.children.layers))
    )
    child, parent = every_pair(evidence)
    np.testing.assert_array_equal(got.implied(child, parent), expected.implied(child, parent))
    for strength in (-9.0, -1.0, 3.0):
        strengths = np.full(len(child), strength)
        np.testing.assert_array_equal(
            got.terms(child, parent, strengths), expected.terms(child, parent, strengths)
        )


@pytest.mark.parametrize("seed", range(3))
def test_scores_that_estimates_choose_are_the_same(
    evidence_of: EvidenceOf, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """Scores and references of all columns are the same, to the last bit, with estimates and without."""
    catalog, score = lake(seed, 18), JoinScore("default")
    plain = evidence_of(catalog)
    expected = edges(plain, default_score), References.of(plain, score)
    monkeypatch.setattr(estimates, "MANY", 0)
    monkeypatch.setattr(estimates, "DENSE", 0.0)
    asked = []
    estimated = estimates.estimated_odds
    monkeypatch.setattr(scores, "estimated_odds", lambda *a, **b: asked.append(1) or estimated(*a, **b))
    evidence = replace(plain)
    got = edges(evidence, default_score), References.of(evidence, score)
    assert asked
    for one, other, names in zip(got, expected, (("left", "right", "score"), ("child", "key", "score")), strict=True):
        for name in names:
            np.testing.assert_array_equal(getattr(one, name), getattr(other, name))


@pytest.mark.parametrize("seed", range(3))
def test_estimates_are_near_the_log_odds(
    evidence_of: EvidenceOf, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """Estimates are within the slack of the log-odds where there is evidence, and -inf elsewhere, in one direction and
    in both; of few pairs, or of scattered ones, there are none."""
    evidence = evidence_of(lake(seed))
    child, parent = every_pair(evidence)
    block = PairBlock(evidence, child, parent)
    assert estimated_odds(block) is None
    monkeypatch.setattr(estimates, "MANY", 0)
    monkeypatch.setattr(estimates, "CELLS", 100)
    exact = np.where(supported(block), log_odds(block), -np.inf)
    back = np.where(supported(block), log_odds(block.reversed()), -np.inf)
    for some in (slice(None), slice(3 * len(evidence)), child > parent):
        few = PairBlock(evidence, child[some], parent[some])
        for both, odds in ((False, exact), (True, np.maximum(exact, back))):
            got = estimated_odds(few, both=both)
            assert got is not None
            np.testing.assert_array_equal(np.isinf(got), np.isinf(odds[some]))
            np.testing.assert_allclose(got, odds[some], atol=SLACK / 10)
    diagonal = np.arange(len(evidence) - 1)
    assert estimated_odds(PairBlock(evidence, diagonal, diagonal + 1)) is None


def test_threads_that_ask_for_different_tables_lose_none(
    evidence_of: EvidenceOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While one looks for the rivals of some tables another one finds those of others, and of the same."""
    evidence = evidence_of(lake(0))
    child, parent = every_pair(evidence)
    strengths = np.full(len(child), -1.0)
    expected = whole(evidence).terms(child, parent, strengths)
    with_more, tables = Rivals.with_more, np.arange(len(evidence.table_names))
    others = [tables[:4], tables[2:7]]

    def interrupted(rivals: Rivals, more: Rivals) -> Rivals:
        if others:
            rivals_of(evidence, None, others.pop())  # as another thread does
        return with_more(rivals, more)

    monkeypatch.setattr(Rivals, "with_more", interrupted)
    rivals_of(evidence, None, tables[1:3])
    got = rivals_of(evidence).terms(child, parent, strengths)
    np.testing.assert_array_equal(got, expected)
    assert not others


@pytest.mark.parametrize("seed", range(4))
def test_bounds_hold(evidence_of: EvidenceOf, seed: int) -> None:
    """No reference has greater odds than its bound."""
    evidence = evidence_of(lake(seed))
    child, parent = every_pair(evidence)
    strength = log_odds(PairBlock(evidence, child, parent))
    bounds = bounds_of(evidence)
    for least in (-12.0, -7.6, -3.0, 0.0):
        reached = strength >= least
        assert bounds.reach(child, parent, least)[reached].all()
        for column in range(len(evidence)):
            mine = reached & (child == column)
            assert bounds.possible_parents(np.array([column]), least)[parent[mine]].all()


@pytest.mark.parametrize("seed", range(4))
def test_scores_of_one_table_are_those_of_all(evidence_of: EvidenceOf, seed: int) -> None:
    """The joins of a table alone score what they score among all, and so do the references of some columns."""
    evidence = evidence_of(lake(seed))
    all_pairs = edges(evidence, default_score)
    scores = dict(zip(zip(all_pairs.left, all_pairs.right, strict=True), all_pairs.score, strict=True))
    for table in range(len(evidence.table_names)):
        alone = edges(replace(evidence), default_score, tables=[table])
        mine = {pair: score for pair, score in scores.items() if table in evidence.table[list(pair)]}
        assert dict(zip(zip(alone.left, alone.right, strict=True), alone.score, strict=True)) == mine
    score = JoinScore("default")
    together = References.of(evidence, score)
    assert len(together)
    apart = References.none()
    for table in reversed(range(len(evidence.table_names))):
        columns = np.flatnonzero(evidence.table == table)
        apart = apart.with_more(References.of(replace(evidence), score, columns))
    for name in ("child", "key", "score"):
        np.testing.assert_array_equal(getattr(apart, name), getattr(together, name))


def test_scores_of_no_interest_are_not_worked_out(evidence_of: EvidenceOf) -> None:
    """Above `least` the likelihood is the same; below it may be less."""
    evidence = evidence_of(lake(1))
    block = evidence.block(range(len(evidence)))
    exact = likelihood(block)
    for least in (0.01, 0.2, 0.6):
        got = likelihood(block, least)
        np.testing.assert_array_equal(got[exact >= least], exact[exact >= least])
        assert np.all(got <= exact)


def test_rivals_of_other_tables_are_not_asked_for(evidence_of: EvidenceOf, monkeypatch: pytest.MonkeyPatch) -> None:
    """The score of pairs among two tables of large databases knows the rivals of these afterwards, and of no other."""
    monkeypatch.setattr(module, "SMALL", 0)
    evidence = evidence_of(lake(2))
    columns = np.flatnonzero(np.isin(evidence.table, [0, 6]))
    default_score(evidence.block(columns), np.zeros((len(columns),) * 2, dtype=np.float32))
    known = np.flatnonzero(rivals_by_table(evidence).known)
    assert len(known) > 0
    assert set(known.tolist()) <= {0, 6}


def test_small_databases_are_looked_at_as_a_whole(evidence_of: EvidenceOf) -> None:
    """With a table of a small database the rivals of all its tables are known, and of no other database."""
    evidence = evidence_of(lake(2))
    rivals_of(evidence, tables=np.array([0]))
    np.testing.assert_array_equal(rivals_by_table(evidence).known, evidence.database == evidence.database[0])


def test_overlaps_are_symmetric_and_in_order(evidence_of: EvidenceOf) -> None:
    """The matrix of intersections has sorted rows, each pair once in both directions, and a look-up finds them all."""
    evidence = evidence_of(lake(3))
    matrix = evidence.intersections
    dense = matrix.toarray()
    assert matrix.csr.has_sorted_indices
    assert matrix.nnz == np.count_nonzero(dense) > 0
    np.testing.assert_array_equal(dense, dense.T)
    child, parent = every_pair(evidence)
    np.testing.assert_array_equal(evidence.pairs(child, parent).intersection, dense[child, parent])


def test_loading_some_columns() -> None:
    """Columns in another order than that of their ids have their overlaps."""
    import duckdb

    with closing(duckdb.connect()) as connection:
        store = EvidenceStore(connection)
        store.create()
        first, tables = 0, []
        for table in lake(4).tables:
            tables.append((table, first))
            first += len(table.columns)
        store.add_tables(tables)
        store.update_overlaps()
        straight = store.load().intersections.toarray()
        order = np.random.default_rng(0).permutation(first)[: first - 3]
        got = store.load(order.tolist()).intersections.toarray()
        np.testing.assert_array_equal(got, straight[np.ix_(order, order)])
