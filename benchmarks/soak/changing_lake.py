"""A folder of CSV files whose rows change, and of which a file goes and comes back: what a refresh has to follow."""

from __future__ import annotations

import random
from pathlib import Path

import pandas as pd

from jar.sample import sample_columns

ROWS = 120
CHANGED = 3
"""Files that are written anew at a time."""
SEEDS = 50
"""How many versions a file has."""


class ChangingLake:
    """Copies of the sample lake, each with other rows.

    Parameters
    ----------
    folder : Path
        Where the files are written.
    copies : int
        Each has 21 tables.
    seed : int
        Of what changes.
    """

    def __init__(self, folder: Path, copies: int, seed: int = 0) -> None:
        self.folder = folder
        self._chance = random.Random(seed)
        self._missing: tuple[Path, bytes] | None = None
        for copy in range(copies):
            for table, columns in sample_columns(copy, ROWS).items():
                pd.DataFrame(columns).to_csv(self._path(table, copy), index=False)
        self._files = sorted(folder.rglob("*.csv"))

    def change(self) -> None:
        """Give some files other rows, and take a file away or bring it back."""
        rows = sample_columns(self._chance.randrange(SEEDS), ROWS)
        for path in self._chance.sample(self._files, CHANGED):
            database = path.parent.name.rpartition("_")[0]
            pd.DataFrame(rows[f"{database}.{path.stem}"]).to_csv(path, index=False)
        if self._missing is None:
            path = self._chance.choice(self._files)
            self._missing = path, path.read_bytes()
            path.unlink()
        else:
            path, content = self._missing
            path.write_bytes(content)
            self._missing = None

    def _path(self, table: str, copy: int) -> Path:
        database, name = table.split(".")
        path = self.folder / f"{database}_{copy}" / f"{name}.csv"
        path.parent.mkdir(parents=True, exist_ok=True)
        return path
