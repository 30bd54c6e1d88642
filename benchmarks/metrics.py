"""Precision, recall, F1 and complete recall at k, averaged over questions, in percent.

The JAR paper (Chen et al., 2024) reports P, R and F1 of the K tables that are returned; F1 is taken per question and
then averaged, which is not the F1 of the averages. MURRE (Zhang et al., 2024) reports recall and complete recall, the
share of questions whose gold tables are all among the first k.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from statistics import fmean

Metric = Callable[[int, int, int], float]
"""From the number of gold tables among the first k, the number of gold tables, and k, to a number from 0 to 1."""


def precision(hits: int, gold: int, k: int) -> float:
    """Share of the k places that gold tables hold; a place left empty is a miss."""
    return hits / k


def recall(hits: int, gold: int, k: int) -> float:
    """Share of the gold tables that are found."""
    return hits / gold


def f1(hits: int, gold: int, k: int) -> float:
    """Harmonic mean of precision and recall, 2 hits / (k + gold)."""
    return 2 * hits / (k + gold)


def complete_recall(hits: int, gold: int, k: int) -> float:
    """1 where every gold table is found."""
    return float(hits == gold)


METRICS: dict[str, Metric] = {"P": precision, "R": recall, "F1": f1, "CR": complete_recall}


def score(metric: str, selected: Sequence[str], gold: Collection[str], k: int) -> float:
    """One question's metric.

    Parameters
    ----------
    metric : str
        A key of `METRICS`.
    selected : sequence of str
        Table ids, best first; the first k count.
    gold : collection of str
        Table ids, at least one. Ids are compared without regard to case.
    k : int
    """
    wanted = {table.casefold() for table in gold}
    found = {table.casefold() for table in selected[:k]}
    return METRICS[metric](len(wanted & found), len(wanted), k)


def average(metric: str, selections: Sequence[Sequence[str]], golds: Sequence[Collection[str]], k: int) -> float:
    """Mean of a metric over questions, in percent, to four decimals (so that no display rounds twice)."""
    scores = [score(metric, selected, gold, k) for selected, gold in zip(selections, golds, strict=True)]
    return round(100 * fmean(scores), 4)
