"""Pools on disk: what is read is what was written."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path

import numpy as np
from test_model_fit import POOLS

from benchmarks.learning.pool_files import PoolFiles
from benchmarks.learning.pool_settings import SETTINGS
from jar.learned.candidates_seen import Candidates


def test_pools_survive_their_file(tmp_path: Path) -> None:
    """Every array and number of every pool, empty ones too; another setting or embedder has none."""
    files = PoolFiles(tmp_path)
    values = [np.full((place % 3, POOLS[0].seen.n), float(place)) for place in range(len(POOLS))]
    pools = [replace(pool, seen=replace(pool.seen, values=some)) for pool, some in zip(POOLS, values, strict=True)]
    files.write("static", SETTINGS[0], pools)
    read = files.read("static", SETTINGS[0])
    assert read is not None
    for pool, other in zip(pools, read, strict=True):
        for name in ("setting", "database", "fold", "gold"):
            assert getattr(pool, name) == getattr(other, name)
        np.testing.assert_array_equal(pool.x, other.x)
        np.testing.assert_array_equal(pool.y, other.y)
        for one in fields(Candidates):
            np.testing.assert_array_equal(getattr(pool.seen, one.name), getattr(other.seen, one.name))
        assert pool.instance.resized(1).to_json() == other.instance.to_json()
    assert files.read("static", SETTINGS[1]) is None
    assert files.read("minilm", SETTINGS[0]) is None
    assert files.read("static", replace(SETTINGS[0], questions=3)) is None
