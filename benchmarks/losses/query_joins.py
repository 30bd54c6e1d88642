"""The joins of a gold query: which pairs of stored tables it links, and by which columns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from sqlglot import exp
from sqlglot.optimizer.scope import Scope

from benchmarks.data.gold_columns import Schema
from benchmarks.data.gold_tables import query_scopes


class QueryJoin(NamedTuple):
    """Two columns "database.table.column", case folded, that a query sets equal; `left` comes first by name."""

    left: str
    right: str

    @property
    def tables(self) -> tuple[str, str]:
        """The two tables."""
        return self.left.rpartition(".")[0], self.right.rpartition(".")[0]


def query_joins(sql: str, database: str, schema: Schema) -> tuple[QueryJoin, ...]:
    """Pairs of columns of different stored tables that a query sets equal, sorted.

    ``a.x = b.y``, ``USING (x)``, ``a.x IN (SELECT y FROM b)``, ``a.x = (SELECT max(y) FROM b)`` and ``SELECT x FROM a
    EXCEPT SELECT y FROM b`` (or ``INTERSECT``) count, wherever they stand, also negated. A column of a common table
    expression or a subquery counts as the stored column that it is computed of. Natural joins name no column: they are
    left out. The schema has columns by table, case folded.
    """
    scopes = query_scopes(sql, database)
    inner = {id(scope.expression): scope for scope in scopes}
    joins = set()
    for scope in scopes:
        for left, right in _sides(scope, inner, schema):
            if left is not None and right is not None and left[0] != right[0]:
                sides = sorted(f"{database.casefold()}.{table}.{column}" for table, column in (left, right))
                joins.add(QueryJoin(*sides))
    return tuple(sorted(joins))


Stored = tuple[str, str]
"""Table and column, case folded."""
Sides = tuple[Stored | None, Stored | None]


def _sides(scope: Scope, inner: dict[int, Scope], schema: Schema) -> Iterator[Sides]:
    if isinstance(scope.expression, (exp.Intersect, exp.Except)):
        yield from _compared_rows(scope.expression, inner, schema)
    elif isinstance(scope.expression, exp.Select):
        yield from _equalities(scope, inner, schema)
        yield from _shared_columns(scope, schema)


def _compared_rows(pair: exp.Intersect | exp.Except, inner: dict[int, Scope], schema: Schema) -> Iterator[Sides]:
    """``INTERSECT`` and ``EXCEPT``: the columns of the two sides, place by place."""
    sides = [_selection(side, inner) for side in (pair.left, pair.right)]
    columns = [[_computed_of(entry, side, schema) for entry in _selected(side)] for side in sides if side is not None]
    if len(columns) == 2:
        yield from zip(*columns, strict=False)


def _equalities(scope: Scope, inner: dict[int, Scope], schema: Schema) -> Iterator[Sides]:
    for node in scope.find_all(exp.EQ, exp.In):
        other = node.args.get("query") if isinstance(node, exp.In) else node.expression
        if other is not None:
            yield _origin(node.this, scope, inner, schema), _origin(other, scope, inner, schema)


def _shared_columns(scope: Scope, schema: Schema) -> Iterator[Sides]:
    """``USING``: the column of the joined source, and that of the sources before it."""
    before = [source.alias_or_name for source in _from(scope)]
    for join in scope.expression.args.get("joins") or ():
        alias = join.this.alias_or_name
        for shared in join.args.get("using") or ():
            joined = _stored(shared.name, alias, scope, schema)
            for earlier in before:
                yield _stored(shared.name, earlier, scope, schema), joined
        before.append(alias)


def _from(scope: Scope) -> list[exp.Expression]:
    source = scope.expression.args.get("from_") or scope.expression.args.get("from")
    return [source.this] if source is not None else []


def _origin(side: exp.Expression, scope: Scope, inner: dict[int, Scope], schema: Schema) -> Stored | None:
    """The stored column that a side of an equality is, or is computed of; None for everything else."""
    if isinstance(side, exp.Column):
        return _stored(side.name, side.table, scope, schema)
    selection = _selection(side, inner)
    return _computed_of(_selected(selection)[0], selection, schema) if selection is not None else None


def _selection(query: Any, inner: dict[int, Scope]) -> Scope | None:
    """The SELECT of a subquery, the first of several; None for what is no subquery."""
    while isinstance(query, (exp.Subquery, exp.SetOperation)):
        query = query.this
    return inner.get(id(query))


def _selected(scope: Scope) -> list[Any]:
    """What a SELECT yields: a column, a computed value, or a star."""
    return scope.expression.selects if isinstance(scope.expression, exp.Select) else []


def _computed_of(selected: exp.Expression, scope: Scope, schema: Schema) -> Stored | None:
    """The stored column that an entry of a SELECT is computed of: the first that it names."""
    column = selected.find(exp.Column)
    return None if column is None else _stored(column.name, column.table, scope, schema)


def _stored(name: str, qualifier: str, scope: Scope, schema: Schema) -> Stored | None:
    """A column by its qualifier, or where it has none by its name; looked for in a scope, then in those around it."""
    around: Scope | None = scope
    while around is not None:
        for alias, (_, source) in around.selected_sources.items():
            if qualifier.casefold() in ("", alias.casefold()):
                column = _of_source(name, source, schema)
                if column is not None:
                    return column
        around = around.parent
    return None


def _of_source(name: str, source: exp.Table | Scope, schema: Schema) -> Stored | None:
    """The column of a stored table, or what a column of a subquery is computed of."""
    if isinstance(source, exp.Table):
        table, column = source.name.casefold(), name.casefold()
        return (table, column) if column in schema.get(table, ()) else None
    for selected in _selected(source):
        if isinstance(selected, exp.Star):
            return _stored(name, "", source, schema)
        if selected.alias_or_name.casefold() == name.casefold():
            return _computed_of(selected, source, schema)
    return None
