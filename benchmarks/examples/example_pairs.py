"""Retrievers of examples in pairs, on the same questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchmarks.examples.figures import MOST, same_skeletons
from benchmarks.runs.resampling import PairedTest, paired_tests
from jar.examples import Example, FoundExample

PAIRS = (
    ("`SkeletonExamples`", "`LexicalExamples`, distinct"),
    ("`StructureExamples`", "`LexicalExamples`, distinct"),
    ("`StructureExamples`", "`MaskedExamples`, MiniLM"),
    ("`StructureExamples`", "`SkeletonExamples`"),
    ("`StructureExamples`, graph", "`StructureExamples`"),
    ("`StructureExamples`, Mahalanobis", "`StructureExamples`"),
)
"""Each retriever beside the one that it should beat."""
FIRST, ANY = "first", f"any of {MOST}"


@dataclass(frozen=True, kw_only=True)
class ExampleComparison(PairedTest):
    """How often a retriever finds the skeleton of the gold query where another does not, in percentage points."""

    retriever: str
    baseline: str
    figure: str
    """Whether the first example counts, or any of the first five."""


def compare(
    found: Mapping[str, Sequence[Sequence[FoundExample]]], questions: Sequence[Example]
) -> list[ExampleComparison]:
    """Each pair whose two retrievers were asked, for the first example and for any of five."""
    pairs = [pair for pair in PAIRS if found.keys() >= set(pair)]
    named = {name: same_skeletons(found[name], questions) for pair in pairs for name in pair}
    hits = {name: {FIRST: same[:, 0], ANY: same.any(axis=1)} for name, same in named.items()}
    rows = [(*pair, figure) for pair in pairs for figure in (FIRST, ANY)]
    tests = paired_tests([100.0 * hits[one][figure] - 100.0 * hits[other][figure] for one, other, figure in rows])
    return [
        ExampleComparison(retriever=one, baseline=other, figure=figure, **vars(test))
        for (one, other, figure), test in zip(rows, tests, strict=True)
    ]
