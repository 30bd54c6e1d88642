"""``jar solvers``: the solvers there are."""

from __future__ import annotations

import click


@click.command("solvers")
def solvers_command() -> None:
    """List the solvers, what each needs and how to install it."""
    from formulations import solvers

    click.echo(solvers())
