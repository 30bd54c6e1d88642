"""Texts of different lengths in rows of one length, so that little is computed for nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

SHORTEST_ROW = 32
"""Tokens of a row of short texts: attention grows with the square of it, and calls of it shrink."""

OPEN_ROWS = 8
"""Rows that a text is tried in before it opens another."""


@dataclass
class Row:
    """Texts one behind the other, none of which reads another."""

    room: int
    texts: list[int] = field(default_factory=list)


def pack(lengths: Sequence[int], limit: int) -> Iterator[list[Row]]:
    """Batches of rows, each text in one row; the longest texts come first.

    Parameters
    ----------
    lengths : positive number of tokens of each text
    limit : tokens of a batch, counting the longest row for all; a batch holds at least one row
    """
    rows: list[Row] = []
    unfilled: list[Row] = []
    for text in sorted(range(len(lengths)), key=lambda text: -lengths[text]):
        row = next((row for row in unfilled if row.room >= lengths[text]), None)
        if row is None:
            row = Row(max(SHORTEST_ROW, lengths[text]))
            rows.append(row)
            unfilled = [*unfilled[1 - OPEN_ROWS :], row]
        row.texts.append(text)
        row.room -= lengths[text]
    filled = [sum(lengths[text] for text in row.texts) for row in rows]
    order = np.argsort(np.negative(filled), kind="stable")
    start = 0
    while start < len(order):
        end = start + max(1, limit // filled[order[start]])
        yield [rows[place] for place in order[start:end]]
        start = end
