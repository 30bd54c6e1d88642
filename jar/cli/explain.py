"""``jar explain``: why each table is chosen."""

from __future__ import annotations

import sys
from typing import Any

import click

from jar.cli.rank import exit_status, ranked, ranking_options


@click.command("explain")
@ranking_options
def explain_command(**values: Any) -> None:
    """Say why each table is chosen, with the evidence of every join."""
    selection = ranked(**values)
    click.echo(selection.explain())
    sys.exit(exit_status(selection))
