"""Names as sets of words and of trigrams: "StudentID", "student_id" and "students.id" say the same."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from scipy.sparse import csr_array

GENERIC = frozenset(["id", "ids", "uid", "uuid", "guid", "key", "pk", "ref", "code", "no", "nr", "num", "number",
                     "index", "idx", "name", "title"])  # fmt: skip
"""Words that name nothing without the name of the table."""

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


def stem(word: str) -> str:
    """Singular of an English noun, as far as its ending tells.

    Examples
    --------
    >>> stem("stories"), stem("students"), stem("class")
    ('story', 'student', 'class')
    """
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def header(column: str, table: str) -> str:
    """Name of a column, without separators; that of its table goes before a generic one.

    Examples
    --------
    >>> header("ID", "students"), header("student_id", "loans")
    ('studentid', 'studentid')
    """
    own = words(column)
    qualified = (*words(table), *own) if GENERIC.issuperset(own) else own
    return "".join(map(stem, qualified))


def trigrams(text: str) -> set[str]:
    """Letter trigrams of a text, its two ends marked.

    Examples
    --------
    >>> sorted(trigrams("id1"))
    ['^id', 'd1$', 'id1']
    """
    marked = f"^{text}$"
    return {marked[start : start + 3] for start in range(len(marked) - 2)} or {marked}


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
    shape = (len(sets), max(1, len(vocabulary)))
    return csr_array((data, np.array(indices, dtype=np.int32), np.array(starts, dtype=np.int32)), shape=shape)
