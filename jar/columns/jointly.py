"""Both objectives in one call: the probes of CRUSH say which tables are meant, JAR chooses those that join.

"jar+crush" takes its candidates from the columns that the probes find, and adds to the coarse relevance of a table the
probability that some probe means it (`jar.columns.posterior`). The columns of the chosen tables follow by CRUSH.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from jar.answers.column_selection import ColumnSelection
from jar.arrays import Array, IntArray
from jar.columns.candidates import build_pool
from jar.columns.choose import choose_columns
from jar.columns.probing import stack

if TYPE_CHECKING:
    from jar.answers.selection import Selection
    from jar.columns.probing import Probing
    from jar.columns.ranker import ColumnRanker
    from jar.tables.query import Limits

NAME = "jar+crush"
PRESENCE = 0.5
"""Weight of the probability beside the cosine of question and table, chosen on one half of BIRD's databases
(docs/columns.md)."""

COLUMNS = 20
"""Columns that are looked at for each candidate table."""


@dataclass(frozen=True)
class Proposal:
    """What the probes say of the tables of an index.

    Attributes
    ----------
    tables : array
        Positions of those that a column was found of, best first.
    presence : array (tables of the index,)
        Probability that some probe means each; 0 for those that none was found of.
    """

    tables: IntArray
    presence: Array


def propose(ranker: ColumnRanker, probing: Probing, count: int, limits: Limits) -> Proposal:
    """The tables that the probes of a question mean, looking at `COLUMNS` columns for each of `count` tables."""
    contents, search = ranker.contents, ranker.search
    cosines = stack(probing, question=search.question) @ contents.schema_vectors.T
    pool = build_pool(contents, cosines, search, max(search.candidates, COLUMNS * count), limits, ranker.score)
    presence = np.zeros(len(contents.tables))
    presence[pool.tables] = pool.table_scores
    return Proposal(pool.tables, presence)


def with_columns(
    ranker: ColumnRanker,
    selection: Selection,
    probing: Probing,
    budget: int,
    limits: Limits,
    time_limit: float | None = None,
) -> Selection:
    """A selection of tables with the columns of these tables that the probes ask for, each table with one at least.

    At least as many columns as tables, at most all; none where no table, or none with a column, was chosen.
    """
    contents = ranker.contents
    chosen = tuple(contents.table_position[table] for table in selection.tables)
    chosen = tuple(table for table in chosen if contents.tables[table].columns)
    own = {field.name: getattr(selection, field.name) for field in fields(selection)}
    asked: dict[str, Any] = {"probes": probing.probes, "budget": budget, "probe_source": probing.source}
    if not chosen:
        return ColumnSelection(**own, **asked)
    others = tuple(sorted(set(range(len(contents.tables))) - set(chosen)))
    room = sum(len(contents.tables[table].columns) for table in chosen)
    found = choose_columns(
        contents,
        probing,
        ranker.search,
        ranker.solver,
        min(max(budget, len(chosen)), room),
        replace(limits, require=chosen, exclude=others),
        ranker.score,
        time_limit=time_limit,
    )
    notes = (*selection.notes, *(note for note in found.notes if note not in selection.notes))
    return ColumnSelection(
        **{**own, "notes": notes, "seconds": selection.seconds + found.seconds},
        columns=found.columns,
        **asked,
    )
