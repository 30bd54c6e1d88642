"""The one place where a language model may help; everything works without.

>>> from jar.language import LlmDecomposer, OpenAiModel

A model is anything with ``complete(messages) -> str``; `OpenAiModel` reaches any server that speaks OpenAI's protocol.
`LlmDecomposer` writes a question's sub-queries with it, `SchemaHallucinator` imagines a schema for CRUSH. Where the
model fails, is late or answers nonsense, the model-free default takes its place and the result says so. Only the
question is sent, unless a `SchemaContext` is given; values of rows are never sent.
"""

from __future__ import annotations

from jar.errors import LanguageModelError
from jar.language.context import SchemaContext
from jar.language.decomposer import LlmDecomposer
from jar.language.hallucinator import Hallucination, SchemaHallucinator
from jar.language.model import LanguageModel, Message, Usage
from jar.language.openai_model import OpenAiModel
from jar.language.parsing import parse_subqueries
from jar.language.prompts import PROMPT_VERSION

__all__ = [
    "PROMPT_VERSION",
    "Hallucination",
    "LanguageModel",
    "LanguageModelError",
    "LlmDecomposer",
    "Message",
    "OpenAiModel",
    "SchemaContext",
    "SchemaHallucinator",
    "Usage",
    "parse_subqueries",
]
