"""Join scores: the paper's against its formula, the default's guards, and what both promise."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from joinability import (
    SCORES,
    Catalog,
    JoinabilityError,
    JoinEvidence,
    UnknownScoreError,
    default_score,
    paper_score,
    score_named,
)
from joinability.names import name_words
from joinability.scores.score import join_score

EvidenceOf = Callable[[Catalog], JoinEvidence]

KEYS = """
CREATE TABLE client (id INT PRIMARY KEY, name TEXT);
CREATE TABLE loan (id INT PRIMARY KEY, client_id INT REFERENCES client, amount REAL);
"""


@pytest.fixture
def bank(evidence_of: EvidenceOf) -> JoinEvidence:
    """Five tables whose columns share values in many ways."""
    return evidence_of(Catalog.from_frames({
        "bank.client": pd.DataFrame({"id": range(1, 9), "name": list("abcdefgh"), "vip": [0, 1] * 4}),
        "bank.loan": pd.DataFrame({"id": range(1, 6), "client_id": [1, 2, 2, 3, 8], "owner": list("aabcd")}),
        "bank.card": pd.DataFrame({"code": ["x1", "x2", "x3"], "client": ["1", "2", "9"], "flag": [True, True, None]}),
        "zoo.animal": pd.DataFrame({"id": range(1, 7), "card_code": ["x1", "x1", "x2", "x3", "x3", None]}),
        "zoo.empty": pd.DataFrame({"id": pd.Series([], dtype="int64"), "animal_id": pd.Series([], dtype="int64")}),
    }))  # fmt: skip


def place(evidence: JoinEvidence, *names: str) -> list[int]:
    return [evidence.ids.index(name) for name in names]


def scored(evidence: JoinEvidence, left: str, right: str) -> float:
    """The default score of one pair."""
    k, j = place(evidence, left, right)
    return float(default_score(evidence.pairs([k], [j]), np.zeros(1, dtype=np.float32))[0])


def paper(evidence: JoinEvidence, k: int, j: int, cosine: float, values: list[set[Any]]) -> float:
    """The released code's formula for one pair."""
    if evidence.table[k] == evidence.table[j] or evidence.family[k] != evidence.family[j]:
        return 0.0
    jaccard = len(values[k] & values[j]) / (len(values[k] | values[j]) or 1)
    mine, other = (set(name_words(evidence.ids[column])) for column in (k, j))
    overlap = len(mine & other) / min(len(mine), len(other))
    schema = 0.25 * max(cosine, 0.0) + 0.25 * overlap
    return (0.5 * jaccard + schema) * max(evidence.uniqueness[k], evidence.uniqueness[j])


def values_of(evidence: JoinEvidence) -> list[set[Any]]:
    """The value sets of the bank, told from its diagonal of copies."""
    whole = {
        "id": [range(1, 9), range(1, 6), range(1, 7), []], "name": [list("abcdefgh")], "vip": [[0, 1]],
        "client_id": [[1, 2, 3, 8]], "owner": [list("abcd")], "code": [["x1", "x2", "x3"]], "client": [[1, 2, 9]],
        "flag": [[1]], "card_code": [["x1", "x2", "x3"]], "animal_id": [[]],
    }  # fmt: skip
    taken = dict.fromkeys(whole, 0)
    result = []
    for name in evidence.name:
        result.append({str(value) for value in whole[name][taken[name]]})
        taken[name] += 1
    return result


