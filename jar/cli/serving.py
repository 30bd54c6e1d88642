"""``jar mcp``: the index as a server for agents."""

from __future__ import annotations

import sys

import click

from jar.cli.output import BAD_INPUT


@click.command("mcp")
@click.argument("index_file", metavar="INDEX", type=click.Path(exists=True, dir_okay=False))
def mcp_command(index_file: str) -> None:
    """Serve INDEX to an agent, by the Model Context Protocol over standard input and output.

    Tools: find_tables(question, k), joins_of(table), join_path(a, b), sql_context(question, k). The index is loaded
    when one of them is first called.
    """
    try:
        from jar.adapters.mcp import serve
    except ModuleNotFoundError as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(BAD_INPUT)
    serve(index_file).run("stdio")
