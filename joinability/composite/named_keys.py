"""Composite keys by names alone: a table without rows has all columns of the declared primary key of another one."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from joinability.by_name.copy_marks import without_period
from joinability.families import kinds_fit
from joinability.names import is_generic

if TYPE_CHECKING:
    from joinability.arrays import Flags, Indices
    from joinability.evidence.evidence import JoinEvidence

MOST_ALIKE = 3
"""Tables with primary keys of the same names, beyond which these say nothing of any: (tenant_id, created_at)."""
ORDINALS = ("seq", "sequence", "seqno", "seqnr", "seq_no", "seq_nr", "seq_num")
"""Ends of names of columns that number the rows of a group."""
NUMBERS = ("no", "nr", "num", "number", *ORDINALS)
"""Ends of names of columns that may number the rows of a group, or what these are of."""
ANY_ROWS = frozenset(["", "ent", "entry", "item", "itm", "lin", "line", "ln", "pos", "rec", "record", "row"])
"""What stands before such an end in any table."""

Columns = tuple[int, ...]


def named_composites(
    evidence: JoinEvidence, primary_keys: Mapping[int, Sequence[int]], readable: Flags
) -> Iterator[tuple[Columns, Columns]]:
    """Columns of a child, and those of the primary key of a table of its database that have the same names.

    Names are compared without the prefixes of their tables. Tables whose rows can be counted beside each other are
    left to the counts. Of two tables that have one key the first that comes is the parent. A `line_no` in the key of
    the child numbers its own lines, unless the whole key of the parent is in it. Tables of two years have rows of
    their own.

    Parameters
    ----------
    evidence : JoinEvidence
    primary_keys : mapping of int to columns
        Those of several columns, by table; positions in the evidence.
    readable : (T,) array of bool
        The tables that have rows to read.
    """
    number, _ = evidence.forms.numbered_words
    kind = evidence.traits.kind
    period_of = [without_period(name) for name in evidence.table_names]
    named = {table: _names(number, key) for table, key in primary_keys.items() if _tells(evidence, key)}
    count = Counter((evidence.database[table], names) for table, names in named.items())
    tables_of: defaultdict[tuple[int, int], dict[int, int]] = defaultdict(dict)
    for column, table in enumerate(evidence.table.tolist()):
        tables_of[int(evidence.database[table]), int(number[column])].setdefault(table, column)
    for parent, key in primary_keys.items():
        database = int(evidence.database[parent])
        if parent not in named or count[database, named[parent]] > MOST_ALIKE:
            continue
        having = [tables_of[database, int(number[column])] for column in key]
        for child in sorted(set.intersection(*map(set, having)) - {parent}):
            columns = tuple(own[child] for own in having)
            is_counted = readable[parent] and readable[child]
            is_same_key = named.get(child) == named[parent] and child < parent
            has_own_lines = _has_own_lines(evidence, columns, primary_keys.get(child, ()))
            fits = kinds_fit(kind[list(columns)], kind[list(key)]).all()
            is_of_series = period_of[child] != "" and period_of[child] == period_of[parent]
            if fits and not (is_counted or is_same_key or has_own_lines or is_of_series):
                yield columns, tuple(key)


def _names(number: Indices, key: Sequence[int]) -> frozenset[int]:
    return frozenset(number[list(key)].tolist())


def _tells(evidence: JoinEvidence, key: Sequence[int]) -> bool:
    """Whether the names of a key say of what it is a key: an `id` is everywhere, and any table may number its rows."""
    names = [evidence.name[column] for column in key]
    return not any(is_generic(name) or _numbers_rows(name, ORDINALS) for name in names)


def _has_own_lines(evidence: JoinEvidence, columns: Columns, own_key: Sequence[int]) -> bool:
    """Whether some of the columns are in a table's own key, not all, and one of them numbers its rows."""
    own = set(columns) & set(own_key)
    return len(own) < len(columns) and any(_numbers_rows(evidence.name[column], NUMBERS) for column in own)


def _numbers_rows(name: str, ends: Sequence[str]) -> bool:
    """Whether a name says that any rows are numbered, and not what: `line_seq`, but not `herd_seq`."""
    lowered = name.lower()
    heads = (lowered[: -len(end)].rstrip("_") for end in ends if lowered.endswith(end))
    return any(head in ANY_ROWS for head in heads)
