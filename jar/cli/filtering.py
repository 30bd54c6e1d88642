"""``jar filter``: the tables and columns of a database that a question may need."""

from __future__ import annotations

import click

from jar.cli import options
from jar.cli.output import JSON_HELP, print_json


@click.command("filter")
@options.index_file
@click.argument("database")
@options.question
@click.option(
    "--recall",
    type=click.FloatRange(0, 1, min_open=True),
    default=0.98,
    show_default=True,
    help="Share of questions that keep all tables that they need; 1 keeps everything.",
)
@click.option(
    "--columns",
    type=click.FloatRange(0, 1, min_open=True),
    help="Share of questions that keep all columns; by default as --recall.",
)
@click.option("--json", "as_json", is_flag=True, help=JSON_HELP)
def filter_command(
    index_file: str, database: str, question: str, recall: float, columns: float | None, as_json: bool
) -> None:
    """Keep the tables and columns of DATABASE that QUESTION may need, a table to a line with its columns.

    The index needs vectors of tokens: jar index SOURCE... -o INDEX --token-vectors.
    """
    from jar.index.index import Index
    from jar.late import SchemaFilter

    kept = SchemaFilter(Index.load(index_file), recall, columns=columns)(question, database)
    if as_json:
        print_json(kept.to_dict())
        return
    for table in kept.tables:
        click.echo(f"{table}({', '.join(kept.columns_of(table))})")
    click.echo(
        f"{len(kept.tables)} of {kept.all_tables} tables, {len(kept.columns)} of {kept.all_columns} columns", err=True
    )
