"""The edges of the join graph."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from joinability import SCORES, Catalog, JoinEvidence, default_score, edges, paper_score
from joinability.scores import candidates
from joinability.scores.score import describe

EvidenceOf = Callable[[Catalog], JoinEvidence]


@pytest.fixture
def shop(evidence_of: EvidenceOf) -> JoinEvidence:
    frames = {
        "shop.client": pd.DataFrame({"id": [f"c{n}" for n in range(9)], "city": list("aaabbbccc")}),
        "shop.orders": pd.DataFrame({"client_id": ["c1", "c2", "c2"], "town": list("abb")}),
        "shop.town": pd.DataFrame({"name": list("abc")}),
    }
    ddl = Catalog.from_ddl("CREATE TABLE visit (client_id TEXT, day DATE)", database="plan")
    return evidence_of(Catalog.from_frames(frames) + ddl)


@pytest.mark.parametrize("name", sorted(SCORES))
def test_edges_are_the_positive_entries_of_the_block(shop: JoinEvidence, name: str) -> None:
    """Every pair that the score gives an edge to and that there is evidence on is listed once, best first."""
    vectors = np.eye(len(shop), 4, dtype=np.float32)
    found = edges(shop, SCORES[name], vectors=vectors)
    whole = SCORES[name](shop.block(range(len(shop))), vectors @ vectors.T)
    assert (found.left < found.right).all()
    assert len(set(zip(found.left.tolist(), found.right.tolist(), strict=True))) == len(found)
    np.testing.assert_allclose(found.score, whole[found.left, found.right], atol=1e-6)
    assert (np.diff(found.score) <= 0).all()
    if name == "default":  # the paper's score also links columns that have nothing in common
        assert len(found) == np.count_nonzero(np.triu(whole))


def test_a_threshold_and_tables_narrow_the_list(shop: JoinEvidence) -> None:
    """Only edges of at least the score, and of the wanted tables, are left."""
    everything = edges(shop, default_score)
    strong = edges(shop, default_score, 0.5)
    assert strong.score.tolist() == [score for score in everything.score.tolist() if score >= 0.5]
    town = shop.table_names.index("shop.town")
    only = edges(shop, default_score, tables=[town])
    assert 0 < len(only) < len(everything)
    assert ((shop.table[only.left] == town) | (shop.table[only.right] == town)).all()


def test_edges_become_a_frame(shop: JoinEvidence) -> None:
    """The columns name both sides and all evidence."""
    frame = pd.DataFrame(edges(shop, default_score).columns())
    assert list(frame.columns) == [
        "left", "right", "score", "declared", "jaccard", "containment_left", "containment_right", "jaccard_error",
        "containment_left_error", "containment_right_error", "uniqueness_left", "uniqueness_right",
        "padded_left", "padded_right", "name_similarity", "estimated", "unmeasured", "pinned",
    ]  # fmt: skip
    key = frame.set_index(["left", "right"]).loc[("shop.client.id", "shop.orders.client_id")]
    assert key["containment_right"] == 1
    assert key["containment_left"] == pytest.approx(2 / 9)


def test_chunks_make_no_difference(shop: JoinEvidence, monkeypatch: pytest.MonkeyPatch) -> None:
    """Scoring pair by pair gives the same list."""
    whole = edges(shop, paper_score)
    monkeypatch.setattr(candidates, "CHUNK_PAIRS", 1)
    monkeypatch.setattr(candidates, "CHUNK_COLUMNS", 1)
    parts = edges(shop, paper_score)
    assert parts.columns()["left"].tolist() == whole.columns()["left"].tolist()
    np.testing.assert_array_equal(parts.score, whole.score)


def test_nothing_has_no_edges(evidence_of: EvidenceOf) -> None:
    """An empty catalog is a graph without edges."""
    found = edges(evidence_of(Catalog([])), default_score)
    assert len(found) == 0
    assert len(pd.DataFrame(found.columns())) == 0


def test_what_is_not_measured_has_no_number(evidence_of: EvidenceOf) -> None:
    """Neither shares of values nor uniqueness, but for a declared primary key; as plain values it is None."""
    ddl = "CREATE TABLE a (id INT PRIMARY KEY); CREATE TABLE b (a_id INT REFERENCES a (id), n INT);"
    evidence = evidence_of(Catalog.from_ddl(ddl, database="d"))
    (found,) = describe(evidence, [0], [1])
    assert (found["declared"], found["unmeasured"]) == (True, True)
    assert (found["uniqueness_left"], found["uniqueness_right"]) == (1.0, None)
    assert found["jaccard"] is found["containment_left"] is found["containment_right_error"] is None
