"""Questions with their probes: who gave them, and their vectors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from jar.arrays import Vectors
from jar.columns.vectors import chunk_vectors, probe_vectors
from jar.errors import QueryError
from jar.imagined.probes import Probe, read_probes

if TYPE_CHECKING:
    from jar.text.embedding import Embedder

GivenProbes: TypeAlias = "str | Mapping[str, object] | Iterable[str | Probe | tuple[str, str]]"
Hallucinator: TypeAlias = Callable[[str], Any]
"""``question -> probes``: an imagined schema as text, a mapping of tables to columns, or a list of probes."""

QUESTION = "question"
"""Source of probes that are the question's own chunks."""


@dataclass(frozen=True)
class ProbedQuestion:
    """A question and what the columns are compared with.

    Attributes
    ----------
    question : str
    probes : tuple of str
        The chunks of the question, or "table.column" of an imagined schema.
    source : str
        "question" (its own chunks: no language model), "caller", "llm:NAME", or the name of the callable.
    note : str
        What was not as asked, in words; empty where all was.
    vectors : array (m, d)
        Unit vectors of the probes.
    whole : array (d,)
        Unit vector of the question.
    """

    question: str
    probes: tuple[str, ...]
    source: str
    note: str
    vectors: Vectors
    whole: Vectors


def read_probed_questions(
    embedder: Embedder,
    questions: Sequence[str],
    given: Sequence[GivenProbes | None],
    hallucinator: Hallucinator | None,
    *,
    context: bool = True,
) -> list[ProbedQuestion]:
    """Probes of several questions, together: the caller's, else the hallucinator's, else the questions' chunks.

    Where a hallucinator or a caller gives no probe that can be read, the chunks of the question take their place, and
    the note says so.

    Parameters
    ----------
    given : one entry for each question
        The caller's probes, or None.
    hallucinator : callable, optional
        With a ``many``, all its questions are asked at once.

    Raises
    ------
    QueryError
        When an entry of probes is none.
    """
    answers = _answers(questions, given, hallucinator)
    with_probes = [place for place, answer in enumerate(answers) if answer.probes]
    texts = [tuple(probe.text for probe in answers[place].probes) for place in with_probes]
    asked = [questions[place] for place in with_probes]
    vectors = dict(zip(with_probes, probe_vectors(embedder, asked, texts, context=context), strict=True))
    names: dict[int, Sequence[str]] = dict(zip(with_probes, texts, strict=True))
    without = [place for place in range(len(questions)) if place not in vectors]
    if without:
        chunks, of_chunks = chunk_vectors(embedder, [questions[place] for place in without])
        vectors.update(zip(without, of_chunks, strict=True))
        names.update(zip(without, chunks, strict=True))
    wholes = embedder(list(questions))
    return [
        ProbedQuestion(question, tuple(names[place]), answer.source, answer.note, vectors[place], wholes[place])
        for place, (question, answer) in enumerate(zip(questions, answers, strict=True))
    ]


class _Answer(NamedTuple):
    """The probes given or imagined for a question, and by whom; none where the question's words are used."""

    probes: tuple[Probe, ...] = ()
    source: str = QUESTION
    note: str = ""


def _answers(
    questions: Sequence[str], given: Sequence[GivenProbes | None], hallucinator: Hallucinator | None
) -> list[_Answer]:
    without = [question for question, probes in zip(questions, given, strict=True) if probes is None]
    imagined = iter(_imagined(without, hallucinator))
    return [next(imagined) if probes is None else _given(probes) for probes in given]


def _given(probes: GivenProbes) -> _Answer:
    read = read_probes(probes)
    empty = "the given probes hold no table or column; the question's own words are the probes"
    return _Answer(read, "caller") if read else _Answer(note=empty)


def _imagined(questions: Sequence[str], hallucinator: Hallucinator | None) -> list[_Answer]:
    if hallucinator is None or not questions:
        return [_Answer()] * len(questions)
    many = getattr(hallucinator, "many", None)
    schemas = list(many(questions)) if callable(many) else [hallucinator(question) for question in questions]
    if len(schemas) != len(questions):
        raise QueryError(f"the hallucinator answered {len(schemas)} of {len(questions)} questions: one answer for each")
    name = f"callable:{getattr(hallucinator, '__qualname__', type(hallucinator).__qualname__)}"
    answers = []
    for schema in schemas:
        source, note = str(getattr(schema, "source", name)), str(getattr(schema, "note", ""))
        read = () if schema is None or source.startswith("default") else read_probes(schema)
        if not read:
            source, note = QUESTION, note or f"{name} imagined no schema; the question's own words are the probes"
        answers.append(_Answer(read, source, note))
    return answers


def stack(probed: ProbedQuestion, *, question: bool) -> Vectors:
    """Vectors of all probes, the question last where it is one; shape (m, d), m at least 1."""
    vectors = probed.vectors.reshape(len(probed.probes), -1)
    if not len(vectors):
        return probed.whole[None]
    return np.concatenate([vectors, probed.whole[None]]) if question else vectors
