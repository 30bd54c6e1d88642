"""Options that several commands share, in groups: a command gets each group as one value.

The key of a language model comes from the environment alone (``OPENAI_API_KEY``): what stands in a command is seen by
every user of the machine.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import wraps
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeVar

import click

from jar.answers.sql_dialects import NAMES, dialect_named
from jar.cli.completion import table_ids
from jar.errors import QueryError
from joinability.ddl.dialect_names import meant

if TYPE_CHECKING:
    from jar.answers.selection import Selection
    from jar.examples import ExampleStore, StructureExamples
    from jar.index.index import Index
    from jar.language import LlmDecomposer, Message, OpenAiModel, SchemaContext, SchemaHallucinator
    from jar.multihop import LlmRewriter

Command = TypeVar("Command", bound=Callable[..., Any])

NO_CONTEXT = "none"
CONTEXTS = (NO_CONTEXT, "tables", "columns")
OBJECTIVES = ("jar", "jar+crush", "crush", "crush-paper")
TABLES_ALONE, OF_COLUMNS = OBJECTIVES[0], OBJECTIVES[2:]
BUDGET = 20
"""As `jar.columns.search` has it, which loads too much for a help text."""

index_file = click.argument("index_file", metavar="INDEX", type=click.Path())
STANDARD_INPUT = "-"


class DialectName(click.Choice[str]):
    """A dialect of prompts, by any of its names; another one is refused with what may be meant."""

    def __init__(self) -> None:
        super().__init__(NAMES, case_sensitive=False)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The name that the dialect has in the package."""
        try:
            return dialect_named(value).name
        except QueryError:
            self.fail(f"{value!r} is not one of {', '.join(map(repr, NAMES))}{meant(value, NAMES)}", param, ctx)


