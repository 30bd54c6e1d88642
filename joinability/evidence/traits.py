"""What makes a column a key or a reference by itself, before it is compared with any other: arrays over columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

import numpy as np

from joinability.sparse.products import sparse_common_counts
from joinability.sparse.sparse_rows import SparseRows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from joinability.arrays import Array, Flags, Indices, Vectors

KEY_UNIQUENESS = 0.98
"""Uniqueness from which columns count as a key: a few errors in the data are forgiven."""
ROW_NUMBERS = frozenset(["index", "unnamed: 0"])
"""What a first column is called that only numbers the rows."""
MANY_NUMBERED = 0.5
"""Share of the tables of a database that begin with such a column, from which all such columns are of that kind."""
INTEGERS = 0.99
"""Share of integers among the values above which a column holds integers."""
COUNTED = 0.5
"""Integers that fill more than this share of their range count as surrogate keys do: 1, 2, 3, ..."""
STEPS = (5, 10, 20, 25, 50, 100, 500, 1000)
"""Steps by which lists of codes and lines of orders count, to leave room between 10, 20, 30, ..."""
LONG_ID = 15
"""Characters of the shortest random identifier: a hash, a UUID, an id of a service (`ch_3MmlLrLkdIwHu7ix`)."""
ONE_LENGTH = 0.05
"""How far the mean length of texts may be from a whole number where all have one length, but for a few."""
FEWEST_CODES, SHORTEST_CODE = 10, 2
"""Values of a column of codes, and characters of each, at least."""
SPARSE = 1e-6
"""Share of their range that integers fill at most which are drawn from it at random."""
YEARS = (1700, 2100)
"""Integers within these may be years."""
WIDEST = 10
"""Number of columns from which a wider table counts as no wider."""
NAMED_AFTER = 0.75
"""Share of a table's name in that of a column that makes it worth a look with the column that leads the table."""
FILLED = 20
"""Rows with a value among others that have none, at least, for these values to be a key."""
FEW_SAMPLES = 3
"""Sample values of a column, all that is known of it, that say nothing of joins: what so few have in common is chance.
On Spider's training databases with three rows of each table .807 of the keys score .5 or more without the samples, and
.787 with them; with two rows .807 and .777."""
LOOKED_AT = 32
"""Columns of a table that may join where not all their values are known: a table of hundreds of measures has no more
keys than another one, and names and samples that agree by chance are many."""


@dataclass(frozen=True, eq=False)
class Traits:
    """Quantities of C columns.

    Attributes
    ----------
    kind : array of int8
        Index into `KINDS`, by the contents where they are known.
    counted : array of bool
        The values are integers that count up from near 1, as surrogate keys do, or by `STEPS`, as codes do, or years:
        the keys of most tables have them.
    random : array of bool
        The values are long texts of one length, as hashes, UUIDs and ids of services are, or integers that hardly fill
        their range: no other column has them by chance.
    codes : array of bool
        The values are texts of one length, as those of `iata`, or `tail_mark`, are: they tell which one is meant.
    leads : array of bool
        The first of the most unique columns of its table, where keys stand.
    may_join : array of bool
        All values are known, or the column is one of the first `LOOKED_AT` of its table: first the one that leads, then
        those that are named like keys, then those named after another table, then by position.
    width : array of float32
        Decimal logarithm of the number of columns of the column's table, at most that of `WIDEST`.
    other_name : array of float32
        How far the column is named after another table of its database: the greatest share, over these tables, of the
        words of the table's name that the column's name contains. "teacher_id" is named after the table of teachers.
    other_table : array of int
        The table with that share; -1 where there is none.
    next_name : array of float32
        The second greatest share.
    acts : array of bool
        The column's name says what somebody does: "handled_by", "inspector".
    deals : array of int
        Parties of contracts, firms, sellers and buyers to whom the column's name may refer, as `roles.deals` has them.
    called : array of bool
        The column's name says that it holds what something is called, or where it is: "title", "home_city".
    identifies : array of bool
        The column's name says that it tells which one is meant: "iso_code", "login".
    registered : array of bool
        The column's name says that it holds numbers of a register: "vin", "iban".
    quantity : array of int
        A number for the word for a quantity with which the column's name ends, "price" of "unit_price"; 0 for none,
        less than 0 where it is the whole name, and `PLURAL` of `joinability.by_name.quantity_words` where the name is a
        plural, which counts something: "seats".
    of_quantities : array of int
        The number of the quantity that the column's table lists: months, rates.
    person : array of int
        A number for the people of which the column's name names one, as "user_id" does; 0 for none.
    people : array of int
        The number of those whom the column's table holds, if these are people who act, employees or users, or parties.
    """

    kind: NDArray[np.int8]
    counted: Flags
    random: Flags
    codes: Flags
    leads: Flags
    may_join: Flags
    width: Vectors
    other_name: Vectors
    other_table: Indices
    next_name: Vectors
    acts: Flags
    deals: Indices
    called: Flags
    identifies: Flags
    registered: Flags
    quantity: Indices
    of_quantities: Indices
    person: Indices
    people: Indices


