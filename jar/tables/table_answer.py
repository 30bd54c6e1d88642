"""From a solution over candidates back to names: the `Selection` that a caller gets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from formulations import JoinEdge as TableEdge
from jar.answers.connecting import STRONG, beside, common_hubs, connecting_tables, telling_more
from jar.answers.join import UNLIKELY, Join
from jar.answers.other_references import asked_forest, asked_reference, worth_of
from jar.answers.parts import Contribution, Coverage, LeftOutTable, NamedValue
from jar.answers.selection import Selection
from jar.answers.told_twins import told_twins
from jar.arrays import IntArray, Vectors
from jar.learned.referring import answering
from jar.stopwatch import Stopwatch
from jar.tables.composites import polymorphic_among
from jar.text.lexical import unknown_words
from joinability import JoinEdge
from joinability.evidence.traits import KEY_UNIQUENESS
from joinability.lines import listed
from joinability.scores.score import describe

if TYPE_CHECKING:
    from formulations import Instance, JarObjective, Reduction, Solution
    from jar.index.contents import IndexContents
    from jar.tables.composites import Composites
    from jar.tables.problem import Joinability
    from jar.tables.query import Query
    from jar.tables.table_problem import SolvedProblem, TableProblem
    from jar.values.known_values import Mention

AS_SURE = 0.05
"""Scores of two guesses that differ by no more are as sure."""
LEFT_OUT = 10
"""Candidates that were not chosen of which an answer tells."""
MOST_BETWEEN = 5
"""Tables of which a note tells that they would connect the parts of an answer."""


def report(contents: IndexContents, problem: TableProblem, solved: SolvedProblem, asked: int) -> Selection:
    """Name tables, columns and joins of a solution.

    Parameters
    ----------
    asked : int
        The k of the caller.
    """
    watch = Stopwatch()
    query, solution = problem.question.query, solved.solution
    instance, objective = problem.reduction.instance, problem.objective
    order, contributions = _by_contribution(instance, objective, solution)
    schemas = tuple(contents.tables[problem.tables[item]] for item in order)
    columns = problem.columns
    joins, more_joins = answer_joins(contents, problem, solution)
    connecting, connects = ways_between(contents, problem, solution.components)
    timings = {**problem.timings, "solve": solved.seconds, "report": watch.lap()}
    selection = Selection(
        question=query.question,
        subqueries=query.subqueries,
        tables=tuple(table.id for table in schemas),
        scores=tuple(part.total for part in contributions),
        contributions=contributions,
        joins=joins,
        more_joins=more_joins,
        coverage=_coverage(query, problem.reduction, objective, solution, contents, columns),
        connected=solution.connected,
        components=tuple(tuple(instance.ids[item] for item in component) for component in solution.components),
        value=solution.value,
        bound=solution.bound,
        gap=solution.gap,
        status=str(solution.status),
        solver=solution.solver,
        seconds=sum(timings.values()),
        timings=timings,
        connecting=connecting,
        decomposition=query.decomposition,
        schemas=schemas,
        families=families_of(contents, problem.found.families, [int(problem.tables[item]) for item in order]),
        retrieval={contents.tables[problem.tables[item]].id: problem.found.origins[item] for item in order},
        values=_named_values(contents, problem.found.mentions, [int(problem.tables[item]) for item in order]),
        reasons=_reasons(contents, problem, order),
        relevance=problem.relevance,
        fitted=_fitted(problem),
        column_relevance=_column_relevance(contents, problem.question.vectors[0], problem.tables[order]),
        left_out=_left_out(instance, objective, order),
    )
    return replace(selection, notes=_notes(asked, problem, solution, contents, selection, connects))


def _reasons(contents: IndexContents, problem: TableProblem, order: Sequence[int]) -> dict[str, tuple[str, ...]]:
    """What a relevance model says for each chosen table, where there is one."""
    if problem.judged is None:
        return {}
    ids = [contents.tables[problem.tables[item]].id for item in order]
    return dict(zip(ids, problem.judged.reasons(order), strict=True))


def _fitted(problem: TableProblem) -> str:
    """What relevance is fitted to, in words."""
    return "" if problem.judged is None or problem.judged.adapted is None else problem.judged.adapted.summary


def _column_relevance(contents: IndexContents, vector: Vectors, tables: IntArray) -> dict[str, float]:
    """The cosine of a question, by its unit vector, with each column of some tables, by "db.table.column"."""
    columns = contents.columns_of(tables)
    names = [contents.column_name(column) for column in columns.tolist()]
    return dict(zip(names, (contents.column_vectors[columns] @ vector).tolist(), strict=True))


def _named_values(
    contents: IndexContents, mentions: Sequence[Mention], tables: Sequence[int]
) -> tuple[NamedValue, ...]:
    """The values that a question names and the columns of some tables that have them."""
    return tuple(
        NamedValue(mention.text, contents.column_name(column), contents.tables[table].id, mention.named_by)
        for table in tables
        for mention in mentions
        for column in mention.columns[contents.owner[mention.columns] == table].tolist()
    )


def families_of(
    contents: IndexContents, families: Mapping[int, tuple[int, ...]], tables: Sequence[int]
) -> dict[str, tuple[str, ...]]:
    """The sharded tables that chosen ones stand for, themselves among them, by the id of the chosen one."""
    return {
        contents.tables[table].id: tuple(contents.tables[member].id for member in families[table])
        for table in tables
        if table in families
    }


def _by_contribution(
    instance: Instance, objective: JarObjective, solution: Solution
) -> tuple[list[int], tuple[Contribution, ...]]:
    """Order the chosen items: next is always the one that adds most to those before it.

    A table adds its coarse relevance, the sub-queries that it answers in the chosen set, and the joins of the chosen
    forest that link it to tables before it. The sum over all tables is the value of the set.
    """
    answered, fine = dict.fromkeys(solution.items, 0.0), dict.fromkeys(solution.items, 0.0)
    for match in objective.matches(instance, solution.items):
        answered[match.table] += objective.fine * match.score + objective.coverage * match.first
        fine[match.table] += objective.fine * match.score
    earned = {} if objective.connect == "ignore" else _earned(objective, solution)
    left, order, contributions = list(solution.items), list[int](), list[Contribution]()
    while left:
        parts = {
            item: Contribution(
                coarse=objective.coarse * float(instance.relevance[item]),
                coverage=answered[item],
                join=sum(earned.get(frozenset((item, before)), 0.0) for before in order),
                rank=item + 1,
                required=item in instance.require,
                fine=fine[item],
            )
            for item in left
        }
        best = max(left, key=lambda item: parts[item].total)
        left.remove(best)
        order.append(best)
        contributions.append(parts[best])
    return order, tuple(contributions)


def _left_out(instance: Instance, objective: JarObjective, order: Sequence[int]) -> tuple[LeftOutTable, ...]:
    """The candidates not chosen whose relevance and best join with a chosen table would add most, best first."""
    coarse, earned = objective.coarse * instance.relevance, np.zeros(instance.n)
    nearest = np.zeros(instance.n, dtype=np.int64)
    if order and objective.connect != "ignore":
        weights = instance.weights[:, order]
        nearest = weights.argmax(axis=1)
        best = weights[np.arange(instance.n), nearest]
        earned = np.where(best > 0, objective.join * best + objective.link, 0.0)
    total = coarse + earned
    total[[*order, *instance.exclude]] = -np.inf
    ranked = [item for item in np.argsort(-total, kind="stable")[:LEFT_OUT].tolist() if total[item] > -np.inf]
    return tuple(
        LeftOutTable(
            table=instance.ids[item],
            rank=item + 1,
            coarse=float(coarse[item]),
            join=float(earned[item]),
            joins_to=instance.ids[order[nearest[item]]] if earned[item] > 0 else "",
        )
        for item in ranked
    )


def _earned(objective: JarObjective, solution: Solution) -> dict[frozenset[int], float]:
    """What each join of the forest earns."""
    return {
        frozenset((edge.left, edge.right)): objective.join * edge.weight + objective.link for edge in solution.edges
    }


def answer_joins(
    contents: IndexContents, problem: TableProblem, solution: Solution
) -> tuple[tuple[Join, ...], tuple[Join, ...]]:
    """The joins of the forest of an answer, and those that it does without and that do not follow from its joins, the
    surest first; of rows of one table last.

    Where several columns of one table refer to another one, the forest has the column that answers the question best:
    "destination port" joins by `destination_port`, not by `origin_port`.
    A join between other tables that answers it clearly better takes the place of one that it makes superfluous.
    """
    joins = name_joins(problem.reduction, solution.edges, contents, problem.joinability, problem.composites)
    if problem.objective.connect == "ignore":
        return joins, ()
    columns = problem.joinability.columns
    chosen = np.isin(contents.owner[columns], problem.tables[list(solution.items)])
    names = map(contents.column_name, columns[chosen].tolist())
    worth = dict(zip(names, answering(problem.reduction.problem.fine)[chosen].tolist(), strict=True))
    possible = _possible_joins(contents, problem, solution)
    told = asked_forest([asked_reference(join, possible, worth) for join in joins], possible, worth)
    new = telling_more((*possible, *joins), told)
    others = sorted(new, key=lambda join: (-join.score, -worth_of(join, worth)))
    ids = {contents.tables[table].id for table in problem.tables[list(solution.items)].tolist()}
    return told, (*others, *beside(problem.beside, (*told, *others), ids))


def name_joins(
    reduction: Reduction,
    edges: Sequence[TableEdge],
    contents: IndexContents,
    joinability: Joinability,
    composites: Composites,
) -> tuple[Join, ...]:
    """Joins of a forest over the tables of a problem, with the columns that make them, their scores and what speaks for
    each.

    Parameters
    ----------
    joinability : Joinability
        Of the columns of the problem.
    composites : mapping
        The composite keys among its joins, by pairs of columns.
    """
    pairs = [reduction.best_pair(left, right) for left, right, _ in edges]
    return _named_pairs(pairs, contents, joinability, composites)


def _named_pairs(
    pairs: Sequence[tuple[int, int]], contents: IndexContents, joinability: Joinability, composites: Composites
) -> tuple[Join, ...]:
    """Joins of pairs of columns, by their places in the problem."""
    one, other = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    lefts, rights = joinability.columns[one], joinability.columns[other]
    scores = joinability.matrix[one, other].tolist()
    joins = []
    for score, left, right, evidence in zip(scores, lefts, rights, _evidence(contents, lefts, rights), strict=True):
        left_table, right_table = (contents.tables[contents.owner[side]].id for side in (left, right))
        names = (contents.evidence.name[left], contents.evidence.name[right])
        if _by_names(contents, left, right, evidence):
            evidence |= _told_by_names(contents, int(left), int(right))
        padded = contents.evidence.padding([left], [right])
        join = JoinEdge(left_table, right_table, (names,), score, "column", evidence, padded)
        composite = composites.get((min(left, right), max(left, right)))
        if composite is not None:
            join = composite.to_edge(contents.evidence).seen_from(left_table)
        joins.append(Join.of(join))
    return tuple(joins)


def _possible_joins(contents: IndexContents, problem: TableProblem, solution: Solution) -> list[Join]:
    """The best joins of any two tables of an answer, and their other references, as of an order to who took it and to
    who approved it: those of `STRONG` and more, and of a guess that connects the tables those as sure."""
    weights, score = problem.reduction.instance.weights, problem.joinability.matrix
    pairs = [pair for pair in combinations(sorted(solution.items), 2) if weights[pair] > 0]
    best = {pair: problem.reduction.best_pair(*pair) for pair in pairs}
    strong = {pair for pair, columns in best.items() if max(weights[pair], score[columns]) >= STRONG}
    guessed = {(min(edge.left, edge.right), max(edge.left, edge.right)) for edge in solution.edges}.difference(strong)
    least = {pair: score[best[pair]] - AS_SURE if pair in guessed else STRONG for pair in pairs}
    others = [columns for pair in pairs for columns in _columns_joining(contents, problem, pair, least[pair])]
    chosen = np.isin(contents.owner[problem.joinability.columns], problem.tables[list(solution.items)])
    others += polymorphic_among(problem.composites, problem.joinability.columns, chosen)
    named, further = (
        _named_pairs(some, contents, problem.joinability, problem.composites)
        for some in ([best[pair] for pair in pairs if pair in strong], sorted(set(others).difference(best.values())))
    )
    return [*named, *(join for join in further if join.is_reference)]


def _columns_joining(
    contents: IndexContents, problem: TableProblem, pair: tuple[int, int], least: float
) -> list[tuple[int, int]]:
    """The columns of two tables, by their places in the problem, that join with a score and more."""
    owners = contents.owner[problem.joinability.columns]
    one, other = (np.flatnonzero(owners == problem.tables[item]) for item in pair)
    left, right = np.nonzero(problem.joinability.matrix[np.ix_(one, other)] >= max(least, UNLIKELY))
    return list(zip(one[left].tolist(), other[right].tolist(), strict=True))


def _evidence(contents: IndexContents, lefts: IntArray, rights: IntArray) -> list[dict[str, Any]]:
    """What is known of pairs of columns, as `describe` has it; remembered, for answers join the same tables often."""
    known = contents.joins
    return known.described(
        list(zip(lefts.tolist(), rights.tolist(), strict=True)),
        lambda left, right: describe(contents.evidence, left, right, known.verdicts),
    )


def _told_by_names(contents: IndexContents, left: int, right: int) -> dict[str, Any]:
    """What is told of a join for which names speak; one of no kind is past the key of a third table, to which both
    refer, and is certain where both declare it."""
    kind = contents.evidence.named.kind(left, right)
    declared = np.diff(contents.evidence.declared.indptr)[[left, right]].all()
    has_key = contents.evidence.uniqueness[[left, right]].max() >= KEY_UNIQUENESS
    return {"unverified": bool(kind or not declared), "by_name": kind, "many_to_many": not (kind or has_key)}


def _by_names(contents: IndexContents, left: int, right: int, evidence: Mapping[str, Any]) -> bool:
    """Whether nothing but names speaks for a join: no values of a side are known, and nobody states it."""
    return bool(contents.evidence.silent[[left, right]].any()) and not (evidence["declared"] or evidence["pinned"])


def _coverage(
    query: Query,
    reduction: Reduction,
    objective: JarObjective,
    solution: Solution,
    contents: IndexContents,
    columns: IntArray,
) -> tuple[Coverage, ...]:
    matches = sorted(objective.matches(reduction.instance, solution.items), key=lambda match: match.subquery)
    return tuple(
        Coverage(
            subquery=query.subqueries[match.subquery],
            column=contents.column_name(columns[reduction.best_column(match.subquery, match.table)]),
            score=match.score,
            table=reduction.instance.ids[match.table],
        )
        for match in matches
    )


def _references(contents: IndexContents, problem: TableProblem) -> npt.NDArray[np.bool_]:
    """Which candidates refer to which by a join of `STRONG` and more, shape (n, n): one to the other where the column
    of the other is a key, and both to each other where nothing tells which is."""
    columns, weights = problem.joinability.columns, problem.reduction.instance.weights
    uniqueness = contents.evidence.key_uniqueness[columns]
    repeats = (uniqueness > 0) & (uniqueness < KEY_UNIQUENESS)
    one, other = np.nonzero((problem.joinability.matrix >= STRONG) & ~repeats[None, :])
    keys = np.array(list(problem.composites), dtype=np.int64).reshape(-1, 2)
    pairs = np.concatenate([np.column_stack([columns[one], columns[other]]), keys, keys[:, ::-1]])
    item_of = {int(table): item for item, table in enumerate(problem.tables)}
    refers = np.zeros(weights.shape, dtype=np.bool_)
    for child, parent in np.unique(contents.owner[pairs], axis=0).tolist():
        if child in item_of and parent in item_of:
            refers[item_of[child], item_of[parent]] = True
    return refers & (weights >= STRONG)


def ways_between(
    contents: IndexContents, problem: TableProblem, parts: Sequence[Sequence[int]]
) -> tuple[tuple[str, ...], bool]:
    """The candidates that would connect the parts of a set, if it has several, and whether they connect all of it."""
    if len(parts) < 2 or problem.objective.connect == "ignore":
        return (), True
    refers, relevance = _references(contents, problem), problem.reduction.instance.relevance
    unasked = relevance < relevance[[item for part in parts for item in part]].min()
    between, connects = connecting_tables(refers | refers.T, parts, common_hubs(refers, unasked))
    return tuple(contents.tables[problem.tables[item]].id for item in between), connects


def _notes(
    asked: int, problem: TableProblem, solution: Solution, contents: IndexContents, selection: Selection, connects: bool
) -> tuple[str, ...]:
    question, candidates = problem.question, problem.reduction.instance.n
    notes = [question.query.note] if question.query.note else []
    notes += problem.found.notes
    notes += told_twins(contents, problem.tables[list(solution.items)], problem.tables, problem.found.clients)
    if asked > candidates:
        there = f"are only {candidates} candidates" if candidates != 1 else "is only 1 candidate"
        notes.append(f"{asked} tables were asked for, there {there}")
    if not question.vectors[0].any():
        notes.append("the embedder knows no word of the question: the order of tables means nothing")
    unknown = unknown_words(question.query.question, contents.words)
    if unknown and not problem.found.mentions:
        notes.append(unknown)
    if not len(contents.values) and any(match.is_weak for match in selection.coverage):
        notes.append("no values are known, so no table is found by what its rows hold: index rows, or give samples")
    if ids := selection.connecting:
        remedy = f"require {'it' if len(ids) == 1 else 'them'}"
        remedy += ', or ask for connected sets alone (connect="require")' if connects else "; others stay apart"
        notes.append(f"{listed(ids, MOST_BETWEEN)} would connect {'the' if connects else 'some'} parts: {remedy}")
    if solution.status == "infeasible":
        notes.append(
            'no connected set of this size has the required tables; use connect="prefer", require fewer tables, '
            "forbid fewer joins or give more candidates"
        )
    return tuple(notes)
