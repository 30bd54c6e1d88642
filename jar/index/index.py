"""`Index`: the tables of a catalog with their profiles, overlaps and embeddings, in one file."""

from __future__ import annotations

import shutil
import tempfile
import warnings
import weakref
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import numpy as np

from jar.errors import EmbedderError, JarError, QueryError
from jar.index.contents import IndexContents, load_contents
from jar.index.file import check_is_index, open_as_loaded, path_of_index, replace_index
from jar.index.lookup import full_name, judge, table_positions
from jar.index.settings import Settings
from jar.text.embedding import can_load_by_name, load_embedder
from joinability.attributes import cached_property
from joinability.scores.score import LEAST_SHOWN

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    import pandas as pd

    from jar.index.refresh import Changes
    from jar.index.stated import Kind
    from jar.text.embedding import Embedder
    from jar.values.known_values import ValueStore
    from joinability import Catalog, JoinGraph
    from joinability.equality import Difference


class Index:
    """An index file, opened read-only; its contents are read when first asked for.

    Make one with `Index.build` or `Index.load`.

    Attributes
    ----------
    path : Path
        The DuckDB file.
    changes : Changes or None
        What the build that made this object added, dropped and kept.
    """

    def __init__(self, path: Path, *, embedder: Embedder | None = None, changes: Changes | None = None) -> None:
        self.path = path
        self.changes = changes
        self._embedder = embedder
        self._is_temporary = False

    @classmethod
    def build(
        cls,
        catalog: Catalog,
        *,
        path: str | Path | None = None,
        embedder: Any = None,
        score: str | None = None,
        progress: bool | None = None,
        memory_limit: str = "1GB",
        values: ValueStore | None = None,
        text_values: int | None = None,
        ignore: Collection[Difference] | None = None,
    ) -> Index:
        """Profile, join and embed the tables of a catalog.

        Parameters
        ----------
        catalog : Catalog
            The tables. One that cannot be read is reported in `failures`, the others are indexed.
        path : path, optional
            Where the index shall live; one that is there is refreshed: only what changed is read again, and what
            is not given here stays as it was chosen. By default it lives in a temporary file, until `save`.
        embedder : str, model, path or callable, optional
            "minilm", "distilled", "static", a sentence-transformers model or its path, or
            ``list[str] -> array (n, d)``; by default "minilm" where it is installed, else "distilled".
        score : str, optional
            Join score of rankings and of `joins`: "default" (at first) or "paper".
        progress : bool, optional
            Show progress on standard error; by default only in a terminal.
        memory_limit : str
            Bound on the engine's memory while indexing; it spills to disk beyond.
        values : "off", "hashed" or "plain", optional
            What the index keeps of short texts in the rows, so that a question finds the tables that hold what it
            names: nothing, 64-bit hashes (at first), or the texts.
        text_values : int, optional
            How many sample values of each column are embedded with its name, in plain words; at first 0.
        ignore : collection of "case" and "zeros", optional
            Differences that make none between values: `abc` is `ABC`, `007` is `7`; at first none.

        Raises
        ------
        EmbedderError
            When the embedder is unknown or not installed.
        IndexFormatError, IndexWriteError, IndexBusyError, JarError
            When `path` is a file of another kind, left untouched; when it cannot be written; when somebody else has it
            open; when `catalog`, or another choice, is none.
        """
        from jar.index.build import build_index_file

        file = None if path is None else path_of_index(path)
        settings = Settings.chosen(file, embedder, score, values, text_values, ignore)
        write = partial(build_index_file, catalog, settings=settings, progress=progress, memory_limit=memory_limit)
        if file is None:
            return cls._in_temporary_file(write, settings.embedder)
        return cls(file, embedder=settings.embedder, changes=write(file))

    @classmethod
    def _in_temporary_file(cls, write: Callable[[Path], Changes], embedder: Embedder) -> Index:
        """An index that ends with this process."""
        folder = tempfile.mkdtemp(prefix="jar-index-")
        try:
            file = Path(folder) / "index.jar"
            changes = write(file)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        index = cls(file, embedder=embedder, changes=changes)
        index._is_temporary = True
        weakref.finalize(index, shutil.rmtree, folder, ignore_errors=True)
        return index

    @classmethod
    def load(cls, path: str | Path, *, embedder: Any = None) -> Index:
        """Open an index file, read-only.

        Parameters
        ----------
        path : path
            A file that `save`, `Index.build(path=...)` or ``jar index`` wrote.
        embedder : optional
            The embedder that the index was built with; needed only where it was a callable or a model object.

        Raises
        ------
        FileNotFoundError, IndexFormatError, IndexBusyError
            When there is no such file; when it is no index, is damaged, or of another version: it is left untouched;
            when it is being written for long.
        """
        index = cls(path_of_index(path), embedder=None if embedder is None else load_embedder(embedder))
        index.contents  # noqa: B018 - reads the file, so that a damaged one is found here
        return index

    def save(self, path: str | Path) -> None:
        """Copy the index to `path`, in one step: whoever opens `path` meanwhile sees the old file or the new one.

        Raises
        ------
        IndexFormatError
            When `path` exists and is not an index; it is left untouched.
        """
        target = path_of_index(path)
        if target.exists():
            if target.samefile(self.path):
                return
            check_is_index(target)
        target.parent.mkdir(parents=True, exist_ok=True)
        copy = target.with_name(f".{target.name}-{uuid4().hex}")
        try:
            shutil.copyfile(self.path, copy)
            replace_index(copy, target)
        finally:
            copy.unlink(missing_ok=True)

    @cached_property
    def contents(self) -> IndexContents:
        """Tables, vectors and evidence as arrays."""
        return load_contents(self.path, may_map=not self._is_temporary)

    @cached_property
    def embedder(self) -> Embedder:
        """The embedder of the index, by the name that the file holds.

        Raises
        ------
        EmbedderError
            When it was a callable and none was given to `load`, or when it is not installed.
        """
        name = self.contents.meta["embedder"]
        if self._embedder is None and not can_load_by_name(name):
            raise EmbedderError(f"the index was built with {name!r}: give it again, Index.load(path, embedder=...)")
        return self.check_embedder(self._embedder or load_embedder(name))

    def check_embedder(self, embedder: Embedder) -> Embedder:
        """The same embedder, when its vectors can be compared with those of the index.

        Raises
        ------
        EmbedderError
            When its dimension is another.
        """
        name = self.contents.meta["embedder"]
        dimension, stored = embedder(["dimension"]).shape[1], int(self.contents.meta["dimension"])
        if dimension != stored:
            raise EmbedderError(
                f"the embedder {embedder.name!r} gives {dimension} dimensions, the index was built by {name!r} with "
                f"{stored}; give that one, or build the index again"
            )
        if embedder.name != name and can_load_by_name(name):
            warnings.warn(
                f"the index was built with the embedder {name!r}, its questions are embedded with "
                f"{embedder.name!r}: unless these are one model, the ranking means nothing",
                stacklevel=2,
            )
        return embedder

    @property
    def score(self) -> str:
        """Name of the join score."""
        return self.contents.meta["score"]

    @property
    def failures(self) -> tuple[tuple[str, str], ...]:
        """What could not be indexed: (table or path, cause)."""
        return self.contents.failures

    def tables(self) -> pd.DataFrame:
        """A row for each table: id, database, name, columns, rows, primary_key, description."""
        from jar.index.frames import tables_frame

        return tables_frame(self.contents)

    @cached_property
    def signatures(self) -> tuple[str, ...]:
        """The text ``database.table(column, column)`` of each table as it was embedded, in the order of `tables`."""
        from jar.index.stored_tables import read_signatures

        with open_as_loaded(self.path, self.contents.meta) as connection:
            return read_signatures(connection)

    def joins(self, min_score: float = 0.0, *, table: str | None = None) -> pd.DataFrame:
        """Column pairs that join, best first: left, right, score, declared and the evidence.

        Parameters
        ----------
        min_score : float
            Leave out pairs that score less; pairs that score 0 never appear.
        table : str, optional
            Only pairs of this table; `QueryError` where there is none, `ScoreRangeError` for no score from 0 to 1.
        """
        from jar.index.frames import joins_frame

        return joins_frame(self.contents, self.score, min_score, table)

    def unions(self, min_score: float = 0.6) -> pd.DataFrame:
        """Pairs of tables whose rows belong under each other, best first: the same columns over overlapping domains.

        They play no part in rankings.

        Parameters
        ----------
        min_score : float
            Between 0 and 1; 1 are the same names over the same values.
        """
        from jar.index.frames import unions_frame

        return unions_frame(self.contents, min_score)

    def join_graph(
        self, min_score: float = LEAST_SHOWN, *, unions: bool = False, table: str | Collection[str] | None = None
    ) -> JoinGraph:
        """The tables and the joins between them, with their evidence: neighbours, paths, copies for other tools.

        Parameters
        ----------
        min_score : float
            Leave out joins that score less; with 0 the graph has all of `joins`.
        unions : bool
            Include edges of the kind "union", between tables whose rows belong under each other; no path uses them.
        table : str or collection of str, optional
            Only edges that end at this table, or at one of these: in thousands of tables far less work than all.
        """
        from jar.index.frames import join_graph

        return join_graph(self.contents, self.score, min_score, with_unions=unions, table=table)

    def sample_values(self, tables: Iterable[str], count: int = 3) -> dict[str, tuple[str, ...]]:
        """Values of the columns of some tables, for `Selection.to_sql_context(values=...)`, read from the index file.

        Parameters
        ----------
        tables : list of str
        count : int
            How many of a column: the index has up to five of those of its rows, or of its statistics.

        Returns
        -------
        dict
            By "db.table.column"; a column of which the index has no values is left out.

        Raises
        ------
        QueryError
            When the index has no such table, or the count is no whole number from 1 up.
        IndexChangedError
            When the file was indexed anew since it was loaded, or is gone.
        """
        from jar.index.stored_tables import read_samples

        if isinstance(count, bool) or not isinstance(count, (int, np.integer)) or count < 1:
            raise QueryError(f"count is a number of values, a whole number from 1, not {count!r}")
        ids = [self.contents.tables[position].id for position in table_positions(self.contents, tables)]
        with open_as_loaded(self.path, self.contents.meta) as connection:
            return read_samples(connection, int(count), ids)

    def pin_join(self, left: str, right: str) -> None:
        """State that two columns "db.table.column" join; kept in the index file, through refreshes.

        Raises
        ------
        QueryError, IndexWriteError, IndexBusyError
            When the index has no such column, or both are one; when its file cannot be written.
        """
        self._state("pin", left, right)

    def veto_join(self, left: str, right: str) -> None:
        """State that two columns, or two tables, do not join; kept in the index file, through refreshes.

        Raises
        ------
        QueryError, IndexWriteError, IndexBusyError
            When the index has no such column or table, or both are one; when its file cannot be written.
        """
        self._state("veto", left, right)

    def unpin_join(self, left: str, right: str) -> None:
        """Take back a pin or a veto: what the evidence says counts again.

        Raises
        ------
        QueryError
            When nothing was said of the two.
        """
        from jar.index.stated import forgotten_verdict

        pair = [full_name(self.contents, name) for name in (left, right)]
        with forgotten_verdict(self.path, *pair) as left_over:
            self.contents = replace(self.contents, stated=left_over)

    def verdicts(self) -> pd.DataFrame:
        """A row for each pin and veto: verdict, left, right, in_index (whether the index has both names now)."""
        from jar.index.frames import verdicts_frame

        return verdicts_frame(self.contents, self.contents.stated)

    def spelled_otherwise(self) -> pd.DataFrame:
        """A row for each column with the values of a key in another spelling: column, key, ignore ("case", "zeros")."""
        from jar.index.frames import spelling_frame

        with open_as_loaded(self.path, self.contents.meta) as connection:
            return spelling_frame(self.contents, connection)

    def _state(self, kind: Kind, left: str, right: str) -> None:
        from jar.index.stated import kept_verdict

        with kept_verdict(self.path, judge(self.contents, kind, left, right)) as verdicts:
            self.contents = replace(self.contents, stated=verdicts)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled by its path: who unpickles it opens the file, which has to be there, in the state that it then has.

        Raises
        ------
        JarError
            When the index lives in a temporary file, which ends with this process.
        """
        if self._is_temporary:
            remedy = 'index.save("shop.jar"), then send Index.load("shop.jar")'
            raise JarError(f"this index lives in a temporary file and cannot be sent to another process: {remedy}")
        return _reopened, (self.path.absolute(), self._embedder)

    def __copy__(self, memo: Any = None) -> Index:
        return self

    __deepcopy__ = __copy__

    def __len__(self) -> int:
        return len(self.contents.tables)

    def __repr__(self) -> str:
        embedder = self.contents.meta["embedder"]
        return f"<Index {self.path}: {len(self)} tables, embedder {embedder!r}, score {self.score!r}>"

    def _repr_html_(self) -> str:
        from jar.index.frames import index_html

        return index_html(self.contents, repr(self)[1:-1])


def _reopened(path: Path, embedder: Embedder | None) -> Index:
    """An index that was pickled."""
    return Index.load(path, embedder=embedder)
