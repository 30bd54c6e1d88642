"""All figures of the join scores: Spider's declared keys, and schemas that no score was fitted on."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.joins.calibration import calibration
from benchmarks.joins.key_ranking import LIKELY, BlockScore, find_keys, scored_databases
from benchmarks.joins.lessons import Lessons
from benchmarks.joins.schema_figures import calibration_of_sets, figures_of_sets, read_company_truth
from benchmarks.joins.truth import PARTS, Truth
from benchmarks.joins.validation import ablation
from benchmarks.runs.provenance import provenance
from benchmarks.runs.vectors import VectorCache
from jar.text.texts import schema_text
from joinability import EvidenceBlock, JoinEvidence, default_score, paper_score
from joinability.scores.odds import LEAST
from joinability.scores.score import LEAST_SHOWN, likelihood

Figures = dict[str, Any]
Report = Callable[[str], None]
Vectors = npt.NDArray[np.float32]

THRESHOLDS = (LEAST, LEAST_SHOWN, LIKELY)


def measure_joins(
    truths: Mapping[str, Truth],
    schemas: Mapping[str, Truth],
    cache: VectorCache,
    report: Report,
    learnt: Lessons | None = None,
) -> Figures:
    """Figures of the scores by part of the databases and state of knowledge.

    Parameters
    ----------
    truths : mapping
        A truth for each state of knowledge.
    schemas : mapping
        Schemas that no score was fitted on, by kind of damage.
    cache : VectorCache
        Embeds the texts whose cosines the paper's score takes.
    learnt : Lessons, optional
        What to cross-validate the default score on, with and without each feature.
    """
    truth = truths["values"]
    report("scores, all values known")
    vectors = cache.encode(_texts(truth.evidence))
    cache.save()
    scores: dict[str, BlockScore] = {
        "paper": partial(_paper, vectors=vectors),
        "paper, containment": partial(_containment, vectors=vectors),
        "default, uncut": _uncut,
        "default": _default,
    }
    figures: Figures = {
        "scores": {name: _by_part(truth, score) for name, score in scores.items()},
        "graph": {f"from {threshold}": _by_part(truth, _default, threshold) for threshold in THRESHOLDS},
        "knowledge": {},
        "calibration": {},
    }
    for state, known in truths.items():
        report(f"default score, known: {state}")
        figures["knowledge"][state] = _by_part(known, _uncut)
    for part in ("train", "dev", "all"):
        figures["calibration"][part] = calibration(scored_databases(truth, part, _uncut))
    report("schemas of joins/ beside name equality and header similarity")
    spider = {f"Spider, {name}": (truth, part) for part, name in (("all", "all"), ("dev", "development"))}
    others = {f"six schemas, {label}": (known, "all") for label, known in schemas.items()}
    others |= {"20 companies": (read_company_truth(report), "all")}
    figures["sets"] = figures_of_sets(spider | others, _default)
    figures["set_calibration"] = calibration_of_sets(spider | others, _default)
    if learnt is not None:
        report("cross-validation with and without each feature")
        texts = [text for copy in learnt.truths for text in _texts(copy.evidence)]
        figures["ablation"] = [asdict(row) for row in ablation(learnt, cache.encode(texts))]
    return figures | provenance()


def write_figures(figures: Figures, folder: Path) -> Path:
    """Write ``joins.json`` in the output folder."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "joins.json"
    path.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    return path


def read_figures(folder: Path, fingerprint: str) -> Figures | None:
    """The figures of ``joins.json`` where they are of this fingerprint, else None."""
    path = folder / "joins.json"
    figures: Figures = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return figures if figures.get("fingerprint") == fingerprint else None


def _by_part(truth: Truth, score: BlockScore, threshold: float = 0.0) -> dict[str, dict[str, float]]:
    return {part: find_keys(scored_databases(truth, part, score), threshold).rounded() for part in (*PARTS, "all")}


def _default(block: EvidenceBlock) -> npt.NDArray[np.float32]:
    return default_score(block, np.zeros(block.shape, dtype=np.float32), trust_declared=False)


def _uncut(block: EvidenceBlock) -> npt.NDArray[np.float32]:
    """The probabilities themselves, those below `LEAST` too."""
    return likelihood(block)


def _paper(block: EvidenceBlock, vectors: Vectors) -> npt.NDArray[np.float32]:
    return paper_score(block, _cosine(block, vectors), trust_declared=False)


def _containment(block: EvidenceBlock, vectors: Vectors) -> npt.NDArray[np.float32]:
    """The paper's score with |A n B| / min(|A|, |B|) in place of the Jaccard similarity."""
    contained = np.maximum(block.containment_left, block.containment_right)
    more = 0.5 * (contained - block.jaccard) * block.greater_uniqueness * (block.same_family & ~block.same_table)
    return np.asarray(_paper(block, vectors) + more, dtype=np.float32)


def _cosine(block: EvidenceBlock, vectors: Vectors) -> Vectors:
    return np.asarray(np.einsum("pd,pd->p", vectors[block.left], vectors[block.right]))


def _texts(evidence: JoinEvidence) -> list[str]:
    texts = []
    for table, name in zip(evidence.table, evidence.name, strict=True):
        database, _, table_name = evidence.table_names[table].partition(".")
        column = SimpleNamespace(name=name, natural_name=None)
        texts.append(schema_text(SimpleNamespace(database=database, name=table_name, columns=()), column))
    return texts
