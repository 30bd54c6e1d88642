"""What the table contents say: sources, profiles, overlaps, join evidence, scores and the join graph.

Names are imported when they are first used, so that nobody waits for what is not asked for.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from joinability.composite.composite import CompositeJoin, composite_joins
    from joinability.composite.key_search import find_composites
    from joinability.composite.stored_keys import CompositeKey, load_composites
    from joinability.errors import (
        CatalogError,
        JoinabilityError,
        ScoreRangeError,
        SourceError,
        StoreVersionError,
        UnknownScoreError,
    )
    from joinability.evidence.blocks import EvidenceBlock
    from joinability.evidence.evidence import JoinEvidence
    from joinability.graph.edge import JoinEdge, JoinPath, Where, condition_text
    from joinability.graph.graph import JoinGraph
    from joinability.schema import Column, ColumnStatistics, ForeignKey, Source, Table, TableStatistics
    from joinability.scores.edges import Edges, edges
    from joinability.scores.references import References
    from joinability.scores.score import SCORES, Score, contributions, default_score, paper_score, score_named
    from joinability.scores.verdicts import Verdicts
    from joinability.sources.catalog import Catalog
    from joinability.store.overlaps import OverlapCount, OverlapLimits
    from joinability.store.store import EvidenceStore
    from joinability.union_search import unions

_HOME = {
    "Catalog": "joinability.sources.catalog",
    "CatalogError": "joinability.errors",
    "Column": "joinability.schema",
    "ColumnStatistics": "joinability.schema",
    "CompositeJoin": "joinability.composite.composite",
    "CompositeKey": "joinability.composite.stored_keys",
    "Edges": "joinability.scores.edges",
    "EvidenceBlock": "joinability.evidence.blocks",
    "EvidenceStore": "joinability.store.store",
    "ForeignKey": "joinability.schema",
    "JoinEdge": "joinability.graph.edge",
    "JoinEvidence": "joinability.evidence.evidence",
    "JoinGraph": "joinability.graph.graph",
    "JoinPath": "joinability.graph.edge",
    "JoinabilityError": "joinability.errors",
    "OverlapCount": "joinability.store.overlaps",
    "OverlapLimits": "joinability.store.overlaps",
    "References": "joinability.scores.references",
    "SCORES": "joinability.scores.score",
    "Score": "joinability.scores.score",
    "ScoreRangeError": "joinability.errors",
    "Source": "joinability.schema",
    "SourceError": "joinability.errors",
    "StoreVersionError": "joinability.errors",
    "Table": "joinability.schema",
    "TableStatistics": "joinability.schema",
    "UnknownScoreError": "joinability.errors",
    "Verdicts": "joinability.scores.verdicts",
    "Where": "joinability.graph.edge",
    "composite_joins": "joinability.composite.composite",
    "condition_text": "joinability.graph.edge",
    "contributions": "joinability.scores.score",
    "default_score": "joinability.scores.score",
    "edges": "joinability.scores.edges",
    "find_composites": "joinability.composite.key_search",
    "load_composites": "joinability.composite.stored_keys",
    "paper_score": "joinability.scores.score",
    "score_named": "joinability.scores.score",
    "unions": "joinability.union_search",
}

__all__ = [
    "SCORES",
    "Catalog",
    "CatalogError",
    "Column",
    "ColumnStatistics",
    "CompositeJoin",
    "CompositeKey",
    "Edges",
    "EvidenceBlock",
    "EvidenceStore",
    "ForeignKey",
    "JoinEdge",
    "JoinEvidence",
    "JoinGraph",
    "JoinPath",
    "JoinabilityError",
    "OverlapCount",
    "OverlapLimits",
    "References",
    "Score",
    "ScoreRangeError",
    "Source",
    "SourceError",
    "StoreVersionError",
    "Table",
    "TableStatistics",
    "UnknownScoreError",
    "Verdicts",
    "Where",
    "composite_joins",
    "condition_text",
    "contributions",
    "default_score",
    "edges",
    "find_composites",
    "load_composites",
    "paper_score",
    "score_named",
    "unions",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'joinability' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
