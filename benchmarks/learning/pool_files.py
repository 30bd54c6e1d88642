"""Pools on disk, so that a fit that was stopped goes on with the setting where it was."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.data.wild.companies import AGES, SMALL
from benchmarks.data.wild.companies import FOLDER as COMPANIES
from benchmarks.data.wild.terse import FOLDER as TERSE
from benchmarks.learning.pool_settings import PoolSetting
from benchmarks.learning.pools import Pool
from benchmarks.runs.fingerprints import folder_fingerprint, source_fingerprint
from formulations import Instance
from jar.learned.candidates_seen import Candidates

AnyArray = npt.NDArray[Any]

SEEN = tuple(field.name for field in fields(Candidates) if field.name not in ("length", "has_rows"))
SOLVED = ("relevance", "coverage", "compatibility")


@dataclass(frozen=True)
class PoolFiles:
    """A folder with a file for each embedder and setting, of this version of the code and of its data.

    A file has the arrays of all its pools end to end under the name of a field, and their shapes.
    """

    folder: Path

    def path(self, embedder: str, setting: PoolSetting) -> Path:
        """The file of the pools of a setting."""
        words = re.sub(r"\W+", "-", f"{embedder} {setting.name} {setting.questions}").strip("-")
        code = source_fingerprint("jar", "joinability", "benchmarks/learning", "benchmarks/data")
        data = "".join(folder_fingerprint(folder)[:4] for folder in (COMPANIES, TERSE, AGES, SMALL))
        return self.folder / f"{words}.{code[:8]}{data}.npz"

    def read(self, embedder: str, setting: PoolSetting) -> list[Pool] | None:
        """The pools of a setting; None where they are not there, or of another version."""
        path = self.path(embedder, setting)
        if not path.exists():
            return None
        with np.load(path, allow_pickle=False) as stored:
            return _pools(stored)

    def write(self, embedder: str, setting: PoolSetting, pools: Sequence[Pool]) -> None:
        """Keep the pools of a setting."""
        path = self.path(embedder, setting)
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = path.with_suffix(".partial.npz")
        np.savez_compressed(partial, allow_pickle=False, **_arrays(pools))
        os.replace(partial, path)


def _arrays(pools: Sequence[Pool]) -> dict[str, AnyArray]:
    """The pools as arrays by name."""
    parts = [
        {"x": pool.x, "y": pool.y}
        | {f"seen.{name}": getattr(pool.seen, name) for name in SEEN}
        | {f"instance.{name}": getattr(pool.instance, name) for name in SOLVED}
        for pool in pools
    ]
    plain = [
        [
            *(pool.setting, pool.database, pool.fold, pool.gold),
            *(pool.seen.length, pool.seen.has_rows, pool.instance.ids, pool.weight),
        ]
        for pool in pools
    ]
    arrays = {"plain": np.array(json.dumps(plain))}
    for name in parts[0] if parts else ():
        arrays[name] = np.concatenate([one[name].ravel() for one in parts])
        arrays[f"{name} shapes"] = np.array([one[name].shape for one in parts])
    return arrays


def _pools(stored: Mapping[str, AnyArray]) -> list[Pool]:
    """The pools that `_arrays` tells."""
    plain = json.loads(str(stored["plain"]))
    names = ("x", "y", *(f"seen.{name}" for name in SEEN), *(f"instance.{name}" for name in SOLVED))
    split = {name: _split(stored[name], stored[f"{name} shapes"]) for name in names if plain}
    pools = []
    for place, (setting, database, fold, gold, length, has_rows, ids, weight) in enumerate(plain):
        arrays = {name: split[f"seen.{name}"][place] for name in SEEN}
        seen = Candidates(**arrays, length=length, has_rows=has_rows)
        solved = {name: split[f"instance.{name}"][place] for name in SOLVED}
        instance = Instance(**solved, size=1, ids=ids)
        x, y = split["x"][place], split["y"][place]
        pools.append(Pool(setting, database, fold, x, y, gold, seen, instance, weight))
    return pools


def _split(flat: AnyArray, shapes: AnyArray) -> list[AnyArray]:
    ends = np.cumsum(shapes.prod(axis=1))
    return [part.reshape(shape) for part, shape in zip(np.split(flat, ends[:-1]), shapes.tolist(), strict=True)]
