"""What an index is made with, and what a refresh goes on with."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from jar import EmbedderError, Index, JarError
from jar.index.file import open_index, read_meta
from jar.text.embedding import EMBEDDERS, EmbedderEntry, default_embedder
from joinability import Catalog

PLACES = {"city": pd.DataFrame({"id": [1, 2], "label": ["Upper Bavaria", "Tyrol"]})}


def catalog(**more: pd.DataFrame) -> Catalog:
    return Catalog.from_frames({f"geo.{name}": frame for name, frame in {**PLACES, **more}.items()})


def letters(texts: list[str]) -> np.ndarray:
    """A vector for each text: how often each letter occurs."""
    return np.array([[1.0, *(text.count(letter) for letter in "abcdefghij")] for text in texts])


def column_texts(path: Path) -> list[str]:
    with open_index(path) as connection:
        return [row[0] for row in connection.execute("SELECT text FROM catalog_columns ORDER BY column_id").fetchall()]


def test_a_refresh_goes_on_with_what_was_chosen(tmp_path: Path) -> None:
    """Embedder, score, kept values and values in texts stay unless they are given anew."""
    path = tmp_path / "geo.jar"
    Index.build(catalog(), path=path, embedder="static", score="paper", values="plain", text_values=1)
    with open_index(path) as connection:
        chosen = read_meta(connection)
    refreshed = Index.build(catalog(river=pd.DataFrame({"label": ["Inn"]})), path=path)
    assert len(refreshed) == 2
    with open_index(path) as connection:
        kept = read_meta(connection)
    for setting in ("embedder", "score", "values", "text_values"):
        assert kept[setting] == chosen[setting]
    assert Index.build(catalog(), path=path, text_values=0).contents.meta["text_values"] == "0"


def test_nothing_is_read_again_for_the_same_choices(tmp_path: Path) -> None:
    """An index that is current stays as it is, to the time of its writing."""
    path = tmp_path / "geo.jar"
    Index.build(catalog(), path=path, embedder="static", text_values=2)
    before = path.read_bytes()
    assert not Index.build(catalog(), path=path).changes.added
    assert path.read_bytes() == before


def test_sample_values_stand_in_the_texts_of_columns(tmp_path: Path) -> None:
    """Those with letters, as many as asked for; turned off, the texts are as before."""
    path = tmp_path / "geo.jar"
    Index.build(catalog(), path=path, embedder="static")
    assert column_texts(path) == ["city id", "city label"]
    Index.build(catalog(), path=path, text_values=5)
    number, label = column_texts(path)
    assert number == "city id"
    assert sorted(label.removeprefix("city label: ").split(", ")) == ["Tyrol", "Upper Bavaria"]
    Index.build(catalog(), path=path, text_values=0)
    assert column_texts(path) == ["city id", "city label"]


def test_a_callable_has_to_be_given_again(tmp_path: Path) -> None:
    """It has no name by which an index could load it."""
    path = tmp_path / "geo.jar"
    Index.build(catalog(), path=path, embedder=letters)
    with pytest.raises(EmbedderError, match="give it again"):
        Index.build(catalog(), path=path)
    assert len(Index.build(catalog(), path=path, embedder=letters)) == 1


@pytest.mark.parametrize("number", [-1, True, 1.5, "3"])
def test_a_wrong_number_of_values_is_refused(number: object) -> None:
    """Before any work."""
    with pytest.raises(JarError, match="from 0 up"):
        Index.build(catalog(), embedder="static", text_values=number)  # type: ignore[arg-type]


def test_the_embedder_that_is_installed_is_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first of the registry that is there; the first of all, whose error says what to install, where none is."""

    def entry(name: str, package: str) -> EmbedderEntry:
        return EmbedderEntry(name, "", ((package,),), "", lambda: letters)

    def registry(*entries: EmbedderEntry) -> None:
        monkeypatch.setattr("jar.text.embedding.EMBEDDERS", {entry.name: entry for entry in entries})

    assert default_embedder() in EMBEDDERS
    registry(entry("one", "no_such_package"), entry("two", "json"))
    assert default_embedder() == "two"
    registry(entry("one", "no_such_package"), entry("two", "neither_this"))
    assert default_embedder() == "one"


def test_a_memory_limit_that_is_no_size_is_refused_also_where_nothing_changed(tmp_path: Path) -> None:
    """Before anything is read or written."""
    path = tmp_path / "shop.jar"
    for there in (False, True):
        with pytest.raises(JarError, match="the memory limit is a size, such as 500MB or 1GB, not '10XB'"):
            Index.build(catalog(), path=path, embedder=letters, progress=False, memory_limit="10XB")
        assert path.exists() is there
        Index.build(catalog(), path=path, embedder=letters, progress=False)
