"""What a table costs in a prompt."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from jar.answers.sql_context import SqlContext
from jar.answers.token_budget import estimated_tokens
from jar.arrays import Array

if TYPE_CHECKING:
    from joinability import Table


def table_prices(tables: Iterable[Table]) -> Array:
    """Tokens of the CREATE TABLE statement of each table, in plain SQL, as `estimated_tokens` counts them."""
    return np.array([estimated_tokens(SqlContext((table,)).text()) for table in tables], dtype=np.float64)
