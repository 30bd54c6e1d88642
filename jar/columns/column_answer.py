"""From a choice of columns back to names: the `ColumnSelection` that a caller gets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from jar.answers.column_selection import ChosenColumn, ColumnSelection
from jar.answers.parts import Coverage
from jar.columns.joining import joins_between
from jar.stopwatch import Stopwatch
from jar.tables.table_answer import families_of

if TYPE_CHECKING:
    from jar.answers.join import Join
    from jar.columns.choose import ColumnChoice, ColumnTask
    from jar.index.contents import IndexContents
    from joinability.scores.score import JoinScore

KEYS = "joins"
"""What a column is said to answer that is there to join tables."""


def report(
    contents: IndexContents, choice: ColumnChoice, task: ColumnTask, score: JoinScore, least: float, embed: float
) -> ColumnSelection:
    """Name the columns, tables and joins of a choice.

    Parameters
    ----------
    least : float
        The least score of a join that is told.
    embed : float
        Seconds that reading and embedding the probes took.
    """
    watch = Stopwatch()
    probed, pool, solution = choice.probed, choice.pool, choice.solution
    owners = set(pool.owners[list(choice.items)].tolist())
    kept = [row for row, table in enumerate(pool.tables.tolist()) if table in owners]
    schemas = tuple(contents.tables[pool.tables[row]] for row in kept)
    joins = joins_between(contents, pool.tables[kept], task.limits, score, least)
    components = _components([table.id for table in schemas], joins)
    columns, coverage = chosen_columns(contents, choice), _coverage(contents, choice)
    timings = {"embed": embed, **choice.timings, "report": watch.lap()}
    return ColumnSelection(
        question=probed.question,
        subqueries=probed.probes,
        tables=tuple(table.id for table in schemas),
        scores=tuple(float(pool.table_scores[row]) for row in kept),
        contributions=(),
        joins=joins,
        coverage=coverage,
        connected=len(components) < 2,
        components=components,
        value=solution.value,
        bound=solution.bound,
        gap=solution.gap,
        status=str(solution.status),
        solver=solution.solver,
        seconds=sum(timings.values()),
        timings=timings,
        notes=choice.notes,
        decomposition=probed.source,
        schemas=schemas,
        families=families_of(contents, task.families, pool.tables[kept].tolist()),
        columns=columns,
        budget=task.budget,
        probes=probed.probes,
        probe_source=probed.source,
    )


def chosen_columns(contents: IndexContents, choice: ColumnChoice) -> tuple[ChosenColumn, ...]:
    """The columns of a choice, each with the probe that asks most for it."""
    probed, pool, cosines = choice.probed, choice.pool, choice.cosines
    labels = [*probed.probes, probed.question][: len(cosines)]
    columns = []
    for item, probe in zip(choice.items, pool.similarity[:, list(choice.items)].argmax(axis=0).tolist(), strict=True):
        column = int(pool.columns[item])
        is_meant = probe < len(labels)
        columns.append(
            ChosenColumn(
                column=contents.column_name(column),
                table=contents.tables[pool.owners[item]].id,
                score=float(pool.scores[item]),
                probe=labels[probe] if is_meant else KEYS,
                similarity=float(cosines[probe, column]) if is_meant else float(pool.similarity[probe, item]),
            )
        )
    return tuple(columns)


def _coverage(contents: IndexContents, choice: ColumnChoice) -> tuple[Coverage, ...]:
    """The chosen column that is most similar to each probe."""
    probes, pool = choice.probed.probes, choice.pool
    nearest = pool.similarity[: len(probes), list(choice.items)].argmax(axis=1).tolist()
    items = [choice.items[place] for place in nearest]
    return tuple(
        Coverage(
            subquery=probe,
            column=contents.column_name(pool.columns[item]),
            score=float(choice.cosines[row, pool.columns[item]]),
            table=contents.tables[pool.owners[item]].id,
        )
        for row, (probe, item) in enumerate(zip(probes, items, strict=True))
    )


def _components(tables: Sequence[str], joins: Sequence[Join]) -> tuple[tuple[str, ...], ...]:
    """Tables that the joins connect, in their order."""
    label = {table: place for place, table in enumerate(tables)}
    for join in joins:
        old, new = label[join.right_table], label[join.left_table]
        label = {table: new if group == old else group for table, group in label.items()}
    groups: dict[int, list[str]] = {}
    for table in tables:
        groups.setdefault(label[table], []).append(table)
    return tuple(map(tuple, groups.values()))
