"""Probes: the parts of a schema that somebody imagined for a question, to search the real schema with.

A language model that is asked for "the smallest schema that could answer this question" imagines tables and columns.
They need not exist: each is a probe, a text that the real columns are compared with (CRUSH). This module reads the
tables and columns out of such an answer, in whatever notation it came.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from jar.errors import QueryError
from jar.imagined.markup import is_page, plain_text, without_thoughts
from joinability.cells import valid_text

LONGEST_TEXT = 20_000
"""Characters of an answer that are read; the schema for one question takes a few hundred."""
MOST_PROBES = 64
"""Probes of one question; later ones are left out."""

_NO_PROBES = 'probes are an imagined schema as text, or a list such as ["client.gender", ...], not {!r}'
_CODE = re.compile(r"[<>{}\[\]]")


@dataclass(frozen=True)
class Probe:
    """A column of an imagined schema; `column` is empty where a table came without columns."""

    table: str
    column: str = ""

    @property
    def text(self) -> str:
        """What is embedded: "table.column" in lower case, without half characters, which no embedder takes."""
        return valid_text(f"{self.table}.{self.column}".strip(".").lower())

    def __str__(self) -> str:
        return f"{self.table}.{self.column}".strip(".")


def parse_schema(text: str) -> tuple[Probe, ...]:
    """Read the tables and columns of an imagined schema, in the notations that language models answer with.

    Understood are ``table(column, column)`` in lists or within sentences, also without the closing bracket, CREATE
    TABLE, JSON and Python literals (also cut short), headings with bullets, "table: column, column", "table.column",
    Markdown tables, and tables without columns. Types, constraints, comments, code fences, tags, prose and what a model
    thinks aloud before its answer are left out; a page of HTML or XML holds no schema.

    Parameters
    ----------
    text : str
        Only the first `LONGEST_TEXT` characters count, and the time is linear in them.

    Returns
    -------
    tuple of Probe
        In order of appearance, without regard to case no two alike, at most `MOST_PROBES`; empty where there is nothing
        like a schema.

    Examples
    --------
    >>> [str(probe) for probe in parse_schema("1. client(client_id, gender)\\n2. card(type")]
    ['client.client_id', 'client.gender', 'card.type']
    """
    from jar.imagined.notations import read_notation

    start = without_thoughts(valid_text(text[:LONGEST_TEXT]))
    if is_page(start):
        return ()
    unique: dict[str, Probe] = {}
    for table, column in read_notation(plain_text(start)):
        probe = Probe(table, column)
        if not _CODE.search(probe.text):
            unique.setdefault(probe.text, probe)
    return tuple(unique.values())[:MOST_PROBES]


def read_probes(probes: str | Mapping[str, object] | Iterable[str | Probe | tuple[str, str]]) -> tuple[Probe, ...]:
    """Probes as callers give them: an imagined schema as text, as a mapping of tables to columns, or as a list.

    A list holds names "table.column", pairs, or probes.

    Raises
    ------
    QueryError
        When it, or an entry, is none of these.
    """
    if isinstance(probes, str):
        return parse_schema(probes)
    if isinstance(probes, Mapping):
        return parse_schema(json.dumps(probes, default=str, ensure_ascii=False))
    if not isinstance(probes, Iterable):
        raise QueryError(_NO_PROBES.format(probes))
    unique: dict[str, Probe] = {}
    for entry in probes:
        for probe in _entry(entry):
            unique.setdefault(probe.text, probe)
    return tuple(unique.values())[:MOST_PROBES]


def _entry(entry: object) -> Sequence[Probe]:
    if isinstance(entry, Probe):
        return [entry] if entry.text else []
    if isinstance(entry, str):
        if not entry.strip() or "(" in entry or "\n" in entry:
            return parse_schema(entry)
        table, _, column = entry.strip(". \t").rpartition(".")
        return [probe for probe in [Probe(table, column) if table else Probe(column)] if probe.text]
    if isinstance(entry, (tuple, list)) and len(entry) == 2 and all(isinstance(part, str) for part in entry):
        return [Probe(entry[0].strip(), entry[1].strip())] if any(map(str.strip, entry)) else []
    raise QueryError(_NO_PROBES.format(entry))
