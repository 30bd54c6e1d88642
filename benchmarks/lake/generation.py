"""Tables with planted joins, written as Parquet files: the same for the same seed and size.

Every table has ten columns, as tables in lakes do, most of which join nothing:

- ``id``: 1 to the number of rows, in every table, so that each of them lies in every longer one;
- ``code``: a key of the table alone, such as ``T00042-000007``;
- ``first_ref`` and ``second_ref``: codes of another table, the planted joins, a few of them dirty;
- ``t00042_id``, say: ids of the table that it is named after, which its values can not tell from the others like it;
- ``amount`` (random floats), ``note`` (unique text), ``city`` (of 5,000 names), ``day`` (of ten years), ``flag``.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

VALUES_PER_TABLE = 10_000
"""Distinct values of the columns of a table, on average."""
MEDIAN_ROWS, SPREAD, MOST_ROWS = 1_150, 0.9, 40_000
CITIES, DAYS, DIRTY = 5_000, 3_650, 0.1
FOLDERS = 100


@dataclass(frozen=True)
class PlantedJoin:
    """A child column, "database.table.column", whose values were drawn from a parent column.

    The kind is "code" where the values tell the parent, or "surrogate": small integers like thousands of others.
    `containment` is the share of the child's distinct values that are in the parent.
    """

    child: str
    parent: str
    kind: str
    containment: float


def table_count(values: int) -> int:
    """Number of tables for about so many distinct values of columns."""
    return max(2, round(values / VALUES_PER_TABLE))


def make_lake(folder: Path, values: int, seed: int = 0) -> list[PlantedJoin]:
    """Write a lake of about `values` distinct values of columns, and return what was planted in it."""
    from pyarrow import parquet

    count = table_count(values)
    sizes = _sizes(count, seed)
    planted: list[PlantedJoin] = []
    for number in range(count):
        table, joins = _table(number, sizes, seed)
        path = folder / f"area{number % FOLDERS:02d}" / f"t{number:05d}.parquet"
        path.parent.mkdir(parents=True, exist_ok=True)
        parquet.write_table(table, path, compression="zstd")
        planted += joins
    return planted


def _sizes(count: int, seed: int) -> NDArray[np.int64]:
    rows = np.random.default_rng(seed).lognormal(np.log(MEDIAN_ROWS), SPREAD, count)
    return np.clip(rows, 20, MOST_ROWS).astype(np.int64)


def _table(number: int, sizes: NDArray[np.int64], seed: int) -> tuple[Any, list[PlantedJoin]]:
    import pyarrow as pa

    random = np.random.default_rng([seed, number])
    rows = int(sizes[number])
    columns: dict[str, Any] = {"id": np.arange(1, rows + 1), "code": _codes(number, np.arange(1, rows + 1))}
    planted = []
    for name in ("first_ref", "second_ref"):
        columns[name], join = _reference(number, name, sizes, random)
        planted.append(join)
    parent = _other(number, len(sizes), random)
    reference = f"t{parent:05d}_id"
    columns[reference] = _drawn(int(sizes[parent]), rows, random)
    planted.append(PlantedJoin(_column(number, reference), _column(parent, "id"), "surrogate", 1.0))
    columns["amount"] = np.round(random.gamma(2, 500, rows), 4)
    columns["note"] = [f"note {number} {part:x}" for part in random.integers(2**48, size=rows)]
    columns["city"] = [f"City {part}" for part in random.zipf(1.3, rows) % CITIES]
    columns["day"] = np.datetime64("2015-01-01") + random.integers(DAYS, size=rows)
    columns["flag"] = random.integers(2, size=rows).astype(bool)
    return pa.table(columns), planted


def _reference(
    number: int, name: str, sizes: NDArray[np.int64], random: np.random.Generator
) -> tuple[list[str], PlantedJoin]:
    """Codes of another table; up to a tenth of the distinct ones are in none."""
    parent = _other(number, len(sizes), random)
    drawn = _drawn(int(sizes[parent]), int(sizes[number]), random)
    distinct = np.unique(drawn)
    dirty = distinct[random.random(len(distinct)) < random.uniform(0, DIRTY)]
    is_dirty = np.isin(drawn, dirty)
    codes = _codes(parent, drawn)
    codes = [f"{code}?" if odd else code for code, odd in zip(codes, is_dirty.tolist(), strict=True)]
    contained = 1 - len(dirty) / len(distinct)
    return codes, PlantedJoin(_column(number, name), _column(parent, "code"), "code", contained)


def _drawn(parent_rows: int, rows: int, random: np.random.Generator) -> NDArray[np.int64]:
    """Rows of a parent, from 1: of a part of it, some more often than others."""
    part = max(5, int(parent_rows * random.uniform(0.1, 1)))
    chosen = random.permutation(parent_rows)[:part] + 1
    return np.asarray(chosen[(random.beta(0.8, 1.2, rows) * len(chosen)).astype(np.int64)])


def _other(number: int, count: int, random: np.random.Generator) -> int:
    return int((number + random.integers(1, count)) % count)


def _codes(number: int, rows: NDArray[np.int64]) -> list[str]:
    return [f"T{number:05d}-{row:06d}" for row in rows.tolist()]


def _column(number: int, name: str) -> str:
    return f"area{number % FOLDERS:02d}.t{number:05d}.{name}"
