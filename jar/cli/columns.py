"""``jar columns``, and the options by which ``jar rank`` chooses columns."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import IO, TYPE_CHECKING, Any, TypeVar

import click

from jar.cli.options import NO_CONTEXT, language_options

if TYPE_CHECKING:
    from jar.index.index import Index
    from jar.language import Message, SchemaHallucinator

Command = TypeVar("Command", bound=Callable[..., Any])

OBJECTIVES = ("jar", "jar+crush", "crush", "crush-paper")
OF_COLUMNS = OBJECTIVES[2:]
BUDGET = 20


def column_options(command: Command) -> Command:
    """Add ``--budget``, ``--probes`` and ``--probes-file``."""
    for option in (
        click.option(
            "--probes-file", type=click.File(encoding="utf-8"), help="A file with an imagined schema; - for the input."
        ),
        click.option("--probes", metavar="SCHEMA", help='An imagined schema, such as "client(gender) card(type)".'),
        click.option("--budget", type=click.IntRange(1), default=BUDGET, show_default=True, help="How many columns."),
    ):
        command = option(command)
    return command


def given_probes(probes: str | None, probes_file: IO[str] | None) -> str | None:
    """The imagined schema that the options give; None where they give none."""
    if probes is not None and probes_file is not None:
        raise click.UsageError("--probes and --probes-file are two ways to say the same: give one")
    return probes_file.read() if probes_file is not None else probes


def hallucinator_of(index: Index, llm: str | None, llm_url: str | None, llm_context: str) -> SchemaHallucinator | None:
    """What imagines schemas by the options; None where no language model is named.

    Raises
    ------
    LanguageModelError
        When a model, its server or its package is missing.
    """
    if llm is None and llm_url is None:
        return None
    from jar.language import OpenAiModel, SchemaContext, SchemaHallucinator

    context = None if llm_context == NO_CONTEXT else SchemaContext(index, llm_context)
    return SchemaHallucinator(OpenAiModel(llm, base_url=llm_url), context=context)


def schema_prompt(index: Index, question: str, llm_context: str) -> list[Message]:
    """What a model would be sent to imagine a schema for a question."""
    from jar.language import SchemaContext
    from jar.language.prompts import schema_messages

    context = None if llm_context == NO_CONTEXT else SchemaContext(index, llm_context)
    return schema_messages(question, context(question) if context else "")


@click.command()
@click.argument("index_file", metavar="INDEX")
@click.argument("question")
@column_options
@click.option("--objective", type=click.Choice(OF_COLUMNS), default="crush", show_default=True)
@click.option("--solver", help='See `jar solvers`; by default "exact", or "sweep" for crush-paper.')
@click.option("--require", multiple=True, metavar="TABLE", help="A table that must have a column.")
@click.option("--exclude", multiple=True, metavar="TABLE", help="A table that must have none.")
@click.option("--time-limit", type=click.FloatRange(0), help="Seconds for the solver.")
@language_options
@click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
@click.option("--sql", "as_sql", is_flag=True, help="CREATE TABLE statements and join conditions for a prompt.")
@click.option("--explain", "explained", is_flag=True, help="Which probe asks for each column.")
@click.option("--show-prompt", is_flag=True, help="Print what a language model would be sent; send nothing.")
def columns(
    index_file: str,
    question: str,
    budget: int,
    probes: str | None,
    probes_file: IO[str] | None,
    objective: str,
    solver: str | None,
    llm: str | None,
    llm_url: str | None,
    llm_context: str,
    as_json: bool,
    as_sql: bool,
    explained: bool,
    show_prompt: bool,
    **limits: Any,
) -> None:
    """Choose the columns that answer QUESTION, by table.

    Columns are compared with probes: an imagined schema (--probes, or a language model's with --llm), else the parts of
    the question.
    """
    from jar.index.index import Index
    from jar.rerank import Reranker
    from jar.tables.query import check_question

    index = Index.load(index_file)
    if show_prompt:
        _show_prompt(schema_prompt(index, check_question(question), llm_context), as_json)
        return
    reranker = Reranker(
        index,
        objective,
        solver,
        budget=budget,
        hallucinator=hallucinator_of(index, llm, llm_url, llm_context),
    )
    found = reranker.columns(question, probes=given_probes(probes, probes_file), **limits)
    if as_json:
        click.echo(json.dumps(found.to_dict(), ensure_ascii=False, indent=2, allow_nan=False))
    elif as_sql:
        click.echo(found.to_sql_context(), nl=False)
    else:
        click.echo(found.explain() if explained else found)


def _show_prompt(messages: list[Message], as_json: bool) -> None:
    from jar.language.prompts import show

    click.echo(json.dumps(messages, ensure_ascii=False, indent=2) if as_json else show(messages))
