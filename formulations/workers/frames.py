"""What crosses the pipe between a host and its worker: JSON fields and numpy arrays, with their lengths in front.

A frame is 8 bytes with the length of the header, the header (JSON: the fields, and name, type and shape of each
array), and the bytes of the arrays. Nothing in it is ever executed.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

AnyArray = npt.NDArray[Any]
DTYPES = ("<f8", "<i8", "|b1")
"""The types of arrays that a frame may hold."""

LENGTH_BYTES = 8


class Frame(NamedTuple):
    """A message: JSON fields, and arrays by name."""

    fields: Mapping[str, Any]
    arrays: Mapping[str, AnyArray] = {}


class Stream(Protocol):
    """An unbuffered binary stream; both calls may transfer less than was asked for."""

    def read(self, size: int, /) -> bytes | None:
        """Read up to `size` bytes; none at the end."""
        ...

    def write(self, data: memoryview, /) -> int | None:
        """Write some of the data; return how much."""
        ...


def write_frame(stream: Stream, frame: Frame) -> None:
    """Write a frame; `OSError` where the other side is gone."""
    arrays = {name: np.ascontiguousarray(array) for name, array in frame.arrays.items()}
    table = [[name, array.dtype.str, array.shape] for name, array in arrays.items()]
    header = json.dumps({"fields": dict(frame.fields), "arrays": table}).encode()
    body = b"".join([array.tobytes() for array in arrays.values()])
    data = memoryview(len(header).to_bytes(LENGTH_BYTES, "big") + header + body)
    while data:
        data = data[stream.write(data) or 0 :]


def read_frame(stream: Stream) -> Frame:
    """Read a frame.

    Raises
    ------
    EOFError
        When the other side closed the stream, or died.
    ValueError
        When the bytes are no frame.
    """
    length = int.from_bytes(_read_exactly(stream, LENGTH_BYTES), "big")
    header = json.loads(_read_exactly(stream, length))
    arrays = {}
    for name, dtype, shape in header["arrays"]:
        if dtype not in DTYPES:
            raise ValueError(f"array {name!r} has the type {dtype!r}, which a frame may not hold")
        size = math.prod(shape) * np.dtype(dtype).itemsize
        arrays[name] = np.frombuffer(_read_exactly(stream, size), dtype).reshape(shape)
    return Frame(header["fields"], arrays)


def _read_exactly(stream: Stream, size: int) -> bytes:
    parts = []
    while size > 0:
        part = stream.read(min(size, 1 << 20))
        if not part:
            raise EOFError("the stream ended")
        parts.append(part)
        size -= len(part)
    return b"".join(parts)