class ReadDialect(click.ParamType[str]):
    """A dialect that is read, by any of its names; another one is refused once, with what may be meant."""

    name = "name"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The name that sqlglot has for the dialect."""
        from joinability import CatalogError
        from joinability.ddl.dialect_names import checked_dialect

        try:
            return checked_dialect(value)
        except CatalogError as error:
            self.fail(str(error), param, ctx)


def _one_question(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    if value == STANDARD_INPUT:
        raise click.UsageError(
            f"{context.info_name} takes one question; for those from standard input there is: jar rank INDEX -"
        )
    return value


question = click.argument("question", callback=_one_question)
optional_question = click.argument("question", required=False, callback=_one_question)
questions = click.argument("question")
"""One question, or those from standard input."""


def table_option(name: str, **how: Any) -> Callable[[Any], Any]:
    """An option whose values are tables of the index, which the shell completes."""
    return click.option(name, **{"metavar": "TABLE", "shell_complete": table_ids, **how})


time_limit = click.option("--time-limit", type=click.FloatRange(0), help="Seconds for the solver.")


def group_of(name: str, kind: type, *options: Callable[[Any], Any]) -> Callable[[Command], Command]:
    """A decorator that adds options to a command and gives it their values as one `kind`, under a name."""

    def decorated(command: Command) -> Command:
        @wraps(command)
        def with_group(**values: Any) -> Any:
            return command(**{name: kind(**{field.name: values.pop(field.name) for field in fields(kind)})}, **values)

        for option in reversed(options):
            option(with_group)
        return with_group  # type: ignore[return-value]

    return decorated


@dataclass(frozen=True)
class LanguageChoice:
    """The language model that is asked for sub-queries or an imagined schema, if any, and what it is told."""

    llm: str | None
    llm_url: str | None
    llm_context: str

    def decomposer(self, index: Index) -> LlmDecomposer | None:
        """The decomposer that the options ask for; None: the default.

        Raises
        ------
        LanguageModelError
            When a model, its server or its package is missing.
        """
        if self._names_no_model:
            return None
        from jar.language import LlmDecomposer

        return LlmDecomposer(self._model(), context=self._context(index))

    def hallucinator(self, index: Index) -> SchemaHallucinator | None:
        """What imagines schemas by the options; None: nothing does.

        Raises
        ------
        LanguageModelError
            When a model, its server or its package is missing.
        """
        if self._names_no_model:
            return None
        from jar.language import SchemaHallucinator

        return SchemaHallucinator(self._model(), context=self._context(index))

    def rewriter(self, index: Index) -> LlmRewriter | None:
        """What says which tables are missing by the options; None: the rewriter without a model.

        A model is told names of tables and columns there, so that it is asked only where these may be told.

        Raises
        ------
        LanguageModelError
            When a model, its server or its package is missing.
        """
        if self._names_no_model or self.llm_context != "columns":
            return None
        from jar.multihop import LlmRewriter, ResidualRewriter

        return LlmRewriter(self._model(), ResidualRewriter(index))

    def prompt(self, index: Index, question: str, objective: str) -> list[Message]:
        """What a model would be sent for a question."""
        from jar.language.prompts import decomposition_messages, schema_messages

        messages = decomposition_messages if objective == "jar" else schema_messages
        context = self._context(index)
        return messages(question, context(question) if context else "")

    @property
    def _names_no_model(self) -> bool:
        if self.llm is not None or self.llm_url is not None:
            return False
        if self.llm_context != NO_CONTEXT:
            raise click.UsageError("--llm-context says what a language model is told: name the model by --llm, too")
        return True

    def _model(self) -> OpenAiModel:
        from jar.language import OpenAiModel

        return OpenAiModel(self.llm, base_url=self.llm_url)

    def _context(self, index: Index) -> SchemaContext | None:
        from jar.language import SchemaContext

        return None if self.llm_context == NO_CONTEXT else SchemaContext(index, self.llm_context)


@dataclass(frozen=True)
class ColumnChoice:
    """How many columns are chosen, and the imagined schema that they are compared with."""

    budget: int | None
    probes: str | None
    probes_file: IO[str] | None

    def size(self, objective: str) -> int:
        """How many columns an objective may choose.

        Raises
        ------
        UsageError
            When the options say it of an objective that chooses tables alone.
        """
        if self.budget is not None and objective == TABLES_ALONE:
            chosen = " or ".join(OBJECTIVES[1:])
            raise click.UsageError(f"--budget is of columns, and {objective} chooses none: give --objective {chosen}")
        return BUDGET if self.budget is None else self.budget

    @property
    def reads_input(self) -> bool:
        """Whether the schema comes from standard input."""
        return self.probes_file is not None and self.probes_file.name == "<stdin>"

    def schema(self) -> str | None:
        """The imagined schema that the options give; None where they give none."""
        if self.probes is not None and self.probes_file is not None:
            raise click.UsageError("--probes and --probes-file are two ways to say the same: give one")
        return self.probes_file.read() if self.probes_file is not None else self.probes


language_options = group_of(
    "language",
    LanguageChoice,
    click.option("--llm", metavar="MODEL", help="A language model for sub-queries, or probes of columns."),
    click.option("--llm-url", metavar="URL", help="Its OpenAI-compatible server; else OPENAI_BASE_URL."),
    click.option(
        "--llm-context",
        type=click.Choice(CONTEXTS),
        default=NO_CONTEXT,
        show_default=True,
        help="Names that the model is told beside the question.",
    ),
)

column_options = group_of(
    "columns",
    ColumnChoice,
    click.option("--budget", type=click.IntRange(1), help=f"How many columns, {BUDGET} by default."),
    click.option("--probes", metavar="SCHEMA", help='An imagined schema, such as "client(gender) card(type)".'),
    click.option(
        "--probes-file", type=click.File(encoding="utf-8"), help="A file with an imagined schema; - for the input."
    ),
)


@dataclass(frozen=True)
class SqlChoice:
    """How a selection is written as SQL."""

    dialect: str | None
    max_tokens: int | None
    sample_values: int | None
    examples: str | None

    def check(self, output: str, *, bounds_tables: bool | None = None) -> None:
        """Refuse options that the output has no use for.

        Parameters
        ----------
        bounds_tables : bool, optional
            Whether --max-tokens bounds how many tables there are; None for commands in which it never does.
        """
        given = [field.name for field in fields(self) if getattr(self, field.name) is not None]
        unused = [name for name in given if not (name == "max_tokens" and bounds_tables)]
        if unused and output != "sql":
            option = f"--{unused[0].replace('_', '-')}"
            is_bound = unused[0] == "max_tokens" and bounds_tables is False
            other = ", or -k auto, whose tables it bounds" if is_bound else ""
            raise click.UsageError(f"{option} says how SQL is written: give --sql, too{other}")

    def arguments(self, index: Index) -> Callable[[Selection], dict[str, Any]]:
        """A function from a selection to the arguments of `Selection.to_sql_context`; the examples are read here, once.

        Raises
        ------
        QueryError
            When there are no examples in their file.
        """
        examples = self._examples()

        def of(selection: Selection) -> dict[str, Any]:
            values = None if self.sample_values is None else index.sample_values(selection.tables, self.sample_values)
            return {"dialect": self.dialect, "max_tokens": self.max_tokens, "values": values, "examples": examples}

        return of

    def _examples(self) -> StructureExamples | None:
        if self.examples is None:
            return None
        from jar.examples import StructureExamples

        return StructureExamples(read_examples(self.examples))


def read_examples(path: str | Path, dialect: str | None = None) -> ExampleStore:
    """The examples of a file; standard error tells the rows that are left out.

    Raises
    ------
    QueryError
        When there are none.
    """
    from jar.examples import ExampleStore

    examples = ExampleStore.from_file(path, dialect=dialect)
    for entry in examples.left_out:
        click.echo(f"left out: row {entry.row} of {path}: {entry.reason}", err=True)
    return examples


sql_options = group_of(
    "sql",
    SqlChoice,
    click.option("--dialect", type=DialectName(), help="The dialect of --sql."),
    click.option(
        "--max-tokens",
        type=click.IntRange(1),
        help="Tokens of --sql at most, about; join keys always stay. Of `rank -k auto`, those of the tables, too.",
    ),
    click.option("--sample-values", type=click.IntRange(1, 5), help="Values of each column in --sql; else none."),
    click.option("--examples", metavar="FILE", help="Questions with their SQL: those that fit go into --sql."),
)

prompt_option = click.option(
    "--show-prompt", is_flag=True, help="Print what a language model would be sent; send nothing."
)
