"""Each question of a data set beside the best answer that the gold tables allow, and the class of what was lost."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import networkx as nx

from benchmarks.data.dataset_form import Dataset, Question
from benchmarks.data.gold_columns import Schema
from benchmarks.losses.classes import WON, Comparison, classify
from benchmarks.losses.query_joins import QueryJoin, query_joins
from benchmarks.losses.recording import Record, RecordingReranker
from formulations import Instance, JarObjective, JoinEdge, solve

Size = int | None
"""Number of tables to choose; None for as many as the question has gold tables."""


class SolverLossError(RuntimeError):
    """The chosen set is worth less than another that was open to the solver: a defect of the solver."""


@dataclass(frozen=True)
class ValuedSet:
    """A set of tables with its joins and its value term by term."""

    items: tuple[int, ...]
    tables: tuple[str, ...]
    edges: tuple[JoinEdge, ...]
    value: float


@dataclass(frozen=True)
class Loss:
    """A question, what was chosen for it, what might have been, and the class of the difference.

    Attributes
    ----------
    size : int or None
        As asked; None for the number of gold tables.
    missing : tuple of QueryJoin
        Joins of the gold query between gold tables of the rival without a positive score.
    ranks : dict of str to int
        Place of each gold and each chosen table, case folded, in the order of the retriever over the corpus, from 1.
    name : str
        A name of `CLASSES`.
    repaired : bool or None
        Whether the question is won where only the lost stage is mended: with the missing gold tables among the
        candidates, or with the missing joins at the score 1. None for other classes.
    """

    dataset: str
    question: Question
    size: Size
    record: Record
    rival: ValuedSet | None
    comparison: Comparison
    missing: tuple[QueryJoin, ...]
    ranks: dict[str, int]
    name: str
    repaired: bool | None = None

    @property
    def lost(self) -> bool:
        """Whether another set of this size has more gold tables."""
        return self.name not in WON

    @property
    def severity(self) -> tuple[float, float]:
        """Share of the gold tables that were missed, then by how much the rival is worth less, relative."""
        case = self.comparison
        return 1 - case.found / case.possible, case.deficit / max(1e-12, abs(self.record.selection.value))


class ErrorAnalysis:
    """The comparisons of one system, with an exact solver, on one data set; with its sub-queries where `given`."""

    def __init__(self, dataset: Dataset, reranker: RecordingReranker, *, given: bool = False) -> None:
        self.dataset, self.reranker, self.given = dataset, reranker, given

    @property
    def objective(self) -> JarObjective:
        """What a set is worth within a database."""
        return self.reranker.objective

    @cached_property
    def schemas(self) -> dict[str, Schema]:
        """Columns by table of each database, case folded."""
        columns: dict[str, dict[str, frozenset[str]]] = defaultdict(dict)
        for table in self.dataset.catalog:
            columns[table.database][table.name.casefold()] = frozenset(map(str.casefold, table.column_names))
        return dict(columns)

    def losses(self, size: Size) -> list[Loss]:
        """A comparison for each question, won or lost, in the order of the data set."""
        groups: dict[int, list[Question]] = defaultdict(list)
        for question in self.dataset.questions:
            groups[len(question.gold_tables) if size is None else size].append(question)
        losses: dict[str, Loss] = {}
        for k, questions in groups.items():
            given = [question.subqueries for question in questions] if self.given else None
            records = self.reranker.records([question.text for question in questions], k, given)
            losses.update((q.id, self._loss(q, size, record)) for q, record in zip(questions, records, strict=True))
        return [losses[question.id] for question in self.dataset.questions]

    def _loss(self, question: Question, size: Size, record: Record) -> Loss:
        instance, objective, gold = record.instance, record.objective, question.gold_tables
        reachable = _positions(instance, gold)
        rival = _rival(record, reachable, len(gold))
        self._check(record, rival, question)
        core = reachable if rival is None else [item for item in reachable if item in rival.items]
        missing = self._missing_joins(question, instance, core)
        comparison = Comparison(
            size=instance.size,
            gold=len(gold),
            found=len(set(record.solution.items) & set(reachable)),
            reachable=len(reachable),
            chosen=objective.terms(instance, record.solution.items),
            rival=None if rival is None else objective.terms(instance, rival.items),
            connected=_connected(instance, core),
            missing=len(missing),
            joins_count=objective.connect != "ignore",
        )
        ranks = self._ranks(question, [*gold, *record.selection.tables])
        loss = Loss(self.dataset.name, question, size, record, rival, comparison, missing, ranks, classify(comparison))
        return replace(loss, repaired=self._repaired(loss)) if loss.lost else loss

    def _check(self, record: Record, rival: ValuedSet | None, question: Question) -> None:
        if rival is None:
            return
        shortfall = rival.value - record.solution.value
        if shortfall > 1e-9 * max(1.0, abs(rival.value)):
            raise SolverLossError(
                f"{self.dataset.name}, question {question.id}: {', '.join(record.solution.ids)} is worth "
                f"{record.solution.value:.9g}, and {', '.join(rival.tables)} {rival.value:.9g}: the solver "
                f"{record.solution.solver!r} left the better set"
            )

    def _missing_joins(self, question: Question, instance: Instance, core: Iterable[int]) -> tuple[QueryJoin, ...]:
        if not question.sql:  # a data set of retrieval has no queries
            return ()
        item = {instance.ids[position].casefold(): position for position in core}
        joins = query_joins(question.sql, question.database, self.schemas[question.database])
        inside = [join for join in joins if set(join.tables) <= set(item)]
        return tuple(join for join in inside if instance.weights[item[join.tables[0]], item[join.tables[1]]] <= 0.0)

    def _ranks(self, question: Question, tables: Iterable[str]) -> dict[str, int]:
        order = self.reranker.table_order(question.text)
        rank = {table.casefold(): place for place, table in enumerate(order, start=1)}
        return {table.casefold(): rank[table.casefold()] for table in tables if table.casefold() in rank}

    def _repaired(self, loss: Loss) -> bool | None:
        instance, question = loss.record.instance, loss.question
        if loss.name == "candidates":
            names = {table.id.casefold(): table.id for table in self.reranker.index.contents.tables}
            absent = [names[table] for table in sorted(question.gold_tables) if table in names]
            candidates = list(dict.fromkeys([*instance.ids, *absent]))
            given = question.subqueries if self.given else None
            again = self.reranker.record(question.text, instance.size, candidates, given)
            return (
                len(_positions(again.instance, question.gold_tables, again.solution.items)) == loss.comparison.possible
            )
        if loss.name == "join edge missing":
            mended = instance.compatibility.copy()
            item = {table.casefold(): position for position, table in enumerate(instance.ids)}
            for join in loss.missing:
                left, right = (item[table] for table in join.tables)
                mended[left, right] = mended[right, left] = 1.0
            best = solve(instance.replace(compatibility=mended), loss.record.objective, "exact")
            return len(_positions(instance, question.gold_tables, best.items)) == loss.comparison.possible
        return None


def _rival(record: Record, reachable: Sequence[int], gold: int) -> ValuedSet | None:
    """The best set that has as many gold tables as K allows; None where there is none."""
    instance = record.instance
    if len(reachable) < min(gold, instance.size):
        return None
    if gold <= instance.size:
        part = instance.replace(require=reachable)
    else:
        part = instance.replace(exclude=sorted(set(range(instance.n)) - set(reachable)))
    best = solve(part, record.objective, "exact")
    return ValuedSet(best.items, best.ids, best.edges, best.value) if best.items else None


def _positions(instance: Instance, tables: Iterable[str], among: Iterable[int] | None = None) -> list[int]:
    """Positions of the tables of an instance, or of some of them, that are in a collection of case-folded ids."""
    wanted = set(tables)
    return [item for item in (range(instance.n) if among is None else among) if instance.ids[item].casefold() in wanted]


def _connected(instance: Instance, items: Sequence[int]) -> bool:
    """Whether joins of positive score connect these tables with each other."""
    graph: nx.Graph = nx.Graph()
    graph.add_nodes_from(items)
    graph.add_edges_from((i, j) for i in items for j in items if i < j and instance.weights[i, j] > 0.0)
    return not items or nx.is_connected(graph)


def worst(losses: Iterable[Loss], count: int) -> Iterator[Loss]:
    """The worst of the lost questions, the worst first."""
    lost = [loss for loss in losses if loss.lost]
    yield from sorted(lost, key=lambda loss: (*(-part for part in loss.severity), loss.question.id))[:count]
