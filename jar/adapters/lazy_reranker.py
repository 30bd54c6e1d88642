"""A re-ranker that is made when it is first asked for, as an adapter is often made long before."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from jar.errors import QueryError

if TYPE_CHECKING:
    from jar.index.index import Index
    from jar.rerank import Reranker

Source: TypeAlias = "str | Path | Index | Reranker"

_loading: dict[str, threading.Lock] = {}
"""A lock for each path, held while its index is loaded."""

if hasattr(os, "register_at_fork"):  # another thread of the parent may hold one, and is not there to let it go
    os.register_at_fork(after_in_child=_loading.clear)


class LazyReranker:
    """A re-ranker that is made when it is first asked for.

    Parameters
    ----------
    source : path, Index or Reranker
        Of an index file, the index is loaded then.
    follow : bool
        Whether a file that was written since is loaded again.

    Raises
    ------
    QueryError
        When the source is none of these.
    """

    def __init__(self, source: Source, *, follow: bool = False) -> None:
        self.source, self.follow = _checked(source), follow
        self._made: tuple[Any, Reranker] | None = None

    @property
    def reranker(self) -> Reranker:
        """The re-ranker; threads that ask while it is made wait for it.

        Raises `FileNotFoundError` or `IndexFormatError` as `Index.load` does, and `EmbedderError` as `Reranker` does.
        """
        made = self._made
        if made is None or self._state() not in (None, made[0]):
            with _loading.setdefault(str(getattr(self.source, "path", self.source)), threading.Lock()):
                state, made = self._state(), self._made
                if made is None or state not in (None, made[0]):
                    made = self._made = state, self._make()
        return made[1]

    def _make(self) -> Reranker:
        from jar.index.index import Index
        from jar.rerank import Reranker

        source = Index.load(self.source) if isinstance(self.source, (str, Path)) else self.source
        return Reranker(source) if isinstance(source, Index) else source

    def _state(self) -> Any:
        """A mark that changes when the followed file is written or replaced; None if there is none."""
        if not self.follow or not isinstance(self.source, (str, Path)):
            return None
        try:
            status = os.stat(self.source)
        except OSError:
            return None
        return status.st_ino, status.st_mtime_ns, status.st_size

    @property
    def index(self) -> Index:
        """Its index."""
        return self.reranker.index

    @property
    def path(self) -> str:
        """The index file: what an adapter that is saved keeps."""
        return str(self.source if isinstance(self.source, (str, Path)) else self.index.path)


def _checked(source: Source) -> Source:
    if isinstance(source, (str, Path)):
        return source
    from jar.index.index import Index
    from jar.rerank import Reranker

    if not isinstance(source, (Index, Reranker)):
        raise QueryError(
            f"an adapter takes the path of an index file, an Index or a jar.Reranker, not {type(source).__name__}"
        )
    return source
