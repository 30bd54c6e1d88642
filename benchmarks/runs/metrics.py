"""Precision, recall, F1, complete recall and exact set at k, averaged over questions, in percent.

The JAR paper (Chen et al., 2024) reports P, R and F1 of the K tables that are returned; F1 is taken per question and
then averaged, which is not the F1 of the averages. MURRE (Zhang et al., 2024) reports recall and complete recall, the
share of questions whose gold tables are all among the first k.

Precision and recall come from ir-measures. It lacks complete recall and the exact set, and its F1 (``SetF``) divides by
what was returned, so that an answer with empty places would gain precision: these three are made here of its P and R.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

import numpy as np
import numpy.typing as npt

from benchmarks.data.refusal import RefusalError

FloatArray = npt.NDArray[np.float64]
Selections = Sequence[Sequence[str]]
"""Items for each question, best first."""
Golds = Sequence[Collection[str]]
"""Gold items for each question, at least one. Items are compared without regard to case."""


class MissingMeasuresError(RefusalError, ImportError):
    """The package that computes the metrics is not installed."""


def f1(precision: FloatArray, recall: FloatArray) -> FloatArray:
    """Harmonic mean of precision and recall for each question; 0 where nothing is found."""
    total = precision + recall
    return np.divide(2 * precision * recall, total, out=np.zeros_like(total), where=total > 0)


METRICS: dict[str, Callable[[FloatArray, FloatArray], FloatArray]] = {
    "P": lambda precision, recall: precision,
    "R": lambda precision, recall: recall,
    "F1": f1,
    "CR": lambda precision, recall: (recall == 1).astype(np.float64),
    "ES": lambda precision, recall: ((recall == 1) & (precision == 1)).astype(np.float64),
}
"""From precision and recall of each question, both from 0 to 1, to the metric of each question.

Complete recall is 1 where every gold item is found, the exact set where the k items are these and nothing else."""


def question_scores(metrics: Collection[str], selections: Selections, golds: Golds, k: int) -> dict[str, FloatArray]:
    """Each metric of each question, from 0 to 1.

    The first k items of each selection count; a place that is left empty is a miss.
    """
    precision, recall = _precision_and_recall(selections, golds, k)
    return {name: METRICS[name](precision, recall) for name in metrics}


def ranked_items(selected: Sequence[str], k: int) -> list[str]:
    """The first k items, case folded, each once."""
    return list(dict.fromkeys(item.casefold() for item in selected[:k]))


def _precision_and_recall(selections: Selections, golds: Golds, k: int) -> tuple[FloatArray, FloatArray]:
    try:
        import ir_measures
    except ImportError as error:
        raise MissingMeasuresError('metrics need ir-measures: pip install "jar-rerank[benchmark]"') from error
    qrels = [
        ir_measures.Qrel(str(place), item, 1)
        for place, gold in enumerate(golds)
        for item in {item.casefold() for item in gold}
    ]
    run = [
        ir_measures.ScoredDoc(str(place), item, float(k - rank))
        for place, (selected, _) in enumerate(zip(selections, golds, strict=True))
        for rank, item in enumerate(ranked_items(selected, k))
    ]
    values = {ir_measures.P @ k: np.zeros(len(golds)), ir_measures.R @ k: np.zeros(len(golds))}
    for value in ir_measures.iter_calc(list(values), qrels, run):
        values[value.measure][int(value.query_id)] = value.value
    precision, recall = values.values()
    return precision, recall
