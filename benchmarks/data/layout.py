"""Where the files of a data set are: the folder that comes with this project's figures, or the public releases."""

from __future__ import annotations

import os
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from benchmarks.data.refusal import RefusalError

BESIDE_THE_CHECKOUT = Path(__file__).resolve().parents[3] / "shared" / "data"

OBTAIN = {
    "spider": "download Spider 1.0 from https://yale-lily.github.io/spider and unpack it as spider/ "
    "(tables.json, dev.json, database/)",
    "bird": "download the BIRD dev set from https://bird-bench.github.io and unpack it as bird/ "
    "(dev_tables.json, dev.json, dev_databases/)",
}
PUBLIC = {"tables.json", "dev_tables.json", "dev.json"}
"""Files of the public releases."""


class MissingDataError(RefusalError, FileNotFoundError):
    """A file of a data set is not there; the message names it and says how to get it."""


def data_root(option: str | os.PathLike[str] | None = None) -> Path:
    """The folder that holds spider/ and bird/: the option, else ``JAR_DATA``, else ../shared/data beside the checkout.

    Raises
    ------
    MissingDataError
        When it is no folder.
    """
    root = Path(option or os.environ.get("JAR_DATA") or BESIDE_THE_CHECKOUT)
    if not root.is_dir():
        raise MissingDataError(
            f"no data folder {root}: give --data DIR or set JAR_DATA to a folder with spider/ or bird/. "
            + "; ".join(f"{name}: {how}" for name, how in OBTAIN.items())
        )
    return root


@dataclass(frozen=True)
class Layout:
    """The files of one data set, under any of the names they have in the wild.

    Parameters
    ----------
    root : Path
        The data folder.
    name : str
        "spider" or "bird", the folder inside it.
    """

    root: Path
    name: str

    @property
    def folder(self) -> Path:
        """The folder of the data set."""
        return self.root / self.name

    def find(self, *names: str) -> Path | None:
        """The first of these files that is there, or None."""
        return next((path for path in (self.folder / name for name in names) if path.exists()), None)

    def require(self, *names: str) -> Path:
        """The first of these files that is there.

        Raises
        ------
        MissingDataError
            When none is.
        """
        path = self.find(*names)
        if path is None:
            raise MissingDataError(f"{self.folder} has no {' or '.join(names)}{self._remedy(names)}")
        return path

    def _remedy(self, names: Collection[str]) -> str:
        if not PUBLIC & set(names):
            return ", which is not part of the public release: choose --datasets that do without it"
        obtain = f". To get it, {OBTAIN[self.name]}" if self.name in OBTAIN else ""
        return f"{obtain}; point --data or JAR_DATA to the folder that has {self.name}/"

    def databases(self) -> dict[str, Path]:
        """SQLite files by the name of their database; empty where none are there."""
        folder = self.find("databases", "database", "dev_databases")
        paths = sorted(folder.glob("*/*.sqlite")) if folder is not None else []
        return {path.stem: path for path in paths if path.stem == path.parent.name}
