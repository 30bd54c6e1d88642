"""What of a question says which SQL it needs: runs of words that mean the same over every database."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

import numpy as np

from joinability.sparse.sparse_rows import SparseRows

__all__ = [
    "QUESTION_RUN",
    "SKELETON_RUN",
    "delexicalised",
    "runs",
    "skeleton_words",
    "term_matrix",
    "term_rows",
    "words",
]

START, END = "^", "$"
OTHER, QUOTED, NUMBER = "_", "<text>", "<number>"
"""What stands for words of one database alone, for texts in quotes, for numbers."""
QUESTION_RUN, SKELETON_RUN = 2, 3
"""Words of a run of a question and of a skeleton at most."""

_WORD = re.compile(r"(?P<text>\"[^\"]*\"|(?<!\w)'[^']*'(?!\w))|(?P<number>\d+)|[^\W\d_]+|[^\w\s]")
_SKELETON = re.compile(r"\w+|<>|>=|<=|!=|[^\w\s']")


def words(question: str) -> list[str]:
    """The words and signs of a question in lower case; texts in quotes and numbers are one word each."""
    return [
        QUOTED if match["text"] else NUMBER if match["number"] else match[0]
        for match in _WORD.finditer(question.lower())
    ]


def delexicalised(question: str, kept: Collection[str]) -> list[str]:
    """The words of a question, ``_`` for each run of those that are not kept, between a start and an end.

    Examples
    --------
    >>> delexicalised("How many singers from France?", {"how", "many", "from", "?"})
    ['^', 'how', 'many', '_', 'from', '_', '?', '$']
    """
    terms = [START]
    for word in words(question):
        shown = word if word in kept or word in (QUOTED, NUMBER) else OTHER
        if shown != OTHER or terms[-1] != OTHER:
            terms.append(shown)
    return [*terms, END]


def skeleton_words(skeleton: str) -> list[str]:
    """The words and signs of a skeleton, between a start and an end."""
    return [START, *_SKELETON.findall(skeleton), END]


def runs(terms: Sequence[str], longest: int) -> Iterator[str]:
    """All runs of up to so many words in a row."""
    for length in range(1, longest + 1):
        for start in range(len(terms) - length + 1):
            yield " ".join(terms[start : start + length])


def term_matrix(texts: Iterable[Sequence[str]], places: Mapping[str, int], longest: int) -> SparseRows:
    """Which known runs n texts have, each row of norm 1 (or 0): sparse, shape (n, len(places)), float32."""
    return term_rows((runs(text, longest) for text in texts), places)


def term_rows(texts: Iterable[Iterable[str]], places: Mapping[str, int]) -> SparseRows:
    """Which known terms n texts have, as `term_matrix`."""
    rows = [sorted({places[term] for term in terms if term in places}) for terms in texts]
    ends = np.cumsum([0, *map(len, rows)])
    columns = np.array([place for row in rows for place in row], dtype=np.int64)
    weights = np.repeat([1 / max(len(row), 1) ** 0.5 for row in rows], [len(row) for row in rows])
    return SparseRows(weights.astype(np.float32), columns.astype(np.int32), ends, len(places))
