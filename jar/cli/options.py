"""The options by which ``jar rank`` and ``jar explain`` take a language model.

The key comes from the environment alone (``OPENAI_API_KEY``): what stands in a command is seen by every user of the
machine.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from jar.index.index import Index
    from jar.language import LlmDecomposer, Message, SchemaContext

Command = TypeVar("Command", bound=Callable[..., Any])

NO_CONTEXT = "none"
CONTEXTS = (NO_CONTEXT, "tables", "columns")


def language_options(command: Command) -> Command:
    """Add ``--llm``, ``--llm-url`` and ``--llm-context``."""
    for option in (
        click.option(
            "--llm-context",
            type=click.Choice(CONTEXTS),
            default=NO_CONTEXT,
            show_default=True,
            help="Names that the model is told beside the question.",
        ),
        click.option("--llm-url", metavar="URL", help="Its OpenAI-compatible server; else OPENAI_BASE_URL."),
        click.option("--llm", metavar="MODEL", help="A language model for sub-queries, or probes of columns."),
    ):
        command = option(command)
    return command


def decomposer_of(index: Index, llm: str | None, llm_url: str | None, llm_context: str) -> LlmDecomposer | None:
    """The decomposer that the options ask for; None: the default.

    Raises
    ------
    LanguageModelError
        When a model, its server or its package is missing.
    """
    if llm is None and llm_url is None:
        return None
    from jar.language import LlmDecomposer, OpenAiModel

    return LlmDecomposer(OpenAiModel(llm, base_url=llm_url), context=_context(index, llm_context))


def prompt_of(index: Index, question: str, llm_context: str) -> list[Message]:
    """What a model would be sent for a question."""
    from jar.language.prompts import decomposition_messages

    context = _context(index, llm_context)
    return decomposition_messages(question, context(question) if context else "")


def _context(index: Index, detail: str) -> SchemaContext | None:
    from jar.language import SchemaContext

    return None if detail == NO_CONTEXT else SchemaContext(index, detail)
