"""The command line: ``jar index | rank | explain | columns | joins | solve | solvers | sample``.

Answers go to standard output, progress and messages to standard error. With ``--json`` standard output holds one JSON
document and nothing else. Exit status: 0 success, 1 something failed (a table that could not be read, an engine, no
solution), 2 bad input.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeVar

import click

from jar.cli.columns import (
    OBJECTIVES,
    OF_COLUMNS,
    column_options,
    columns,
    given_probes,
    hallucinator_of,
    schema_prompt,
)
from jar.cli.joins import joins
from jar.cli.options import language_options

if TYPE_CHECKING:
    from jar.answers.selection import Selection

Command = TypeVar("Command", bound=Callable[..., Any])

SUCCESS, FAILURE, BAD_INPUT = 0, 1, 2


class Group(click.Group):
    """Commands whose expected errors become one line on standard error, without a stack trace."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; a known error becomes its message and an exit status."""
        try:
            return super().invoke(ctx)
        except click.exceptions.Exit:
            raise
        except (click.ClickException, click.Abort):
            raise
        except BrokenPipeError:
            sys.exit(FAILURE)
        except Exception as error:
            status = _exit_status(error)
            if status is None:
                raise
            click.echo(f"Error: {error}", err=True)
            ctx.exit(status)


def _exit_status(error: Exception) -> int | None:
    from formulations import FormulationError, SolverError, SolverNotInstalledError, UnknownSolverError
    from formulations.errors import SolverOptionError, SolverRefusalError
    from jar.errors import JarError
    from joinability import JoinabilityError

    mistakes = (UnknownSolverError, SolverNotInstalledError, SolverOptionError, SolverRefusalError)
    if isinstance(error, SolverError) and not isinstance(error, mistakes):
        return FAILURE
    no_file = (FileNotFoundError, IsADirectoryError, NotADirectoryError)
    if isinstance(error, (JarError, FormulationError, JoinabilityError, UnicodeError, *no_file)):
        return BAD_INPUT
    # An engine or the system refused: a full disk, a folder that cannot be written.
    return FAILURE if isinstance(error, OSError) or "duckdb" in type(error).__module__ else None


