"""Table contents: sources, catalog, profiles, overlap and the join evidence that they give."""

from joinability.catalog import Catalog
from joinability.composite import CompositeJoin, CompositeKey, composite_joins, load_composites
from joinability.composite_search import find_composites
from joinability.errors import (
    CatalogError,
    JoinabilityError,
    ScoreRangeError,
    SourceError,
    StoreVersionError,
    UnknownScoreError,
)
from joinability.evidence import EvidenceBlock, JoinEvidence
from joinability.graph import JoinGraph
from joinability.graph_edges import JoinEdge, JoinPath, condition_text
from joinability.overlaps import OverlapCount, OverlapLimits
from joinability.pairs import Edges, edges
from joinability.references import References
from joinability.schema import Column, ColumnStatistics, ForeignKey, Source, Table, TableStatistics
from joinability.scores import SCORES, Score, contributions, default_score, paper_score, score_named
from joinability.store import EvidenceStore
from joinability.union_search import unions
from joinability.verdicts import Verdicts

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
