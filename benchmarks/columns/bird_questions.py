"""The questions of BIRD with the schemas that come with them, as the studies of columns ask them."""

from __future__ import annotations

import json
from typing import Any

from benchmarks.data.datasets import load_dataset
from benchmarks.runs.evaluation import Options, open_index
from benchmarks.runs.provenance import provenance
from benchmarks.runs.vectors import VectorCache
from benchmarks.systems.rows import Setting


def bird_setting(options: Options) -> tuple[Setting, VectorCache]:
    """The setting of at most ``options.limit`` questions, and the cache to save when their probes are embedded."""
    cache = VectorCache(options.embedder, options.output / "vectors")
    dataset = load_dataset("bird-columns", options.root).restricted(limit=options.limit)
    return Setting(dataset, open_index(dataset, options, cache), cache.embedder, "given"), cache


def write_document(options: Options, name: str, document: dict[str, Any]) -> None:
    """Write figures, with what made them, to ``columns/`` in the output folder."""
    path = options.output / "columns" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document | provenance(), indent=2), encoding="utf-8")
