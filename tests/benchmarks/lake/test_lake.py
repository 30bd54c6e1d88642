"""The lake of the benchmarks: what is planted is there, and found; a seed makes one lake."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from benchmarks.lake.generation import make_lake, table_count
from benchmarks.lake.indexing import index_lake
from benchmarks.lake.pair_queries import _sampled_pairs


def column(folder: Path, name: str) -> set[object]:
    from pyarrow import parquet

    area, table, field = name.split(".")
    return set(parquet.read_table(folder / area / f"{table}.parquet")[field].to_pylist())


def test_what_is_planted_is_there(tmp_path: Path) -> None:
    """Of each planted join the child's values lie in the parent to the share that is told."""
    planted = make_lake(tmp_path, 60_000)
    assert len(planted) == 3 * table_count(60_000)
    for join in planted:
        child, parent = column(tmp_path, join.child), column(tmp_path, join.parent)
        assert len(child & parent) / len(child) == pytest.approx(join.containment)
        assert join.containment > 0.8


def test_a_seed_makes_one_lake(tmp_path: Path) -> None:
    """The same seed gives the same joins and values, another one others."""
    one, same, other = (make_lake(tmp_path / str(n), 30_000, seed) for n, seed in enumerate((0, 0, 1)))
    assert one == same != other
    for name in {join.child for join in one}:
        assert column(tmp_path / "0", name) == column(tmp_path / "1", name)


def test_planted_joins_are_found(tmp_path: Path) -> None:
    """A small lake is counted exactly: everything that was planted is found, and the figures add up."""
    planted = make_lake(tmp_path / "tables", 50_000)
    pd.DataFrame(planted).to_csv(tmp_path / "planted.csv", index=False)
    told = index_lake(tmp_path, tmp_path / "lake.duckdb", "500MB")
    assert told["method"] == "exact"
    assert told["found"] == {"code": 1.0, "surrogate": 1.0}
    assert told["planted"] == {"code": 10, "surrogate": 5}
    assert (told["tables"], told["columns"], told["failures"]) == (5, 50, 0)
    assert told["peak_bytes"] > 50_000_000


def test_pairs_are_sampled_between_tables() -> None:
    """No pair is within a table, and the number of all pairs is that of a count."""
    owners = np.array([0, 0, 1, 2, 2, 2])
    sampled, pairs = _sampled_pairs(owners, np.random.default_rng(0))
    assert pairs == sum(owners[i] != owners[j] for i in range(6) for j in range(i))
    assert all(owners[left] != owners[right] for left, right in sampled)
