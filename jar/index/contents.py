"""What an index holds, read once into arrays that a ranking slices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from jar.arrays import IntArray, Vectors
from jar.index.file import read_meta
from jar.index.known_values import NO_VALUES, KnownValues, Mention, folded_words, read_values
from jar.index.stored_tables import read_tables
from jar.text.lexical import WordIndex
from jar.text.sharded import Families
from joinability import References, composite_joins, load_composites
from joinability.names import name_words

if TYPE_CHECKING:
    import duckdb

    from jar.index.stated import Verdict
    from joinability import CompositeJoin, CompositeKey, JoinEvidence, Table, Verdicts
    from joinability.scores.score import JoinScore

KEY_WORDS = frozenset(
    "id ids key code number no uuid guid sk pk fk barcode ein fips identifier hash address symbol geoid".split()
)
"""Last words of names that say which row is meant."""


@dataclass(frozen=True)
class IndexContents:
    """Tables, vectors and join evidence, columns numbered table by table.

    Attributes
    ----------
    tables : tuple of Table
        The n tables, without their rows.
    first_column : array (n + 1,)
        Columns of table i are ``first_column[i]`` to ``first_column[i + 1] - 1``.
    table_vectors, column_vectors, schema_vectors : arrays (n, d), (C, d), (C, d)
        Unit vectors of the table texts, the column texts and the texts that joinability compares.
    evidence : JoinEvidence
        Overlaps and profiles of the C columns.
    meta : dict
        Format, embedder, score, time of writing.
    failures : tuple of (source, cause)
        What could not be indexed.
    stated : tuple of Verdict
        What the user says of single joins.
    composite_keys : tuple of CompositeKey
        Joins on several columns, as positions.
    name_vectors : array (n, d), optional
        Unit vectors of the words of database and table; None where the file is of a version without them.
    values : KnownValues
        Short texts of the rows, by which questions find tables.
    """

    tables: tuple[Table, ...]
    first_column: IntArray
    table_vectors: Vectors
    column_vectors: Vectors
    schema_vectors: Vectors
    evidence: JoinEvidence
    meta: dict[str, str]
    failures: tuple[tuple[str, str], ...]
    stated: tuple[Verdict, ...] = ()
    composite_keys: tuple[CompositeKey, ...] = ()
    name_vectors: Vectors | None = None
    values: KnownValues = NO_VALUES

    @cached_property
    def families(self) -> Families:
        """The sharded tables that are one to a question."""
        return Families.of(self.tables)

    @cached_property
    def mixed(self) -> dict[float, Vectors]:
        """Vectors of tables that mix those of signatures and of names, by the weight of names, as far as made."""
        return {}

    @cached_property
    def words(self) -> WordIndex:
        """The words in the names of the tables."""
        return WordIndex(self.tables)

    def mentions(self, question: str) -> list[Mention]:
        """The values of the index that a question names."""
        return self.values.mentions(question, self._name_words)

    @cached_property
    def _name_words(self) -> frozenset[str]:
        """Folded words of the names of tables and columns; none where there are no values to tell them from."""
        if not len(self.values):
            return frozenset()
        names = {table.name for table in self.tables} | set(self.evidence.name)
        return frozenset(chain.from_iterable(folded_words(" ".join(name_words(name))) for name in names))

    @cached_property
    def databases(self) -> IntArray:
        """Database of each table as a number from 0 up, in order of appearance, shape (n,)."""
        numbers: dict[str, int] = {}
        of_tables = [numbers.setdefault(table.database, len(numbers)) for table in self.tables]
        return np.array(of_tables, dtype=np.int64)

    @cached_property
    def table_position(self) -> dict[str, int]:
        """Position of each table id."""
        return {table.id: position for position, table in enumerate(self.tables)}

    @cached_property
    def column_names(self) -> tuple[str, ...]:
        """Each column as "db.table.column"."""
        return tuple(f"{table.id}.{column.name}" for table in self.tables for column in table.columns)

    @cached_property
    def column_position(self) -> dict[str, int]:
        """Position of each column name."""
        return {name: position for position, name in enumerate(self.column_names)}

    @cached_property
    def owner(self) -> IntArray:
        """Table of each column, shape (C,)."""
        return np.repeat(np.arange(len(self.tables), dtype=np.int64), np.diff(self.first_column))

    @cached_property
    def verdicts(self) -> Verdicts | None:
        """What is stated of the columns and tables that are here; None where there is nothing."""
        from joinability import Verdicts

        if not self.stated:
            return None
        pinned, vetoed = (
            [(one.left, one.right) for one in self.stated if one.kind == kind] for kind in ("pin", "veto")
        )
        return Verdicts.of(self.evidence, pinned=pinned, vetoed=vetoed)

    @cached_property
    def shared_keys(self) -> dict[int, IntArray]:
        """The columns that share a key name with others of their database, without rows on either side: all of these,
        for each of them."""
        silent = self.evidence.traits.silent
        groups: dict[tuple[int, str], list[int]] = {}
        for column in np.flatnonzero(silent).tolist():
            words = name_words(self.evidence.name[column])
            if len(words) > 1 and words[-1] in KEY_WORDS:
                groups.setdefault((int(self.column_databases[column]), "_".join(words)), []).append(column)
        shared = (np.array(group, dtype=np.int64) for group in groups.values() if len(group) > 1)
        return {column: group for group in shared for column in group.tolist()}

    def composites(self, score: JoinScore) -> Mapping[frozenset[int], Sequence[CompositeJoin]]:
        """The joins on several columns between two tables (a set of positions), best first."""
        if not score.has_composites or not self.composite_keys:
            return {}
        trusted = score.trust_declared is not False
        if trusted not in self._composites:
            by_tables: dict[frozenset[int], list[CompositeJoin]] = {}
            for join in composite_joins(
                self.evidence, self.composite_keys, trust_declared=trusted, verdicts=self.verdicts
            ):
                pair = frozenset((int(self.owner[join.left[0]]), int(self.owner[join.right[0]])))
                by_tables.setdefault(pair, []).append(join)
            self._composites[trusted] = by_tables
        return self._composites[trusted]

    @cached_property
    def _composites(self) -> dict[bool, dict[frozenset[int], list[CompositeJoin]]]:
        return {}

    def references(self, score: JoinScore, columns: IntArray) -> References | None:
        """The likely references of some columns, and maybe of others, to keys anywhere; None where the score, the
        paper's, has no joins that follow from others. Those of each column are looked for when it is first asked for.
        """
        if score.name == "paper":
            return None
        nothing = np.zeros(len(self.evidence), dtype=np.bool_), References.none()
        known, references = self._references.get(score, nothing)
        missing = columns[~known[columns]]
        if len(missing):
            judged = score if self.verdicts is None else self.verdicts.applied(score)
            references = references.with_more(References.of(self.evidence, judged, np.sort(missing)))
            known = known.copy()  # another thread may read the old one with the references that belong to it
            known[missing] = True
            self._references[score] = known, references
        return references

    @cached_property
    def _references(self) -> dict[JoinScore, tuple[npt.NDArray[np.bool_], References]]:
        return {}

    @cached_property
    def column_databases(self) -> IntArray:
        """Database of each column, shape (C,)."""
        return self.databases[self.owner]

    def columns_of(self, tables: IntArray) -> IntArray:
        """Columns of several tables, one table after the other."""
        if len(tables) == 0:
            return np.zeros(0, dtype=np.int64)
        return np.concatenate(
            [np.arange(self.first_column[i], self.first_column[i + 1], dtype=np.int64) for i in tables]
        )


def read_contents(connection: duckdb.DuckDBPyConnection) -> IndexContents:
    """Read everything that rankings need from an open index."""
    from jar.index.stated import read_verdicts
    from joinability.store.store import EvidenceStore

    tables, column_ids = read_tables(connection)
    counts = [len(table.columns) for table in tables]
    meta = read_meta(connection)
    dimension = int(meta["dimension"])
    return IndexContents(
        tables=tables,
        first_column=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        table_vectors=_vectors(connection, "catalog_tables", "text", "table_id", dimension),
        column_vectors=_vectors(connection, "catalog_columns", "text", "table_id, position", dimension),
        schema_vectors=_vectors(connection, "catalog_columns", "schema_text", "table_id, position", dimension),
        evidence=EvidenceStore(connection).load(column_ids),
        meta=meta,
        failures=tuple(
            (str(source), str(cause))
            for source, cause in connection.execute("SELECT source, cause FROM failures").fetchall()
        ),
        stated=read_verdicts(connection),
        composite_keys=load_composites(connection, column_ids),
        name_vectors=_name_vectors(connection, dimension),
        values=read_values(connection, column_ids),
    )


def _name_vectors(connection: duckdb.DuckDBPyConnection, dimension: int) -> Vectors | None:
    """The vectors of the names of tables; None where not every table has one."""
    described = connection.execute("SELECT * FROM catalog_tables LIMIT 0").description or []
    if "name_text" not in [column[0] for column in described]:
        return None
    vectors = _vectors(connection, "catalog_tables", "name_text", "table_id", dimension)
    count = connection.execute("SELECT count(*) FROM catalog_tables").fetchone()
    return vectors if count == (len(vectors),) else None


def _vectors(connection: duckdb.DuckDBPyConnection, table: str, text: str, order: str, dimension: int) -> Vectors:
    """Vectors of the texts of a table in order, shape (rows, d)."""
    rows = connection.sql(
        f'SELECT vector FROM "{table}" JOIN embeddings ON embeddings.text = "{table}"."{text}" ORDER BY {order}'
    ).to_arrow_table()
    # Not `to_numpy`, which imports pandas on the way and doubles the start-up time of the command line.
    flat = np.from_dlpack(rows["vector"].combine_chunks().flatten())
    return np.ascontiguousarray(flat.reshape(-1, dimension))
