"""What an index is made with; a refresh goes on with the choices of the index that is there."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from jar.errors import EmbedderError, JarError
from jar.index.file import open_index, read_meta
from jar.text.embedding import can_load_by_name, default_embedder, load_embedder
from jar.text.texts import VERSION as TEXTS_VERSION
from jar.values.known_values import checked_store
from joinability.equality import Equality

if TYPE_CHECKING:
    from jar.text.embedding import Embedder
    from jar.values.known_values import ValueStore


@dataclass(frozen=True)
class Settings:
    """Choices of whoever builds an index.

    Attributes
    ----------
    embedder : Embedder
    score : str
        Join score of rankings and of `Index.joins`.
    values : "off", "hashed" or "plain"
        What is kept of short texts in the rows.
    text_values : int
        How many sample values of a column stand in the text that is embedded for it.
    equality : Equality
        Which differences between values count.
    """

    embedder: Embedder
    score: str
    values: ValueStore
    text_values: int
    equality: Equality

    @classmethod
    def chosen(
        cls,
        path: Path | None,
        embedder: Any = None,
        score: str | None = None,
        values: ValueStore | None = None,
        text_values: int | None = None,
        ignore: Collection[str] | None = None,
    ) -> Settings:
        """Those given; for None those of the index at `path`, or the defaults where there is none.

        Raises
        ------
        EmbedderError
            When the embedder is unknown or not installed, or is a callable that the index can not load again.
        IndexFormatError
            When `path` is a file of another kind.
        JarError
            When another choice is none.
        """
        from joinability import score_named

        stored: dict[str, str] = {}
        if path is not None and path.exists():
            with open_index(path) as connection:
                stored = read_meta(connection)
        score = score or stored.get("score", "default")
        score_named(score)
        kept = checked_store(values or cast("ValueStore", stored.get("values", "hashed")))
        number = int(stored.get("text_values", 0)) if text_values is None else text_values
        if isinstance(number, bool) or not isinstance(number, int) or number < 0:
            raise JarError(f"text_values is a number of values from 0 up, not {number!r}")
        equality = _equality(stored.get("ignore", "").split() if ignore is None else ignore)
        if embedder is None:
            embedder = _stored_embedder(path, stored.get("embedder"))
        return cls(load_embedder(embedder), score, kept, number, equality)

    def meta(self) -> dict[str, str]:
        """What the index file notes of them, without the embedder, which is noted with its vectors."""
        notes = {"score": self.score, "values": self.values, "text_values": str(self.text_values)}
        return {**notes, "ignore": " ".join(self.equality.ignored), "texts": str(TEXTS_VERSION)}

    def are_stored(self, meta: dict[str, str]) -> bool:
        """Whether a complete index has been made with them; two callables may share a name and not their vectors."""
        noted = {"text_values": "0", "ignore": "", **meta}
        same = ({**self.meta(), "embedder": self.embedder.name, "complete": "yes"}).items() <= noted.items()
        return same and can_load_by_name(self.embedder.name)


def _equality(differences: Collection[str]) -> Equality:
    try:
        return Equality.ignoring(differences)
    except ValueError as error:
        raise JarError(str(error)) from None


def _stored_embedder(path: Path | None, name: str | None) -> str:
    if name is None:
        return default_embedder()
    if not can_load_by_name(name):
        raise EmbedderError(
            f"{path} was made with the embedder {name!r}, which can not be loaded by name: give it again"
        )
    return name
