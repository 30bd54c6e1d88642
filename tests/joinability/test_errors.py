"""What an error says, in one line."""

from __future__ import annotations

import pytest

from joinability.errors import first_line


@pytest.mark.parametrize(
    ("error", "line"),
    [(ValueError("no such file\nLINE 1"), "no such file"), (ValueError("no"), "no"), (MemoryError(), "MemoryError")],
)
def test_an_error_has_a_first_line(error: Exception, line: str) -> None:
    """One that says nothing has its kind."""
    assert first_line(error) == line