class NamedAfter(TypedDict):
    """The traits that follow from the names of the other tables, by the names of `Traits`."""

    other_name: Vectors
    other_table: Indices
    next_name: Vectors


def tell_nothing(distinct: Indices, lowest: Array, highest: Array) -> Flags:
    """Which columns of integers have most of a range that many others share.

    Such a range begins near 1, is one of years, or has the steps of a list of codes, as 10, 20, 30, ... and begins with
    the first. Most is more than `COUNTED` of the integers between lowest and highest, or of the steps. A range that
    begins later than it is long, as that of employees 1001 to 1160, tells what refers to it.
    """
    with np.errstate(invalid="ignore"):  # columns without numbers have no range
        fills = distinct > COUNTED * (highest - lowest + 1)
        years = (lowest >= YEARS[0]) & (highest <= YEARS[1])
        nothing = fills & ((lowest <= distinct) | years)
        for step in STEPS:
            steps = (highest - lowest) / step + 1
            begins = ((lowest == 0) | (lowest == step)) & (highest % step == 0)
            nothing |= begins & (distinct > COUNTED * steps) & (distinct <= steps + 1)
    return np.asarray(nothing)


def have_one_length(mean_length: Array) -> Flags:
    """Which columns hold texts that all have one length, but for a few."""
    return np.asarray(np.abs(mean_length - np.round(mean_length)) <= ONE_LENGTH)


def are_codes(texts: Flags, mean_length: Array, distinct: Indices) -> Flags:
    """Which columns hold codes: `FEWEST_CODES` texts and more of one length, of `SHORTEST_CODE` characters and more."""
    return np.asarray(
        texts & have_one_length(mean_length) & (mean_length >= SHORTEST_CODE) & (distinct >= FEWEST_CODES)
    )


def are_random(texts: Flags, mean_length: Array, distinct: Indices, lowest: Array, highest: Array) -> Flags:
    """Which columns hold identifiers drawn at random: texts of `LONG_ID` characters and more, all of one length but for
    a few, or integers that fill `SPARSE` of their range at most."""
    long = texts & (mean_length >= LONG_ID) & have_one_length(mean_length)
    with np.errstate(invalid="ignore"):  # columns without numbers have no range
        sparse = ~texts & (distinct <= SPARSE * (highest - lowest))
    return np.asarray(long | sparse)


def leaders(table: Indices, uniqueness: Array, position: Indices) -> Flags:
    """The most unique column of each table; of equals the one that stands first."""
    order = np.lexsort((position, -uniqueness, table))
    leads = np.zeros(len(table), dtype=np.bool_)
    leads[order] = np.diff(table[order], prepend=-1) != 0
    return leads


