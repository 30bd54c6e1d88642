"""Measurements in a process of their own, which starts cold and has a peak of memory of its own.

``python -m benchmarks.speed.fresh_processes ROOT PATH EMBEDDER`` indexes and prints JSON.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from jar.arrays import Vectors as FloatArray
from jar.text.embedding import BATCH, Embedder, load_embedder


class TimedEmbedder:
    """An embedder that is loaded when it is first needed, and counts the seconds spent in it, loading included."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.seconds = 0.0

    def __call__(self, texts: list[str]) -> FloatArray:
        """Vectors of texts."""
        start = time.perf_counter()
        vectors = load_embedder(self.name)(texts)
        self.seconds += time.perf_counter() - start
        return vectors

    @property
    def batch(self) -> int:
        """Texts of a call that suit the embedder best."""
        start = time.perf_counter()
        size: int = getattr(load_embedder(self.name).encode, "batch", BATCH)
        self.seconds += time.perf_counter() - start
        return size


def index(root: str, path: str, embedder: str) -> dict[str, Any]:
    """Index all SQLite files of a folder, or refresh the index that is there.

    Other work goes on beside the embedding: `other_seconds` are those beyond it.
    """
    start = time.perf_counter()
    from jar import Catalog, Index

    model = TimedEmbedder(embedder)
    catalog = Catalog.from_sqlite(sorted(Path(root).glob("*/*.sqlite")))
    built = Index.build(catalog, path=path, embedder=Embedder(embedder, model), progress=False)
    seconds = time.perf_counter() - start
    return {
        "tables": len(catalog),
        "columns": len(catalog.columns),
        "failures": len(built.failures),
        "seconds": seconds,
        "embedding_seconds": model.seconds,
        "other_seconds": seconds - model.seconds,
        "processor_seconds": time.process_time(),
        "peak_megabytes": peak_megabytes(),
    }


def import_cold() -> float:
    """Seconds to import the package where nothing has imported it."""
    code = "import time; start = time.perf_counter(); import jar; print(time.perf_counter() - start)"
    return float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)


def rank_cold(path: str, question: str) -> float:
    """Seconds of the command ``jar rank`` in a fresh process, from its start to its end."""
    command = [sys.executable, "-c", "from jar.cli.main import main; main()", "rank", path, question, "--json"]
    start = time.perf_counter()
    subprocess.run(command, capture_output=True, check=True)
    return time.perf_counter() - start


def peak_megabytes() -> float:
    """The most memory that this process has taken."""
    import resource  # not on Windows, where this measurement alone fails

    unit = 2**20 if sys.platform == "darwin" else 2**10  # bytes on macOS, kilobytes elsewhere
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit


def index_afresh(root: str, path: str, embedder: str) -> dict[str, Any]:
    """What `index` measures in a fresh process."""
    command = [sys.executable, "-m", "benchmarks.speed.fresh_processes", root, path, embedder]
    shown = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, cwd=Path(__file__).parents[2])
    figures: dict[str, Any] = json.loads(shown.stdout.splitlines()[-1])
    return figures


if __name__ == "__main__":
    print(json.dumps(index(*sys.argv[1:])))
