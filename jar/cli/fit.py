"""``jar fit``: learn from logged questions, say what is learned, or forget it."""

from __future__ import annotations

import sys

import click

from jar.cli.options import ReadDialect
from jar.cli.options import index_file as index_file_argument
from jar.cli.output import BAD_INPUT, JSON_HELP, print_json, say


@click.command("fit")
@index_file_argument
@click.argument("log_file", required=False, metavar="[LOG]")
@click.option("--undo", is_flag=True, help="Forget what was learned.")
@click.option("--dialect", type=ReadDialect(), default="sqlite", show_default=True, help="That of SQL in the log.")
@click.option("--progress/--no-progress", default=None, help="Show progress; by default in a terminal only.")
@click.option("--json", "as_json", is_flag=True, help=JSON_HELP)
def fit_command(
    index_file: str, log_file: str | None, undo: bool, dialect: str, progress: bool | None, as_json: bool
) -> None:
    """Learn from LOG which tables are asked for, and with which words.

    LOG is a CSV file with the columns question and tables (ids between commas) or sql, and maybe database; 30 questions
    at least. What is learned stays in the index and counts in its rankings, if it helps questions that it was not
    learned from. Without LOG, say what was learned.
    """
    from jar.errors import FitRefusedError
    from jar.fitting.stored_fit import fit_status, forget_fit
    from jar.index.index import Index

    if undo and log_file is not None:
        raise click.UsageError("--undo forgets what was learned: leave LOG out")
    index = Index.load(index_file)
    if undo:
        forget_fit(index)
        click.echo(f"{index_file} is no longer fitted", err=True)
        return
    if log_file is None:
        status = fit_status(index.contents)
        if as_json:
            print_json({"fitted": status is not None, **({} if status is None else status.to_dict())})
        else:
            click.echo("not fitted to logged questions" if status is None else status)
        return
    from jar.rerank import Reranker

    try:
        report = Reranker(index).fit_file(log_file, dialect=dialect, progress=progress)
    except FitRefusedError as refusal:
        for line in f"Error: {refusal}".splitlines():
            say(line)
        sys.exit(BAD_INPUT)
    if as_json:
        print_json(report.to_dict())
    else:
        click.echo(report)
