"""Vectors of texts, and of parts of texts, by all-MiniLM-L6-v2 with onnxruntime."""

from __future__ import annotations

import gzip
import os
import re
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np

from jar.arrays import IntArray, Vectors
from jar.minilm.network import Network, float_network
from jar.minilm.packing import SHORTEST_ROW, Row, pack
from jar.minilm.weights import WIDTH, Weights

LONGEST = 256
"""Tokens of a text that are read, as by sentence-transformers; the rest is cut off."""

BATCH_TOKENS = 512
"""Tokens of one run of the network: they and their intermediate results fit into the caches of a core."""

FEW_TOKENS, THREADS_OF_FEW = 128, 2
"""So few tokens, as a question has, are read in one run, whose matrix products so many threads share at most. A
question takes two thirds of the time that it takes one thread, and no longer than that on busy cores. More tokens are
read faster in a run for each core."""

TELEMETRY_OFF = "ORT_DISABLE_TELEMETRY"
"""Set in the environment, it keeps onnxruntime from writing down what machine this is, and telling its maker."""

_SURROGATE = re.compile("[\ud800-\udfff]")

Keep = Callable[[int, Vectors], Vectors]
"""What is kept of a text: from its place and its tokens (n, 384) to one vector, or to several."""


class MiniLM:
    """The encoder; it may be called by several threads at once.

    Parameters
    ----------
    read : callable
        Reads the weights: at once, and again for the second network of a process, if it needs one.
    """

    batch = 1024
    """Texts of a call that suit it best: enough to fill rows and to give every core a share."""

    def __init__(self, read: Callable[[], Weights]) -> None:
        weights = read()
        self._words, self._word_scales, self._positions = weights.words, weights.word_scales, weights.positions
        self._tokenizer = _tokenizer()
        self._read_weights = read
        self._unused: Weights | None = weights
        self._sessions: dict[tuple[int, int], Any] = {}

    def __call__(self, texts: Sequence[str]) -> Vectors:
        """Vectors of texts, (n, 384), the mean over their tokens, not normalised; equal texts are read once."""
        known = list(dict.fromkeys(texts))
        read = self._tokenizer.encode_batch_fast([_SURROGATE.sub("\ufffd", text) for text in known])
        vectors = dict(zip(known, self._read([text.ids for text in read], _mean), strict=True))
        return _rows([vectors[text] for text in texts])

    def in_text(self, texts: Sequence[str], spans: Sequence[tuple[int, int]]) -> Vectors:
        """Vectors of parts of texts, (n, 384): the mean over a part's own tokens, read with the whole text in view.

        A part that has no token, or whose last ones are cut off, is read alone.

        Parameters
        ----------
        texts : n texts
        spans : n pairs (start, end) of characters
        """
        return self.with_parts([], list(zip(texts, spans, strict=True)))[1]

    def with_parts(self, texts: Sequence[str], parts: Sequence[tuple[str, tuple[int, int]]]) -> tuple[Vectors, Vectors]:
        """Vectors of texts as of a call, (n, 384), and of parts of texts as by `in_text`, (m, 384): a text is read once
        for both.

        Parameters
        ----------
        texts : n texts
        parts : m pairs
            Of a text, and where the part starts and ends in it.
        """
        known = {text: place for place, text in enumerate(dict.fromkeys([*texts, *(text for text, _ in parts)]))}
        read = self._tokenizer.encode_batch([_SURROGATE.sub("\ufffd", text) for text in known])
        asked: list[list[int]] = [[] for _ in known]
        for place, (text, _) in enumerate(parts):
            asked[known[text]].append(place)
        vectors: dict[int, Vectors] = {}

        def keep(text: int, tokens: Vectors) -> Vectors:
            if asked[text]:
                first, last = np.array(read[text].offsets).T
                for place in asked[text]:
                    start, end = parts[place][1]
                    inside = (last > start) & (first < end) & (last > first)
                    if inside.any() and last.max() >= end:
                        vectors[place] = tokens[inside].mean(axis=0)
            return _mean(text, tokens)

        wholes = self._read([text.ids for text in read], keep)
        alone = [place for place in range(len(parts)) if place not in vectors]
        vectors.update(zip(alone, self([parts[place][0][slice(*parts[place][1])] for place in alone]), strict=True))
        return _rows([wholes[known[text]] for text in texts]), _rows([vectors[place] for place in range(len(parts))])

    def tokens(self, texts: Sequence[str]) -> list[tuple[Vectors, IntArray, bool]]:
        """Of each text the vectors of its tokens (n, 384), each as it is read in the whole text, not normalised; the
        characters (n, 2) that each token stands for, (0, 0) for special ones; and whether the text was read to its end.
        """
        read = self._tokenizer.encode_batch([_SURROGATE.sub("\ufffd", text) for text in texts])
        vectors = self._read([text.ids for text in read], lambda _, tokens: tokens.copy())
        return [
            (tokens, np.array(text.offsets, dtype=np.int64).reshape(-1, 2), not text.overflowing)
            for tokens, text in zip(vectors, read, strict=True)
        ]

    def _read(self, ids: Sequence[Sequence[int]], keep: Keep) -> list[Vectors]:
        """What `keep` makes of the tokens of each text, batches on all cores."""
        lengths, cores = [len(text) for text in ids], _cores()
        share = BATCH_TOKENS if sum(lengths) <= FEW_TOKENS else max(SHORTEST_ROW, -(-sum(lengths) // cores))
        batches = list(pack(lengths, min(BATCH_TOKENS, share)))
        if len(batches) < 2:
            results = [self._run(self._session(min(cores, THREADS_OF_FEW)), ids, keep, batch) for batch in batches]
        else:
            run = partial(self._run, self._session(1), ids, keep)
            with ThreadPoolExecutor(cores) as pool:
                results = list(pool.map(run, batches))
        kept = {text: vector for batch in results for text, vector in batch}
        return [kept[text] for text in range(len(ids))]

    def _session(self, threads: int) -> Any:
        """The network ready to run with so many threads. A process that was forked makes its own: threads are not
        forked."""
        key = os.getpid(), threads
        if key not in self._sessions:
            weights = self._unused or self._read_weights()
            self._unused = None  # a network has a copy of its weights
            self._sessions[key] = _session(float_network(weights), threads)
        return self._sessions[key]

    def _run(
        self, session: Any, ids: Sequence[Sequence[int]], keep: Keep, rows: Sequence[Row]
    ) -> list[tuple[int, Vectors]]:
        length = max(sum(len(ids[text]) for text in row.texts) for row in rows)
        words = np.zeros((len(rows), length), dtype=np.int64)
        places = np.zeros_like(words)
        owners = np.full_like(words, -1)
        spans: list[tuple[int, int, slice]] = []
        for number, row in enumerate(rows):
            start = 0
            for text in row.texts:
                span = slice(start, start + len(ids[text]))
                words[number, span], owners[number, span] = ids[text], text
                places[number, span] = np.arange(len(ids[text]))
                spans.append((text, number, span))
                start = span.stop
        embedded = self._words[words] * self._word_scales[words] + self._positions[places]
        mask = (owners[:, :, None] == owners[:, None, :]).astype(np.int32)
        shape = np.array([*words.shape, WIDTH])
        (tokens,) = session.run(None, {"embedded": embedded.reshape(-1, WIDTH), "shape": shape, "mask": mask})
        tokens = tokens.reshape(shape)
        return [(text, keep(text, tokens[number, span])) for text, number, span in spans]


def _mean(text: int, tokens: Vectors) -> Vectors:
    mean: Vectors = tokens.mean(axis=0)
    return mean


def _rows(vectors: Sequence[Vectors]) -> Vectors:
    return np.stack(vectors) if vectors else np.zeros((0, WIDTH), dtype=np.float32)


def _cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _session(network: Network, threads: int) -> Any:
    os.environ.setdefault(TELEMETRY_OFF, "1")  # it has to be there before onnxruntime is loaded
    from onnxruntime import GraphOptimizationLevel, InferenceSession, OrtValue, SessionOptions

    options = SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
    # A thread that waits for another one sleeps: while it spins, it takes the core that the other one waits for.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    # The graph is as fast as it gets: looking for more takes longer than reading a question.
    options.graph_optimization_level = GraphOptimizationLevel.ORT_DISABLE_ALL
    options.enable_mem_pattern = False  # shapes differ from batch to batch
    options.log_severity_level = 3
    outside = {name: OrtValue.ortvalue_from_numpy(tensor) for name, tensor in network.outside.items()}
    options.add_external_initializers(list(outside), list(outside.values()))
    return InferenceSession(network.file, options, providers=["CPUExecutionProvider"])


def _tokenizer() -> Any:
    """The tokenizer of BERT without case, as sentence-transformers sets it up for this model."""
    from tokenizers import Tokenizer
    from tokenizers.models import WordPiece
    from tokenizers.normalizers import BertNormalizer
    from tokenizers.pre_tokenizers import BertPreTokenizer
    from tokenizers.processors import TemplateProcessing

    packed = Path(__file__).with_name("wordpieces.txt.gz").read_bytes()
    numbers = dict(zip(gzip.decompress(packed).decode().split("\n")[:-1], count(), strict=False))
    tokenizer = Tokenizer(WordPiece(numbers, unk_token="[UNK]"))  # noqa: S106
    tokenizer.normalizer = BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = BertPreTokenizer()
    special = [(piece, numbers[piece]) for piece in ("[CLS]", "[SEP]")]
    tokenizer.post_processor = TemplateProcessing("[CLS] $A [SEP]", None, special)
    tokenizer.add_special_tokens(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"])
    tokenizer.enable_truncation(LONGEST)
    return tokenizer
