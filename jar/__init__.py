"""Join-aware table re-ranking: choose the connected set of tables that answers a question.

>>> from jar import Catalog, Index, Reranker

Names are imported when they are first used, so that ``import jar`` takes milliseconds and loads no engine.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from formulations import CrushObjective, JarObjective
    from jar.answers.alternative import Alternative
    from jar.answers.column_selection import ChosenColumn, ColumnSelection
    from jar.answers.join import Join
    from jar.answers.parts import Contribution, Coverage, LeftOutTable
    from jar.answers.selection import Selection
    from jar.columns.search import ColumnSearch
    from jar.errors import (
        EmbedderError,
        FitRefusedError,
        IndexBusyError,
        IndexChangedError,
        IndexFormatError,
        IndexWriteError,
        JarError,
        QueryError,
    )
    from jar.fitting.fit_report import FitReport
    from jar.imagined.probes import Probe
    from jar.index.index import Index
    from jar.learned.relevance_model import RelevanceModel
    from jar.proposals.foreign import Foreign
    from jar.proposals.retrieval import Proposals, Retriever
    from jar.rerank import Reranker
    from jar.tables.given_relevance import Relevance
    from jar.text.embedding import EMBEDDERS, Embedder
    from joinability import Catalog, ColumnStatistics, TableStatistics

_HOME = {
    "Alternative": "jar.answers.alternative",
    "Catalog": "joinability",
    "ChosenColumn": "jar.answers.column_selection",
    "ColumnSearch": "jar.columns.search",
    "ColumnSelection": "jar.answers.column_selection",
    "ColumnStatistics": "joinability",
    "Contribution": "jar.answers.parts",
    "Coverage": "jar.answers.parts",
    "CrushObjective": "formulations",
    "EMBEDDERS": "jar.text.embedding",
    "Embedder": "jar.text.embedding",
    "EmbedderError": "jar.errors",
    "FitRefusedError": "jar.errors",
    "FitReport": "jar.fitting.fit_report",
    "Foreign": "jar.proposals.foreign",
    "Index": "jar.index.index",
    "IndexBusyError": "jar.errors",
    "IndexChangedError": "jar.errors",
    "IndexFormatError": "jar.errors",
    "IndexWriteError": "jar.errors",
    "JarError": "jar.errors",
    "JarObjective": "formulations",
    "Join": "jar.answers.join",
    "LeftOutTable": "jar.answers.parts",
    "Probe": "jar.imagined.probes",
    "Proposals": "jar.proposals.retrieval",
    "QueryError": "jar.errors",
    "Relevance": "jar.tables.given_relevance",
    "RelevanceModel": "jar.learned.relevance_model",
    "Reranker": "jar.rerank",
    "Retriever": "jar.proposals.retrieval",
    "Selection": "jar.answers.selection",
    "TableStatistics": "joinability",
}

__all__ = [
    "EMBEDDERS",
    "Alternative",
    "Catalog",
    "ChosenColumn",
    "ColumnSearch",
    "ColumnSelection",
    "ColumnStatistics",
    "Contribution",
    "Coverage",
    "CrushObjective",
    "Embedder",
    "EmbedderError",
    "FitRefusedError",
    "FitReport",
    "Foreign",
    "Index",
    "IndexBusyError",
    "IndexChangedError",
    "IndexFormatError",
    "IndexWriteError",
    "JarError",
    "JarObjective",
    "Join",
    "LeftOutTable",
    "Probe",
    "Proposals",
    "QueryError",
    "Relevance",
    "RelevanceModel",
    "Reranker",
    "Retriever",
    "Selection",
    "TableStatistics",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'jar' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
