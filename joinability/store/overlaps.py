"""Overlaps of all pairs of columns: the exact count, or, where that is too much, sketches first and the count after.

The exact count is one self-join of all values on their hash. Its cost is the number of pairs of columns that share a
value, summed over the values: low where values are rare, and without bound where thousands of columns hold the same
small integers. Where the cost would exceed a limit, the sketches of all columns (bottom-k by hash) are looked up in the
inverted list of all values. Pairs with enough common values in their sketches are candidates, and are counted until the
limit is reached, those that share the rarest values first; the other candidates keep their estimates, with standard
errors. Values that many columns share are not looked up, which bounds the cost of the look-up as well. References to
surrogate keys, which all share the same integers, are chosen by their names (`named_candidates`).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

import numpy as np

from joinability.evidence.traits import KEY_UNIQUENESS
from joinability.statements import sql
from joinability.store.engine_counts import estimate_overlaps
from joinability.store.named_candidates import named_pairs

if TYPE_CHECKING:
    import duckdb
    import pyarrow

SLICE_VALUES = 4_000_000
"""Values whose overlaps are counted at a time."""
SAMPLED_VALUES = 4_000_000
"""Values whose sample predicts the cost of an exact count."""
LOOK_UP = 20_000_000
"""Columns that one statement looks at for the values of sketches."""
LOOK_UP_SHARE = 10
"""The look-up of sketches may take one part in so many of the work of a count."""
LEAST_COUNTED = 0.1
"""Share of a column's values that a key has to have for the rows with these values to be counted."""


@dataclass(frozen=True)
class OverlapLimits:
    """What a count of overlaps may cost.

    Attributes
    ----------
    work : int
        Pairs of columns, summed over the values that they share, that an exact count may go through.
    per_value : float
        The same for each value of the store, where that allows more.
    sketch : int
        Values of least hash in the sketch of a column, used when the exact count would take more work.
    containment : float
        A pair is a candidate when the other column may have this share of the values of one column: the estimate plus
        two standard errors reaches it.
    """

    work: int = 50_000_000
    per_value: float = 10
    sketch: int = 64
    containment: float = 0.1

    def allowed(self, values: int) -> int:
        """The work that a store of so many values may take: for an exact count, or for that of the candidates."""
        return max(self.work, int(self.per_value * values))


@dataclass(frozen=True)
class OverlapCount:
    """How overlaps were counted.

    Attributes
    ----------
    method : "exact" or "sketches"
    values : int
        Values of all columns.
    counted, estimated : int
        Of the pairs that the sketches chose, those that were counted, and those of which the estimates were kept.
    common : int
        Values in more columns than this were not looked up; 0 where all were.
    failures : tuple of (str, str)
        Name and cause of each engine that did not count what it was asked for; estimates stay.
    """

    method: Literal["exact", "sketches"]
    values: int
    counted: int = 0
    estimated: int = 0
    common: int = 0
    failures: tuple[tuple[str, str], ...] = ()


def count_overlaps(
    connection: duckdb.DuckDBPyConnection, changed_ids: pyarrow.Table | None, limits: OverlapLimits
) -> OverlapCount:
    """Count the values that columns of different tables have in common, into `column_overlaps`.

    Parameters
    ----------
    connection : duckdb.DuckDBPyConnection
    changed_ids : pyarrow.Table, optional
        Ids of the columns (`column_id`) whose pairs are counted; all by default, in place of what there is.
    limits : OverlapLimits
    """
    connection.execute("CREATE OR REPLACE TEMP TABLE pairs (left_id INTEGER, right_id INTEGER, intersection INTEGER)")
    if changed_ids is None:
        connection.execute("DELETE FROM column_overlaps; DELETE FROM overlap_errors; DELETE FROM overlap_rows")
        connection.execute("CREATE OR REPLACE TEMP TABLE changed (column_id INTEGER)")
    else:
        connection.execute("CREATE OR REPLACE TEMP TABLE changed AS FROM changed_ids")
    with _setting(connection, "preserve_insertion_order", "false"):  # which costs memory, and is of no use here
        count = _Count(connection, changed_ids is None, limits)
        counted = count.exactly() if count.exact_work() <= limits.allowed(count.values) else count.by_sketches()
    connection.execute(sql("different_tables"))
    if connection.execute("SELECT 1 FROM sketches LIMIT 1").fetchone():
        estimate_overlaps(connection, limits.containment, is_full=changed_ids is None)
    count.rows()
    connection.execute("DROP TABLE changed")
    return counted