@given(raw=arrays(np.float32, (13, 13), elements=st.floats(-1, 1, width=32)))
@settings(deadline=None, max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_paper_score_is_its_formula(bank: JoinEvidence, raw: np.ndarray[Any, np.dtype[np.float32]]) -> None:
    """Every entry equals a scalar transcription, for any cosine."""
    assert len(bank) == 13
    cosine = np.maximum(raw, raw.T)
    got = paper_score(bank.block(range(13)), cosine)
    values = values_of(bank)
    expected = [[paper(bank, k, j, float(cosine[k, j]), values) for j in range(13)] for k in range(13)]
    np.testing.assert_allclose(got, expected, atol=1e-6)


@pytest.mark.parametrize("name", sorted(SCORES))
@given(raw=arrays(np.float32, (13, 13), elements=st.floats(-1, 1, width=32)))
@settings(deadline=None, max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_scores_keep_their_promises(name: str, bank: JoinEvidence, raw: np.ndarray[Any, np.dtype[np.float32]]) -> None:
    """Symmetric, between 0 and 1, zero inside a table, and the same for blocks as for lists of pairs."""
    cosine = np.maximum(raw, raw.T)
    block = bank.block(range(13))
    got = score_named(name)(block, cosine)
    np.testing.assert_allclose(got, got.T, atol=1e-6)
    assert got.min() >= 0
    assert got.max() <= 1
    assert (got[block.same_table] == 0).all()
    left, right = np.divmod(np.arange(13 * 13), 13)
    pairs = score_named(name)(bank.pairs(left, right), cosine.ravel())
    np.testing.assert_allclose(pairs, got.ravel(), atol=1e-6)


@pytest.mark.parametrize("name", sorted(SCORES))
def test_a_score_reads_texts_where_it_says_so(name: str, bank: JoinEvidence) -> None:
    """Rankings compare no texts of columns for a score that does not."""
    block = bank.block(range(13))
    without, alike = (score_named(name)(block, np.full((13, 13), cosine, dtype=np.float32)) for cosine in (0, 1))
    assert join_score(name).reads_texts is not np.array_equal(without, alike)


@pytest.mark.parametrize("name", sorted(SCORES))
def test_declared_keys_are_trusted_on_request(name: str, evidence_of: EvidenceOf) -> None:
    """Trusted, a declared key scores 1; otherwise it scores like any other pair."""
    evidence = evidence_of(Catalog.from_ddl(KEYS))
    k, j = place(evidence, "main.client.id", "main.loan.client_id")
    block, cosine = evidence.pairs([k], [j]), np.zeros(1, dtype=np.float32)
    assert score_named(name)(block, cosine, trust_declared=True).tolist() == [1]
    assert score_named(name)(block, cosine, trust_declared=False)[0] < 1


def test_an_unknown_score_is_an_error() -> None:
    """The message lists the names."""
    with pytest.raises(UnknownScoreError, match="default, paper") as caught:
        score_named("best")
    assert isinstance(caught.value, JoinabilityError)
    assert isinstance(caught.value, ValueError)


def test_a_key_and_its_reference_join(bank: JoinEvidence) -> None:
    """An inclusion into a key with names that agree scores high, be the key a number or a text."""
    assert scored(bank, "bank.loan.client_id", "bank.client.id") > 0.8
    assert scored(bank, "zoo.animal.card_code", "bank.card.code") > 0.8


def test_surrogate_keys_do_not_join_each_other(bank: JoinEvidence) -> None:
    """Two columns 1..n say nothing by their contents; the reference beside them wins by far."""
    assert scored(bank, "bank.loan.id", "zoo.animal.id") < 0.3
    assert scored(bank, "bank.loan.id", "bank.client.id") < scored(bank, "bank.loan.client_id", "bank.client.id") / 2


def test_flags_and_constants_do_not_join(bank: JoinEvidence) -> None:
    """Columns of few values that repeat are no keys."""
    assert scored(bank, "bank.client.vip", "bank.card.flag") == 0


def test_without_common_values_there_is_no_edge(bank: JoinEvidence) -> None:
    """Equal names are no evidence where the contents are known and differ."""
    assert scored(bank, "bank.card.code", "bank.client.name") == 0


def test_names_speak_where_contents_are_unknown(bank: JoinEvidence) -> None:
    """A reference in an empty table joins by its name, where the names are alike."""
    assert scored(bank, "zoo.empty.animal_id", "zoo.animal.id") > 0.5
    assert scored(bank, "zoo.empty.animal_id", "bank.client.name") == 0
    assert scored(bank, "zoo.empty.id", "bank.client.id") == 0
