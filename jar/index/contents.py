"""What an index holds, read once into arrays that a ranking slices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from jar.arrays import IntArray, Vectors
from jar.index.file import read_meta
from jar.index.known_values import NO_VALUES, KnownValues, Mention, folded_words, read_values
from jar.index.stored_tables import SHARDS, database_numbers, read_tables, with_primary_keys
from jar.index.table_words import read_words
from jar.index.text_vectors import TextVectors, read_vectors
from jar.text.areas import table_areas
from jar.text.editions import Editions
from jar.text.lexical import CountedWords, WordIndex, name_parts
from jar.text.sharded import Families
from jar.text.twins import Twins
from jar.text.variants import Variants
from joinability import References, composite_joins, load_composites
from joinability.attributes import cached_property
from joinability.names import name_words
from joinability.scores.remembered import RememberedScores
from joinability.scores.rivals import SMALL

if TYPE_CHECKING:
    import duckdb

    from jar.index.stated import Verdict
    from joinability import CompositeJoin, CompositeKey, JoinEvidence, Table, Verdicts
    from joinability.scores.known_scores import KnownScores
    from joinability.scores.score import JoinScore
    from joinability.scores.verdicts import AnyScore
    from joinability.store.stored_joins import StoredJoins


@dataclass(frozen=True)
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
        """Vectors of tables that mix those of signatures and of names, by the weight of names, as far as made."""
        return {}

    @cached_property
    def words(self) -> WordIndex:
        """The words in the names of the tables."""
        return WordIndex.of(self.tables) if self.counted_words is None else WordIndex(self.counted_words)

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
        """Folded words of the names of tables and columns; none where there are no values to tell them from."""
        if not len(self.values):
            return frozenset()
        names = {table.name for table in self.tables} | set(self.evidence.name)
        words = set(chain.from_iterable(map(name_words, names)))
        return frozenset(chain.from_iterable(map(folded_words, words)))

    @cached_property
    def databases(self) -> IntArray:
        """Database of each table as a number from 0 up, in order of appearance, shape (n,)."""
        return database_numbers(self.tables)

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
    def stated_pairs(self) -> frozenset[frozenset[int]]:
        """The pairs of tables between which a join is declared or pinned."""
        stated = np.stack(self.evidence.declared.nonzero(), axis=1).astype(np.int64)
        if self.verdicts is not None:
            stated = np.concatenate([stated, self.verdicts.pinned])
        return frozenset(map(frozenset, self.owner[stated].tolist()))

    @cached_property
    def may_join(self) -> npt.NDArray[np.bool_]:
        """The columns that may join others by the evidence, a key, a name or the user's word, shape (C,)."""
        possible = self.evidence.traits.may_join.copy()
        possible[np.diff(self.evidence.named.either.indptr) > 0] = True
        for side in self.evidence.declared.nonzero():
            possible[side] = True
        for key in self.composite_keys:
            possible[[*key.child, *key.parent]] = True
        if self.verdicts is not None:
            possible[self.verdicts.pinned.ravel()] = True
        return possible

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
            missing = self.columns_of(self.company(np.unique(self.owner[missing])))
            missing = missing[~known[missing]]
            references = references.with_more(References.of(self.evidence, self.judged(score), missing))
            known = known.copy()  # another thread may read the old one with the references that belong to it
            known[missing] = True
            self._references[score] = known, references
        return references

    @cached_property
    def _references(self) -> dict[JoinScore, tuple[npt.NDArray[np.bool_], References]]:
        return {}

    def judged(self, score: JoinScore) -> AnyScore:
        """A score with pins and vetoes, looked up where it is stored."""
        judged = score if self.verdicts is None else self.verdicts.applied(score)
        stored = self._stored_scores(score)
        return judged if stored is None else stored.applied(judged)

    def _stored_scores(self, score: JoinScore) -> KnownScores | None:
        """The stored scores, where they are those of this one, of databases of which nothing is stated."""
        return self._untouched_scores if score.name == "default" and score.trust_declared is not False else None

    @cached_property
    def _untouched_scores(self) -> KnownScores | None:
        return self.stored_joins and self.stored_joins.scores.untouched_by(self.evidence, self.verdicts)

    def remembered(self, score: JoinScore) -> RememberedScores:
        """What is known of the joins of tables by a score that reads no texts; it grows with the questions."""
        if score not in self._remembered:
            self._remembered[score] = RememberedScores(
                self.evidence, score, self.verdicts, self.may_join, self.owner, self._stored_scores(score)
            )
        return self._remembered[score]

    @cached_property
    def _remembered(self) -> dict[JoinScore, RememberedScores]:
        return {}

    def joined_tables(self, score: JoinScore) -> dict[int, dict[int, float]]:
        """The tables that a table joins well, with their joinability, as far as they were looked for."""
        return self._joined_tables.setdefault(score, {})

    @cached_property
    def _joined_tables(self) -> dict[JoinScore, dict[int, dict[int, float]]]:
        return {}

    @cached_property
    def described(self) -> dict[tuple[int, int], dict[str, Any]]:
        """The evidence on pairs of columns by the names that users read, as far as it was told."""
        return {}

    def company(self, tables: IntArray) -> IntArray:
        """Some tables, and all others of their databases where these are small: what is learnt of one is soon asked of
        the others."""
        asked = np.zeros(len(self._sizes), dtype=np.bool_)
        asked[self.databases[tables]] = True
        asked &= self._sizes <= SMALL
        together = asked[self.databases]
        together[tables] = True
        return np.flatnonzero(together)

    @cached_property
    def _sizes(self) -> IntArray:
        """Columns of each database."""
        return np.bincount(self.databases, weights=np.diff(self.first_column)).astype(np.int64)

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
    from joinability.store.sharded_evidence import with_shards
    from joinability.store.store import EvidenceStore
    from joinability.store.stored_joins import read_joins

    tables, first_column, column_ids = read_tables(connection)
    meta = read_meta(connection)
    texts = [("catalog_tables", "text"), ("catalog_columns", "text"), ("catalog_columns", "schema_text")]
    if _has_name_texts(connection):
        texts.append(("catalog_tables", "name_text"))
    apart = with_primary_keys(EvidenceStore(connection).load(column_ids), tables)
    evidence = with_shards(apart, connection, column_ids) if meta.get(SHARDS) == meta.get("build", "") else apart
    stored = read_joins(connection, meta, evidence, column_ids)
    if stored is not None:
        evidence = evidence.knowing(stored.named)
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
        stated=read_verdicts(connection),
        composite_keys=load_composites(connection, column_ids),
        name_vectors=next((np.asarray(names) for names in of_names if len(names) == len(tables)), None),
        values=read_values(connection, column_ids),
        counted_words=read_words(connection, meta.get("texts")),
        stored_joins=stored,
        apart=None if evidence.standing is None else apart,
    )


def _has_name_texts(connection: duckdb.DuckDBPyConnection) -> bool:
    """Whether the file is of a version that embeds the names of tables."""
    described = connection.execute("SELECT * FROM catalog_tables LIMIT 0").description or []
    return "name_text" in [column[0] for column in described]