def first_of_tables(table: Indices, position: Indices, marks: Sequence[Flags], count: int) -> Flags:
    """The first columns of each table, `count` at most: those with the first mark, then with the second, and so on."""
    order = np.lexsort((position, *(~mark for mark in reversed(marks)), table))
    starts = np.flatnonzero(np.diff(table[order], prepend=-1))
    place = np.arange(len(table)) - np.repeat(starts, np.diff(np.append(starts, len(table))))
    first = np.zeros(len(table), dtype=np.bool_)
    first[order] = place < count
    return first


def named_after_others(
    number: Indices, words: SparseRows, table_words: SparseRows, table: Indices, database: Indices
) -> NamedAfter:
    """How far each column is named after the other tables of its database: the best table and the two best shares.

    Each name is compared once in each database, however many columns have it: of the three tables that it names most,
    two at least are others.

    Parameters
    ----------
    number : (C,) array of int
        Name of each column.
    words, table_words : (N, U) and (T, U) sparse binary arrays
        Words of the names of columns and of tables.
    table : (C,) array of int
    database : (T,) array of int
    """
    names, place = np.unique(database[table] * words.shape[0] + number, return_inverse=True)
    of_name, name = np.divmod(names, words.shape[0])
    words, titles = _words_of_databases(words[name], of_name, table_words, database)
    common = sparse_common_counts(words, titles)
    share = common.data / np.diff(table_words.indptr)[common.indices]
    tables = common.indices.astype(np.int64)
    (best, best_share), (second, second_share), (_, third_share) = _greatest(common.indptr, tables, share, 3)
    is_best, is_second = (found[place] == table for found in (best, second))
    return {
        "other_name": np.where(is_best, second_share[place], best_share[place]),
        "other_table": np.where(is_best, second[place], best[place]),
        "next_name": np.where(is_best | is_second, third_share[place], second_share[place]),
    }


def _greatest(starts: Indices, member: Indices, share: Array, count: int) -> list[tuple[Indices, Vectors]]:
    """The members with the greatest shares in each of n rows: first ones, second ones and so on, -1 and 0 where a row
    has no more. Of equal shares that of the lowest member comes first.

    Parameters
    ----------
    starts : (n + 1,) array of int
        Where each row begins.
    member, share : (e,) arrays
        Shares are above 0.
    """
    lengths = np.diff(starts)
    filled, greatest = np.flatnonzero(lengths), []
    starts, share = starts[filled], share.copy()
    for _ in range(count):
        members = np.full(len(lengths), -1, dtype=np.int64)
        shares = np.zeros(len(lengths), dtype=np.float32)
        if len(filled):
            most = np.maximum.reduceat(share, starts)
            first = np.where(share == np.repeat(most, lengths[filled]), member, np.iinfo(member.dtype).max)
            lowest = np.minimum.reduceat(first, starts)
            share[member == np.repeat(lowest, lengths[filled])] = 0
            members[filled], shares[filled] = np.where(most > 0, lowest, -1), most
        greatest.append((members, shares))
    return greatest


def _words_of_databases(
    words: SparseRows, database: Indices, table_words: SparseRows, of_table: Indices
) -> tuple[SparseRows, SparseRows]:
    """Both matrices with a column for each word of the tables of each database, so that no row of one database has
    anything in common with one of another.

    Parameters
    ----------
    words, table_words : (C, U) and (T, U) sparse binary arrays
    database, of_table : (C,) and (T,) arrays of int
        The database of each row.
    """
    keys, of_titles = (
        np.repeat(rows, np.diff(matrix.indptr)).astype(np.int64) * matrix.shape[1] + matrix.indices
        for matrix, rows in ((words, database), (table_words, of_table))
    )
    known = np.unique(of_titles)
    kept = np.isin(keys, known)
    starts = np.concatenate([[0], np.cumsum(kept)])[words.indptr]
    return (
        SparseRows(words.data[kept], np.searchsorted(known, keys[kept]).astype(np.int32), starts, len(known)),
        SparseRows(
            table_words.data, np.searchsorted(known, of_titles).astype(np.int32), table_words.indptr, len(known)
        ),
    )
