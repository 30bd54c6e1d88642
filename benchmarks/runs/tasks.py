"""The tasks: which questions are asked and what is counted. The protocols of two groups of papers, never mixed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from benchmarks.data.dataset_form import Question
from benchmarks.systems.column_systems import COLUMN_SYSTEMS
from benchmarks.systems.rows import SystemRow
from benchmarks.systems.table_systems import SYSTEMS


@dataclass(frozen=True)
class TaskRow:
    """A row of the registry.

    `datasets` and `systems` are run where the caller names none, `smoke` are the data sets of a quick check. Questions
    with fewer gold tables than `minimum_tables` are left out. Each of `sizes` is a cut-off and the size of the sets
    that are chosen for it. Systems are compared with the `baseline` on the `main` metric.
    """

    name: str
    summary: str
    datasets: tuple[str, ...]
    systems: tuple[str, ...]
    smoke: tuple[str, ...]
    minimum_tables: int
    sizes: tuple[int, ...]
    metrics: tuple[str, ...]
    main: str
    baseline: str
    unit: Literal["tables", "columns"] = "tables"

    @property
    def registry(self) -> Mapping[str, SystemRow]:
        """The systems that choose what is counted."""
        return COLUMN_SYSTEMS if self.unit == "columns" else SYSTEMS

    def gold(self, question: Question) -> frozenset[str]:
        """What counts as found."""
        return question.gold_columns if self.unit == "columns" else question.gold_tables


RANKINGS = ("dense", "retriever", "bm25", "hybrid", "neighbours", "pagerank", "schemagate")
"""Systems without sub-queries."""
ABLATIONS = (
    "jar-f+solver=greedy", "jar-f+score=default", "jar+words=off", "jar+databases=off", "jar+score=paper",
    "jar+relevance=cosine", "jar",
)  # fmt: skip
"""The package, and what it owes to each of its parts."""
HOPS = ("jar+retriever=multihop",)
"""The package behind another paper's first stage."""

TASKS: dict[str, TaskRow] = {
    row.name: row
    for row in (
        TaskRow(
            "tables",
            "protocol of the JAR paper: several gold tables, P, R, F1, complete recall and exact set",
            datasets=("spider", "bird"),
            systems=(
                *("oracle", *RANKINGS, "schemagate-dense", "jar-d+given", "jar-f+given", "jar-g+given", "jar+given"),
                *("jar-d", "jar-f", "jar-g", *ABLATIONS),
            ),
            smoke=("spider",),
            minimum_tables=2,
            sizes=(2, 5, 10),
            metrics=("P", "R", "F1", "CR", "ES"),
            main="F1@2",
            baseline="dense",
        ),
        TaskRow(
            "union",
            "protocol of MURRE: all questions over the union of all databases, recall and complete recall at k",
            datasets=("spider-union", "bird-union"),
            systems=("oracle", *RANKINGS, "murre", "murre-oracle", "jar-f", "jar-g", *HOPS, *ABLATIONS),
            smoke=("spider-union",),
            minimum_tables=1,
            sizes=(3, 5, 10, 20),
            metrics=("R", "CR"),
            main="CR@5",
            baseline="dense",
        ),
        TaskRow(
            "warehouses",
            "all questions over the tables of their warehouse or company, recall and complete recall at k",
            datasets=("spider2", "companies-held-out"),
            systems=("oracle", *RANKINGS, "jar-f", "jar+words=off", "jar+values=off", "jar+pool=off", "jar"),
            smoke=("spider2",),
            minimum_tables=1,
            sizes=(3, 5, 10, 20),
            metrics=("R", "CR"),
            main="CR@5",
            baseline="dense",
        ),
        TaskRow(
            "columns",
            "protocol of CRUSH: all questions, recall of the gold columns at a budget of k columns",
            datasets=("bird-columns", "bird-columns-held-out", "spider-union"),
            systems=(
                *("oracle", "question", "probes+given", "paper-greedy+given", "paper+given"),
                *("crush-sweep+given", "crush+given", "paper", "crush"),
            ),
            smoke=("bird-columns",),
            minimum_tables=1,
            sizes=(3, 5, 10, 20, 30, 50, 100),
            metrics=("R",),
            main="R@10",
            baseline="question",
            unit="columns",
        ),
    )
}
