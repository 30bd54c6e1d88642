"""``jar mcp`` and ``jar serve``: the index as a server for agents, and for a browser."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from jar.cli.options import index_file
from jar.cli.output import BAD_INPUT
from jar.index.file import check_is_index


@click.command("mcp")
@index_file
def mcp_command(index_file: str) -> None:
    """Serve INDEX to an agent, by the Model Context Protocol over standard input and output.

    Tools: find_tables(question, k), joins_of(table), join_path(a, b), sql_context(question, k). The index is loaded
    when one of them is first called.
    """
    _check_is_there(index_file)
    try:
        from jar.adapters.mcp import serve
    except ModuleNotFoundError as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(BAD_INPUT)
    serve(index_file).run("stdio")


@click.command("serve")
@index_file
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at.")
@click.option("--port", type=click.IntRange(0, 65535), default=8765, show_default=True)
@click.option("--edit", is_flag=True, help="Let the page pin and veto joins, which writes the index file.")
def serve_command(index_file: str, host: str, port: int, edit: bool) -> None:
    """Serve INDEX to a browser of this machine: ask questions, change wishes, walk the join graph.

    The same functions answer programs: /openapi.json describes them. Nothing is written unless --edit is given.
    """
    _check_is_there(index_file)
    try:
        from jar.serve.application import serve
    except ModuleNotFoundError as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(BAD_INPUT)
    serve(index_file, host, port, edit=edit)


def _check_is_there(index_file: str) -> None:
    """Raise where there is no such file, or it is a folder, as all commands do; the first request reads what it holds.
    """
    if not os.path.isfile(index_file):
        check_is_index(Path(index_file))
