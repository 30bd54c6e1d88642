"""How hard a query is by Spider's own rules (Yu et al., EMNLP 2018; `evaluation.py` of its release)."""

from __future__ import annotations

from collections.abc import Iterator

import sqlglot
from sqlglot import exp

LEVELS = ("easy", "medium", "hard", "extra")


def hardness(sql: str) -> str:
    """ "easy", "medium", "hard" or "extra", by the clauses, the nested queries and the lists of a query.

    Like the original it looks at the first SELECT of a combination, and counts NOT among the aggregates.
    """
    tree = sqlglot.parse_one(sql, read="sqlite")
    nested = 0
    while isinstance(tree, exp.SetOperation):
        tree, nested = tree.this, nested + 1
    tree = tree.unnest()
    clauses, others = _clauses(tree), _others(tree)
    nested += sum(1 for condition in _conditions(tree) for _ in _queries(condition))
    if clauses <= 1 and others == 0 and nested == 0:
        return LEVELS[0]
    if nested == 0 and ((others <= 2 and clauses <= 1) or (clauses <= 2 and others < 2)):
        return LEVELS[1]
    if (
        (nested == 0 and others > 2 and clauses <= 2)
        or (nested == 0 and 2 < clauses <= 3 and others <= 2)
        or (clauses <= 1 and others == 0 and nested <= 1)
    ):
        return LEVELS[2]
    return LEVELS[3]


def _clauses(tree: exp.Expression) -> int:
    """WHERE, GROUP BY, ORDER BY, LIMIT, joins, OR and LIKE."""
    count = sum(1 for name in ("where", "group", "order", "limit") if tree.args.get(name))
    likes = sum(1 for condition in _conditions(tree) if isinstance(_positive(condition), exp.Like))
    return count + len(tree.args.get("joins") or []) + sum(_ors(part) for part in _predicates(tree)) + likes


def _others(tree: exp.Expression) -> int:
    """More than one aggregate, column, condition of WHERE, and column to group by: one point each."""
    where = tree.args.get("where")
    conditions = list(_flat(where.this)) if where else []
    having = tree.args.get("having")
    order = tree.args.get("order")
    aggregates = sum(1 for part in tree.expressions if part.find(exp.AggFunc))
    aggregates += sum(1 for part in (order.expressions if order else []) if part.find(exp.AggFunc))
    negated = [*conditions, *(_flat(having.this) if having else [])]
    aggregates += sum(1 for condition in negated if isinstance(condition, exp.Not))
    group = tree.args.get("group")
    lists = (len(tree.expressions), len(conditions), len(group.expressions) if group else 0, aggregates)
    return sum(1 for count in lists if count > 1)


def _predicates(tree: exp.Expression) -> Iterator[exp.Expression]:
    for join in tree.args.get("joins") or []:
        if join.args.get("on"):
            yield join.args["on"]
    for name in ("where", "having"):
        if tree.args.get(name):
            yield tree.args[name].this


def _conditions(tree: exp.Expression) -> Iterator[exp.Expression]:
    return (condition for predicate in _predicates(tree) for condition in _flat(predicate))


def _flat(predicate: exp.Expression) -> Iterator[exp.Expression]:
    """The conditions that AND and OR combine."""
    predicate = predicate.unnest()
    if isinstance(predicate, exp.Connector):
        yield from _flat(predicate.left)
        yield from _flat(predicate.right)
    else:
        yield predicate


def _ors(predicate: exp.Expression) -> int:
    predicate = predicate.unnest()
    if not isinstance(predicate, exp.Connector):
        return 0
    return isinstance(predicate, exp.Or) + _ors(predicate.left) + _ors(predicate.right)


def _positive(condition: exp.Expression) -> exp.Expression:
    return condition.this if isinstance(condition, exp.Not) else condition


def _queries(condition: exp.Expression) -> Iterator[exp.Expression]:
    """The queries that a condition compares with, without those inside of these."""
    for part in _positive(condition).iter_expressions():
        inner = part.unnest()
        if isinstance(inner, exp.Query):
            yield inner
