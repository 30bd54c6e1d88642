"""Remembered scores: those of a block of all pairs, whatever was asked before, also after everything was forgotten."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import joinability.scores.remembered as module
from joinability import Catalog, JoinEvidence, Verdicts
from joinability.scores.remembered import RememberedScores
from joinability.scores.score import JoinScore
from tests.joinability.scores.test_rivals_by_table import lake

EvidenceOf = Callable[[Catalog], JoinEvidence]
SCORE = JoinScore("default")


def check(evidence: JoinEvidence, remembered: RememberedScores, tables: list[int], verdicts: Verdicts | None) -> None:
    """The remembered scores among some tables are those of the block of all pairs of their columns."""
    columns = np.flatnonzero(np.isin(evidence.table, tables))
    judged = SCORE if verdicts is None else verdicts.applied(SCORE)
    wanted = np.triu(judged(evidence.block(columns), np.zeros((len(columns), len(columns)), dtype=np.float32)), 1)
    found = np.zeros_like(wanted)
    pairs = remembered.among(np.array(tables))
    assert np.all(pairs.left < pairs.right)
    found[np.searchsorted(columns, pairs.left), np.searchsorted(columns, pairs.right)] = pairs.score
    np.testing.assert_allclose(found, wanted, atol=1e-6)
    assert len(pairs.score) == np.count_nonzero(wanted)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("stated", [False, True])
def test_remembered_scores_are_those_of_a_block(evidence_of: EvidenceOf, seed: int, stated: bool) -> None:
    evidence = evidence_of(lake(seed))
    ids = evidence.ids
    pins, vetoes = [(ids[1], ids[-1])], [(ids[0], ids[4]), evidence.table_names[:2]]
    verdicts = Verdicts.of(evidence, pinned=pins, vetoed=[(one, other) for one, other in vetoes]) if stated else None
    possible = evidence.may_join.copy()
    if verdicts is not None:
        possible[verdicts.pinned.ravel()] = True
    remembered = RememberedScores(evidence, SCORE, verdicts, possible, evidence.table)
    rng = np.random.default_rng(seed)
    for _ in range(8):
        check(evidence, remembered, rng.permutation(len(evidence.table_names))[: rng.integers(1, 7)].tolist(), verdicts)


def test_what_is_forgotten_is_learnt_again(evidence_of: EvidenceOf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_TABLE_PAIRS", 3)
    evidence = evidence_of(lake(5))
    remembered = RememberedScores(evidence, SCORE, None, evidence.may_join, evidence.table)
    for tables in ([0, 3, 6], [1, 4, 7], [0, 3, 6], [2]):
        check(evidence, remembered, tables, None)


def test_known_pairs_are_not_scored_again(evidence_of: EvidenceOf) -> None:
    evidence = evidence_of(lake(6))
    scored: list[int] = []

    def counted(block: object, cosine: np.ndarray[tuple[int, ...], np.dtype[np.float32]]) -> object:
        scored.append(len(cosine))
        return SCORE(block, cosine)  # type: ignore[arg-type]

    remembered = RememberedScores(evidence, counted, None, evidence.may_join, evidence.table)  # type: ignore[arg-type]
    remembered.among(np.array([0, 1, 2]))
    before = sum(scored)
    remembered.among(np.array([2, 0, 1]))
    assert sum(scored) == before > 0
    remembered.among(np.array([0, 1, 2, 3]))
    assert before < sum(scored) < 3 * before
