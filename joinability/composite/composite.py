"""Joins under several conditions: composite keys, of whose columns none is a key alone, and polymorphic references,
where a value says which table is meant; how the store keeps them, and their score."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from joinability.composite.key_candidates import ALIKE, SAME, names_in_a_row, stand_in_a_row
from joinability.evidence.traits import KEY_UNIQUENESS
from joinability.families import KINDS
from joinability.graph.edge import Where, edge_of
from joinability.sketches import MOST_ERROR, share_error

if TYPE_CHECKING:
    import duckdb
    import pyarrow

    from joinability.evidence.evidence import JoinEvidence
    from joinability.graph.edge import EdgeKind, JoinEdge
    from joinability.scores.verdicts import Verdicts

FLOOR = 0.3
"""Greatest weight f of the contents where the names do not match; see `composite_joins`."""
BY_NAME = 0.8
"""Score of a key whose names match, where nothing was counted; of databases as companies have them 17 of 20 such keys
are right."""
NAMED = 0.5
"""What a polymorphic reference scores because a value names its table, whatever share of its keys this one has."""
OWN_KEY = 0.5
"""Factor of the score where the child's columns are its own key, and called otherwise: the lines of a bill and its
refusals are both numbered from 1."""
FAINT = 0.15
"""Score below which there is no edge."""

SCHEMA = """
CREATE TABLE IF NOT EXISTS composite_keys (
    child             INTEGER[],  -- column ids, in the order of the conditions
    parent            INTEGER[],
    declared          BOOLEAN,
    estimated         BOOLEAN,    -- counted in a sample of the tuples, or not at all
    compared          BIGINT,     -- distinct tuples of the child; of the sample, where it is one
    common            BIGINT,     -- those of them that the parent has
    child_distinct    BIGINT,     -- distinct tuples
    parent_distinct   BIGINT,
    child_uniqueness  DOUBLE,     -- distinct tuples / rows
    parent_uniqueness DOUBLE,
    type_column       INTEGER,    -- of a polymorphic reference: the column that says which table is meant
    type_values       VARCHAR[]   -- and what it says of the parent
);
ALTER TABLE composite_keys ADD COLUMN IF NOT EXISTS type_column INTEGER;
ALTER TABLE composite_keys ADD COLUMN IF NOT EXISTS type_values VARCHAR[];
"""
TYPES = ("type_column", "type_values")


@dataclass(frozen=True)
class TypeCondition:
    """The rows of the child that a polymorphic reference is about: those with some values in the column beside it.

    Attributes
    ----------
    column : int
        As those of `CompositeKey`.
    values : tuple of str
    """

    column: int
    values: tuple[str, ...]


@dataclass(frozen=True)
class CompositeKey:
    """Columns of a child table that together refer to columns of a parent, and the counts of their tuples; or one that
    does so in the rows that another column marks.

    Attributes
    ----------
    child, parent : tuple of int
        Columns in the order of the conditions: ids in the store, positions in the evidence once it is loaded.
    declared, estimated : bool
        The key is declared by the owner of the tables; the tuples are a sample, or not known at all.
    compared, common : int
        Distinct tuples of the child, and those of them that the parent has (both of the sample, where it is one).
    child_distinct, parent_distinct : int
    child_uniqueness, parent_uniqueness : float
        Distinct tuples by rows.
    where : TypeCondition, optional
        Of a polymorphic reference: what marks the rows of the child that are meant. The counts are about these.
    """

    child: tuple[int, ...]
    parent: tuple[int, ...]
    declared: bool
    estimated: bool
    compared: int = 0
    common: int = 0
    child_distinct: int = 0
    parent_distinct: int = 0
    child_uniqueness: float = 0.0
    parent_uniqueness: float = 0.0
    where: TypeCondition | None = None

    @property
    def is_within_table(self) -> bool:
        """Whether one column refers to another one of its table."""
        return len(self.child) == 1 and self.where is None


COUNTS = tuple(field.name for field in fields(CompositeKey) if field.name != "where")
"""Names of the columns of `composite_keys` that each key has, in order."""


@dataclass(frozen=True)
class CompositeJoin:
    """A join on several columns, or on one where another one marks the rows.

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

    def to_edge(self, evidence: JoinEvidence) -> JoinEdge:
        """As an edge of the join graph."""
        padded = evidence.padding(self.left, self.right)
        kind: EdgeKind = "column" if len(self.left) == 1 else "composite"
        edge = edge_of(evidence, self.left, self.right, self.score, kind, self.evidence, padded)
        if self.where is None:
            return edge
        column, values = self.where.column, self.where.values
        are_numbers = evidence.traits.kind[column] == KINDS.index("number")
        where = Where(evidence.name[column], values, are_numbers=bool(are_numbers))
        return replace(edge, kind="polymorphic", where=where)


def keep_composites(connection: duckdb.DuckDBPyConnection, keys: Sequence[CompositeKey]) -> None:
    """Add keys to a store; their columns are ids."""
    import pyarrow as pa

    connection.execute(SCHEMA)
    if keys:
        fresh = pa.Table.from_pylist([{name: getattr(key, name) for name in COUNTS} for key in keys])
        columns = pa.array([key.where and key.where.column for key in keys], pa.int32())
        values = pa.array([key.where and list(key.where.values) for key in keys], pa.list_(pa.string()))
        _insert(connection, fresh.append_column(TYPES[0], columns).append_column(TYPES[1], values))


