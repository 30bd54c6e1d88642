"""Joins by references that are counted one by one (`CompositeKey`), and their score."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from joinability.composite.code_tables import has_whole
from joinability.composite.key_candidates import ALIKE, SAME, names_in_a_row, stand_in_a_row
from joinability.evidence.traits import KEY_UNIQUENESS
from joinability.families import FAMILIES
from joinability.graph.edge import Where, edge_of
from joinability.sketches import MOST_ERROR, share_error

if TYPE_CHECKING:
    from joinability.composite.stored_keys import CompositeKey, TypeCondition
    from joinability.evidence.evidence import JoinEvidence
    from joinability.graph.edge import EdgeKind, JoinEdge
    from joinability.scores.verdicts import Verdicts

FLOOR = 0.3
"""Greatest weight f of the contents where the names do not match; see `composite_joins`."""
BY_NAME = 0.8
"""Score of a key whose names match, where nothing was counted; of databases as companies have them 17 of 20 such keys
are right."""
WITHIN_BY_NAME = 0.8
"""Score of a reference within a table that was not counted; of those that names tell nine in ten are right."""
NAMED = 0.5
"""What a polymorphic reference scores because a value names its table, whatever share of its keys this one has."""
CODED = 0.7
"""What a code of some type scores where the column has few of the codes of that type."""
OWN_KEY = 0.5
"""Factor of the score where the child's columns are its own key, and called otherwise: the lines of a bill and its
refusals are both numbered from 1."""
FAINT = 0.15
"""Score below which there is no edge."""


@dataclass(frozen=True)
class CompositeJoin:
    """A join on several columns, on one where another one marks the rows, or of rows of one table with each other.

    Attributes
    ----------
    left, right : tuple of int
        Columns of the conditions in order, child and parent, as positions in the evidence.
    score : float
    evidence : mapping
        By the names of `Edges.columns`, about tuples in place of values.
    where : TypeCondition, optional
        As in `CompositeKey`.
    """

    left: tuple[int, ...]
    right: tuple[int, ...]
    score: float
    evidence: Mapping[str, Any]
    where: TypeCondition | None = None

    @property
    def is_coded(self) -> bool:
        """The parent lists codes by type, and the column has those of one."""
        return self.where is not None and self.where.of_parent

    def to_edge(self, evidence: JoinEvidence) -> JoinEdge:
        """As an edge of the join graph."""
        padded = evidence.padding(self.left, self.right)
        kind: EdgeKind = "column" if len(self.left) == 1 else "composite"
        edge = edge_of(evidence, self.left, self.right, self.score, kind, self.evidence, padded)
        if self.where is None:
            return edge
        column, values = self.where.column, self.where.values
        are_numbers = evidence.family[column] == FAMILIES.index("number") and not evidence.zero_filled[column]
        on_left = not self.where.of_parent
        where = Where(evidence.name[column], values, on_left=on_left, are_numbers=bool(are_numbers))
        return replace(edge, kind="polymorphic" if on_left else "coded", where=where)


def composite_joins(
    evidence: JoinEvidence,
    keys: Sequence[CompositeKey],
    *,
    trust_declared: bool = True,
    verdicts: Verdicts | None = None,
    ways: Mapping[tuple[int, ...], int] | None = None,
) -> list[CompositeJoin]:
    """Composite keys with their scores, best first.

    One with a vetoed condition is left out, and so is the lesser one of two that refer to each other by equal columns.
    So is one whose names count for the order of its columns alone (`names_in_a_row`), where these columns refer to, or
    are, another key by their names.

    For a child with the tuples A and a parent with the tuples B, as `default_score` has it for values,

        w = contents * u^4 * (f + (1 - f) * names),   contents = |A n B| / (|A| + 0.3),   f = 0.3 * (1 - density)

    with u the uniqueness of the parent's tuples, names the least similarity of names of a condition (of columns
    beside each other see `names_in_a_row`), and density the share of all combinations of the parent's values that
    are tuples of it. At density 1 the parent holds every combination, so that containing the child's tuples is no
    evidence. Half of w is left where the child's columns are a key in front of its own table, and called otherwise.
    Where nothing was counted, and the columns of the child have n such keys, w = 0.8 * names^2 * 3 / (2 + n). Of a
    polymorphic reference, whose table a value names, w = (0.5 + 0.5 * contents) * u^4 with the keys under this
    value. Of a code that is listed under its type w = contents * (0.7 + 0.3 * |A n B| / |B|) with the codes of this
    type, the other values of A counted as one where it has nearly all of these. Of a reference within a table w =
    contents * u^4, or 1 where it is pinned. Scores below 0.15 are no edge.

    Parameters
    ----------
    evidence : JoinEvidence
    keys : sequence of CompositeKey
        Their columns are positions in the evidence.
    trust_declared : bool
        Give declared keys the score 1.
    ways : mapping, optional
        As from `ways_by_name`, where `keys` are some of all.
    """
    joins = []
    ways = ways_by_name(keys) if ways is None else ways
    least, in_a_row, vetoed_ones = _least_names(evidence, keys, verdicts)
    named = [key for key, own in zip(keys, least, strict=True) if own >= SAME and key.kind == "composite"]
    known = {frozenset(side) for key in named for side in (key.child, key.parent)}
    pinned = set() if verdicts is None else set(map(frozenset, verdicts.pinned.tolist()))
    for key, own, names, vetoed in zip(keys, least, in_a_row, vetoed_ones, strict=True):
        is_guess = not key.declared and key.kind == "composite"
        if is_guess and own < ALIKE <= names and frozenset(key.child) in known:
            continue
        is_pinned = key.kind == "within" and frozenset((*key.child, *key.parent)) in pinned
        is_sure = is_pinned or (key.declared and trust_declared)
        score = 1.0 if is_sure else _score(evidence, key, names, ways.get(key.child, 1))
        if score >= FAINT and not vetoed:
            told = _evidence(evidence, key, names) | {"pinned": is_pinned}
            told |= dict.fromkeys(("unmeasured", "unverified", "estimated"), False) if is_pinned else {}
            joins.append(CompositeJoin(key.child, key.parent, score, told, key.where))
    joins.sort(key=lambda join: (-join.score, join.left, join.right))
    best: dict[tuple[frozenset[frozenset[int]], TypeCondition | None], CompositeJoin] = {}
    for join in joins:
        best.setdefault((frozenset(map(frozenset, zip(join.left, join.right, strict=True))), join.where), join)
    return list(best.values())


def ways_by_name(keys: Iterable[CompositeKey]) -> Counter[tuple[int, ...]]:
    """To how many keys the columns of a child may refer by names alone."""
    return Counter(key.child for key in keys if not key.compared)


def _least_names(
    evidence: JoinEvidence, keys: Sequence[CompositeKey], verdicts: Verdicts | None
) -> tuple[list[float], list[float], list[bool]]:
    """The least similarity of names of a condition of each key, what it counts by the order of the columns, and whether
    a condition is vetoed."""
    if not keys:
        return [], [], []
    children = [column for key in keys for column in key.child]
    parents = [column for key in keys for column in key.parent]
    first = np.cumsum([0, *(len(key.child) for key in keys[:-1])])
    block = evidence.pairs(children, parents)
    similarity = np.asarray(evidence.forms.similarity(block.left, block.right), dtype=np.float64)
    least = np.minimum.reduceat(similarity, first).tolist()
    in_a_row = [
        float(names_in_a_row(part).min()) if key.kind == "composite" and stand_in_a_row(key.child) else own
        for key, own, part in zip(keys, least, np.split(similarity, first[1:]), strict=True)
    ]
    if verdicts is None:
        return least, in_a_row, [False] * len(keys)
    return least, in_a_row, np.logical_or.reduceat(verdicts.are_vetoed(block), first).tolist()


def _score(evidence: JoinEvidence, key: CompositeKey, names: float, ways: int) -> float:
    if key.kind == "within" and not key.compared:
        return WITHIN_BY_NAME
    if not key.compared:
        return BY_NAME * names**2 * 3 / (2 + ways)
    contents = key.common / (key.compared + 0.3)
    if key.kind == "polymorphic":
        return float((NAMED + (1 - NAMED) * contents) * key.parent_uniqueness**4)
    if key.kind == "coded":
        if has_whole(key.common, key.parent_distinct):
            contents = key.common / (min(key.compared, key.common + 1) + 0.3)
        return float(contents * (CODED + (1 - CODED) * min(1.0, key.common / max(key.parent_distinct, 1))))
    if key.kind == "within":
        return float(contents * key.parent_uniqueness**4)
    combinations = float(np.prod(evidence.distinct[list(key.parent)], dtype=np.float64))
    floor = FLOOR * (1 - min(1.0, key.parent_distinct / max(combinations, 1.0)))
    own = OWN_KEY if names < SAME and _is_own_key(evidence, key) else 1.0
    return float(own * contents * key.parent_uniqueness**4 * (floor + (1 - floor) * names))


def _is_own_key(evidence: JoinEvidence, key: CompositeKey) -> bool:
    """Whether the columns of the child are a key in front of its own table."""
    return key.child_uniqueness >= KEY_UNIQUENESS and int(evidence.place[key.child[0]]) == 0


def _evidence(evidence: JoinEvidence, key: CompositeKey, names: float) -> dict[str, Any]:
    share = key.common / max(key.compared, 1)
    common = share * key.child_distinct
    measured = {
        "jaccard": common / max(key.child_distinct + key.parent_distinct - common, 1),
        "containment_left": share,
        "containment_right": min(1.0, common / max(key.parent_distinct, 1)),
        **_errors(key, common),
        "uniqueness_left": key.child_uniqueness,
        "uniqueness_right": key.parent_uniqueness,
    }
    return {
        "declared": key.declared,
        **(measured if key.compared else dict.fromkeys(measured)),
        "padded_left": float(evidence.padded_share[list(key.child)].max()),
        "padded_right": float(evidence.padded_share[list(key.parent)].max()),
        "name_similarity": names,
        "estimated": key.estimated,
        "unmeasured": not key.compared,
        "unverified": not key.compared and not key.declared,
    }


def _errors(key: CompositeKey, common: float) -> dict[str, float]:
    """Standard errors of the shares, where the tuples of the child that were compared are a sample."""
    left = right = jaccard = float(share_error(key.common, key.compared, key.child_distinct)) if key.estimated else 0.0
    if key.compared:
        total = key.child_distinct + key.parent_distinct
        right *= key.child_distinct / max(key.parent_distinct, 1)
        jaccard *= key.child_distinct * total / max(total - common, 1) ** 2
    shares = {"jaccard_error": jaccard, "containment_left_error": left, "containment_right_error": right}
    return {name: min(error, MOST_ERROR) for name, error in shares.items()}
