"""``jar joins``: what joins with what, the way from one table to another, and the user's word on single joins."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import click

from jar.cli.options import index_file as index_file_argument
from jar.cli.options import table_option
from jar.cli.output import GRAPH_FORMATS, TABLE_FORMATS, print_json, print_table, say

if TYPE_CHECKING:
    from jar.index.index import Index
    from jar.index.stated import Verdict
    from joinability import JoinEdge, JoinGraph, JoinPath

LEVELS = (0.5, 0.2, 0.1, 0.05, 0.02, 0.01)
"""Scores down to which the joins of a table are looked for, one after the other, until there are enough to show."""
PATHS = 3
"""Ways from one table to another that are shown."""
LIKELY_WAY = 0.2
"""Score below which a way is shown only where there is no likelier one, or where a least score asks for it."""


@click.command("joins")
@index_file_argument
@table_option("--table", help="Only joins of this table.")
@click.option("--min-score", type=float, help="Only joins that score at least this; 0 for all. [default: 0.002]")
@click.option("--siblings", is_flag=True, help="Joins of the table past a third one, to whose key both refer, instead.")
@click.option("--unions", is_flag=True, help="Tables whose rows belong under each other, in place of joins.")
@table_option("--path", nargs=2, metavar="A B", help="The best ways to join two tables.")
@click.option(
    "--format",
    "format_",
    type=click.Choice(["table", *GRAPH_FORMATS]),
    default="table",
    show_default=True,
)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option(
    "--limit", type=click.IntRange(0), default=50, show_default=True,
    help="Rows of the table, 0 for all; other formats have all.",
)  # fmt: skip
@click.option("--pin", nargs=2, multiple=True, metavar="A B", help="State that two columns join.")
@click.option(
    "--veto", nargs=2, multiple=True, metavar="A B", help="State that two columns, or two tables, do not join."
)
@click.option("--unpin", nargs=2, multiple=True, metavar="A B", help="Take back a pin or a veto.")
@click.option("--verdicts", is_flag=True, help="List the pins and vetoes.")
def joins_command(
    index_file: str,
    table: str | None,
    min_score: float | None,
    siblings: bool,
    unions: bool,
    path: tuple[str, str] | None,
    format_: str,
    as_json: bool,
    limit: int,
    verdicts: bool,
    **stated: Sequence[tuple[str, str]],
) -> None:
    """List what joins with what, best first, with the evidence.

    Shared: the share of the left and of the right column's values that the other has; of an estimate with its standard
    error. Unique: distinct values by rows, of both. Names: how well they say that the two belong together. Diagrams
    (mermaid, dot) show the best join of each two tables. Pins and vetoes are kept in the index.
    """
    from jar.index.index import Index
    from joinability.scores.score import LEAST_SHOWN

    if path is not None and (table is not None or unions or verdicts or any(stated.values())):
        alone = "--table, --unions, --verdicts, --pin, --veto and --unpin"
        raise click.UsageError(f"--path goes along all joins: leave out {alone}")
    if siblings and (table is None or path is not None or unions):
        raise click.UsageError("--siblings are those of one table: give --table ID, and neither --path nor --unions")
    if as_json and format_ not in ("table", "json"):
        raise click.UsageError(f"--json and --format {format_} contradict each other: leave out one of them")
    index = Index.load(index_file)
    format_ = "json" if as_json else format_
    if verdicts or any(stated.values()):
        if table is not None or siblings or unions:
            raise click.UsageError("pins and vetoes are of the whole index: leave out --table, --siblings and --unions")
        if format_ not in TABLE_FORMATS:
            raise click.UsageError(f"pins and vetoes have no {format_} form: use table, csv or json")
        _state(index, **stated)
        _print_verdicts(index, format_)
        return
    least, is_whole = LEAST_SHOWN if min_score is None else min_score, True
    if unions:
        graph = _unions(index, min_score)
    elif siblings and table is not None:
        graph = _siblings(index, table, least)
    elif path or table is None:
        graph = index.join_graph(least)
    else:
        graph, is_whole = _joins_of(index, table, least, limit if format_ == "table" else 0)
    if path is not None:
        likely = LIKELY_WAY if min_score is None else 0.0
        print_paths(_paths(_without_shards(index, graph, *path), *path, likely), path, format_)
        return
    graph = graph if table is None else graph.around(table)
    if format_ == "table":
        told = _told(index, graph, table, unions=unions) if limit else graph
        _print_edges(told, limit, unions=unions, is_whole=is_whole, alike=len(graph) - len(told))
        if table is not None and not siblings and not unions:
            _tell_siblings(index, table)
    else:
        click.echo(GRAPH_FORMATS[format_](graph), nl=False)


def _paths(graph: JoinGraph, left: str, right: str, likely: float) -> list[JoinPath]:
    """The best ways to join two tables: those that score at least so much, else the best one."""
    if graph.table_named(left) == graph.table_named(right):
        raise click.UsageError(f"--path is between two tables; {left} is both ends of this one")
    ways = graph.paths(left, right, limit=PATHS)
    return [way for way in ways if way.score >= likely] or ways[:1]


def _told(index: Index, graph: JoinGraph, table: str | None, *, unions: bool) -> JoinGraph:
    """What the table prints: of sharded tables one alone."""
    from jar.index.frames import without_later_shards
    from joinability import JoinGraph

    if not unions:
        return _without_shards(index, graph, table)
    return JoinGraph(graph.tables, without_later_shards(index.contents, graph.edges))


def _without_shards(index: Index, graph: JoinGraph, *kept: str | None) -> JoinGraph:
    """The graph with one table for a family of sharded ones, and with those that were named."""
    from jar.index.frames import without_shards

    return without_shards(index.contents, graph, [name for name in kept if name is not None])


def _joins_of(index: Index, table: str, min_score: float, enough: int) -> tuple[JoinGraph, bool]:
    """The joins of a table, and whether these are all: of more than `enough` (0 for all) maybe only the best.

    What a join loses to its rivals is looked up only for those that score a level without them, from the highest level
    down, until there are enough.
    """
    levels = [level for level in LEVELS if level > min_score] if enough else []
    for level in levels:
        graph = index.join_graph(level, table=table)
        if len(_without_shards(index, graph, table)) > enough:
            return graph, False
    return index.join_graph(min_score, table=table), True


def _siblings(index: Index, table: str, min_score: float) -> JoinGraph:
    """The joins of a table past a third one."""
    from jar.index.lookup import table_position
    from jar.tables.sibling_joins import sibling_joins
    from joinability import JoinGraph
    from joinability.scores.score import join_score

    contents = index.contents
    edges = sibling_joins(contents, join_score(index.score), table_position(contents, table))
    return JoinGraph([one.id for one in contents.tables], [edge for edge in edges if edge.score >= min_score])


def _tell_siblings(index: Index, table: str) -> None:
    """Say that answers may join the table with others past a third one."""
    from jar.answers.join import LIKELY

    if others := len(_siblings(index, table, LIKELY)):
        click.echo(f"and past the key of a third table with {others} more: --siblings", err=True)


def _unions(index: Index, min_score: float | None) -> JoinGraph:
    """The edges between tables of one kind alone."""
    from jar.index.frames import table_unions
    from joinability import JoinGraph
    from joinability.union_search import MIN_SCORE

    tables = [table.id for table in index.contents.tables]
    return JoinGraph(tables, table_unions(index.contents, MIN_SCORE if min_score is None else min_score))


def _state(
    index: Index,
    pin: Iterable[tuple[str, str]] = (),
    veto: Iterable[tuple[str, str]] = (),
    unpin: Iterable[tuple[str, str]] = (),
) -> None:
    """Keep what is stated, all or nothing: every pair is checked before one is written."""
    from jar.index.lookup import full_name, judge
    from jar.index.stated import stated_pair

    given = [frozenset(full_name(index.contents, name) for name in pair) for pair in (*pin, *veto, *unpin)]
    for names, count in Counter(given).items():
        if count > 1:
            raise click.UsageError(f"{' and '.join(sorted(names))} are stated twice: say once what holds")
    for left, right in unpin:
        stated_pair(index.contents.stated, full_name(index.contents, left), full_name(index.contents, right))
    pins = [judge(index.contents, "pin", *pair) for pair in pin]
    vetoes = [judge(index.contents, "veto", *pair) for pair in veto]
    for verdict in (*pins, *vetoes):
        _tell_replaced(index, verdict)
    for pair in unpin:
        index.unpin_join(*pair)
    for verdict in pins:
        _tell_doubts(index, verdict.left, verdict.right)
        _tell_larger_key(index, verdict.left, verdict.right)
    for pair in pin:
        index.pin_join(*pair)
    for pair in veto:
        index.veto_join(*pair)
    for verdict in vetoes:
        if {verdict.left, verdict.right} <= index.contents.table_position.keys():
            say(f"this veto is on all joins of two tables: {verdict.left} and {verdict.right}")


def _tell_replaced(index: Index, verdict: Verdict) -> None:
    """Say that a verdict takes the place of the opposite one."""
    for earlier in index.contents.stated:
        if (earlier.left, earlier.right) == (verdict.left, verdict.right) and earlier.kind != verdict.kind:
            say(f"this {verdict.kind} takes the place of a {earlier.kind}: {verdict.left} and {verdict.right}")


def _tell_larger_key(index: Index, left: str, right: str) -> None:
    """Say that a pair of columns that is pinned is but a part of the key by which the tables join."""
    from jar.answers.join import LIKELY
    from jar.index.lookup import column_position

    contents = index.contents
    table = contents.tables[contents.owner[column_position(contents, left)]].id
    for edge in index.join_graph(LIKELY, table=table).edges:
        pairs = [{f"{edge.left_table}.{one}", f"{edge.right_table}.{other}"} for one, other in edge.conditions]
        if len(pairs) > 1 and {left, right} in pairs:
            say(f"this pin counts in place of a key that it is a part of (--unpin takes it back): {edge.condition}")


def _tell_doubts(index: Index, left: str, right: str) -> None:
    """Say where a pair of columns that is pinned multiplies rows, holds values of two kinds, or none in common."""
    from jar.index.lookup import column_position
    from joinability.evidence.traits import KEY_UNIQUENESS
    from joinability.families import KINDS, kinds_fit

    evidence = index.contents.evidence
    one, other = (column_position(index.contents, name) for name in (left, right))
    kinds = evidence.traits.kind[[one, other]]
    if not kinds_fit(*kinds):
        held = [KINDS[kind] for kind in kinds.tolist()]
        say(f"this pin is on values of two kinds: {left} ({held[0]}) and {right} ({held[1]})")
    uniqueness = evidence.uniqueness[[one, other]]
    is_known = not evidence.silent[[one, other]].any()
    if is_known and (uniqueness > 0).all() and (uniqueness < KEY_UNIQUENESS).all():
        say(f"neither column of this pin is unique, so that rows multiply: {left} and {right}")
    pair = evidence.pairs([one], [other])
    if evidence.table[one] != evidence.table[other] and not pair.unknown.any() and not pair.jaccard.any():
        say(f"the columns of this pin have no value in common: {left} and {right}")


def _print_verdicts(index: Index, format_: str) -> None:
    from joinability.lines import one_line

    frame = index.verdicts()
    if format_ == "json":
        print_json(json.loads(frame.to_json(orient="records")))
    elif format_ == "csv":
        click.echo(frame.to_csv(index=False), nl=False)
    else:
        rows = [
            [*map(one_line, row[:3]), "" if row[3] else "not in the index"]
            for row in frame.itertuples(index=False, name=None)
        ]
        print_table(["verdict", "left", "right", ""], rows, empty="no pins and no vetoes")


def print_paths(paths: Sequence[JoinPath], ends: tuple[str, str], format_: str) -> None:
    """Print the ways from one table to another; without one, end with exit status 1."""
    from jar.answers.join import LIKELY
    from joinability.graph.graph import STEP

    if format_ == "json":
        print_json([path.to_dict() for path in paths])
    elif format_ != "table":
        click.echo(GRAPH_FORMATS[format_](_graph_of(paths)), nl=False)
    elif paths:
        click.echo("\n\n".join(f"{path.score:.2f} {_steps(len(path.edges))}  {path}" for path in paths))
        if any(better.score < worse.score for better, worse in pairwise(paths)):
            say(f"short ways come first: a score counts {STEP:g} times for each of its joins")
        if paths[0].score < LIKELY:
            say(f"no way is likely: below {LIKELY:g} even the best one is rather wrong, or a table between is missing")
    if not paths:
        say(f"no joins connect {ends[0]} and {ends[1]}: see what joins one of them, by --table {ends[0]}")
        sys.exit(1)


def _steps(joins: int) -> str:
    return f"in {joins} joins" if joins > 1 else "in 1 join"


def _graph_of(paths: Sequence[JoinPath]) -> JoinGraph:
    """The best path alone, as a graph."""
    from joinability import JoinGraph

    return JoinGraph(paths[0].tables, paths[0].edges) if paths else JoinGraph((), ())


def _print_edges(graph: JoinGraph, limit: int, *, unions: bool, is_whole: bool, alike: int) -> None:
    shown = graph.edges[:limit] if limit else graph.edges
    if unions:
        print_table(["score", "left", "right", "same columns"], [_union_row(edge) for edge in shown], empty="no unions")
    else:
        columns = ["score", "left", "right", "shared", "unique", "names", ""]
        print_table(columns, [_row(edge) for edge in shown], empty="no joins")
    if len(shown) < len(graph):
        least = "" if is_whole else "at least "
        click.echo(f"{least}{len(graph) - len(shown)} more: --limit 0 shows all", err=True)
    if alike:
        click.echo(f"{alike} more of sharded tables, which are as the first of them: --limit 0 shows all", err=True)


def _row(edge: JoinEdge) -> list[str]:
    """An edge as the cells of a table: shares of the left and the right column's values, uniqueness of both."""
    from joinability.lines import lines_text

    evidence = edge.evidence
    return [
        f"{edge.score:.2f}",
        lines_text([*(f"{edge.left_table}.{left}" for left, _ in edge.conditions), *_rows_meant(edge, left=True)]),
        lines_text([*(f"{edge.right_table}.{right}" for _, right in edge.conditions), *_rows_meant(edge, left=False)]),
        _both(evidence, "containment_{}", "{:.0%}", "containment_{}_error"),
        _both(evidence, "uniqueness_{}", "{:.2f}"),
        f"{evidence['name_similarity']:.2f}" if "name_similarity" in evidence else "",
        _notes(edge),
    ]


