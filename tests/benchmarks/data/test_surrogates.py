"""Copies with numbers in front, or random identifiers: what refers to what stays, and nothing is changed in place."""

from __future__ import annotations

import pytest

from benchmarks.data.join_schemas import RowSchema
from benchmarks.data.wild.surrogates import STRANGE_NAMES, with_random_ids, with_surrogates

ROWS = {
    "dept": {"id": [1, 2, 3], "name": ["a", "b", "c"]},
    "staff": {"id": [11, 12, 13], "dept": [1, "2", None], "boss": [11, 11, 99]},
    "pay": {"staff": [11, 13], "month": [1, 2]},
    "line": {"order": [1, 1], "no": [1, 2]},
    "ship": {"order": [1, 1], "no": [2, 2]},
}
KEYS = (("staff", "dept", "dept", "id"), ("staff", "boss", "staff", "id"), ("pay", "staff", "staff", "id"))
ASIDE = (("ship", "order", "line", "order"), ("ship", "no", "line", "no"))


@pytest.fixture
def schema() -> RowSchema:
    return RowSchema("firm", {table: dict(rows) for table, rows in ROWS.items()}, KEYS, ASIDE, {}, {"dept": ("id",)})


@pytest.mark.parametrize("seed", range(6))
def test_what_refers_to_what_stays(schema: RowSchema, seed: int) -> None:
    """Orphans and missing values as well; tables that are referred to have a number in front that counts."""
    copy = with_surrogates(schema, 1.0, seed)
    assert schema.rows == ROWS
    assert (copy.keys, copy.aside) == (KEYS, ASIDE)
    for child, column, parent, key in KEYS:
        before, after = schema.rows, copy.rows
        found = [[str(value) in map(str, of[parent][key]) for value in of[child][column]] for of in (before, after)]
        assert found[0] == found[1]
        codes = [value for value in after[child][column] if value is not None]
        assert not any(str(value).isdigit() for value in codes)
        assert len(set(codes)) == len({str(value) for value in before[child][column] if value is not None})
    for table in ("dept", "staff"):
        name, *others = copy.rows[table]
        assert (copy.rows[table][name], others) == ([1, 2, 3], list(ROWS[table]))
        assert copy.primary_keys[table] == (name,)
    assert copy.rows["line"] == ROWS["line"]


def test_a_share_of_the_tables_and_the_same_seed(schema: RowSchema) -> None:
    """None at 0; the same copy from the same seed, and others from others."""
    assert with_surrogates(schema, 0.0, 1).rows == ROWS
    copies = [with_surrogates(schema, 0.5, seed).rows for seed in range(8)]
    assert copies[3] == with_surrogates(schema, 0.5, 3).rows
    assert any(copy != copies[0] for copy in copies)


def test_parts_of_composite_keys_stay_numbers(schema: RowSchema) -> None:
    """Else the keys of which they are a part would not be there any more."""
    keys = (*KEYS, ("pay", "month", "line", "no"))
    copy = with_surrogates(RowSchema("firm", schema.rows, keys, ASIDE), 1.0, 1)
    assert copy.rows["line"]["no"] == [1, 2]
    assert copy.rows["pay"]["month"] == [1, 2]


@pytest.mark.parametrize("seed", range(4))
def test_random_identifiers_keep_what_refers_to_what(schema: RowSchema, seed: int) -> None:
    """In the order of the keys, by new names where names are to say nothing; parts of composite keys stay."""
    copy = with_random_ids(schema, 1.0, 0.5, seed)
    assert schema.rows == ROWS
    for before, after in zip(KEYS, copy.keys, strict=True):
        (child, column, parent, key), (_, new_column, _, new_key) = before, after
        known = dict(zip(map(str, ROWS[parent][key]), copy.rows[parent][new_key], strict=True))
        assert all(len(value) >= 14 for value in known.values())
        for old, new in zip(ROWS[child][column], copy.rows[child][new_column], strict=True):
            assert new == (None if old is None else known.get(str(old), new))
            assert (str(old) in known) == (new in known.values())
        assert {new_column, new_key} <= {column, key, *STRANGE_NAMES}
    assert copy.rows["line"] == ROWS["line"]
    assert copy.primary_keys["dept"] == (next(iter(copy.rows["dept"])),)
    assert with_random_ids(schema, 0.0, 1.0, seed) == schema


def test_columns_of_one_key_are_set_aside(schema: RowSchema) -> None:
    """A boss and who is paid mean the same people."""
    copy = with_random_ids(schema, 1.0, 0.0, 1)
    assert set(copy.aside) - set(ASIDE) == {("pay", "staff", "staff", "boss")}
