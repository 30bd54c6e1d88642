"""What a caller may ask of the number of tables when it is not given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np

from jar.answers.token_budget import check_budget_of_tokens
from jar.errors import QueryError
from jar.tables.query import check_size

AUTO: Literal["auto"] = "auto"
Size: TypeAlias = int | Literal["auto"]
DEFAULT_SIZE = 5
"""Tables where nobody says how many."""


@dataclass(frozen=True)
class Sizing:
    """As many tables as the question needs.

    Attributes
    ----------
    recall : float, optional
        The share of the needed tables that is expected to be chosen, above 0 and below 1; by default the set of
        greatest expected F1 is chosen.
    max_k : int, optional
        Tables at most.
    max_tokens : int, optional
        Tokens of their CREATE TABLE statements at most.
    """

    recall: float | None = None
    max_k: int | None = None
    max_tokens: int | None = None


def read_size(k: Any, recall: float | None, max_k: int | None, max_tokens: int | None) -> int | Sizing:
    """A number of tables, or what is asked of it. Where k is None, `DEFAULT_SIZE`, or what the limits say.

    Raises
    ------
    QueryError
        When k is neither a whole number from 1 nor "auto" (in any letter case), a limit is given beside a number, or a
        limit cannot be used.
    """
    limits = {"recall": recall, "max_k": max_k, "max_tokens": max_tokens}
    if k is None:
        k = DEFAULT_SIZE if all(value is None for value in limits.values()) else AUTO
    if not (isinstance(k, str) and k.lower() == AUTO):
        for name, value in limits.items():
            if value is not None:
                raise QueryError(f'{name} says how many tables there may be: give k="auto" with it, not k={k!r}')
        if isinstance(k, str):
            raise QueryError(f'k is a number of tables, a whole number from 1, or "auto", not {k!r}')
        return check_size(k)
    if recall is not None:
        if isinstance(recall, bool) or not isinstance(recall, (int, float, np.number)) or not 0 < recall < 1:
            raise QueryError(f"recall is a share of the needed tables, above 0 and below 1, not {recall!r}")
        recall = float(recall)
    return Sizing(
        recall,
        None if max_k is None else check_size(max_k, "max_k"),
        None if max_tokens is None else check_budget_of_tokens(max_tokens),
    )
