"""Known scores: those that are computed anew, to the last bit, with pins and vetoes, as far as they are known."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import joinability.scores.known_scores as module
from joinability import Catalog, Column, JoinEvidence, Table, Verdicts
from joinability.scores.candidates import candidate_pairs
from joinability.scores.known_scores import KnownScores
from joinability.scores.remembered import RememberedScores
from joinability.scores.score import JoinScore
from tests.joinability.scores.test_rivals_by_table import lake

EvidenceOf = Callable[[Catalog], JoinEvidence]
SCORE = JoinScore("default")


def some_verdicts(evidence: JoinEvidence, what: str) -> Verdicts | None:
    """Of the first database alone, or between two."""
    ids, first = evidence.ids, np.flatnonzero(evidence.database == evidence.database[0])
    tables = [evidence.table_names[table] for table in first]
    return {
        "nothing": None,
        "a veto": Verdicts.of(evidence, vetoed=[(ids[0], ids[12])]),
        "tables": Verdicts.of(evidence, vetoed=[(tables[0], tables[1])]),
        "a pin": Verdicts.of(evidence, pinned=[(ids[1], ids[-1])]),
    }[what]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("what", ["nothing", "a veto", "tables", "a pin"])
@pytest.mark.parametrize("most", [module.MOST_PAIRS, 60, 0])
def test_known_scores_are_those_that_are_computed(evidence_of: EvidenceOf, seed: int, what: str, most: int) -> None:
    evidence = evidence_of(lake(seed))
    verdicts = some_verdicts(evidence, what)
    judged = SCORE if verdicts is None else verdicts.applied(SCORE)
    known = KnownScores.of(evidence, most).untouched_by(evidence, verdicts)
    left, right = candidate_pairs(evidence)
    cosine = np.zeros(len(left), dtype=np.float32)
    wanted = judged(evidence.pairs(left, right), cosine)
    assert np.count_nonzero(wanted)
    for one, other in ((left, right), (right, left)):
        np.testing.assert_array_equal(known.applied(judged)(evidence.pairs(one, other), cosine), wanted)


@pytest.mark.parametrize("what", ["nothing", "a veto"])
@pytest.mark.parametrize("most", [module.MOST_PAIRS, 60])
def test_what_is_known_is_looked_up(evidence_of: EvidenceOf, what: str, most: int) -> None:
    """A ranking's scores are the same, and no known pair is scored again."""
    evidence = evidence_of(lake(1))
    verdicts = some_verdicts(evidence, what)
    known = KnownScores.of(evidence, most).untouched_by(evidence, verdicts)
    database, scored = evidence.database[evidence.table], list[bool]()

    def counted(block: object, cosine: object) -> object:
        scored.extend(known.cover(database[block.left], database[block.right]).tolist())  # type: ignore[attr-defined]
        return SCORE(block, cosine)  # type: ignore[arg-type]

    possible = evidence.may_join
    for tables in ([0, 1, 2, 3], [8, 4, 0], [5]):
        alone = RememberedScores(evidence, SCORE, verdicts, possible, evidence.table).among(np.array(tables))
        remembered = RememberedScores(evidence, counted, verdicts, possible, evidence.table, known)  # type: ignore[arg-type]
        found = remembered.among(np.array(tables))
        entries = (dict(zip(zip(p.left, p.right, strict=True), p.score, strict=True)) for p in (alone, found))
        assert next(entries) == next(entries)
    assert not any(scored)
    assert (what, most) == ("nothing", module.MOST_PAIRS) or scored


def test_a_veto_leaves_the_scores_of_other_databases(evidence_of: EvidenceOf) -> None:
    evidence = evidence_of(lake(2))
    known = KnownScores.of(evidence)
    assert known.inside.all()
    assert known.across.all()
    left = known.untouched_by(evidence, some_verdicts(evidence, "tables"))
    touched = np.arange(len(known.inside)) == evidence.database[0]
    np.testing.assert_array_equal(left.inside, ~touched)
    np.testing.assert_array_equal(left.across, ~touched)


def test_a_database_of_very_many_pairs_is_left_out(evidence_of: EvidenceOf, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its scores are computed when they are asked for, so that indexing takes no longer than it may."""
    evidence = evidence_of(lake(3, tables=7))  # the first database has one table more than the others
    monkeypatch.setattr(module, "MOST_COLUMNS", 8)
    known = KnownScores.of(evidence)
    assert known.inside.tolist() == (np.bincount(evidence.database[evidence.table]) <= 8).tolist() != [True] * 3
    assert not known.across.any()


def names_alone(tables: int, columns: int, name: str) -> Catalog:
    """A database without rows, of tables that lead with a key and have measures behind it."""
    made = [
        Table("wide", f"t{n}", (Column(name, "TEXT"), *(Column(f"m{i}", "TEXT") for i in range(columns))))
        for n in range(tables)
    ]
    return Catalog(made)


def test_columns_that_may_not_join_do_not_count(evidence_of: EvidenceOf, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of wide tables few columns may join, and these alone are compared."""
    evidence = evidence_of(names_alone(3, 60, "shared_id"))
    may_join = int(evidence.may_join.sum())
    assert may_join < len(evidence)
    monkeypatch.setattr(module, "MOST_COLUMNS", may_join)
    assert KnownScores.of(evidence).inside.all()
    monkeypatch.setattr(module, "MOST_COLUMNS", may_join - 1)
    assert not KnownScores.of(evidence).inside.any()


def test_pairs_of_one_name_are_counted_first(evidence_of: EvidenceOf, monkeypatch: pytest.MonkeyPatch) -> None:
    """Columns whose names suffice for a join, times all of the same name, as far as values are not known."""
    evidence = evidence_of(names_alone(12, 1, "shared_id"))
    columns = np.arange(len(evidence))
    monkeypatch.setattr(type(evidence), "may_refer_by_name", columns < 10)  # five keys and five measures of 12 each
    counted = sum(int(evidence.may_join[columns % 2 == kind].sum()) * 5 for kind in (0, 1))
    monkeypatch.setattr(module, "MOST_PAIRS", counted / 2)
    assert KnownScores.of(evidence, 10_000).inside.all()
    monkeypatch.setattr(module, "MOST_PAIRS", counted / 2 - 1)
    assert not KnownScores.of(evidence, 10_000).inside.any()


def test_pairs_with_common_values_are_counted_first(evidence_of: EvidenceOf, monkeypatch: pytest.MonkeyPatch) -> None:
    """With more of them than may be listed nothing is."""
    evidence = evidence_of(lake(1))
    monkeypatch.setattr(module, "MOST_COMMON", 0)
    assert not KnownScores.of(evidence).inside.all()
