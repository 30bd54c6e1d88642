"""Layers of a database: the tables of systems, their staged copies, and the warehouse that is made of these.

Tables of a layer refer to each other first. Columns of a warehouse and of the system beside it never have surrogate
keys and dates in common.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from joinability.by_name.key_words import KEY_ENDINGS, KEYS_APART, about, singular_words
from joinability.by_name.table_names import dimensional
from joinability.names import name_words

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from joinability.arrays import Flags, Indices

ORDINARY, WAREHOUSE, STAGED, MART = range(4)
"""Layers of tables; a mart is a warehouse beside staged tables."""
HOME = np.array([[1, 0, 0, 0], [1, 1, 0, 0], [0, 0, 1, 0], [1, 0, 1, 1]], dtype=np.bool_)
"""Whether tables of a layer (rows) refer first to those of another one (columns)."""
FEWEST = 2
"""Staged tables, and tables of systems, at least, for a database to have both layers."""
STAGES = frozenset(["stg", "staging"])
"""Words at an end of the names of staged tables, or of their schemas: a "stage" may be one of a theatre."""
BETWEEN = frozenset(["int", "intermediate"])
"""First words of the names of what is made of staged tables on the way to a warehouse."""
KEYED, SURROGATE, BARE = range(3)
"""Kinds of names: with a word for a key, with one for a surrogate key of a warehouse, and without one."""
OF_SYSTEM = 10
"""Tables of a database that are of no warehouse, for these to be a system beside it, and no facts by another name."""
OF_WAREHOUSES = ("key", "sk")
"""Last words of surrogate keys of a warehouse."""


def table_layers(names: Sequence[str]) -> NDArray[np.int8]:
    """The layer of each table of one database, by their names.

    Examples
    --------
    >>> names = ["orders", "customers", "stg_orders", "stg_customers", "int_orders_paid", "dim_customer"]
    >>> table_layers(names).tolist(), table_layers(["orders", "int_rates", "dim_customer"]).tolist()
    ([0, 0, 2, 2, 2, 3], [0, 0, 1])
    >>> table_layers(["orders", "customers", "staging.orders", "customers_stg"]).tolist()
    [0, 0, 2, 2]
    """
    stored = np.array(dimensional(names), dtype=np.bool_)
    words = [(name_words(name.rpartition(".")[0]), name_words(name.rpartition(".")[2])) for name in names]
    ends = [{*schema[-1:], *last[:1], *last[-1:]} for schema, last in words]
    staged = np.array([not STAGES.isdisjoint(end) for end in ends], dtype=np.bool_)
    between = np.array([not BETWEEN.isdisjoint(last[:1]) for _, last in words], dtype=np.bool_)
    has_copies = staged.sum() >= FEWEST and np.sum(~staged & ~stored & ~between) >= FEWEST
    of_copies = has_copies & (staged | between)
    layers = np.where(stored, MART if has_copies else WAREHOUSE, np.where(of_copies, STAGED, ORDINARY))
    return layers.astype(np.int8)


def layer_kinds(names: Sequence[str]) -> NDArray[np.int8]:
    """The kind of each name of a column.

    Examples
    --------
    >>> layer_kinds(["customer_id", "id", "date_key", "order_date"]).tolist()
    [0, 0, 1, 2]
    """
    return np.array([_kind(words) for words in singular_words(names)], dtype=np.int8)


def _kind(words: tuple[str, ...]) -> int:
    if words[-1:] and words[-1] in OF_WAREHOUSES:
        return SURROGATE
    return KEYED if about(words) or (words and words[-1] in (*KEY_ENDINGS, *KEYS_APART)) else BARE


def never_meet(dimensional: Flags, kinds: NDArray[np.int8], times: Flags, left: Indices, right: Indices) -> Flags:
    """Which pairs of columns of a warehouse and of another table do not join, whatever they have in common: surrogate
    keys stand in the warehouse alone, and a date of the system is none of its calendar.

    Parameters
    ----------
    dimensional : (C,) array of bool
    kinds : (C,) array of int8
    times : (C,) array of bool
        The columns that hold dates and times.
    left, right : arrays of int of one shape
    """
    across = dimensional[left] != dimensional[right]
    one, other = kinds[left], kinds[right]
    surrogate = (one != other) & ((one == SURROGATE) | (other == SURROGATE))
    dates = times[left] & times[right] & (np.where(dimensional[left], other, one) == BARE)
    return np.asarray(across & (surrogate | dates))
