"""Questions with their probes: who gave them, and their vectors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

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
class Probing:
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


def read_probings(
    embedder: Embedder,
    questions: Sequence[str],
    given: Sequence[GivenProbes | None],
    hallucinator: Hallucinator | None,
    *,
    context: bool = True,
) -> list[Probing]:
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
    told = _told(questions, given, hallucinator)
    with_probes = [place for place, (probes, _, _) in enumerate(told) if probes]
    texts = [tuple(probe.text for probe in told[place][0]) for place in with_probes]
    asked = [questions[place] for place in with_probes]
    vectors = dict(zip(with_probes, probe_vectors(embedder, asked, texts, context=context), strict=True))
    names: dict[int, Sequence[str]] = dict(zip(with_probes, texts, strict=True))
    without = [place for place in range(len(questions)) if place not in vectors]
    if without:
        chunks, found = chunk_vectors(embedder, [questions[place] for place in without])
        vectors.update(zip(without, found, strict=True))
        names.update(zip(without, chunks, strict=True))
    wholes = embedder(list(questions))
    return [
        Probing(question, tuple(names[place]), source, note, vectors[place], wholes[place])
        for place, (question, (_, source, note)) in enumerate(zip(questions, told, strict=True))
    ]


def _told(
    questions: Sequence[str], given: Sequence[GivenProbes | None], hallucinator: Hallucinator | None
) -> list[tuple[tuple[Probe, ...], str, str]]:
    """Of each question its probes, their source, and a note; no probes where the question has to speak for itself."""
    open_ones = [question for question, probes in zip(questions, given, strict=True) if probes is None]
    imagined = iter(_imagined(open_ones, hallucinator))
    told = []
    for probes in given:
        if probes is not None:
            read = read_probes(probes)
            empty = "the given probes hold no table or column; the question's own words are the probes"
            told.append((read, "caller", "") if read else ((), QUESTION, empty))
        else:
            told.append(next(imagined))
    return told


def _imagined(questions: Sequence[str], hallucinator: Hallucinator | None) -> list[tuple[tuple[Probe, ...], str, str]]:
    if hallucinator is None or not questions:
        return [((), QUESTION, "")] * len(questions)
    many = getattr(hallucinator, "many", None)
    answers = list(many(questions)) if callable(many) else [hallucinator(question) for question in questions]
    if len(answers) != len(questions):
        raise QueryError(f"the hallucinator answered {len(answers)} of {len(questions)} questions: one answer for each")
    name = f"callable:{getattr(hallucinator, '__qualname__', type(hallucinator).__qualname__)}"
    told = []
    for answer in answers:
        source, note = str(getattr(answer, "source", name)), str(getattr(answer, "note", ""))
        read = () if answer is None or source.startswith("default") else read_probes(answer)
        if not read:
            source, note = QUESTION, note or f"{name} imagined no schema; the question's own words are the probes"
        told.append((read, source, note))
    return told


def stack(probing: Probing, *, question: bool) -> Vectors:
    """Vectors of all probes, the question last where it is one; shape (m, d), m at least 1."""
    own = probing.vectors.reshape(len(probing.probes), -1)
    if question or not len(own):
        return np.concatenate([own, probing.whole[None]]) if len(own) else probing.whole[None]
    return own
