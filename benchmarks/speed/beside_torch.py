"""How long an index takes with MiniLM as it comes, beside the same weights run by sentence-transformers and torch."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.data.refusal import RefusalError
from benchmarks.pages.grids import Grid
from benchmarks.speed.fresh_processes import index_afresh
from jar.minilm.carriers import CARRIERS
from jar.text.embedding import EMBEDDERS

ROUNDS = 3
MEASURED = ("seconds", "embedding_seconds", "other_seconds", "processor_seconds", "peak_megabytes")


class NoTorchError(RefusalError):
    """What the comparison needs is not installed."""


def weights_folder() -> str:
    """The folder with the weights of MiniLM as sentence-transformers reads them; `jar` reads those of the same package.

    Raises
    ------
    NoTorchError
        When the package with the weights, or sentence-transformers, is not installed.
    """
    folders = [path.parent for carrier in CARRIERS if (path := carrier.path()) is not None]
    if not EMBEDDERS["minilm"].installed() or not folders or not (folders[0] / "modules.json").exists():
        raise NoTorchError('this needs both: pip install "jar-rerank[embed,sentence-transformers]"')
    return str(folders[0])


def measure_in_turn(root: str, folder: Path, embedders: Mapping[str, str], rounds: int = ROUNDS) -> dict[str, Any]:
    """Medians of what `index_afresh` measures with each embedder, each time from nothing, in a process of its own.

    The embedders take turns, and every other round begins with the last one.

    Parameters
    ----------
    embedders : mapping
        From what they are called here to their names.
    """
    folder.mkdir(parents=True, exist_ok=True)
    found: dict[str, list[dict[str, Any]]] = {label: [] for label in embedders}
    for number in range(rounds):
        for label in list(embedders)[:: -1 if number % 2 else 1]:
            path = folder / "beside.jar"
            path.unlink(missing_ok=True)
            found[label].append(index_afresh(root, str(path), embedders[label]))
            path.unlink()
    return {label: _medians(runs) for label, runs in found.items()}


def beside_grid(found: Mapping[str, Mapping[str, float]]) -> Grid:
    """A row for each embedder, and one of the ratios of the last one to the first."""
    first, *_, last = found.values()
    rows = [(label, *(f"{figures[name]:,.1f}" for name in MEASURED)) for label, figures in found.items()]
    rows.append(("times", *(f"{last[name] / first[name]:.1f}" for name in MEASURED)))
    header = ("embedder", "all s", "embedding s", "other s", "processor s", "peak MB")
    return Grid(f"index of {first['tables']:,.0f} tables", header, rows)


def _medians(runs: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    names: Iterable[str] = ("tables", *MEASURED)
    return {name: float(median(run[name] for run in runs)) for name in names}
