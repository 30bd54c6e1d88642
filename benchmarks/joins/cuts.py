"""From which score on a pair of columns is a join, and an edge of the graph: chosen on the training databases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from benchmarks.joins.key_ranking import Scored, find_keys
from benchmarks.joins.lessons import Lessons
from benchmarks.joins.validation import SEEDS, held_out_scores

CUTS = tuple(digit * 10.0**power for power in (-5, -4, -3, -2, -1) for digit in (1, 2, 5))
"""What is tried, lowest first."""
LOST = {"score": 0.0, "graph": 0.01}
"""Share of the linked pairs of tables that may lose the declared pair as their best one: by the score itself, which
ranks tables, and by the graph, which people read."""


@dataclass(frozen=True)
class Cut:
    """What is left of the pairs when lower scores count as 0, by models that were not fitted on their databases.

    Attributes
    ----------
    least : float
        0 where nothing is cut.
    best_pair : float
        As in `Findings`, averaged over the seeds.
    edges, recall : float
        Pairs that are left, and share of the declared ones that are; averaged over the seeds.
    """

    least: float
    best_pair: float
    edges: float
    recall: float


def try_cuts(lessons: Lessons) -> list[Cut]:
    """Cross-validate each cut on the training databases, undamaged."""
    scored = [held_out_scores(lessons, seed) for seed in SEEDS]
    return [_cut(scored, least) for least in (0.0, *CUTS)]


def _cut(scored: Sequence[Sequence[Scored]], least: float) -> Cut:
    findings = [
        find_keys(replace(database, score=np.where(database.score < least, 0, database.score)) for database in run)
        for run in scored
    ]
    best_pair, edges, recall = np.mean([(run.best_pair, run.edges, run.recall) for run in findings], axis=0).tolist()
    return Cut(least, best_pair, edges, recall)


def choose_cut(tried: Sequence[Cut], lost: float) -> float:
    """The largest cut up to which no more than a share `lost` of the best pairs is lost to the uncut score."""
    uncut = max(cut.best_pair for cut in tried)
    kept = [cut.least for cut in tried if cut.best_pair >= uncut - lost - 1e-9]
    return max(kept)
