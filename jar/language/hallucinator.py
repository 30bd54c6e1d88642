"""`SchemaHallucinator`: the schema that a language model imagines for a question, as probes."""

from __future__ import annotations

from collections.abc import Sequence

from jar.imagined.probes import Probe, parse_schema
from jar.language.asking import ask
from jar.language.model import Message, model_name
from jar.language.prompted import PromptedModel
from jar.language.prompts import Example, schema_messages
from jar.text.decomposition import decompose

__all__ = ["Hallucination", "SchemaHallucinator", "probes_of"]


class Hallucination(tuple[Probe, ...]):
    """Probes that say who imagined them.

    Attributes
    ----------
    source : str
        "llm:NAME", "default" or "default (NAME failed: why)".
    note : str
        What was not as asked, in words; empty where all was.
    """

    source: str
    note: str

    def __new__(cls, probes: Sequence[Probe], source: str, note: str = "") -> Hallucination:
        """A tuple of the probes."""
        made = super().__new__(cls, probes)
        made.source = source
        made.note = note
        return made

    @property
    def text(self) -> str:
        """The schema as text: ``table(column, column)``, a line for each table; `parse_schema` reads it again."""
        columns: dict[str, list[str]] = {}
        for probe in self:
            columns.setdefault(probe.table, []).extend([probe.column] if probe.column else [])
        return "\n".join(f"{table}({', '.join(names)})" if names else table for table, names in columns.items())


def probes_of(question: str) -> tuple[Probe, ...]:
    """Probes without a language model: each sub-query of the built-in decomposition is one."""
    return tuple(
        Probe(concept.strip(), attribute.strip())
        for concept, _, attribute in (subquery.partition(":") for subquery in decompose(question))
    )


class SchemaHallucinator(PromptedModel[Probe, Hallucination]):
    """Imagines the smallest schema that could answer a question, with a language model (the first step of CRUSH).

    What is sent is the question and nothing else, unless `context` adds to it; `messages` shows it. A model that fails,
    times out or answers nonsense is replaced, for that question, by `fallback`; the result says so.

    Parameters
    ----------
    model : LanguageModel
    context : callable, optional
        ``question -> text`` of what the model may know of the tables; see `SchemaContext`. CRUSH gives none.
    fallback : callable
        ``question -> probes`` where the model gives none; `probes_of` by default.
    examples : callable, optional
        As of `jar.language.LlmDecomposer`.
    """

    def __call__(self, question: str) -> Hallucination:
        """The columns of the imagined schema; an empty question has none."""
        if not question.strip():
            return Hallucination((), "default")
        name = model_name(self.model)
        probes, reason = ask(self.model, self.messages(question), _read)
        if probes:
            return Hallucination(probes, f"llm:{name}")
        return Hallucination(
            self.fallback(question),
            f"default ({name} failed: {reason})",
            note=f"the language model {name!r} imagined no schema ({reason}); the question's own words are the probes",
        )

    def _conversation(self, question: str, tables: str, examples: Sequence[Example]) -> list[Message]:
        return schema_messages(question, tables, examples)

    def _without_model(self, question: str) -> tuple[Probe, ...]:
        return probes_of(question)


def _read(answer: str) -> tuple[Probe, ...]:
    """Probes of an answer; one word alone is more often a refusal ("Unauthorized") than a table."""
    probes = parse_schema(answer)
    return probes if len(probes) > 1 or any(probe.column for probe in probes) else ()
