"""Words for missing values ("N/A", "null", "-", ...): nulls where the rest of a column is of one kind, else values."""

from __future__ import annotations

import re
from itertools import accumulate
from typing import Any

import duckdb
import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from joinability import Catalog, EvidenceStore, JoinEvidence, find_composites
from joinability.composite.stored_keys import load_composites
from joinability.store import batches, chunks

WORDS = ["N/A", " n/a ", "NA", "n.a.", "#N/A", "<NA>", "NULL", "null\t", "(null)", "None", "nil", "NaN", "-", "\\N"]
NUMBERS = ["1", "2.5", "-3", "1e3", "007"]
TIMES = ["2020-01-02", "2020-01-02 10:30:00", "10:30"]
COLUMN = st.lists(st.sampled_from([None, "", "x", "Nadia", *WORDS, *NUMBERS, *TIMES]), min_size=1, max_size=40)
OF_ONE_KIND = st.lists(st.sampled_from([None, *WORDS, *NUMBERS]), min_size=1, max_size=40)
COLUMNS = st.lists(COLUMN | OF_ONE_KIND, min_size=6, max_size=12)
"""Columns of one store: making a store takes most of the time."""


def store_of(catalog: Catalog) -> EvidenceStore:
    store = EvidenceStore(duckdb.connect())
    store.create()
    starts = accumulate((len(table.columns) for table in catalog), initial=0)
    assert store.add_tables(list(zip(catalog, starts, strict=False))) == []
    store.update_overlaps()
    return store


def evidence_of(**columns: list[Any]) -> JoinEvidence:
    frames = {f"db.{name}": pd.DataFrame({"x": pd.Series(values, dtype=object)}) for name, values in columns.items()}
    return store_of(Catalog.from_frames(frames)).load()


def filled(values: list[str | None]) -> list[str]:
    """The values that are not missing, by the documented rule."""
    texts = [value.strip() for value in values if value is not None and value.strip()]
    words = {word.strip().lower() for word in WORDS}
    rest = [text for text in texts if text.lower() not in words]
    numbers = [text for text in rest if re.fullmatch(r"[-+]?\d+(\.\d*)?(e\d+)?", text)]
    times = [text for text in rest if re.fullmatch(r"\d{4}-\d\d-\d\d.*|\d\d:\d\d", text)]
    return rest if rest and max(len(numbers), len(times)) >= 0.95 * len(rest) else texts


def check_profiles(columns: list[list[str | None]]) -> None:
    """Each column is a table of its own."""
    found = evidence_of(**{f"t{number:02}": values for number, values in enumerate(columns)})
    kept = [filled(values) for values in columns]
    assert found.nulls.tolist() == [len(values) - len(rest) for values, rest in zip(columns, kept, strict=True)]
    assert found.distinct.tolist() == found.values.tolist() == [len(set(rest)) for rest in kept]


@given(COLUMNS)
@example([["1"] * 19 + ["x", "N/A"], ["1"] * 18 + ["x", "N/A"], ["N/A", "-"]])
@settings(deadline=None, max_examples=12)
def test_words_are_nulls_where_the_rest_is_of_one_kind(columns: list[list[str | None]]) -> None:
    """Numbers or times for 95 % of what is no such word, whatever the case and the blanks around the word."""
    check_profiles(columns)


@given(COLUMNS)
@settings(deadline=None, max_examples=8)
def test_a_table_in_many_chunks_is_settled_as_a_whole(columns: list[list[str | None]]) -> None:
    """The same holds where a word is read long before the values that decide on it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(chunks, "CHUNK_CELLS", 6)
        patch.setattr(batches, "BATCH_ROWS", 4)
        check_profiles(columns)


def test_a_word_leaves_a_column_of_integers_one() -> None:
    """A reference with 'N/A' in some rows holds integers, lies in its parent, and shares no word with other columns."""
    found = evidence_of(child=["1", "2", "N/A", "2"], parent=["1", "2", "3"], other=["7", "N/A"])
    assert found.integer_share.tolist() == found.numeric_share.tolist() == [1, 1, 1]
    block = found.pairs([0, 0, 1], [1, 2, 2])
    assert block.intersection.tolist() == [2, 0, 0]
    assert block.containment_left[0] == 1
    assert block.same_kind.all()


def test_words_among_texts_are_values() -> None:
    """NA is Namibia among the codes of countries, and joins."""
    found = evidence_of(country=["DE", "NA", "FR"], visit=["NA", "NA"])
    assert found.nulls.tolist() == [0, 0]
    assert found.pairs([1], [0]).containment_left.tolist() == [1]


def test_words_are_not_handed_on_as_texts() -> None:
    """Texts of a column of numbers are not what a question may name."""
    texts: list[tuple[int, str]] = []
    store = EvidenceStore(
        duckdb.connect(), on_texts=lambda fresh: texts.extend(zip(*fresh.to_pydict().values(), strict=True))
    )
    store.create()
    frame = pd.DataFrame({"age": ["31", "null"], "city": ["Bonn", "null"]})
    store.add_tables([(Catalog.from_frames({"db.people": frame}).tables[0], 0)])
    assert sorted(texts) == [(1, "Bonn"), (1, "null")]


def test_composite_keys_have_no_words() -> None:
    """A tuple with a word in a column of numbers is no tuple: neither of the child nor of the parent."""
    keys = [(f"r{number % 8}", str(number // 8)) for number in range(40)]
    odd = [("r1", "N/A"), ("r2", "-")]
    frames = {
        "school.lesson": pd.DataFrame(keys, columns=["room", "hour"]),
        "school.booking": pd.DataFrame([*keys[::2], *odd] * 2, columns=["lesson_room", "lesson_hour"]),
    }
    catalog = Catalog.from_frames(frames)
    store = store_of(catalog)
    assert find_composites(store.connection, catalog) == []
    (key,) = load_composites(store.connection, range(4))
    assert (key.compared, key.common, key.child_distinct) == (20, 20, 20)
