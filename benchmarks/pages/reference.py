"""Published figures to compare with, each with its source."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

SOURCES = {
    "JAR": "Chen, Zhang and Roth, 'Is Table Retrieval a Solved Problem? Exploring Join-Aware Multi-Table Retrieval', "
    "ACL 2024 (arXiv 2404.09889), with DTR as its retriever; after its authors removed some questions, 443 of Spider "
    "and 1,095 of BIRD, 459 and 1,171 here",
    "ATR": "a retriever fine-tuned on such questions, 2026; its paper was not at hand, so that no table is named",
    "MURRE": "Zhang, Wang, Dou, Zhu and Che, 'MURRE: Multi-Hop Table Retrieval with Removal for Open-Domain "
    "Text-to-SQL', COLING 2025 (arXiv 2402.10666), table 2, by way of a transcription of it in a public "
    "re-implementation; SGPT is the retriever that they start from, alone in the rows of a single hop, and GPT-3.5 is "
    "asked about each question in those of CRUSH and MURRE; the ten demonstrations of the prompt that the authors "
    "released for Spider (github.com/zhxlia/Murre) are among the 658 questions of SpiderUnion",
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


def murre_rows(dataset: str, rows: Mapping[str, tuple[float, ...]]) -> Iterator[PublishedRow]:
    """Rows of table 2 of the MURRE paper, by label: complete recall at 3, 5, 10, 20, then recall at the same."""
    names = [f"{metric}@{k}" for metric in ("CR", "R") for k in (3, 5, 10, 20)]
    for label, figures in rows.items():
        yield PublishedRow("union", dataset, "MURRE", label, dict(zip(names, figures, strict=True)))


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
    *murre_rows(
        "spider-union",
        {
            "SGPT-125M, single hop": (54.3, 66.0, 75.4, 82.2, 63.0, 73.1, 80.7, 86.3),
            "CRUSH (SGPT-125M, GPT-3.5)": (60.2, 71.3, 80.7, 86.8, 68.9, 76.3, 83.4, 88.9),
            "MURRE (SGPT-125M, GPT-3.5)": (65.0, 74.2, 81.0, 85.3, 70.2, 77.5, 82.3, 86.9),
            "SGPT-5.8B, single hop": (76.3, 86.8, 94.1, 97.6, 84.0, 91.5, 96.2, 98.7),
            "CRUSH (SGPT-5.8B, GPT-3.5)": (68.2, 80.1, 88.4, 92.2, 75.5, 85.1, 91.2, 94.5),
            "MURRE (SGPT-5.8B, GPT-3.5)": (86.0, 93.5, 96.7, 97.3, 89.3, 94.3, 96.8, 97.5),
        },
    ),
    *murre_rows(
        "bird-union",
        {
            "SGPT-125M, single hop": (39.0, 50.3, 62.1, 70.9, 54.0, 63.2, 73.3, 80.9),
            "CRUSH (SGPT-125M, GPT-3.5)": (42.1, 56.1, 70.2, 77.7, 60.2, 70.0, 79.5, 86.1),
            "MURRE (SGPT-125M, GPT-3.5)": (51.4, 62.7, 72.9, 78.3, 64.8, 72.7, 79.6, 84.2),
            "SGPT-5.8B, single hop": (55.3, 67.3, 79.4, 86.4, 72.9, 80.8, 88.6, 92.8),
            "CRUSH (SGPT-5.8B, GPT-3.5)": (52.2, 63.5, 78.4, 88.1, 70.0, 77.9, 87.5, 93.0),
            "MURRE (SGPT-5.8B, GPT-3.5)": (69.1, 80.1, 88.7, 92.7, 81.0, 87.6, 92.6, 95.4),
        },
    ),
)


def published(task: str, dataset: str) -> list[PublishedRow]:
    """The published rows that belong beside a table of results."""
    return [row for row in PUBLISHED if (row.task, row.dataset) == (task, dataset)]
