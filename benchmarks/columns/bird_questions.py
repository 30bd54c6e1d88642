"""The questions of BIRD with the schemas that come with them, as the studies of columns ask them."""

from __future__ import annotations

from benchmarks.data.datasets import load_dataset
from benchmarks.runs.evaluation import Options, open_index
from benchmarks.runs.vectors import VectorCache
from benchmarks.systems.rows import Setting


def bird_setting(options: Options) -> tuple[Setting, VectorCache]:
    """The setting of at most ``options.limit`` questions, and the cache to save when their probes are embedded."""
    cache = VectorCache(options.embedder, options.output / "vectors")
    dataset = load_dataset("bird-columns", options.root).restricted(limit=options.limit)
    return Setting(dataset, open_index(dataset, options, cache), cache.embedder, "given"), cache
