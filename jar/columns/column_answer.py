"""From a choice of columns back to names: the `ColumnSelection` that a caller gets."""

from __future__ import annotations

import time
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from jar.answers.column_selection import ChosenColumn, ColumnSelection
from jar.answers.selection import Coverage
from jar.arrays import Vectors
from jar.columns.joining import joins_between

if TYPE_CHECKING:
    from formulations import Solution
    from jar.answers.join import Join
    from jar.columns.candidates import Pool
    from jar.columns.probing import Probing
    from jar.columns.search import ColumnSearch
    from jar.index.contents import IndexContents
    from jar.tables.query import Limits
    from joinability.scores.score import JoinScore

STAGES = ("embed", "retrieve", "solve", "report")
KEYS = "joins"
"""What a column is said to answer that is there to join tables."""


def report(
    contents: IndexContents,
    probing: Probing,
    pool: Pool,
    cosines: Vectors,
    items: Sequence[int],
    solution: Solution,
    search: ColumnSearch,
    limits: Limits,
    score: JoinScore,
    budget: int,
    notes: tuple[str, ...],
    clock: list[float],
) -> ColumnSelection:
    """Name the columns, tables and joins of a solution.

    Parameters
    ----------
    cosines : array (m, C)
        Of each probe, the question last where it is one, with each column of the index.
    items : list of int
        The chosen candidates, in order.
    clock : list of float
        Times at the start and at the end of each stage so far.
    """
    owners = set(pool.owners[list(items)].tolist())
    kept = [row for row, table in enumerate(pool.tables.tolist()) if table in owners]
    schemas = tuple(contents.tables[pool.tables[row]] for row in kept)
    joins = joins_between(contents, pool.tables[kept], limits, score, search.link)
    components = _components([table.id for table in schemas], joins)
    chosen = _columns(contents, probing, pool, items, cosines)
    clock.append(time.perf_counter())
    return ColumnSelection(
        question=probing.question,
        subqueries=probing.probes,
        tables=tuple(table.id for table in schemas),
        scores=tuple(float(pool.table_scores[row]) for row in kept),
        contributions=(),
        joins=joins,
        coverage=_coverage(contents, probing, pool, items, cosines),
        connected=len(components) < 2,
        components=components,
        value=solution.value,
        bound=solution.bound,
        gap=solution.gap,
        status=str(solution.status),
        solver=solution.solver,
        seconds=clock[-1] - clock[0],
        timings=dict(zip(STAGES, (end - start for start, end in pairwise(clock)), strict=True)),
        notes=notes,
        decomposition=probing.source,
        schemas=schemas,
        columns=chosen,
        budget=budget,
        probes=probing.probes,
        probe_source=probing.source,
    )


def _columns(
    contents: IndexContents,
    probing: Probing,
    pool: Pool,
    items: Sequence[int],
    cosines: Vectors,
) -> tuple[ChosenColumn, ...]:
    """The chosen columns with the probe that asks most for each."""
    labels = [*probing.probes, probing.question][: len(cosines)]
    found = []
    for item, probe in zip(items, pool.similarity[:, list(items)].argmax(axis=0).tolist(), strict=True):
        column = int(pool.columns[item])
        asked_for = probe < len(labels)
        found.append(
            ChosenColumn(
                column=contents.column_names[column],
                table=contents.tables[pool.owners[item]].id,
                score=float(pool.scores[item]),
                probe=labels[probe] if asked_for else KEYS,
                similarity=float(cosines[probe, column]) if asked_for else float(pool.similarity[probe, item]),
            )
        )
    return tuple(found)


def _coverage(
    contents: IndexContents,
    probing: Probing,
    pool: Pool,
    items: Sequence[int],
    cosines: Vectors,
) -> tuple[Coverage, ...]:
    """The chosen column that is most similar to each probe."""
    best = pool.similarity[: len(probing.probes), list(items)].argmax(axis=1).tolist()
    columns = [items[place] for place in best]
    return tuple(
        Coverage(
            subquery=probe,
            column=contents.column_names[pool.columns[item]],
            score=float(cosines[row, pool.columns[item]]),
            table=contents.tables[pool.owners[item]].id,
        )
        for row, (probe, item) in enumerate(zip(probing.probes, columns, strict=True))
    )


def _components(tables: Sequence[str], joins: Sequence[Join]) -> tuple[tuple[str, ...], ...]:
    """Tables that the joins connect, in their order."""
    label = {table: place for place, table in enumerate(tables)}
    for join in joins:
        old, new = label[join.right_table], label[join.left_table]
        label = {table: new if own == old else own for table, own in label.items()}
    groups: dict[int, list[str]] = {}
    for table in tables:
        groups.setdefault(label[table], []).append(table)
    return tuple(map(tuple, groups.values()))