def _rows_meant(edge: JoinEdge, *, left: bool) -> list[str]:
    """The condition on the rows of one side for which a polymorphic join holds."""
    where = edge.where
    return [] if where is None or where.on_left is not left else [f"where {where.condition()}"]


def _union_row(edge: JoinEdge) -> list[str]:
    from joinability.lines import one_line

    same = [left if left == right else f"{left} = {right}" for left, right in edge.conditions]
    evidence = edge.evidence
    of = f"{evidence['columns_matched']} of {evidence['columns_left']} and {evidence['columns_right']}"
    return [f"{edge.score:.2f}", *map(one_line, (edge.left_table, edge.right_table, f"{of}: {', '.join(same)}"))]


def _both(evidence: Any, quantity: str, form: str, error: str = "") -> str:
    """A quantity of both sides, with its standard error where it is an estimate; a dash where it was not measured."""
    values = [evidence.get(quantity.format(side)) for side in ("left", "right")]
    errors = [evidence.get(error.format(side)) for side in ("left", "right")]
    if values == [None, None]:
        return ""
    cells = [
        "-" if value is None else form.format(value) + (f" ±{form.format(doubt)}" if doubt else "")
        for value, doubt in zip(values, errors, strict=True)
    ]
    return " | ".join(cells)


def _notes(edge: JoinEdge) -> str:
    from jar.answers.join import named_kind, unmeasured

    evidence = edge.evidence
    words = {
        "pinned": "pinned by user",
        "declared": "declared key",
        "estimated": "from samples",
        "padded_left": "trim left",
        "padded_right": "trim right",
    }
    none = unmeasured(evidence)
    measured = [said for name, said in words.items() if evidence.get(name) and not (none and name == "estimated")]
    within = ["same table"] if edge.left_table == edge.right_table else []
    return ", ".join(within + measured + none + named_kind(evidence))
