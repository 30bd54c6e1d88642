"""What the table contents say: sources, profiles, overlaps, join evidence, scores and the join graph."""

from joinability.composite.composite import CompositeJoin, CompositeKey, composite_joins, load_composites
from joinability.composite.key_search import find_composites
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
from joinability.graph.edge import JoinEdge, JoinPath, condition_text
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
