"""Texts in arrays: those of Arrow, one by one."""

from __future__ import annotations

import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from jar.index.text_array import TextArray

TEXTS = st.lists(st.none() | st.text(max_size=5), max_size=9)


@given(TEXTS, st.data())
@settings(max_examples=60, deadline=None)
def test_texts_in_arrays_are_those_of_arrow(texts: list[str | None], data: st.DataObject) -> None:
    """Whatever part of them, with missing ones and empty ones."""
    texts = [text if text is None else text.encode("utf-8", "replace").decode() for text in texts]
    begin = data.draw(st.integers(0, len(texts)))
    array = TextArray.of(pa.array(texts, pa.string())[begin:])
    first = data.draw(st.integers(0, len(texts) - begin))
    count = data.draw(st.integers(0, len(texts) - begin - first))
    assert array.slice(first, count) == texts[begin + first : begin + first + count]
