"""What an index holds, read once into arrays that a ranking slices."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from jar.arrays import IntArray, Vectors
from jar.errors import IndexFormatError
from jar.index.file import open_index, read_meta
from jar.index.known_joins import KnownJoins
from jar.index.stored_tables import (
    SURE,
    TableColumns,
    has_column,
    joined_databases,
    read_tables,
    with_primary_keys,
)
from jar.index.text_vectors import TextVectors, read_vectors
from jar.lookalikes.editions import Editions
from jar.lookalikes.sharded import Families
from jar.lookalikes.twins import Twins
from jar.lookalikes.variants import Variants
from jar.mapped.mapped_contents import MappedContents
from jar.text.areas import table_areas
from jar.text.initials import acronyms, said_in_words
from jar.text.lexical import CountedWords, WordIndex, content_words, name_parts
from jar.text.stop_words import says_ordered
from jar.text.table_words import read_words
from jar.text.word_runs import folded_words
from jar.values.known_values import NO_VALUES, KnownValues, Mention, read_values
from jar.values.value_meanings import ValueMeanings, read_meanings
from joinability import load_composites
from joinability.attributes import cached_property
from joinability.errors import first_line
from joinability.names import name_words
from joinability.spelling.british import other_spelling
from joinability.spelling.vocabulary import singular
from joinability.spelling.word_forms import made_by_act

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

    import duckdb

    from jar.index.stated import Verdict
    from joinability import CompositeKey, JoinEvidence, Table
    from joinability.store.stored_joins import StoredJoins


@dataclass(frozen=True, eq=False)
class IndexContents:
    """Tables, vectors and join evidence, columns numbered table by table.

    Attributes
    ----------
    tables : tuple of Table
        The n tables, without their rows.
    first_column : array (n + 1,)
        Columns of table i are ``first_column[i]`` to ``first_column[i + 1] - 1``.
    table_vectors : array (n, d)
        Unit vectors of the table texts.
    column_vectors, schema_vectors : TextVectors
        Those of the C column texts and of the texts that joinability compares.
    evidence : JoinEvidence
        Overlaps and profiles of the C columns, of sharded tables with the rows of all of them.
    meta : dict
        Format, embedder, score, time of writing.
    failures : tuple of (source, cause)
        What could not be indexed.
    meanings : ValueMeanings
        What the values of columns with few of them mean.
    stated : tuple of Verdict
        What the user says of single joins.
    composite_keys : tuple of CompositeKey
        Joins on several columns, as positions.
    name_vectors : array (n, d), optional
        Unit vectors of the words of database and table; None where the file is of a version without them.
    values : KnownValues
        Short texts of the rows, by which questions find tables.
    counted_words : CountedWords, optional
        The words of the tables' names; None where the file is of a version that wrote none, or others.
    stored_joins : StoredJoins, optional
        What is known of joins; None where the file has none that follow from today's rules.
    apart : JoinEvidence, optional
        The evidence in which each sharded table has its own rows; None where it is the same.
    """

    tables: tuple[Table, ...]
    first_column: IntArray
    table_vectors: Vectors
    column_vectors: TextVectors
    schema_vectors: TextVectors
    evidence: JoinEvidence
    meta: dict[str, str]
    failures: tuple[tuple[str, str], ...]
    meanings: ValueMeanings
    stated: tuple[Verdict, ...] = ()
    composite_keys: tuple[CompositeKey, ...] = ()
    name_vectors: Vectors | None = None
    values: KnownValues = NO_VALUES
    counted_words: CountedWords | None = None
    stored_joins: StoredJoins | None = None
    apart: JoinEvidence | None = None

    @property
    def table_evidence(self) -> JoinEvidence:
        """The evidence in which each table has its own rows."""
        return self.evidence if self.apart is None else self.apart

    @cached_property
    def families(self) -> Families:
        """The sharded tables that are one to a question."""
        return Families.of(self.tables)

    @cached_property
    def joined_families(self) -> dict[int, tuple[int, ...]]:
        """The families whose members have one evidence, by their first table."""
        if self.apart is None:
            return {}
        number = self.evidence.table[self.first_column[:-1].clip(max=len(self.evidence) - 1)]
        standing, members = self.evidence.standing_tables[number], self.families.members
        return {first: tables for first, tables in members.items() if standing[tables[-1]] == number[first]}

    @cached_property
    def editions(self) -> Editions:
        """The tables that are there in several editions."""
        return Editions.of(self.tables)

    @cached_property
    def variants(self) -> Variants:
        """The tables of equal columns whose names differ in words."""
        return Variants.of(self.tables)

    @cached_property
    def twins(self) -> Twins:
        """The tables that stand in several schemas, or beside their copies."""
        return Twins.of(self.tables)

    @cached_property
    def mixed(self) -> dict[float, Vectors]:
        """Mixed vectors of signatures and names (`mixed_vectors`), by the weight of names; a cache."""
        return {}

    @cached_property
    def words(self) -> WordIndex:
        """The words in the names of the tables."""
        return WordIndex.of(self.tables) if self.counted_words is None else WordIndex(self.counted_words)

    def asked_words(self, question: str, stop_words: Collection[str]) -> list[str]:
        """The words of a question that count, in the singular; their British or American spellings that the index has;
        and acronyms of tables that it says in words."""
        words = list(map(singular, content_words(question, stop_words)))
        spelled = (other for word in words if (other := other_spelling(word)) and self.words.knows(other))
        acts = [word for word in words if not self.words.knows(word)] + ["ordered"] * says_ordered(question)
        made = (thing for act in acts for thing in made_by_act(act) if len(self.words.tables_with(thing)))
        return list(dict.fromkeys([*words, *spelled, *made, *said_in_words(question, self._acronyms, stop_words)]))

    @cached_property
    def _acronyms(self) -> frozenset[str]:
        return acronyms(table.name.rpartition(".")[2] for table in self.tables)

    def columns_short_for(self, word: str) -> IntArray:
        """The columns whose names have a short form of a word, one that is no word by itself (`ShortForms`)."""
        forms = self.words.short_forms.of(word)
        return np.unique(np.concatenate(list(map(self._columns_with, forms)))) if forms else np.zeros(0, dtype=np.int64)

    def _columns_with(self, part: str) -> IntArray:
        """The columns whose names have a part, as case, digits and separators show it, in the singular."""
        known = self._by_part.get(part)
        if known is None:
            columns = self.columns_of(self.words.tables_with(part))
            named = [column for column in columns.tolist() if part in name_parts(self.evidence.name[column])]
            known = self._by_part[part] = np.array(named, dtype=np.int64)
        return known

    @cached_property
    def _by_part(self) -> dict[str, IntArray]:
        """The columns with each part that was asked for."""
        return {}

    def mentions(self, question: str) -> list[Mention]:
        """The values of the index that a question names."""
        return self.values.mentions(question, self._name_words)

    @cached_property
    def _name_words(self) -> frozenset[str]:
        """Folded words of the names of tables and columns, and what the names of tables are read as; none where there
        are no values to tell them from."""
        if not len(self.values):
            return frozenset()
        names = {table.name for table in self.tables} | set(self.evidence.name)
        words = {*chain.from_iterable(map(name_words, names)), *self.words.of_tables}
        return frozenset(chain.from_iterable(map(folded_words, words)))

    @cached_property
    def databases(self) -> IntArray:
        """Database of each table as a number from 0 up, in order of appearance, shape (n,).

        Schemas of one warehouse (`Table.warehouse`) are one database here, and so are those that sure joins connect;
        what looks alike (`jar.lookalikes`) and what is excluded by name goes by `Table.database`.
        """
        owner = np.repeat(np.arange(len(self.tables)), np.diff(self.first_column))
        none = np.zeros(0, dtype=np.int64)
        left, right = (none, none) if self.stored_joins is None else self.stored_joins.scores.least(SURE)
        pins = [(verdict.left, verdict.right) for verdict in self.stated if verdict.kind == "pin"]
        return joined_databases(self.tables, owner[left], owner[right], pins)

    @cached_property
    def areas(self) -> IntArray:
        """Subject area of each table as a number from 0 up, -1 for tables in none, shape (n,)."""
        return table_areas(self.tables)

    @cached_property
    def table_position(self) -> dict[str, int]:
        """Position of each table id."""
        return {table.id: position for position, table in enumerate(self.tables)}

    @cached_property
    def short_names(self) -> dict[str, tuple[int, ...]]:
        """Positions of the tables that have each short name: what follows a dot of the id."""
        named: dict[str, tuple[int, ...]] = {}
        for position, table in enumerate(self.tables):
            parts = table.id.split(".")
            for start in range(1, len(parts)):
                short = ".".join(parts[start:])
                named[short] = (*named.get(short, ()), position)
        return named

    @cached_property
    def folded_names(self) -> dict[str, tuple[int, ...]]:
        """Positions of the tables that have each id or short name, in whatever letter case."""
        named: dict[str, tuple[int, ...]] = {}
        ids = [(table.id, (position,)) for position, table in enumerate(self.tables)]
        for name, positions in (*ids, *self.short_names.items()):
            named[name.casefold()] = tuple(sorted({*named.get(name.casefold(), ()), *positions}))
        return named

    @cached_property
    def column_names(self) -> tuple[str, ...]:
        """Each column as "db.table.column"."""
        return tuple(map(self.column_name, range(len(self.evidence))))

    def column_name(self, column: int) -> str:
        """A column as "db.table.column"."""
        return f"{self.tables[self.owner[column]].id}.{self.evidence.name[column]}"

    @cached_property
    def column_position(self) -> dict[str, int]:
        """Position of each column name."""
        return {name: position for position, name in enumerate(self.column_names)}

    @cached_property
    def table_columns(self) -> TableColumns:
        """The table and the database of each column."""
        return TableColumns(self.first_column, self.databases)

    @property
    def owner(self) -> IntArray:
        """Table of each column, shape (C,)."""
        return self.table_columns.owner

    @property
    def column_databases(self) -> IntArray:
        """Database of each column, shape (C,)."""
        return self.table_columns.of_databases

    def columns_of(self, tables: IntArray) -> IntArray:
        """Columns of several tables, one table after the other."""
        return self.table_columns.of(tables)

    @cached_property
    def joins(self) -> KnownJoins:
        """What is known of joins, with what the user states; it grows with the questions."""
        return KnownJoins(self.evidence, self.table_columns, self.stated, self.composite_keys, self.stored_joins)


def load_contents(path: Path, *, may_map: bool) -> IndexContents:
    """Everything that rankings need of an index file: mapped, where it was read before, else read, and then mapped.

    Parameters
    ----------
    may_map : bool
        Whether its mapped copy may be read and written (`jar.mapped`); a temporary index has none.

    Raises
    ------
    FileNotFoundError, IndexFormatError
    """
    mapped = MappedContents(path) if may_map else None
    known: IndexContents | None = None if mapped is None else mapped.read()
    if known is not None:
        return known
    import duckdb

    with open_index(path) as connection:
        try:
            contents = read_contents(connection)
        except duckdb.Error as error:
            raise IndexFormatError(
                f"{path} is damaged ({first_line(error)}). It was left untouched; delete it and index again"
            ) from error
    if mapped is not None:
        mapped.write(contents)
    return contents


def read_contents(connection: duckdb.DuckDBPyConnection) -> IndexContents:
    """Read everything that rankings need from an open index."""
    from jar.index.stated import read_verdicts
    from joinability.store.loading import load_evidence
    from joinability.store.sharded_evidence import shards_are_current, with_shards
    from joinability.store.stored_joins import read_in_words, read_joins

    tables, first_column, column_ids = read_tables(connection)
    meta = read_meta(connection)
    texts = [("catalog_tables", "text"), ("catalog_columns", "text"), ("catalog_columns", "schema_text")]
    if has_column(connection, "name_text"):
        texts.append(("catalog_tables", "name_text"))
    loaded = load_evidence(connection, column_ids, read_in_words(connection, meta, column_ids))
    apart = with_primary_keys(loaded, tables)
    evidence = with_shards(apart, connection, column_ids) if shards_are_current(meta) else apart
    stored = read_joins(connection, meta, evidence, column_ids)
    if stored is not None:
        evidence = evidence.knowing(stored.named, stored.may_join)
    of_tables, of_columns, of_schemas, *of_names = read_vectors(connection, int(meta["dimension"]), texts)
    return IndexContents(
        tables=tables,
        first_column=first_column,
        table_vectors=np.asarray(of_tables),
        column_vectors=of_columns,
        schema_vectors=of_schemas,
        evidence=evidence,
        meta=meta,
        failures=tuple(
            (str(source), str(cause))
            for source, cause in connection.execute("SELECT source, cause FROM failures").fetchall()
        ),
        meanings=read_meanings(connection, column_ids, first_column),
        stated=read_verdicts(connection),
        composite_keys=load_composites(connection, column_ids),
        name_vectors=next((np.asarray(names) for names in of_names if len(names) == len(tables)), None),
        values=read_values(connection, column_ids),
        counted_words=read_words(connection, meta.get("texts")),
        stored_joins=stored,
        apart=None if evidence.standing is None else apart,
    )
