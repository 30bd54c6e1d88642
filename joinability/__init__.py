"""Table contents: sources, catalog, profiles, overlap and the join evidence that they give."""

from joinability.catalog import Catalog
from joinability.errors import CatalogError, JoinabilityError, SourceError
from joinability.schema import Column, ColumnStatistics, ForeignKey, Source, Table, TableStatistics

__all__ = [
    "Catalog",
    "CatalogError",
    "Column",
    "ColumnStatistics",
    "ForeignKey",
    "JoinabilityError",
    "Source",
    "SourceError",
    "Table",
    "TableStatistics",
]
