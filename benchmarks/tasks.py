"""The tasks: which questions are asked and what is counted. The protocols of two groups of papers, never mixed."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class TaskRow:
    """A row of the registry.

    Attributes
    ----------
    name, summary : str
    datasets, systems : tuple of str
        What is run where the caller names none.
    smoke : tuple of str
        The data sets of a quick check.
    minimum_tables : int
        Questions with fewer gold tables are left out.
    sizes : tuple of int
        Numbers of tables K; each is a cut-off and the size of the sets that are chosen for it.
    metrics : tuple of str
        Keys of `benchmarks.metrics.METRICS`.
    """

    name: str
    summary: str
    datasets: tuple[str, ...]
    systems: tuple[str, ...]
    smoke: tuple[str, ...]
    minimum_tables: int
    sizes: tuple[int, ...]
    metrics: tuple[str, ...]


TASKS: dict[str, TaskRow] = {
    row.name: row
    for row in (
        TaskRow(
            "tables",
            "protocol of the JAR paper: questions with several gold tables, P, R and F1 of K tables",
            datasets=("spider", "bird"),
            systems=(
                "oracle",
                "dense",
                "retriever",
                "jar-d+given",
                "jar-f+given",
                "jar-g+given",
                "jar-d",
                "jar-f",
                "jar-g",
                "jar",
            ),
            smoke=("spider",),
            minimum_tables=2,
            sizes=(2, 5, 10),
            metrics=("P", "R", "F1", "CR"),
        ),
        TaskRow(
            "union",
            "protocol of MURRE: all questions over the union of all databases, recall and complete recall at k",
            datasets=("spider-union", "bird-union"),
            systems=("oracle", "dense", "retriever", "jar-f+given", "jar-f", "jar"),
            smoke=("spider-union",),
            minimum_tables=1,
            sizes=(3, 5, 10),
            metrics=("R", "CR"),
        ),
    )
}