def _insert(connection: duckdb.DuckDBPyConnection, fresh: pyarrow.Table) -> None:
    """DuckDB finds the Arrow table by name among the parameters."""
    connection.execute("INSERT INTO composite_keys BY NAME FROM fresh")


def load_composites(connection: duckdb.DuckDBPyConnection, column_ids: Sequence[int]) -> tuple[CompositeKey, ...]:
    """The keys of a store between the given columns, with positions among these in place of ids; empty where the store
    was never searched for keys."""
    columns = stored_columns(connection)
    if not columns:
        return ()
    types = ", ".join(TYPES) if columns.issuperset(TYPES) else "NULL, NULL"
    rows = connection.execute(f"SELECT {', '.join(COUNTS)}, {types} FROM composite_keys ORDER BY ALL").fetchall()
    place = {int(column): position for position, column in enumerate(column_ids)} if rows else {}
    keys = []
    for child, parent, *counts, type_column, values in rows:
        named = [*child, *parent, *([] if type_column is None else [type_column])]
        if place.keys() >= set(named):
            where = None if type_column is None else TypeCondition(type_column, tuple(values))
            key = CompositeKey(tuple(child), tuple(parent), *counts)
            keys.append(renumbered(replace(key, where=where), place))
    return tuple(keys)


def stored_columns(connection: duckdb.DuckDBPyConnection) -> frozenset[str]:
    """The columns of `composite_keys`; none in a store that was never searched for keys, and fewer in one that was
    searched before there were polymorphic references."""
    rows = connection.execute("SELECT column_name FROM duckdb_columns() WHERE table_name = 'composite_keys'").fetchall()
    return frozenset(name for (name,) in rows)


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

    with u the uniqueness of the parent's tuples, names the least similarity of names of a condition (of columns beside
    each other see `names_in_a_row`), and density the
    share of all combinations of the parent's values that are tuples of it. At density 1 the parent holds every
    combination, so that containing the child's tuples is no evidence. Half of w is left where the child's columns are
    a key in front of its own table, and called otherwise. Where nothing was counted, and the columns of the
    child have n such keys, w = 0.8 * names^2 * 3 / (2 + n). Of a polymorphic reference, whose table a value names,
    w = (0.5 + 0.5 * contents) * u^4 with the keys under this value. Scores below 0.15 are no edge.

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
    named = [key for key, own in zip(keys, least, strict=True) if own >= SAME and len(key.child) > 1]
    known = {frozenset(side) for key in named for side in (key.child, key.parent)}
    pinned = set() if verdicts is None else set(map(frozenset, verdicts.pinned.tolist()))
    for key, own, names, vetoed in zip(keys, least, in_a_row, vetoed_ones, strict=True):
        is_guess = not key.declared and len(key.child) > 1
        if is_guess and own < ALIKE <= names and frozenset(key.child) in known:
            continue
        is_pinned = key.is_within_table and frozenset((*key.child, *key.parent)) in pinned
        is_sure = is_pinned or (key.declared and trust_declared)
        score = 1.0 if is_sure else _score(evidence, key, names, ways.get(key.child, 1))
        if score >= FAINT and not vetoed:
            told = _evidence(evidence, key, names) | {"pinned": is_pinned}
            told |= {"unmeasured": False, "unverified": False} if is_pinned else {}
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
    similarity[first[[key.is_within_table for key in keys]]] = 1
    least = np.minimum.reduceat(similarity, first).tolist()
    in_a_row = [
        float(names_in_a_row(part).min()) if len(key.child) > 1 and stand_in_a_row(key.child) else own
        for key, own, part in zip(keys, least, np.split(similarity, first[1:]), strict=True)
    ]
    if verdicts is None:
        return least, in_a_row, [False] * len(keys)
    return least, in_a_row, np.logical_or.reduceat(verdicts.are_vetoed(block), first).tolist()


def _score(evidence: JoinEvidence, key: CompositeKey, names: float, ways: int) -> float:
    if not key.compared:
        return BY_NAME * names**2 * 3 / (2 + ways)
    contents = key.common / (key.compared + 0.3)
    if key.where is not None:
        return float((NAMED + (1 - NAMED) * contents) * key.parent_uniqueness**4)
    if key.is_within_table:
        return float(contents * key.parent_uniqueness**4)
    combinations = float(np.prod(evidence.distinct[list(key.parent)], dtype=np.float64))
    floor = FLOOR * (1 - min(1.0, key.parent_distinct / max(combinations, 1.0)))
    own = OWN_KEY if names < SAME and _is_own_key(evidence, key) else 1.0
    return float(own * contents * key.parent_uniqueness**4 * (floor + (1 - floor) * names))


def _is_own_key(evidence: JoinEvidence, key: CompositeKey) -> bool:
    """Whether the columns of the child are a key in front of its own table."""
    return key.child_uniqueness >= KEY_UNIQUENESS and int(evidence.position[key.child[0]]) == 0


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


def renumbered(key: CompositeKey, numbers: Sequence[int] | Mapping[int, int]) -> CompositeKey:
    """The key with each column replaced by its entry in `numbers`."""
    child, parent = (tuple(int(numbers[column]) for column in side) for side in (key.child, key.parent))
    where = key.where and replace(key.where, column=int(numbers[key.where.column]))
    return replace(key, child=child, parent=parent, where=where)
