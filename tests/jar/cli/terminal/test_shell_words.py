"""Notes name options in the shell, and parameters in Python."""

from __future__ import annotations

import pytest

from jar.cli.terminal.shell_words import in_shell_words


@pytest.mark.parametrize(
    ("note", "told"),
    [
        ('ask for connected sets alone (connect="require")', "ask for connected sets alone (--connect require)"),
        ("ask for k=4 to have more, or max_k=12.", "ask for -k 4 to have more, or --max-k 12."),
        ("max_tokens=90 leaves out d.t", "--max-tokens 90 leaves out d.t"),
        ('the value "k=" of d.task=7', 'the value "k=" of d.task=7'),
    ],
)
def test_parameters_are_options(note: str, told: str) -> None:
    assert in_shell_words(note) == told
