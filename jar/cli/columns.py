"""``jar columns``: the columns that answer a question."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from jar.cli import options
from jar.cli.output import format_options, print_prompt, print_selection

if TYPE_CHECKING:
    from jar.cli.options import ColumnChoice, LanguageChoice, SqlChoice


@click.command("columns")
@options.index_file
@options.question
@options.column_options
@click.option("--objective", type=click.Choice(options.OF_COLUMNS), default="crush", show_default=True)
@click.option("--solver", help='See `jar solvers`; by default "exact", or "sweep" for crush-paper.')
@options.table_option("--require", multiple=True, help="A table that must have a column.")
@options.table_option("--exclude", multiple=True, help="A table that must have none, or a schema.")
@options.time_limit
@options.language_options
@format_options("columns")
@options.sql_options
@options.prompt_option
def columns_command(
    index_file: str,
    question: str,
    columns: ColumnChoice,
    objective: str,
    solver: str | None,
    language: LanguageChoice,
    output: str,
    sql: SqlChoice,
    show_prompt: bool,
    **limits: Any,
) -> None:
    """Choose the columns that answer QUESTION, by table.

    Columns are compared with probes: an imagined schema (--probes, or a language model's with --llm), else the parts of
    the question.
    """
    from jar.index.index import Index
    from jar.rerank import Reranker

    sql.check(output)
    if show_prompt:
        print_prompt(index_file, question, language, objective, output)
        return
    index = Index.load(index_file)
    written = sql.arguments(index)
    hallucinator = language.hallucinator(index)
    reranker = Reranker(index, objective, solver, budget=columns.size(objective), hallucinator=hallucinator)
    selection = reranker.columns(question, probes=columns.schema(), **limits)
    print_selection(selection, output, written(selection))
