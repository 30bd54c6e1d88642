"""Many texts in three arrays, so that they are mapped from a file, and made one by one when they are asked for."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    import pyarrow


class TextArray:
    """n texts or nothing.

    Parameters
    ----------
    letters : array of uint8
        All texts in UTF-8, one after the other.
    ends : array (n + 1,)
        Text i is ``letters[ends[i]:ends[i + 1]]``.
    missing : array (n,) of bool
        Where there is none.
    """

    def __init__(
        self, letters: npt.NDArray[np.uint8], ends: npt.NDArray[np.int32], missing: npt.NDArray[np.bool_]
    ) -> None:
        self.letters, self.ends, self.missing = letters, ends, missing

    @classmethod
    def of(cls, texts: pyarrow.StringArray) -> TextArray:
        """The texts of an array of Arrow, whose memory it shares."""
        valid, ends, letters = texts.buffers()
        count, first = len(texts), texts.offset
        missing = np.zeros(count, dtype=np.bool_)
        if valid is not None:
            bits = np.unpackbits(np.frombuffer(valid, dtype=np.uint8), bitorder="little")
            missing = bits[first : first + count] == 0
        if not count:
            return cls(np.zeros(0, dtype=np.uint8), np.zeros(1, dtype=np.int32), missing)
        bounds = np.frombuffer(ends, dtype=np.int32)[first : first + count + 1]
        return cls(np.frombuffer(letters or b"", dtype=np.uint8), bounds, missing)

    def slice(self, first: int, count: int) -> list[str | None]:
        """`count` texts, from one on."""
        bounds = (self.ends[first : first + count + 1] - self.ends[first]).tolist()
        letters = self.letters[self.ends[first] : self.ends[first + count]].tobytes()
        missing = self.missing[first : first + count].tolist()
        return [
            None if nothing else letters[start:end].decode()
            for (start, end), nothing in zip(pairwise(bounds), missing, strict=True)
        ]
