"""Prefixes that run together with the names of columns."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from joinability.spelling.prefixes import without_prefixes

FILES = {
    "pm": ["poln", "term", "lob", "stat"],
    "cl": ["clmn", "poln", "ldat", "stat"],
    "vd": ["poln", "make", "year", "vin"],
}


def prefixed(files: dict[str, list[str]]) -> list[list[str]]:
    return [[f"{prefix}{name}" for name in names] for prefix, names in files.items()]


def test_three_tables_with_prefixes_of_their_own_make_a_rule() -> None:
    """Two begin alike by chance; a small table follows the rule of the others."""
    assert without_prefixes(prefixed(FILES)) == list(FILES.values())
    two = prefixed(FILES)[:2]
    assert without_prefixes(two) == two
    assert without_prefixes([*prefixed(FILES), ["lblob", "lbdesc"]])[-1] == ["lob", "desc"]


def test_the_length_is_that_of_nearly_all() -> None:
    """Prefixes of three letters are not cut after two of them."""
    longer = {f"{prefix}x": names for prefix, names in FILES.items()}
    assert without_prefixes(prefixed(longer)) == list(longer.values())


def test_a_word_in_front_is_no_prefix() -> None:
    """Names of one word each, words in front of names, and prefixes with a separator stay."""
    tables = [
        [f"{word}_{name}" for name in ("id", "name", "city", "date")] for word in ("customer", "product", "seller")
    ]
    assert without_prefixes(tables) == tables
    assert without_prefixes([["CustId", "CustName", "CustCity", "CustDate"]] * 3)[0][0] == "CustId"


def test_letters_keep_their_case_and_signs() -> None:
    """AS/400 files are written in capitals, with signs."""
    upper = [[name.upper() for name in columns] for columns in prefixed(FILES)]
    upper[0].append("PMPOL#")
    assert without_prefixes(upper)[0] == ["POLN", "TERM", "LOB", "STAT", "POL#"]


@given(st.lists(st.lists(st.text("abcXYZ_1", max_size=8), max_size=6), max_size=6))
def test_names_end_as_they_did(tables: list[list[str]]) -> None:
    """Whatever is taken off stood in front, and something is left."""
    for columns, bare in zip(tables, without_prefixes(tables), strict=True):
        assert all(name.endswith(rest) and (rest or not name) for name, rest in zip(columns, bare, strict=True))
