"""The network of all-MiniLM-L6-v2 as an ONNX graph in the operators that onnxruntime computes fastest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from jar.minilm.onnx_file import CONTRIBUTED, GraphWriter
from jar.minilm.weights import WIDTH, Dense, Layer, Norm, Weights

HEADS = 12
EPSILON = 1e-12
"""Added to the variance of a token."""

INPUTS: dict[str, tuple[type[np.generic], tuple[str | int, ...]]] = {
    "embedded": (np.float32, ("tokens", WIDTH)),
    "shape": (np.int64, (3,)),
    "mask": (np.int32, ("rows", "length", "length")),
}


@dataclass(frozen=True)
class Network:
    """An ONNX file, and the constants that lie outside of it by name."""

    file: bytes
    outside: Mapping[str, npt.NDArray[Any]]


def float_network(weights: Weights) -> Network:
    """A network that computes in float32 what sentence-transformers computes, but for the order of its sums.

    Its inputs are ``embedded``, float32 (tokens, 384), the sum of word and position of each token; ``shape``, int64
    (3,), the numbers of rows and of tokens in a row, and 384; ``mask``, int32 (rows, length, length), 1 where a token
    reads another one of its row. Its output is (tokens, 384).
    """
    graph = GraphWriter()
    flat = graph.constant(np.array([-1, WIDTH]))
    tokens = _norm(graph, "embedded", weights.norm)
    for layer in weights.layers:
        tokens = _layer(graph, tokens, layer, flat)
    return Network(graph.file(INPUTS, [tokens]), graph.outside)


def _layer(graph: GraphWriter, tokens: str, layer: Layer, flat: str) -> str:
    weight, bias = graph.constant(layer.attention.weight), graph.constant(layer.attention.bias)
    rows = graph.node("Reshape", tokens, "shape")
    read = graph.node("Attention", rows, weight, bias, "mask", domain=CONTRIBUTED, num_heads=HEADS)
    output = _dense(graph, graph.node("Reshape", read, flat), layer.output)
    tokens = _norm(graph, graph.node("Add", tokens, output), layer.attention_norm)
    # Gelu behind a sum takes half the time of the operator that fuses both.
    wide = graph.node("Gelu", _dense(graph, tokens, layer.widen), domain=CONTRIBUTED)
    return _norm(graph, graph.node("Add", tokens, _dense(graph, wide, layer.narrow)), layer.norm)


def _dense(graph: GraphWriter, tokens: str, dense: Dense) -> str:
    turned = not dense.weight.flags.c_contiguous
    weight = graph.constant(dense.weight.T if turned else dense.weight)
    return graph.node("Gemm", tokens, weight, graph.constant(dense.bias), transB=int(turned))


def _norm(graph: GraphWriter, tokens: str, norm: Norm) -> str:
    scale, shift = graph.constant(norm.scale), graph.constant(norm.shift)
    return graph.node("LayerNormalization", tokens, scale, shift, axis=-1, epsilon=EPSILON)
