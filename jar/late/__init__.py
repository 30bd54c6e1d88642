"""Late interaction (MR-SQL): tables and columns by the best tokens for each token of a question.

>>> from jar.late import LateRelevance, add_token_vectors

`add_token_vectors(index)` keeps the vectors of tokens in the index file; `LateRelevance(index)` is a `jar.Relevance`;
`SchemaFilter(index)` keeps the tables and columns of a given database that a question may need.
"""

from __future__ import annotations

from jar.late.late_head import LateHead
from jar.late.late_relevance import LateRelevance, add_token_vectors
from jar.late.schema_filter import FilteredSchema, SchemaFilter

__all__ = ["FilteredSchema", "LateHead", "LateRelevance", "SchemaFilter", "add_token_vectors"]
