"""Names as sets of words: "StudentID", "student_id" and "student id" are the same two."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from scipy.sparse import csr_array

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_WORD = re.compile(r"[^\W_]+")


@lru_cache(maxsize=65_536)
def words(name: str) -> tuple[str, ...]:
    """Lower-case words of a name, split at everything but letters and digits, and at camelCase.

    Examples
    --------
    >>> words("StudentID"), words("HTTPRequest_no.2")
    (('student', 'id'), ('http', 'request', 'no', '2'))
    """
    return tuple(_WORD.findall(_CAMEL.sub(" ", name).lower()))


def trigrams(name: str) -> set[str]:
    """Letter trigrams of a name without its separators, with its ends marked.

    Examples
    --------
    >>> sorted(trigrams("Id_1"))
    ['^id', 'd1$', 'id1']
    """
    text = f"^{''.join(words(name))}$"
    return {text[start : start + 3] for start in range(max(1, len(text) - 2))}


def incidence(sets: Sequence[Iterable[str]]) -> csr_array:
    """Binary matrix of sets (rows) and their members (columns, in order of first appearance), as float32."""
    from scipy.sparse import csr_array

    vocabulary: dict[str, int] = {}
    indices: list[int] = []
    starts = [0]
    for members in sets:
        indices += sorted({vocabulary.setdefault(member, len(vocabulary)) for member in members})
        starts.append(len(indices))
    data = np.ones(len(indices), dtype=np.float32)
    return csr_array((data, indices, starts), shape=(len(sets), max(1, len(vocabulary))))
