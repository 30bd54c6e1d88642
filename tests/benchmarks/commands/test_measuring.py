"""Commands that measure answers begin with machine code."""

from __future__ import annotations

import subprocess
import sys

import pytest

from benchmarks.__main__ import main
from benchmarks.commands.howmany import howmany
from benchmarks.commands.options import Measuring

PROGRAM = """
import click
from benchmarks.commands.options import Measuring
from formulations.kernels.dispatch import kernel_named

def measure():
    print([kernel_named(name).KIT.compiled() for name in ("tables", "columns")])

click.Command("plain", callback=measure)([], standalone_mode=False)
Measuring("measuring", callback=measure)([], standalone_mode=False)
"""


def test_all_searches_are_machine_code_before_a_command_measures() -> None:
    """In a fresh process none is, until a command needs it."""
    done = subprocess.run([sys.executable, "-c", PROGRAM], check=True, capture_output=True, text=True)
    assert done.stdout.splitlines() == ["[False, False]", "[True, True]"]


@pytest.mark.parametrize(
    "name", ["run", "speed", "growth", "soak", "adapters", "solvers", "errors", "hops", "fit", "sql"]
)
def test_commands_that_measure_wait_for_it(name: str) -> None:
    """All that ask a re-ranker and tell times or figures of it."""
    assert isinstance(main.commands[name], Measuring)
    assert isinstance(howmany.commands["measure"], Measuring)
