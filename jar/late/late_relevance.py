"""`LateRelevance`: tables and columns by late interaction with a question, as relevance of a re-ranker."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from jar.arrays import Array, IntArray, Vectors, units
from jar.errors import QueryError
from jar.index.file import open_as_loaded, open_index
from jar.late.late_head import EMBEDDER, LateHead, shipped_head, tokens_within
from jar.late.max_similarity import parts_of, token_maxima
from jar.progress import progress_bars
from jar.tables.query import check_question
from jar.text.embedding import load_embedder
from jar.text.texts import LONGEST, subquery_text
from jar.tokens.token_store import load_token_vectors, make_token_vectors
from jar.tokens.token_vectors import TextTokens, read_tokens
from joinability.attributes import cached_property

if TYPE_CHECKING:
    from jar.index.index import Index
    from jar.tokens.token_store import StoredTokens

KEPT = 64
"""Questions whose tokens are kept: a ranking asks for tables first and for columns later."""


def add_token_vectors(index: Index, *, progress: bool | None = None) -> None:
    """Make the token vectors of the tables and columns of an index, and keep them in its file, through refreshes.

    An interrupted run loses what it did since the last 512 texts; call it again. The index needs an embedder with
    token vectors: "minilm", or an encoder with ``tokens(texts)`` (`jar.tokens.token_vectors.read_tokens`).

    Raises
    ------
    EmbedderError
        When the embedder of the index has no token vectors.
    IndexBusyError, JarError
        When another process writes the file, or it may not be written.
    """
    read_tokens(index.embedder, ["a text"])
    with open_as_loaded(index.path, index.contents.meta):
        pass
    with progress_bars(progress) as stage, open_index(index.path, write=True) as connection:
        make_token_vectors(connection, index.embedder, stage)


class LateRelevance:
    """Relevance by late interaction (MR-SQL): each token of the question with its best token of a table or column.

    The document of a table is its signature ``database.table(column, column)``, that of a column the words of table and
    column. A table whose signature is longer than the encoder takes has the tokens of all its columns' own texts
    beside those that were read, so that none of its columns is lost.

    Parameters
    ----------
    index : Index
        With token vectors: `add_token_vectors`, or ``jar index --token-vectors``.
    head : LateHead, optional
        The maps of tokens; by default those of the package for the embedder "minilm", and for any other
        `LateHead.untrained`.
    embedder : optional
        Of the questions; by default that of the index.

    Raises
    ------
    QueryError
        When the index has no token vectors, or not all, or the head is for vectors of another dimension.
    EmbedderError
        When the embedder has no token vectors, or does not match the index.
    IndexChangedError
        When the file was indexed anew since it was loaded.
    """

    def __init__(self, index: Index, head: LateHead | None = None, *, embedder: Any = None) -> None:
        self.index = index
        self.embedder = index.embedder if embedder is None else index.check_embedder(load_embedder(embedder))
        dimension = read_tokens(self.embedder, ["a text"])[0].vectors.shape[1]
        if head is None:
            head = shipped_head() if index.contents.meta["embedder"] == EMBEDDER else LateHead.untrained(dimension)
        if head.dimension != dimension:
            raise QueryError(
                f"the maps are for token vectors of {head.dimension} dimensions, the embedder {self.embedder.name!r} "
                f"has {dimension}: give maps that were fitted for it, or LateHead.untrained({dimension})"
            )
        self.head = head
        with open_as_loaded(index.path, index.contents.meta) as connection:
            stored = load_token_vectors(connection, dimension)
        if stored is None:
            raise QueryError(
                f"{index.path} has no token vectors, or not those of all texts: jar.late.add_token_vectors(index), or "
                f"jar index SOURCE... -o {index.path} --token-vectors"
            )
        self._stored: StoredTokens = stored
        self._read = lru_cache(KEPT)(self._tokens)

    def tables(self, question: str) -> Array:
        """S of every table, shape (N,), between -1 and 1; 0 where question or table has no letter and no digit.

        Raises
        ------
        QueryError
            When the question is empty.
        """
        tokens = self._read(check_question(question)).vectors
        side = self.head.tables
        best = token_maxima(side.asked(tokens), *self._documents)
        scores: Array = (side.shares(tokens) @ best).astype(np.float64)
        return scores

    def columns(self, question: str, subqueries: Sequence[str], columns: IntArray) -> Array:
        """S of C columns to each of m sub-queries, shape (m, C), between -1 and 1.

        Only tokens of the sub-query count, each read with the whole question in view; one that does not stand in the
        question is read alone.
        """
        text, columns = check_question(question), np.asarray(columns, dtype=np.int64)
        parts = [self._part(text, subquery) for subquery in subqueries]
        scores = np.zeros((len(parts), len(columns)))
        if not len(columns) or not len(parts):
            return scores
        known, place = np.unique(self._stored.columns[columns], return_inverse=True)
        tokens, first = parts_of(known, self._stored.first)
        side = self.head.columns
        documents = side.told(units(self._stored.vectors[tokens].astype(np.float32)))
        best = token_maxima(side.asked(np.concatenate(parts)), documents, first)
        ends = np.cumsum([len(part) for part in parts])
        for row, (part, maxima) in enumerate(zip(parts, np.split(best, ends[:-1]), strict=True)):
            if len(part):
                scores[row] = (side.shares(part) @ maxima)[place]
        return scores

    def _part(self, question: str, subquery: str) -> Vectors:
        """The tokens of a sub-query."""
        start = question.casefold().find(subquery.casefold()) if len(question.casefold()) == len(question) else -1
        if start >= 0:
            read = self._read(question)
            inside = tokens_within(read.spans, start, start + len(subquery))
            if len(inside):
                return read.vectors[inside]
        return self._read(subquery_text(subquery)).vectors

    def _tokens(self, text: str) -> TextTokens:
        return read_tokens(self.embedder, [text])[0]

    @cached_property
    def _documents(self) -> tuple[Vectors, IntArray]:
        """The mapped tokens of the tables' documents, and where each begins."""
        stored, contents = self._stored, self.index.contents
        texts: list[IntArray] = []
        counts = []
        for table, text in enumerate(stored.tables.tolist()):
            cut = np.array([table] if self._is_cut(table) else [], dtype=np.int64)
            texts.append(np.concatenate([[text], stored.columns[contents.columns_of(cut)]]).astype(np.int64))
            counts.append(len(texts[-1]))
        tokens, first = parts_of(np.concatenate([np.zeros(0, dtype=np.int64), *texts]), stored.first)
        ends = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        return self.head.tables.told(units(stored.vectors[tokens].astype(np.float32))), first[ends]

    def _is_cut(self, table: int) -> bool:
        """Whether the signature of a table was not read to its end."""
        return not self._stored.whole[self._stored.tables[table]] or len(self.index.signatures[table]) >= LONGEST

    def __repr__(self) -> str:
        return f"LateRelevance({self.index!r}, {'trained' if self.head.card else 'untrained'})"
