"""ONNX files without the package `onnx`: the few messages of the format that this network needs.

An ONNX file is a protobuf message (https://github.com/onnx/onnx/blob/main/onnx/onnx.proto): fields with a number and a
wire type, where 0 is a variable-length integer, 2 bytes behind their length, 5 four bytes.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from jar.errors import EmbedderError

IR_VERSION = 10
OPERATORS = 18
"""Version of the standard operators."""
CONTRIBUTED = "com.microsoft"
"""Domain of onnxruntime's own operators."""
INSIDE = 1 << 16
"""Bytes up to which a constant is written into the file."""

_KINDS = {1: np.float32, 2: np.uint8, 3: np.int8, 6: np.int32, 7: np.int64}
"""Numbers of the element types."""


class GraphWriter:
    """A graph that grows node by node; names of tensors are made here."""

    def __init__(self) -> None:
        self._nodes: list[bytes] = []
        self._constants: list[bytes] = []
        self.outside: dict[str, npt.NDArray[Any]] = {}

    def constant(self, values: npt.ArrayLike) -> str:
        """Name of a constant tensor; its element type is one of float32, uint8, int8, int32, int64.

        Large ones do not become part of the file, but of `outside`: a copy of them takes longer than all the rest.
        """
        array = np.asarray(values)
        name = f"constant{len(self._constants)}"
        message = b"".join(_integer(1, size) for size in array.shape) + _integer(2, _kind(array.dtype)) + _text(8, name)
        if array.nbytes > INSIDE:
            self.outside[name] = np.ascontiguousarray(array)
            message += _bytes(13, _text(1, "location") + _text(2, "outside")) + _integer(14, 1)
        else:
            message += _bytes(9, array.astype(array.dtype.newbyteorder("<"), copy=False).tobytes())
        self._constants.append(_bytes(5, message))
        return name

    def node(self, operator: str, *inputs: str, domain: str = "", **attributes: float) -> str:
        """Name of the only output of a node; an input "" is left out."""
        name = f"node{len(self._nodes)}"
        message = b"".join(_text(1, tensor) for tensor in inputs) + _text(2, name) + _text(4, operator)
        for key, value in attributes.items():
            content = (
                _integer(3, value) + _integer(20, 2) if isinstance(value, int) else _float(2, value) + _integer(20, 1)
            )
            message += _bytes(5, _text(1, key) + content)
        self._nodes.append(_bytes(1, message + _text(7, domain)))
        return name

    def file(self, inputs: Mapping[str, tuple[type[np.generic], Sequence[str | int]]], outputs: Sequence[str]) -> bytes:
        """The bytes of the whole file.

        Parameters
        ----------
        inputs : element type and shape of each input by its name, where a text is a size that is known at run time
        outputs : names of float32 tensors
        """
        entries = [_bytes(11, _value(name, kind, shape)) for name, (kind, shape) in inputs.items()]
        results = [_bytes(12, _value(name, np.float32, ())) for name in outputs]
        graph = _bytes(7, b"".join([*self._nodes, _text(2, "graph"), *self._constants, *entries, *results]))
        versions = [_text(1, "") + _integer(2, OPERATORS), _text(1, CONTRIBUTED) + _integer(2, 1)]
        return _integer(1, IR_VERSION) + graph + b"".join(_bytes(8, version) for version in versions)


def read_constants(content: bytes) -> dict[str, npt.NDArray[Any]]:
    """The constant tensors of a file by name, those that lie in it as raw bytes of a type that `GraphWriter` knows.

    Raises
    ------
    EmbedderError
        When the bytes are no ONNX file.
    """
    constants: dict[str, npt.NDArray[Any]] = {}
    try:
        for number, graph in _fields(memoryview(content)):
            for inside, tensor in _fields(graph) if number == 7 else ():
                if inside == 5:
                    fields = list(_fields(tensor))
                    shape = [size for field, value in fields if field == 1 for size in _integers(value)]
                    by_number = dict(fields)
                    if by_number.get(2) in _KINDS and 9 in by_number:
                        kind = np.dtype(_KINDS[by_number[2]]).newbyteorder("<")
                        constants[bytes(by_number[8]).decode()] = np.frombuffer(by_number[9], dtype=kind).reshape(shape)
    except (IndexError, KeyError, TypeError, ValueError) as error:
        raise EmbedderError(f"the weights of MiniLM are no ONNX file ({error}); install their package again") from error
    return constants


def _kind(dtype: np.dtype[Any]) -> int:
    return next(number for number, kind in _KINDS.items() if np.dtype(kind) == dtype)


def _value(name: str, kind: type[np.generic], shape: Sequence[str | int]) -> bytes:
    """Name, element type and shape of an input; an output leaves its shape to the network."""
    sizes = [_bytes(1, _text(2, size) if isinstance(size, str) else _integer(1, size)) for size in shape]
    tensor = _integer(1, _kind(np.dtype(kind))) + (_bytes(2, b"".join(sizes)) if sizes else b"")
    return _text(1, name) + _bytes(2, _bytes(1, tensor))


def _varint(value: int) -> bytes:
    value &= (1 << 64) - 1
    parts = bytearray()
    while value > 127:
        parts.append(value & 127 | 128)
        value >>= 7
    return bytes([*parts, value])


def _integer(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def _float(field: int, value: float) -> bytes:
    return _varint(field << 3 | 5) + struct.pack("<f", value)


def _bytes(field: int, content: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(content)) + content


def _text(field: int, content: str) -> bytes:
    return _bytes(field, content.encode())


def _fields(message: memoryview) -> Iterator[tuple[int, Any]]:
    """Number and value of each field: an integer, or the bytes of a text, a message, a fixed-width number."""
    place = 0
    while place < len(message):
        key, place = _read_varint(message, place)
        value: Any
        if key & 7 == 0:
            value, place = _read_varint(message, place)
        else:
            if key & 7 == 2:
                size, place = _read_varint(message, place)
            elif key & 7 in (1, 5):
                size = 8 if key & 7 == 1 else 4
            else:
                raise ValueError(f"wire type {key & 7}")
            value, place = message[place : place + size], place + size
            if place > len(message):
                raise ValueError("it ends too early")
        yield key >> 3, value


def _integers(value: int | memoryview) -> Iterator[int]:
    """The numbers of a repeated integer field, which may be packed."""
    if isinstance(value, int):
        yield value
        return
    place = 0
    while place < len(value):
        number, place = _read_varint(value, place)
        yield number


def _read_varint(message: memoryview, place: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = message[place]
        place += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, place
        shift += 7
