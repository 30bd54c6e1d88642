"""Figures to compare with: what was published, with its source, and what a change must not fall below."""

from __future__ import annotations

from dataclasses import dataclass

SOURCES = {
    "JAR": "Chen, Zhang and Roth, 'Is Table Retrieval a Solved Problem? Exploring Join-Aware Multi-Table Retrieval', "
    "ACL 2024 (arXiv 2404.09889), with DTR as its retriever; after its authors removed some questions, 443 of Spider "
    "and 1,095 of BIRD, 459 and 1,171 here",
    "ATR": "a retriever fine-tuned on such questions, 2026",
    "MURRE": "Zhang, Wang, Dou, Zhu and Che, 'Multi-Hop Table Retrieval for Open-Domain Text-to-SQL', 2024 (arXiv "
    "2402.10666), which asks a language model about each question",
    "CRUSH": "Kothyari, Dhingra, Sarawagi and Chakrabarti, 'CRUSH4SQL: Collective Retrieval Using Schema Hallucination "
    "For Text2SQL', EMNLP 2023, on BirdUnion; it asks a language model about each question",
}
"""Papers by the name that a row has them under."""


@dataclass(frozen=True)
class PublishedRow:
    """Figures of a paper, in percent; `source` is a key of `SOURCES`."""

    task: str
    dataset: str
    source: str
    label: str
    metrics: dict[str, float]


PUBLISHED = (
    PublishedRow("tables", "spider", "JAR", "JAR-F (DTR), JAR paper", {"F1@2": 84.5}),
    PublishedRow("tables", "spider", "JAR", "JAR-G (DTR), JAR paper", {"F1@2": 89.6}),
    PublishedRow("tables", "spider", "ATR", "ATR, fine-tuned", {"F1@2": 90.8}),
    PublishedRow("tables", "bird", "JAR", "JAR-F (DTR), JAR paper", {"F1@2": 72.0}),
    PublishedRow("tables", "bird", "JAR", "JAR-G (DTR), JAR paper", {"F1@2": 73.8}),
    PublishedRow("tables", "bird", "ATR", "ATR, fine-tuned", {"F1@2": 83.5}),
    PublishedRow(
        "columns",
        "bird-columns",
        "CRUSH",
        "CRUSH paper",
        {"R@3": 39, "R@5": 54, "R@10": 71, "R@20": 82, "R@30": 88, "R@50": 92, "R@100": 97},
    ),
    PublishedRow(
        "union", "spider-union", "MURRE", "MURRE (SGPT-125M, GPT-3.5)", {"CR@3": 65.0, "CR@5": 74.2, "CR@10": 81.0}
    ),
    PublishedRow(
        "union", "spider-union", "MURRE", "MURRE (SGPT-5.8B, GPT-3.5)", {"CR@3": 86.0, "CR@5": 93.5, "CR@10": 96.7}
    ),
)

TARGETS: dict[tuple[str, str, str, str], dict[str, float]] = {
    ("tables", "spider", "jar-f", "given"): {"F1@2": 83.0, "F1@5": 58.5},
    ("tables", "spider", "jar-f", "default"): {"F1@2": 83.0, "F1@5": 58.5},
    ("tables", "spider", "jar-g", "given"): {"F1@2": 87.3},
    ("tables", "bird", "jar-f", "given"): {"F1@2": 74.0},
    ("tables", "bird", "jar-g", "given"): {"F1@2": 76.8},
    ("columns", "bird-columns", "paper", "given"): {
        "R@3": 43,
        "R@5": 57,
        "R@10": 73,
        "R@20": 84,
        "R@30": 89,
        "R@50": 93,
        "R@100": 97,
    },
    ("columns", "bird-columns", "crush", "given"): {"R@3": 46, "R@5": 62, "R@10": 78, "R@20": 88},
    ("union", "spider-union", "jar-f", "default"): {"CR@3": 77.0, "CR@5": 84.0, "CR@10": 92.0},
}
"""The least that a system has to reach, by task, data set, system and decomposition."""


def targets(task: str, dataset: str, system: str, decomposition: str | None) -> dict[str, float]:
    """The least figures of a system, whose name may end in "+given" or "+default"; empty where none are set."""
    return TARGETS.get((task, dataset, system.partition("+")[0], decomposition or ""), {})


def published(task: str, dataset: str) -> list[PublishedRow]:
    """The published rows that belong beside a table of results."""
    return [row for row in PUBLISHED if (row.task, row.dataset) == (task, dataset)]