@click.group(cls=Group, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(package_name="jar-rerank", prog_name="jar")
def main() -> None:
    """Choose the connected set of tables that answers a question."""


class SourcesCommand(click.Command):
    """A command whose help ends with the formats of files."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the formats; their registry is loaded for this help alone."""
        from joinability.sources.formats import format_names, suffixes

        with formatter.section("Formats of files"):
            formatter.write_text(f"{format_names()} ({suffixes()})")


@main.command(cls=SourcesCommand)
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@click.option("-o", "--output", required=True, help="The index file to make or to refresh.", metavar="FILE")
@click.option("--embedder", default="minilm", show_default=True, help='"minilm", "static", or a model\'s path.')
@click.option("--score", default="default", show_default=True, help='Join score: "default" or "paper".')
@click.option("--dialect", default="sqlite", show_default=True, help="SQL dialect of DDL files, as sqlglot names it.")
@click.option("--memory-limit", default="1GB", show_default=True, help="Bound on the engine's memory.")
@click.option("--progress/--no-progress", default=None, help="Progress bars; by default in a terminal only.")
def index(
    sources: tuple[str, ...],
    output: str,
    embedder: str,
    score: str,
    dialect: str,
    memory_limit: str,
    progress: bool | None,
) -> None:
    """Index files, folders of files, and databases by URL.

    Run again, it reads only what changed.
    """
    from jar.index.index import Index
    from jar.index.open_sources import open_sources

    catalog = open_sources(sources, dialect=dialect)
    built = Index.build(
        catalog, path=output, embedder=embedder, score=score, progress=progress, memory_limit=memory_limit
    )
    changes = built.changes
    assert changes is not None
    failures = built.failures
    added = len(changes.added) - sum(1 for table in changes.added if table.id in dict(failures))
    click.echo(
        f"{output}: {len(built)} tables ({added} read, {changes.kept} unchanged, {len(changes.dropped)} dropped)",
        err=True,
    )
    for source, cause in failures:
        click.echo(f"not indexed: {source}: {cause}", err=True)
    sys.exit(FAILURE if failures else SUCCESS)


def _ranking_options(command: Command) -> Command:
    """The options that ``rank`` and ``explain`` share."""
    for option in reversed(
        (
            click.argument("index_file", metavar="INDEX"),
            click.argument("question"),
            click.option("-k", "size", default=5, show_default=True, help="How many tables."),
            click.option(
                "--objective", type=click.Choice(OBJECTIVES), default="jar", show_default=True, help="What is chosen."
            ),
            click.option("--solver", help='See `jar solvers`; "exact" by default.'),
            click.option("--subquery", "subqueries", multiple=True, help="A part of the question; may be repeated."),
            click.option("--candidate", "candidates", multiple=True, help="A candidate, ID or ID=SCORE; repeated."),
            click.option(
                "--candidates",
                "pool",
                type=click.IntRange(1),
                default=20,
                show_default=True,
                help="Size of the first stage.",
            ),
            click.option("--require", multiple=True, metavar="TABLE", help="A table that must be chosen."),
            click.option("--exclude", multiple=True, metavar="TABLE", help="A table that must not be chosen."),
            click.option("--forbid-join", "forbid_joins", nargs=2, multiple=True, help="Two columns or tables."),
            click.option("--connect", type=click.Choice(["prefer", "require", "ignore"]), default="prefer"),
            click.option("--trust-declared/--distrust-declared", default=None, help="Declared keys are certain."),
            click.option("--time-limit", type=click.FloatRange(0), help="Seconds for the solver."),
        )
    ):
        command = option(command)
    return language_options(column_options(command))


def _rank(
    index_file: str,
    question: str,
    size: int,
    objective: str,
    solver: str | None,
    subqueries: tuple[str, ...],
    candidates: tuple[str, ...],
    pool: int,
    connect: Any,
    trust_declared: bool | None,
    llm: str | None,
    llm_url: str | None,
    llm_context: str,
    budget: int,
    probes: str | None,
    probes_file: IO[str] | None,
    **constraints: Any,
) -> Selection:
    from dataclasses import replace

    from jar.cli.options import decomposer_of
    from jar.index.index import Index
    from jar.rerank import Reranker

    if connect != "prefer" and objective in OF_COLUMNS:
        raise click.UsageError(f"--connect is about tables, and {objective} chooses columns: leave it out")
    index = Index.load(index_file)
    reranker = Reranker(
        index,
        objective=objective,
        solver=solver,
        candidates=pool,
        trust_declared=trust_declared,
        decomposer=decomposer_of(index, llm, llm_url, llm_context) if objective == "jar" else None,
        budget=budget,
        hallucinator=None if objective == "jar" else hallucinator_of(index, llm, llm_url, llm_context),
    )
    reranker.objective = replace(reranker.objective, connect=connect)
    return reranker.rank(
        question,
        size,
        subqueries=list(subqueries) or None,
        candidates=[_candidate(text) for text in candidates] or None,
        probes=given_probes(probes, probes_file),
        **constraints,
    )


def _candidate(text: str) -> str | tuple[str, float]:
    name, equals, score = text.rpartition("=")
    try:
        return (name, float(score)) if equals else text
    except ValueError:
        return text


@main.command()
@_ranking_options
@click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
@click.option("--sql", "as_sql", is_flag=True, help="CREATE TABLE statements and join conditions for a prompt.")
@click.option("--show-prompt", is_flag=True, help="Print what a language model would be sent; send nothing.")
def rank(as_json: bool, as_sql: bool, show_prompt: bool, **options: Any) -> None:
    """Choose the tables that answer QUESTION."""
    if show_prompt:
        asked = [options[name] for name in ("index_file", "question", "llm_context", "objective")]
        _show_prompt(as_json, *asked)
        return
    selection = _rank(**options)
    if as_json:
        _print_json(selection.to_dict())
    else:
        click.echo(selection.to_sql_context() if as_sql else selection, nl=not as_sql)
    sys.exit(FAILURE if selection.status == "infeasible" else SUCCESS)


def _show_prompt(as_json: bool, index_file: str, question: str, llm_context: str, objective: str) -> None:
    from jar.cli.options import prompt_of
    from jar.index.index import Index
    from jar.language.prompts import show
    from jar.tables.query import check_question

    prompt = prompt_of if objective == "jar" else schema_prompt
    messages = prompt(Index.load(index_file), check_question(question), llm_context)
    if as_json:
        _print_json(messages)
    else:
        click.echo(show(messages))


@main.command()
@_ranking_options
def explain(**options: Any) -> None:
    """Say why each table is chosen, with the evidence of every join."""
    selection = _rank(**options)
    click.echo(selection.explain())
    sys.exit(FAILURE if selection.status == "infeasible" else SUCCESS)


main.add_command(joins)
main.add_command(columns)


@main.command()
@click.argument("instance_file", metavar="INSTANCE")
@click.option("--solver", default="exact", show_default=True, help="See `jar solvers`.")
@click.option("--time-limit", type=click.FloatRange(0), help="Seconds for the solver.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="Of the solver: engine=cbc, threads=2.")
@click.option("--fallback", help="The solver that answers where the first fails.")
@click.option("--solutions", type=click.IntRange(1), help="So many best sets; with --json, a list of them.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
def solve(
    instance_file: str,
    solver: str,
    time_limit: float | None,
    options: tuple[str, ...],
    fallback: str | None,
    solutions: int | None,
    as_json: bool,
) -> None:
    """Solve an instance file (JSON), with the objective that it holds."""
    from formulations import load_problem
    from formulations import solve as solve_instance

    instance, objective = load_problem(Path(instance_file))
    limits: dict[str, Any] = {"time_limit": time_limit, "fallback": fallback}
    answer = solve_instance(instance, objective, solver, solutions=solutions, **limits, **dict(map(_option, options)))
    found = answer if isinstance(answer, list) else [answer]
    if as_json:
        documents = [solution.to_dict() for solution in found]
        _print_json(documents if isinstance(answer, list) else documents[0])
    else:
        for solution in found:
            click.echo(solution)
    sys.exit(SUCCESS if found and found[0].items else FAILURE)


def _option(text: str) -> tuple[str, Any]:
    """Return the name and the value of NAME=VALUE: a number, null, or else a word."""
    name, sign, value = text.partition("=")
    if not (name and sign):
        raise click.BadParameter(f"{text!r} is not NAME=VALUE", param_hint="--option")
    if name in ("instance", "objective", "solver", "time_limit", "fallback", "solutions"):
        raise click.BadParameter(f"{name} is no option of a solver", param_hint="--option")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


@main.command()
def solvers() -> None:
    """List the solvers, what each needs and how to install it."""
    from formulations import solvers as known

    click.echo(known())


@main.command()
@click.argument("folder", type=click.Path(file_okay=False))
@click.option("--seed", default=0, show_default=True)
@click.option("--format", "format_", type=click.Choice(["csv", "sqlite", "parquet"]), default="csv", show_default=True)
def sample(folder: str, seed: int, format_: Any) -> None:
    """Write the sample lake, a bank among look-alike tables, into FOLDER."""
    from jar.sample import write_sample_lake

    written = write_sample_lake(folder, seed=seed, format=format_)
    click.echo(f"{len(written)} files in {folder}", err=True)


def _print_json(document: Any) -> None:
    click.echo(json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False))
