"""Table contents: sources, catalog, profiles, overlap and the join evidence that they give."""

from joinability.catalog import Catalog
from joinability.errors import CatalogError, JoinabilityError, SourceError, UnknownScoreError
from joinability.evidence import EvidenceBlock, JoinEvidence
from joinability.graph import Edges, edges
from joinability.schema import Column, ColumnStatistics, ForeignKey, Source, Table, TableStatistics
from joinability.scores import SCORES, Score, default_score, paper_score, score_named
from joinability.store import EvidenceStore

__all__ = [
    "SCORES",
    "Catalog",
    "CatalogError",
    "Column",
    "ColumnStatistics",
    "Edges",
    "EvidenceBlock",
    "EvidenceStore",
    "ForeignKey",
    "JoinEvidence",
    "JoinabilityError",
    "Score",
    "Source",
    "SourceError",
    "Table",
    "TableStatistics",
    "UnknownScoreError",
    "default_score",
    "edges",
    "paper_score",
    "score_named",
]
