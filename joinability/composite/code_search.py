"""The search for references to tables that list the codes of many columns by type: which type each column means."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from joinability.by_name.key_words import SURROGATES, SYNONYMS, Words, singular_words, titles
from joinability.composite.code_tables import (
    CONTAINED,
    CodeTable,
    Named,
    contains,
    lists_codes,
    tells_codes,
    tells_types,
    type_of,
)
from joinability.composite.stored_keys import CompositeKey, TypeCondition
from joinability.errors import SourceError
from joinability.evidence.traits import KEY_UNIQUENESS
from joinability.families import KINDS
from joinability.names import name_words
from joinability.scores.inclusion import best_telling

if TYPE_CHECKING:
    import duckdb
    import pyarrow

    from joinability.arrays import Flags
    from joinability.composite.cell_hashes import CellHasher, Hashes
    from joinability.composite.read_columns import ColumnReader
    from joinability.evidence.evidence import JoinEvidence

MOST_CODES, FIRST_COLUMNS = 50_000, 5
"""Rows of a table that lists codes, at most, and its first columns, of which two tell types and codes."""
MOST_VALUES = 500
"""Distinct values of a column that holds such codes, at most."""
MOST_LISTS = 32
"""Tables of a database that may list codes which are looked at: the first ones."""
OF_ANOTHER = 0.5
"""Share of the codes that another table has for its key, from which they are no list but refer to that."""
COUNT = """
SELECT column_id, type, count(*) AS common
FROM column_values JOIN listed USING (hash) JOIN asked USING (column_id)
GROUP BY ALL
"""
"""How many values of each column are codes of each type."""


class Rows(NamedTuple):
    """The rows of a table that lists codes: the types as texts, and the codes as hashes."""

    types: list[str]
    codes: Hashes


class CodeSearch:
    """One search among the tables of some databases whose rows can be read.

    Parameters
    ----------
    connection : duckdb.DuckDBPyConnection
        Of a store whose values are there.
    evidence : JoinEvidence
    column_ids : sequence of int
        The id of each of its columns.
    reader : ColumnReader
    readable : (T,) array of bool
        The tables that have rows to read.
    hasher : CellHasher

    Attributes
    ----------
    failures : dict
        Id and cause of each table that could not be read; no references to it are found.
    """

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        evidence: JoinEvidence,
        column_ids: Sequence[int],
        reader: ColumnReader,
        readable: Flags,
        hasher: CellHasher,
    ) -> None:
        self.connection, self.evidence, self.column_ids = connection, evidence, column_ids
        self.reader, self.readable, self.hasher = reader, readable, hasher
        self.failures: dict[str, str] = {}

    def found_in(self, tables: Sequence[int]) -> Iterator[CompositeKey]:
        """The references between the tables of one database, by their numbers."""
        pairs = [list(self._pairs(table)) for table in tables if self.readable[table]]
        possible = [own for own in pairs if own][:MOST_LISTS]
        columns = self._columns_of_codes(tables) if possible else {}
        for own in possible:
            for types, codes in own:
                try:
                    found = list(self._references(types, codes, columns))
                except SourceError as error:
                    self.failures[error.source] = error.cause
                    break
                yield from found
                if found:
                    break

    def _pairs(self, table: int) -> Iterator[tuple[int, int]]:
        """The columns of a table that may tell types and codes."""
        evidence = self.evidence
        columns = np.flatnonzero(evidence.table == table)
        first = columns[np.argsort(evidence.place[columns])][:FIRST_COLUMNS].tolist()
        if not 0 < evidence.rows[first[0]] <= MOST_CODES:
            return
        words = dict(zip(first, singular_words([evidence.read[column] for column in first]), strict=True))
        shared = [column for column in first if evidence.uniqueness[column] < KEY_UNIQUENESS]
        tell = [column for column in shared if tells_types(words[column])]
        hold = np.array([column for column in shared if tells_codes(words[column])], dtype=np.int64)
        own = hold[best_telling(evidence, hold) < OF_ANOTHER] if tell else hold
        yield from ((types, codes) for types in tell for codes in own.tolist() if types != codes)

    def _references(self, types: int, codes: int, columns: Mapping[int, Named]) -> Iterator[CompositeKey]:
        rows = self._rows(types, codes)
        if not lists_codes(rows.types, rows.codes.tolist()):
            return
        listed = CodeTable(types, codes, Counter(rows.types), self._labels(types, rows.types))
        evidence = self.evidence
        asked = [column for column in columns if evidence.table[column] != evidence.table[types]]
        for column, common in self._common(rows, asked).items():
            meant = type_of(listed, columns[column], int(evidence.distinct[column]), common)
            if meant is None:
                continue
            distinct = int(evidence.distinct[column])
            if contains(common[meant], distinct) or self._share_of_rows(column, rows, meant) >= CONTAINED:
                yield self._reference(column, listed, meant, common[meant])

    def _share_of_rows(self, column: int, rows: Rows, meant: str) -> float:
        """The share of the rows of a column that have codes of a type, of those that have a value."""
        codes = rows.codes[np.array([told == meant for told in rows.types], dtype=np.bool_)]
        held = filled = 0
        for batch in self.reader.cells([column]):
            of_batch, has_value = self.hasher.hashed({column: batch[0]})[column]
            held += int(np.isin(of_batch[has_value], codes).sum())
            filled += int(has_value.sum())
        return held / max(filled, 1)

    def _reference(self, column: int, listed: CodeTable, meant: str, common: int) -> CompositeKey:
        evidence = self.evidence
        return CompositeKey(
            child=(column,),
            parent=(listed.code_column,),
            declared=False,
            estimated=False,
            compared=int(evidence.distinct[column]),
            common=common,
            child_distinct=int(evidence.distinct[column]),
            parent_distinct=listed.sizes[meant],
            child_uniqueness=float(evidence.uniqueness[column]),
            parent_uniqueness=1.0,
            where=TypeCondition(listed.type_column, (meant,), of_parent=True),
        )

    def _columns_of_codes(self, tables: Sequence[int]) -> dict[int, Named]:
        """The columns of some tables that hold few values, all of them known, and that are no keys, quantities, ids or
        numbers, with their names."""
        evidence = self.evidence
        few = (evidence.distinct > 1) & (evidence.distinct <= MOST_VALUES) & (evidence.values == evidence.distinct)
        kept = few & np.isin(evidence.table, tables) & ~evidence.is_key & (evidence.uniqueness < KEY_UNIQUENESS)
        columns = np.flatnonzero(kept & (evidence.traits.quantity == 0)).tolist()
        held = dict(zip(tables, titles([evidence.forms.titles[table] for table in tables]), strict=True))
        words = singular_words([evidence.read[column] for column in columns])
        texts = evidence.traits.kind == KINDS.index("text")
        return {
            column: Named(
                "".join(name_words(evidence.name[column])), own, held[int(evidence.table[column])], bool(texts[column])
            )
            for column, own in zip(columns, words, strict=True)
            if own and own[-1] not in SURROGATES and SYNONYMS.get(own[-1], own[-1]) != "no"
        }

    def _rows(self, types: int, codes: int) -> Rows:
        """The rows of a table that have a type and a code."""
        told: list[str] = []
        hashes: list[Hashes] = []
        for batch in self.reader.cells([types, codes]):
            of_batch, filled = self.hasher.hashed({codes: batch[1]})[codes]
            texts = self.reader.texts(batch[0])
            kept = filled & np.array([bool(text) for text in texts], dtype=np.bool_)
            told += [text for text, keep in zip(texts, kept.tolist(), strict=True) if text and keep]
            hashes.append(of_batch[kept])
        return Rows(told, np.concatenate(hashes) if hashes else np.zeros(0, dtype=np.uint64))

    def _labels(self, types: int, there: Sequence[str]) -> dict[str, Words]:
        """What types are called, by the key of another table of the same database that has them, and the first text
        beside it that says what something is called."""
        evidence, traits = self.evidence, self.evidence.traits
        for key in evidence.intersections.indices[slice(*evidence.intersections.indptr[types : types + 2])].tolist():
            table = evidence.table[key]
            called = np.flatnonzero((evidence.table == table) & traits.called)
            beside = called[called != key]
            is_list = self.readable[table] and evidence.uniqueness[key] >= KEY_UNIQUENESS and len(beside)
            is_beside = table != evidence.table[types] and evidence.database[table] == evidence.column_database[types]
            if is_list and is_beside:
                batches = list(self.reader.cells([key, int(beside[0])]))
                pairs = [pair for batch in batches for pair in zip(*map(self.reader.texts, batch), strict=True)]
                labels = {code: singular_words([text])[0] for code, text in pairs if code and text}
                if set(there) <= labels.keys():
                    return labels
        return {}

    def _common(self, rows: Rows, asked: Sequence[int]) -> dict[int, dict[str, int]]:
        """How many values of each of some columns are codes of each type."""
        import pyarrow as pa

        place = {self.column_ids[column]: column for column in asked}
        listed = pa.table({"type": rows.types, "hash": rows.codes})
        counted = _counts(self.connection, listed, pa.table({"column_id": pa.array(list(place), pa.int32())}))
        common: defaultdict[int, dict[str, int]] = defaultdict(dict)
        for column, told, count in counted:
            common[place[column]][told] = count
        return dict(sorted(common.items()))


def _counts(
    connection: duckdb.DuckDBPyConnection, listed: pyarrow.Table, asked: pyarrow.Table
) -> list[tuple[int, str, int]]:
    """DuckDB finds the Arrow tables by name among the parameters."""
    return connection.execute(COUNT).fetchall()
