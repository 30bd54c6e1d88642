"""What the schema filter keeps and drops within databases, by the recall that it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.data.datasets import load_dataset
from benchmarks.late.filter_draws import Draw, Kept, draw, kept_by, least_needed
from benchmarks.pages.grids import Grid
from benchmarks.plots.styles import finish, new_axes, system_style
from benchmarks.runs.evaluation import Options, open_index
from benchmarks.runs.vectors import VectorCache
from jar.late import LateHead, LateRelevance, add_token_vectors
from jar.late.filter_model import Calibration, FilterModel, shipped_filter
from jar.late.schema_evidence import SchemaEvidence

Array = npt.NDArray[np.float64]
RECALLS = (0.9, 0.95, 0.98, 0.99)
CURVE = tuple(np.linspace(0.8, 1.0, 41).round(3).tolist())


@dataclass(frozen=True)
class FilterStudy:
    """The figures of a data set.

    Attributes
    ----------
    dataset : str
    questions : int
    tables, columns : dict
        By the recall that was asked for: what the filter keeps.
    both : dict
        By the same: questions (%) that keep all tables and all columns that they need.
    curves : dict
        By way to score tables: complete recall (%) and tables gone (%) of thresholds set on these questions, which
        no filter could know; for comparing ways alone.
    """

    dataset: str
    questions: int
    tables: dict[float, Kept]
    columns: dict[float, Kept]
    both: dict[float, float]
    curves: dict[str, list[tuple[float, float]]]


def study_filter(name: str, options: Options, report: Callable[[str], None]) -> FilterStudy:
    """Filter the databases of a data set for its questions."""
    dataset = load_dataset(name, options.root, options.names).restricted(limit=options.limit)
    cache = VectorCache(options.embedder, options.output / "vectors")
    report(f"{name}: indexing")
    index = open_index(dataset, options, cache)
    add_token_vectors(index)
    late = LateRelevance(index)
    report(f"{name}: filtering for {len(dataset.questions)} questions")
    draws = list(draw(SchemaEvidence(index, late), dataset.questions))
    cache.save()
    untrained = LateRelevance(index, LateHead.untrained(late.head.dimension))
    plain = [_below(untrained.tables(one.question.text)[one.seen.tables]) for one in draws]
    return figures_of(dataset.name, draws, shipped_filter(), plain)


def figures_of(name: str, draws: Sequence[Draw], model: FilterModel, untrained: Sequence[Array]) -> FilterStudy:
    """The figures of what the filter sees of questions; the scores of untrained late interaction are for a curve."""
    odds = [model.table_odds(one.seen) for one in draws]
    tables = [_below(row) for row in odds]
    columns = [_below(model.column_odds(one.seen, row)) for one, row in zip(draws, odds, strict=True)]
    kept_tables, kept_columns, both = {}, {}, {}
    for recall in RECALLS:
        edges = model.tables.threshold(recall), model.columns.threshold(recall)
        kept_tables[recall] = kept_by(tables, [one.tables for one in draws], edges[0])
        shown, whole = _within_kept(draws, tables, columns, edges)
        kept_columns[recall] = Kept(
            100 * float(np.mean(whole)),
            100 * (1 - sum(map(np.sum, shown)) / sum(map(len, shown))),
            100 * (1 - float(np.mean([keep.mean() for keep in shown]))),
        )
        both[recall] = kept_columns[recall].complete
    ways = {
        "filter": tables,
        "learned log-odds within databases": [_below(model.within.log_odds(one.seen.seen)) for one in draws],
        "late interaction": [_below(one.seen.late) for one in draws],
        "late interaction, untrained": untrained,
        "coarse relevance": [_below(one.seen.seen.coarse) for one in draws],
        "cosine of the signature": [_below(one.seen.seen.text) for one in draws],
    }
    curves = {way: _curve(scores, [one.tables for one in draws]) for way, scores in ways.items()}
    return FilterStudy(name, len(draws), kept_tables, kept_columns, both, curves)


def _within_kept(
    draws: Sequence[Draw], tables: Sequence[Array], columns: Sequence[Array], edges: tuple[float, float]
) -> tuple[list[Any], list[bool]]:
    """Which columns of kept tables are kept, and whether all tables and columns that are needed are, by question."""
    shown, whole = [], []
    for one, of_tables, of_columns in zip(draws, tables, columns, strict=True):
        keep_table = (of_tables >= edges[0]) | (of_tables == 0)
        best = np.maximum.reduceat(of_columns, np.cumsum(one.seen.counts) - one.seen.counts)
        keep = (of_columns >= edges[1]) | (of_columns == np.repeat(best, one.seen.counts))
        keep &= np.repeat(keep_table, one.seen.counts)
        shown.append(keep)
        whole.append(bool(keep[one.columns].all() and keep_table[one.tables].all()))
    return shown, whole


def _curve(scores: Sequence[Array], needed: Sequence[npt.NDArray[np.bool_]]) -> list[tuple[float, float]]:
    least = Calibration(least_needed(scores, needed))
    kept = [kept_by(scores, needed, least.threshold(recall)) for recall in CURVE]
    return [(one.complete, one.gone) for one in kept]


def _below(scores: Array) -> Array:
    return scores - scores.max(initial=-np.inf) if len(scores) else scores


def gone_at(curve: Sequence[tuple[float, float]], recall: float) -> float:
    """What is gone (%) at a complete recall (%) of at least so much, at most."""
    return max((gone for complete, gone in curve if complete >= recall), default=0.0)


def filter_grid(study: FilterStudy) -> Grid:
    """A row for each recall that is asked for."""
    header = ("asked for", "all tables kept", "tables gone", "all tables and columns kept", "columns gone")
    rows = [
        (
            f"{100 * recall:.0f}",
            *(f"{study.tables[recall].complete:.1f}", f"{study.tables[recall].gone:.1f}"),
            *(f"{study.both[recall]:.1f}", f"{study.columns[recall].gone:.1f}"),
        )
        for recall in study.tables
    ]
    return Grid(f"{study.dataset}, {study.questions} questions", header, rows)


def ways_grid(studies: Sequence[FilterStudy]) -> Grid:
    """A row for each way to score tables."""
    header = ("tables by", *(f"{study.dataset} at {recall}" for study in studies for recall in (95, 98)))
    ways = list(studies[0].curves)
    rows = [
        (way, *(f"{gone_at(study.curves[way], recall):.1f}" for study in studies for recall in (95, 98)))
        for way in ways
    ]
    return Grid(
        "tables gone (%) at a complete recall of tables, thresholds set on the questions themselves", header, rows
    )


def plot_filter(study: FilterStudy) -> Any:
    """Tables gone against complete recall, a curve for each way to score tables."""
    ax = new_axes()
    for place, (way, curve) in enumerate(study.curves.items()):
        style = system_style(place, way) | {"markersize": 2}
        ax.plot([complete for complete, _ in curve], [gone for _, gone in curve], label=way, **style)
    return finish(
        ax, f"Tables dropped within a database, {study.dataset}", "complete recall of tables, %", "tables gone, %"
    )
