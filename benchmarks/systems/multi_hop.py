"""MURRE as a first stage: the package's multi-hop retriever, and the same with a rewriter that knows the answer."""

from __future__ import annotations

from collections.abc import Callable

from benchmarks.systems.rows import Setting
from jar.multihop import ConcatenationRewriter, MultiHopRetriever, OracleRewriter, ResidualRewriter, Rewriter

Scored = list[tuple[str, float]]
"""Tables with their scores, best first."""


def oracle_rewriter(setting: Setting) -> OracleRewriter:
    """A rewriter that knows the gold tables of each question of the data set, those of all that read alike."""
    tables = setting.index.contents.tables
    text = {table.id.casefold(): name for table, name in zip(tables, setting.index.signatures, strict=True)}
    gold: dict[str, list[str]] = {}
    for question in setting.dataset.questions:
        known = gold.setdefault(question.text.strip(), [])
        known += [text[table] for table in sorted(question.gold_tables) if text[table] not in known]
    return OracleRewriter(gold)


REWRITERS: dict[str, Callable[[Setting], Rewriter]] = {
    "residual": lambda setting: ResidualRewriter(setting.index),
    "residual, covered words removed": lambda setting: ResidualRewriter(setting.index, keep_question=False),
    "concatenation": lambda setting: ConcatenationRewriter(),
    "oracle": oracle_rewriter,
}
"""What says which tables are missing, by the names of the study."""


def in_hops(setting: Setting, count: int, rewriter: str, form: str = "paper", hops: int = 3) -> list[Scored]:
    """The best tables for each question by a multi-hop retriever, with their scores."""
    retriever = MultiHopRetriever(
        setting.index, REWRITERS[rewriter](setting), form=form, hops=hops, embedder=setting.embedder
    )
    return [list(proposals) for proposals in retriever.many([q.text for q in setting.dataset.questions], count)]
