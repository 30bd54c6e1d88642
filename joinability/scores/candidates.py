"""Which pairs of columns are scored: those of different tables that there is any evidence on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from joinability.evidence.traits import NAMED_AFTER
from joinability.families import kinds_fit
from joinability.scores.odds import SIMILAR_NAMES
from joinability.sparse.products import sparse_common_counts
from joinability.sparse.sparse_entries import entries_of
from joinability.sparse.sparse_rows import ranges

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from joinability.arrays import Flags, Indices
    from joinability.evidence.header_forms import HeaderForms
    from joinability.evidence.profiles import ColumnEvidence
    from joinability.scores.verdicts import Verdicts
    from joinability.sparse.sparse_rows import SparseRows

    AnyIndices = NDArray[np.integer[Any]]
    AnyPairs = tuple[AnyIndices, AnyIndices]

CHUNK_PAIRS = 200_000
"""Pairs scored at a time."""
ROUNDING = 1e-5
"""What a similarity may fall short of the least one, since it is rounded otherwise where it is scored."""
CHUNK_COLUMNS = 512
"""Columns whose values are not all known that are compared by name at a time, more where the others are few."""
NAMED_PAIRS = 4_000_000
"""Pairs of columns that are compared by name at a time."""


def chunks(pairs: int) -> Iterator[slice]:
    """Parts of a list of pairs that fit into memory with all that is known of them."""
    return (slice(start, start + CHUNK_PAIRS) for start in range(0, pairs, CHUNK_PAIRS))


def candidate_pairs(
    evidence: ColumnEvidence, verdicts: Verdicts | None = None, tables: Indices | None = None
) -> tuple[Indices, Indices]:
    """Pairs left < right of columns of different tables that there is any evidence on, sorted, each once.

    Evidence are common values, a declared key, a pin, or, of columns whose values are not all known, similar names.

    Parameters
    ----------
    evidence : ColumnEvidence
    verdicts : Verdicts, optional
    tables : array of int, optional
        Only pairs with a column of one of these tables; the others cost nothing.
    """
    if tables is None:
        columns, named = np.arange(len(evidence)), np.flatnonzero(evidence.incomplete)
    else:
        columns = named = np.flatnonzero(np.isin(evidence.table, tables))
    sources: list[AnyPairs] = [_common_values(evidence, columns)]
    sources += [evidence.declared.nonzero(), *_similar_names(evidence, named, None)]
    if verdicts is not None:
        sources.append((verdicts.pinned[:, 0], verdicts.pinned[:, 1]))
    left, right = distinct_pairs([(np.minimum(a, b), np.maximum(a, b)) for a, b in sources], len(evidence))
    kept = evidence.table[left] != evidence.table[right]
    if tables is not None:
        kept &= np.isin(evidence.table[left], tables) | np.isin(evidence.table[right], tables)
    return left[kept], right[kept]


def candidates_among(
    evidence: ColumnEvidence, columns: Indices, verdicts: Verdicts | None = None
) -> tuple[Indices, Indices]:
    """Pairs left < right of some columns that may have a score, each once: those that `candidate_pairs` finds, and
    declared keys and pins inside a table.

    Parameters
    ----------
    evidence : ColumnEvidence
    columns : (c,) array of int
    verdicts : Verdicts, optional
    """
    inside = np.zeros(len(evidence), dtype=np.bool_)
    inside[columns] = True
    evident: list[AnyPairs] = [_common_values(evidence, columns, inside)]
    for left, right in _similar_names(evidence, columns[evidence.incomplete[columns]], columns):
        fit = np.flatnonzero(kinds_fit(evidence.traits.kind[left], evidence.traits.kind[right]))
        evident.append((left[fit], right[fit]))
    left, right = (np.concatenate(side) for side in zip(*evident, strict=True))
    apart = np.flatnonzero(evidence.table[left] != evidence.table[right])
    child, parent, _ = entries_of(evidence.declared, columns, inside)
    stated: list[AnyPairs] = [(child, parent)]
    if verdicts is not None:
        pinned = verdicts.pinned[inside[verdicts.pinned].all(axis=1)]
        stated.append((pinned[:, 0], pinned[:, 1]))
    pairs = [(left[apart], right[apart]), *stated]
    return distinct_pairs([(np.minimum(a, b), np.maximum(a, b)) for a, b in pairs], len(evidence))


def candidate_parents(evidence: ColumnEvidence, children: Indices, possible: Flags) -> tuple[Indices, Indices]:
    """Pairs (child, parent) of one database with common values or similar names, each once.

    Parameters
    ----------
    evidence : ColumnEvidence
    children : (c,) array of int
    possible : (C,) array of bool
        The columns that may be parents.
    """
    table, database = evidence.table, evidence.column_database
    at_home = np.zeros(int(database.max(initial=-1)) + 1, dtype=np.bool_)
    at_home[database[children]] = True
    possible = possible & at_home[database]
    sources: list[AnyPairs] = [_common_values(evidence, children, possible)]
    sources += _similar_names(evidence, children, np.flatnonzero(possible))
    child, parent = distinct_pairs(sources, len(evidence))
    kept = (table[child] != table[parent]) & evidence.at_home(child, parent)
    return child[kept], parent[kept]


def distinct_pairs(sources: Sequence[AnyPairs], size: int) -> tuple[Indices, Indices]:
    """Pairs, sorted, each once."""
    keys = [left.astype(np.int64) * size + right for left, right in sources]
    if len(keys) == 1 and np.all(keys[0][1:] > keys[0][:-1]):
        left, right = sources[0]
        return left.astype(np.int64), right.astype(np.int64)
    pairs = np.sort(np.concatenate([np.zeros(0, dtype=np.int64), *keys]))  # several times as fast as np.unique
    left, right = np.divmod(pairs[np.diff(pairs, prepend=-1) != 0], max(size, 1))
    return left, right


def _common_values(evidence: ColumnEvidence, columns: Indices, others: Flags | None = None) -> tuple[Indices, Indices]:
    """Pairs of some columns and others (by default all) with common values, of those that may join."""
    may_join = evidence.may_join
    possible = may_join if others is None else may_join & others
    left, right, _ = entries_of(evidence.intersections, columns[may_join[columns]], possible)
    return left, right


def _similar_names(evidence: ColumnEvidence, columns: Indices, others: Indices | None) -> Iterator[AnyPairs]:
    """Pairs with a column whose values are not all known, and names that suggest a reference: they are alike, end
    alike, are of a kind of `NAME_KINDS`, or one is named after the table that the other one leads. One of each pair at
    least `may_refer_by_name`.

    Parameters
    ----------
    evidence : ColumnEvidence
    columns : (c,) array of int
        One side of the pairs, which stands on the left.
    others : (d,) array of int, optional
        The other side; by default all columns.
    """
    incomplete = evidence.incomplete
    if not incomplete.any():
        return
    yield _named(evidence, columns, others)
    may_join = evidence.may_join
    others = np.flatnonzero(may_join) if others is None else others[may_join[others]]
    columns = columns[may_join[columns]]
    keys = evidence.may_refer_by_name
    sides = [
        (columns[incomplete[columns] & keys[columns]], others),
        (columns[incomplete[columns] & ~keys[columns]], others[keys[others]]),
        (columns[~incomplete[columns] & keys[columns]], others[incomplete[others]]),
        (columns[~(incomplete | keys)[columns]], others[(incomplete & keys)[others]]),
    ]
    for first, second in sides:
        size = max(CHUNK_COLUMNS, NAMED_PAIRS // max(len(second), 1))
        for start in range(0, len(first) if len(second) else 0, size):
            part = first[start : start + size]
            yield from _alike(evidence, part, second)
            yield from _named_after_tables(evidence, part, second)


def _named(evidence: ColumnEvidence, columns: Indices, others: Indices | None) -> AnyPairs:
    """Pairs of some columns and others (by default all) with a reference of `NAME_KINDS`."""
    among = None
    if others is not None:
        among = np.zeros(len(evidence), dtype=np.bool_)
        among[others] = True
    left, right, _ = entries_of(evidence.named.either, columns, among)
    return left, right


def _alike(evidence: ColumnEvidence, columns: Indices, others: Indices) -> Iterator[AnyPairs]:
    """Pairs of names that are alike or end alike: each name is compared once, however many columns have it."""
    forms, short = evidence.forms, evidence.forms.shortened
    yield from _alike_in(forms.headers, columns, others)
    for left, right in ((columns[short[columns]], others), (columns[~short[columns]], others[short[others]])):
        if len(left) and len(right):
            yield from _alike_in(forms.bare_headers, left, right)


def _alike_in(form: HeaderForms, columns: Indices, others: Indices) -> Iterator[AnyPairs]:
    """Pairs of names that are alike or end alike in one form."""
    left, right = _Groups.of(form.number[columns]), _Groups.of(form.number[others])
    place, other_place = left.pairs(right, *form.alike(left.keys, right.keys, SIMILAR_NAMES - ROUNDING))
    yield columns[place], others[other_place]


def _named_after_tables(evidence: ColumnEvidence, columns: Indices, others: Indices) -> Iterator[AnyPairs]:
    """Pairs of which one is named after the table that the other one leads; `columns` on the left."""
    leads, forms = evidence.traits.leads, evidence.forms
    for child, parent, is_left in (
        (columns, others[leads[others]], True),
        (others, columns[leads[columns]], False),
    ):
        pairs = [_named_after(evidence, child, parent, forms.table_words)]
        if forms.subject_words is not forms.table_words:
            one, other = _named_after(evidence, child, parent, forms.subject_words)
            beside = forms.kin[evidence.table[one]] == forms.kin[evidence.table[other]]
            pairs.append((one[beside], other[beside]))
        yield from pairs if is_left else [pair[::-1] for pair in pairs]


def _named_after(evidence: ColumnEvidence, child: Indices, parent: Indices, titles: SparseRows) -> AnyPairs:
    """Pairs of a child and a parent after whose table it is named, by the words of tables (T, U)."""
    number, words = evidence.forms.numbered_words
    named, tables = _Groups.of(number[child]), _Groups.of(evidence.table[parent])
    titles = titles[tables.keys]
    after = sparse_common_counts(words[named.keys], titles)
    name, title = after.nonzero()
    kept = after.data >= NAMED_AFTER * np.diff(titles.indptr)[title]
    place, leader = named.pairs(tables, name[kept], title[kept])
    return child[place], parent[leader]


class _Groups(NamedTuple):
    """The places of equal ones among n numbers: those of `keys[g]` are ``order[starts[g]:starts[g + 1]]``."""

    keys: Indices
    order: Indices
    starts: Indices

    @classmethod
    def of(cls, numbers: Indices) -> _Groups:
        order = np.argsort(numbers, kind="stable")
        sorted_ = numbers[order]
        first = np.flatnonzero(np.diff(sorted_, prepend=-1))
        return cls(sorted_[first], order, np.append(first, len(order)))

    def pairs(self, others: _Groups, group: AnyIndices, other_group: AnyIndices) -> tuple[Indices, Indices]:
        """For p pairs of a group of these and one of others: the places of each member of the first beside each member
        of the second."""
        width = np.diff(others.starts)[other_group]
        size = np.diff(self.starts)[group] * width
        first, second = self.starts[group], others.starts[other_group]
        number = ranges(np.zeros_like(size), size)
        row, column = np.divmod(number, np.repeat(width, size))
        return self.order[np.repeat(first, size) + row], others.order[np.repeat(second, size) + column]
