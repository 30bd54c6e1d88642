"""The systems by name.

A name may have endings: ``jar-f+given+score=default+solver=greedy``. "+given" and "+default" say where the sub-queries
come from, the data set or the decomposition of `jar`; "+score=", "+solver=", "+connect=", "+words=",
"+databases=", "+values=", "+pool=", "+retriever=", "+expand=" and "+relevance=" change one setting of a re-ranker each.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, get_args

from benchmarks.systems import graphs, joined, ranking, schemagate
from benchmarks.systems.first_stage import RETRIEVERS
from benchmarks.systems.late_interaction import LATE, late
from benchmarks.systems.rows import (
    DECOMPOSITIONS,
    Answers,
    Connect,
    Decomposition,
    Setting,
    Switch,
    SystemRow,
    UnknownSystemError,
)  # fmt: skip
from formulations import solvers
from joinability.scores.score import SCORES

SYSTEMS: dict[str, SystemRow] = {
    row.name: row
    for row in (
        SystemRow("oracle", "the best possible with K tables", ranking.oracle),
        SystemRow("dense", "embedding of question against plain words of the table (baseline)", ranking.dense),
        SystemRow("retriever", "the package's first stage: question against signature", ranking.first_stage("dense")),
        SystemRow("bm25", "BM25 over the words of the table", ranking.first_stage("bm25")),
        SystemRow("hybrid", "BM25 and the first stage, reciprocal ranks fused", ranking.first_stage("hybrid")),
        SystemRow("murre", "several hops, what is missing by the words that are left", ranking.first_stage("multihop")),
        SystemRow("murre-oracle", "the same, told which tables are missing", ranking.first_stage("multihop-oracle")),
        SystemRow("late", "late interaction of question and signature, by fitted maps", late()),
        SystemRow("late-untrained", "the same without maps", late(trained=False)),
        SystemRow("neighbours", "the first stage, each table followed by its declared neighbours", graphs.neighbours),
        SystemRow("pagerank", "PageRank over declared keys from the candidates", graphs.personalised_pagerank),
        SystemRow("schemagate", "schemagate with its hashed embedder", schemagate.schemagate("hashed")),
        SystemRow("schemagate-dense", "schemagate with the embedder of the others", schemagate.schemagate("setting")),
        *(
            SystemRow(name, summary, joined.VARIANTS[name].answer, decomposes=True, joins=True)
            for name, summary in (
                ("jar-d", "JAR without joins"),
                ("jar-f", "JAR, joins from contents"),
                ("jar-g", "JAR, declared keys trusted"),
                ("jar", "the package as it comes: its weights, its join score"),
            )
        ),
        *(
            SystemRow(name, summary, joined.tables_of_columns(objective), decomposes=True)
            for name, summary, objective in (
                ("crush", "the tables of the columns that CRUSH chooses, as the package comes", "crush"),
                ("jar-crush", "both objectives: the probes of CRUSH propose tables, JAR chooses", "jar+crush"),
            )
        ),
    )
}

CHOICES: Mapping[str, Collection[str]] = {
    "score": SCORES,
    "solver": solvers().names(),
    "connect": get_args(Connect),
    "words": get_args(Switch),
    "databases": get_args(Switch),
    "values": get_args(Switch),
    "pool": get_args(Switch),
    "retriever": RETRIEVERS,
    "expand": get_args(Switch),
    "relevance": ("cosine", "learned", LATE),
}
"""What re-rankers may be told by the endings of their names."""


def find_system(
    name: str, decomposition: Decomposition = "default", registry: Mapping[str, SystemRow] | None = None
) -> tuple[SystemRow, Decomposition]:
    """The row of a system with what the endings of its name ask for, and the decomposition, theirs or the given one.

    It is "default" for a system without sub-queries. By default the systems choose tables.

    Raises
    ------
    UnknownSystemError
        When there is none of that name, or an ending is not for it; the message lists what there is.
    """
    row, decomposition, changes = read_name(name, decomposition, registry)
    if not changes:
        return row, decomposition if row.decomposes else "default"

    def answer(setting: Setting, sizes: Sequence[int]) -> Answers:
        return row.answer(replace(setting, **changes), sizes)

    return replace(row, answer=answer), decomposition if row.decomposes else "default"


def read_name(
    name: str, decomposition: Decomposition = "default", registry: Mapping[str, SystemRow] | None = None
) -> tuple[SystemRow, Decomposition, dict[str, Any]]:
    """The row of a system, the decomposition, and the fields of the setting that the endings of its name change."""
    known = SYSTEMS if registry is None else registry
    stem, *endings = name.split("+")
    if stem not in known:
        raise UnknownSystemError(f"unknown system {name!r}: choose among {', '.join(known)}")
    row = known[stem]
    changes: dict[str, Any] = {}
    for ending in endings:
        key, _, value = ending.partition("=")
        if row.decomposes and ending in DECOMPOSITIONS:
            decomposition = "given" if ending == "given" else "default"
        elif row.joins and value in CHOICES.get(key, ()):
            changes[key] = value
        else:
            raise UnknownSystemError(f"unknown system {name!r}: did you mean {' or '.join(_variants(row))}?")
    return row, decomposition, changes


def _variants(row: SystemRow) -> list[str]:
    endings: list[str] = [*DECOMPOSITIONS] if row.decomposes else []
    if row.joins:
        endings += [f"{key}={value}" for key, values in CHOICES.items() for value in values]
    return [f"{row.name}+{ending}" for ending in endings] or [row.name]
