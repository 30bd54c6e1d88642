"""Texts in rows: each once, none over the edge, little left empty."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from jar.minilm.packing import SHORTEST_ROW, pack


@given(st.lists(st.integers(1, 256), max_size=200), st.integers(1, 1024))
def test_every_text_has_one_place(lengths: list[int], limit: int) -> None:
    """Each text is in one row; a row is no longer than its longest text or 32, a batch no larger than its limit."""
    batches = list(pack(lengths, limit))
    assert sorted(text for batch in batches for row in batch for text in row.texts) == list(range(len(lengths)))
    for batch in batches:
        filled = [sum(lengths[text] for text in row.texts) for row in batch]
        for row, tokens in zip(batch, filled, strict=True):
            assert tokens <= max(SHORTEST_ROW, *(lengths[text] for text in row.texts))
        assert len(batch) == 1 or len(batch) * max(filled) <= limit


def test_short_texts_share_rows() -> None:
    """Of what is computed for texts of 4 to 15 tokens, at most a tenth is for nothing."""
    lengths = [4 + place % 12 for place in range(600)]
    batches = list(pack(lengths, 512))
    computed = sum(len(batch) * max(sum(lengths[text] for text in row.texts) for row in batch) for batch in batches)
    assert computed < 1.1 * sum(lengths)
