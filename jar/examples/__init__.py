"""Examples for prompts: of a store of questions with their SQL those whose SQL looks like what a question needs.

>>> from jar.examples import ExampleStore, StructureExamples

A retriever is a function ``(question, k) -> list of FoundExample``. `NearestExamples` compares questions as they are,
`MaskedExamples` without their values, `LexicalExamples` by their words; `SkeletonExamples` (after MR-SQL) looks for the
likeliest shapes of the SQL, `StructureExamples` (after ReFSQL) for questions whose SQL has a similar tree, and with a
`GraphReranker` orders these again by how question and schema hang together.
`Demonstrations` makes the cases of all prompts of them. Values are masked unless a retriever is told to show them.
"""

from __future__ import annotations

from jar.examples.demonstrations import Demonstrations
from jar.examples.example import Example, FoundExample
from jar.examples.finding import ExampleRetriever
from jar.examples.graph_head import GraphHead
from jar.examples.graph_reranker import GraphReranker, index_schema
from jar.examples.nearest import LexicalExamples, MaskedExamples, NearestExamples
from jar.examples.question_graph import GraphSchema
from jar.examples.store import ExampleStore, LeftOut
from jar.examples.structure_head import StructureHead
from jar.examples.structured import SkeletonExamples, StructureExamples

__all__ = [
    "Demonstrations",
    "Example",
    "ExampleRetriever",
    "ExampleStore",
    "FoundExample",
    "GraphHead",
    "GraphReranker",
    "GraphSchema",
    "LeftOut",
    "LexicalExamples",
    "MaskedExamples",
    "NearestExamples",
    "SkeletonExamples",
    "StructureExamples",
    "StructureHead",
    "index_schema",
]
