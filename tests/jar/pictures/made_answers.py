"""Answers, join graphs and fits with made-up names and numbers, for pictures."""

from __future__ import annotations

from jar import Contribution, Coverage, FitReport, Join, LeftOutTable, Selection
from jar.fitting.reliability import Reliability, ReliabilityBin
from joinability import JoinEdge, JoinGraph


def made_join(left: str, right: str, column: str, score: float, other: str = "", **evidence: object) -> Join:
    """A join of two tables on a column, by its name in the other one too unless that is given."""
    names = f"{left}.{column}", f"{right}.{other or column}"
    return Join(*names, score, evidence, left, right)


def made_selection(count: int, *, parts: int = 1, prefix: str = "bank.table") -> Selection:
    """An answer of tables that are linked like the leaves of a heap, in so many unconnected parts."""
    tables = tuple(f"{prefix}_{number}" for number in range(count))
    joins = [
        made_join(tables[(number - parts) // 2], tables[number], f"key_{number}", 1 / (1 + number % 4))
        for number in range(parts, count)
    ]
    contributions = tuple(
        Contribution(6.0 - 5 * n / count, 4.0 * (n % 3), 1.0 * (n % 2), n + 1, n == 1, 1.5 * (n % 3))
        for n in range(count)
    )
    return Selection(
        question=f"Which {count} tables are there, and how do they join?",
        subqueries=("many words", "few", "nothing has this"),
        tables=tables,
        scores=tuple(part.total for part in contributions),
        contributions=contributions,
        joins=tuple(joins),
        coverage=(
            Coverage("many words", f"{tables[0]}.long_text", 0.8, tables[0]),
            Coverage("few", f"{tables[0]}.long_text", 0.4, tables[0]),
        ),
        connected=parts == 1,
        components=(tables,),
        value=12.5,
        bound=12.5,
        gap=0.0,
        status="optimal",
        solver="exact",
        seconds=0.01,
        notes=("a note",),
        left_out=tuple(LeftOutTable(f"other.rest_{n}", n + count, 3.0 - n, 1.0 * (n % 2), tables[0]) for n in range(8)),
    )


def made_graph(count: int) -> JoinGraph:
    """A star of tables, each third of which has one table behind it, a cross join, and a table alone."""
    tables = [f"shop.t{number}" for number in range(count)]
    edges = [
        JoinEdge(tables[0], table, (("id", f"{table[5:]}_id"),), 0.6 + 0.3 / n) for n, table in enumerate(tables[1:], 1)
    ]
    behind = {f"shop.behind_{number}": tables[number] for number in range(1, count, 3)}
    edges += [JoinEdge(table, far, (("code", "code"),), 0.9) for far, table in behind.items()]
    edges.append(JoinEdge(tables[1], tables[2], (("day", "day"),), 0.55))
    return JoinGraph([*tables, *behind, "shop.alone"], edges)


def made_fit() -> FitReport:
    """A fit whose probabilities are better than those before it."""
    before = [ReliabilityBin(n / 5, (n + 1) / 5, 40 - 8 * n, n / 5 + 0.1, (n / 5 + 0.1) ** 2) for n in range(5)]
    after = [ReliabilityBin(n / 5, (n + 1) / 5, 50 - 10 * n or 1, n / 5 + 0.1, n / 5 + 0.08) for n in range(5)]
    return FitReport(120, 9, (), (), 1.0, Reliability(tuple(before), tuple(after)))