class _Count:
    """One count: it fills the temporary table `pairs`, for the columns in `changed` or for all."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, is_full: bool, limits: OverlapLimits) -> None:
        self.connection = connection
        self.is_full = is_full
        self.limits = limits
        self.values = self._number("SELECT count(*) FROM column_values")

    def exact_work(self) -> int:
        """Pairs of columns summed over the values that they share, predicted from the values of least hash."""
        share = min(1.0, SAMPLED_VALUES / max(self.values, 1))
        sampled_work = self._number(sql("work" if self.is_full else "changed_work"), {"high": int(share * (2**64 - 1))})
        return int(sampled_work / share)

    def exactly(self) -> OverlapCount:
        """Count all pairs."""
        self._run_slices("overlaps" if self.is_full else "changed_overlaps")
        return OverlapCount("exact", self.values)

    def by_sketches(self) -> OverlapCount:
        """Count the pairs that sketches choose."""
        limits, work = self.limits, self.limits.allowed(self.values)
        self._run("probes", {"enough": limits.sketch + 6 * limits.sketch**0.5, "size": limits.sketch})
        common = self._number(sql("common"), {"work": work // LOOK_UP_SHARE})
        most = self._number("SELECT max(holding) FROM frequencies")
        parameters = {"common": common, "least": limits.containment, "all": self.is_full}
        for first, last in self._ranges(common):
            self._run("estimates", {**parameters, "first": first, "last": last})
        for table in ("probes", "postings", "frequencies"):
            self.connection.execute(f"DROP TABLE {table}")
        self._run("candidates", {"work": work})
        self._choose_by_name()
        counted = self._number("SELECT count(*) FROM chosen")
        estimated = self._number("SELECT count(*) FROM pairs")
        # Left to itself, DuckDB joins the values of all columns before it filters the pairs: forty times slower.
        with _setting(self.connection, "disabled_optimizers", "join_order"):
            self._run_slices("candidate_overlaps")
        self.connection.execute("DROP TABLE chosen")
        return OverlapCount("sketches", self.values, counted, estimated, common if common < most else 0)

    def rows(self) -> None:
        """Count the rows of columns with a value that a key has, where these are more than the values."""
        self._run("asked_rows", {"all": self.is_full, "key": KEY_UNIQUENESS, "least": LEAST_COUNTED})
        with _setting(self.connection, "disabled_optimizers", "join_order"):  # as for the pairs that sketches choose
            self._run_slices("overlap_rows")
        self.connection.execute(
            "INSERT INTO overlap_rows SELECT child_id, parent_id, CAST(sum(intersection + repeated) AS BIGINT)"
            " FROM asked GROUP BY child_id, parent_id HAVING sum(repeated) > 0"
        )
        self.connection.execute("DROP TABLE asked")

    def _choose_by_name(self) -> None:
        """Add the pairs that are references by their names to those that are counted."""
        import pyarrow as pa

        pairs = np.array(list(named_pairs(self.connection)), dtype=np.int32)
        types = pa.schema([("child", pa.int32()), ("parent", pa.int32())])
        self._keep_named(pa.Table.from_arrays([pa.array(side) for side in np.reshape(pairs, (-1, 2)).T], schema=types))
        self._run("named_candidates", {"all": self.is_full})

    def _keep_named(self, pairs_by_name: pyarrow.Table) -> None:
        self.connection.execute("CREATE OR REPLACE TEMP TABLE named AS FROM pairs_by_name")

    def _ranges(self, common: int) -> list[tuple[int, int]]:
        """Ranges of column ids whose sketches take about `LOOK_UP` each to look up."""
        return self.connection.execute(sql("ranges"), {"common": common, "work": LOOK_UP}).fetchall()

    def _run(self, name: str, parameters: dict[str, float]) -> None:
        """Run the statements of a file, each with the parameters that it names."""
        for statement in sql(name).split(";\n")[:-1]:
            named = {key: value for key, value in parameters.items() if f"${key}" in statement}
            self.connection.execute(statement, named or None)

    def _run_slices(self, name: str) -> None:
        """Run a statement that adds up pairs, for one slice of the hashes after the other."""
        for low, high in _slices(self.values):
            self.connection.execute(sql(name), {"low": low, "high": high})

    def _number(self, query: str, parameters: dict[str, int] | None = None) -> int:
        row = self.connection.execute(query, parameters).fetchone()
        return int(row[0] or 0) if row else 0


@contextmanager
def _setting(connection: duckdb.DuckDBPyConnection, name: str, value: str) -> Iterator[None]:
    """Another value of a setting for a while."""
    row = connection.execute(f"SELECT current_setting('{name}')").fetchone()
    connection.execute(f"SET {name} = ?", [value])
    try:
        yield
    finally:
        connection.execute(f"SET {name} = ?", [row[0] if row else None])


def _slices(values: int) -> Iterator[tuple[int, int]]:
    """Ranges of hashes, each with about `SLICE_VALUES` of the values."""
    number = -(-values // SLICE_VALUES)
    edges = [2**64 * place // number for place in range(number)] + [2**64]
    for low, end in pairwise(edges):
        yield low, end - 1
