"""How well joins are found in schemas that no score was fitted on, as they are and damaged, beside names alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.data.join_schemas import FOLDER, read_join_schemas
from benchmarks.data.noise import Noise
from benchmarks.data.wild.companies import company_schemas
from benchmarks.joins.calibration import BINS, calibration
from benchmarks.joins.key_ranking import LIKELY, BlockScore, find_keys, scored_databases
from benchmarks.joins.truth import Truth, schema_truth
from joinability import EvidenceBlock

SEED = 1
HARM = {
    "as they are": Noise(),
    "15 % orphans of few values": Noise(orphans=0.15, pool=0.15),
    "15 % orphans of many values": Noise(orphans=0.15),
    "half of the parents missing": Noise(parents=0.5),
}
"""Kinds of damage by their names on the page. Orphans of few values have 15 % as many as the child has distinct ones,
as where some parents were deleted; those of many have as many as it has."""


def read_schema_truths(root: Path, report: Callable[[str], None]) -> dict[str, Truth]:
    """The schemas of joins/ by kind of damage; none where the folder is not there."""
    if not (root / FOLDER).is_dir():
        report(f"no {root / FOLDER}: only Spider's keys are measured")
        return {}
    schemas = read_join_schemas(root)
    truths = {}
    for label, noise in HARM.items():
        report(f"schemas of joins/, {label}")
        truths[label] = schema_truth([schema.damaged(noise, SEED) for schema in schemas], "other")
    return truths


def read_company_truth(report: Callable[[str], None]) -> Truth:
    """The databases as companies have them of which rows are known; the score was not fitted on any."""
    report("databases of companies")
    schemas = [schema for part in (False, True) for schema in company_schemas(held_out=part)]
    return schema_truth([schema for schema in schemas if any(map(any, schema.rows.values()))], "other")


def name_equality(block: EvidenceBlock) -> npt.NDArray[np.float32]:
    """1 for columns of one name with a value in common."""
    names = np.unique([name.casefold() for name in block.evidence.name], return_inverse=True)[1]
    same = np.equal(*block.sides(names))
    return np.asarray(same & (block.intersection > 0), dtype=np.float32)


def header_similarity(block: EvidenceBlock) -> npt.NDArray[np.float32]:
    """Cosine of the trigrams of the names, of columns with a value in common."""
    return np.asarray(block.header_similarity * (block.intersection > 0), dtype=np.float32)


BASELINES: dict[str, BlockScore] = {"name equality": name_equality, "header similarity": header_similarity}


def figures_of_sets(
    sets: Mapping[str, tuple[Truth, str]], default: BlockScore
) -> dict[str, dict[str, dict[str, float]]]:
    """Figures by data set and score: the ranking of all pairs, and what is left from `LIKELY` on.

    Parameters
    ----------
    sets : mapping
        Truth and part of it by data set.
    default : callable
        The default score.
    """
    return {
        label: {name: _found(truth, part, score) for name, score in {"default": default, **BASELINES}.items()}
        for label, (truth, part) in sets.items()
    }


def _found(truth: Truth, part: str, score: BlockScore) -> dict[str, float]:
    scored = list(scored_databases(truth, part, score))
    ranked, likely = find_keys(iter(scored)).rounded(), find_keys(iter(scored), LIKELY).rounded()
    return ranked | {"precision": likely["precision"], "recall": likely["recall"], "edges": likely["edges"]}


def calibration_of_sets(sets: Mapping[str, tuple[Truth, str]], score: BlockScore) -> dict[str, Any]:
    """The reliability of a score by data set, in a few bins."""
    return {label: calibration(scored_databases(truth, part, score), BINS) for label, (truth, part) in sets.items()}
