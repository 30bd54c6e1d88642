"""The page of the losses: counts by class, and the worst questions in full."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from benchmarks.data.datasets import LICENSED
from benchmarks.losses.analysis import Analysed, size_name
from benchmarks.losses.classes import CLASSES, WON
from benchmarks.losses.losses import Loss, worst
from benchmarks.pages.grids import Grid, wrapped
from formulations import JoinEdge, Terms

METHOD = f"""
For each question the set that the system chose is laid beside its *rival*: the best set of K tables, by the same
objective over the same candidates, that has as many gold tables as K allows. If K is at least the number of gold
tables, the rival holds all of them and the others that add most; if K is smaller, it is the best set of K gold tables.
Both are found by the exact solver, so no loss is the solver's: a rival that is worth more than the chosen set would end
the analysis with an error.

A question is *lost* where another set of this size has more gold tables. With K equal to the number of gold tables the
only winning set is the gold set, and no loss comes from the size: this is the size that says what to improve. K = 2 and
K = 5 are sizes of the JAR paper. The worst questions are those of the first size that is shown.

Each question belongs to one class, the first of these whose test holds:

{Grid("", ("class", "it holds where"), [(f"`{row.name}`", row.meaning) for row in CLASSES]).markdown()}

{", ".join(f"`{name}`" for name in WON)} are no losses.
"""
MENDED = (
    "*Mended* is how many questions of a class are won where only that stage is mended: with the missing gold tables "
    "among the candidates, or with the missing joins at the score 1."
)
MENDED_LOSS = {None: "", True: ", mended it is won", False: ", mended it is still lost"}


def errors_page(analysed: Sequence[Analysed], about: Mapping[str, Any], command: str, count: int) -> str:
    """The whole page; with so many of the worst questions of each data set, those of the first system.

    `about` is the provenance of the analysis, `command` what made it.
    """
    first = analysed[0].system
    head = wrapped(f"Made by `{command}` at commit {about['commit']} on {about['date'][:10]}; no figure is typed.")
    quoted = quotation(dict.fromkeys(part.dataset for part in analysed))
    parts = ["# Which stage loses a question\n", head, METHOD + wrapped(f"{MENDED} {quoted}") + "\n"]
    parts += [_counts(part) for part in analysed]
    for part in analysed:
        if part.system == first:
            parts += _worst(part, count)
    return "\n".join(parts)


def quotation(datasets: Iterable[str]) -> str:
    """Whose questions the page quotes; a folder in the layout of BEIR has no gold queries."""
    sources = {name: LICENSED.get(name.partition("-")[0]) for name in datasets}
    licensed = list(dict.fromkeys(source for source in sources.values() if source is not None))
    folders = [f"`{name}`" for name, source in sources.items() if source is None]
    queries = [f"Questions and gold queries are quoted from {' and '.join(licensed)} (CC BY-SA 4.0)."] * bool(licensed)
    return " ".join([*queries, *([f"Questions are quoted from {' and '.join(folders)}."] * bool(folders))])


def _counts(part: Analysed) -> str:
    questions = len(next(iter(part.losses.values())))
    slice_ = "" if part.limit is None else f" (a slice of at most {part.limit})"
    title = f"## {part.dataset}, `{part.system}`, {questions} questions{slice_}\n"
    note = ". ".join(text for text in (f"Objective: {part.objective}", part.note) if text) + "."
    return "\n".join([title, counts_grid(part, note).markdown(), "", by_gold_grid(part).markdown(), ""])


def counts_grid(part: Analysed, note: str = "") -> Grid:
    """How many questions each class has at each size, and how many of them are mended."""
    sizes = list(part.losses)
    counts, mended = ({size: of(size) for size in sizes} for of in (part.counts, part.repaired))
    rows = []
    for row in CLASSES:
        if any(counts[size][row.name] for size in sizes):
            fixed = [f"{mended[size][row.name]}" if row.name in mended[size] else "" for size in sizes]
            cells = [str(counts[size][row.name]) for size in sizes]
            rows.append((f"`{row.name}`", *cells, " / ".join(fixed) if any(fixed) else ""))
    rows.append(("**lost**", *(_share(part.losses[size]) for size in sizes), ""))
    return Grid("", ("class", *map(size_name, sizes), "mended"), rows, note)


def _share(losses: Sequence[Loss]) -> str:
    lost = sum(loss.lost for loss in losses)
    return f"{lost} ({100 * lost / max(1, len(losses)):.1f} %)"


def by_gold_grid(part: Analysed) -> Grid:
    """Lost questions of the first size by their number of gold tables, and the classes they are of."""
    size, losses = next(iter(part.losses.items()))
    groups: dict[int, list[Loss]] = {}
    for loss in losses:
        groups.setdefault(len(loss.question.gold_tables), []).append(loss)
    rows = []
    for gold, group in sorted(groups.items()):
        lost = Counter(loss.name for loss in group if loss.lost)
        named = "; ".join(f"{name}: {number}" for name, number in lost.most_common())
        rows.append((str(gold), str(len(group)), f"{lost.total()}", f"{100 * lost.total() / len(group):.1f} %", named))
    return Grid("", ("gold tables", "questions", f"lost at {size_name(size)}", "share", "classes"), rows)


def _worst(part: Analysed, count: int) -> list[str]:
    size, losses = next(iter(part.losses.items()))
    shown = list(worst(losses, count))
    intro = (
        f"By the share of the gold tables that were missed, then by how much less the rival is worth. "
        f"{size_name(size)}, `{part.system}`."
    )
    return [f"## The {len(shown)} worst questions of {part.dataset}\n", wrapped(intro), "", *map(_full, shown)]


def _full(loss: Loss) -> str:
    question, selection = loss.question, loss.record.selection
    parts = [
        f"### {loss.dataset} {question.id}: {_plain(question.text)}\n",
        f"Class `{loss.name}`{MENDED_LOSS[loss.repaired]}. Sub-queries ({selection.decomposition}): "
        + "; ".join(f"`{_code(part)}`" for part in selection.subqueries)
        + "\n",
        f"```sql\n{question.sql.strip()}\n```\n",
        _tables(loss).markdown(),
        "",
        _values(loss).markdown(),
        "",
        f"- joins of the chosen set: {_joins(loss, loss.record.solution.edges)}",
    ]
    if loss.rival is not None:
        parts.append(f"- joins of the rival: {_joins(loss, loss.rival.edges)}")
    for join in loss.missing:
        parts.append(f"- missing: `{join.left}` = `{join.right}`, a join of the gold query, has no score")
    return "\n".join([*parts, ""])


def _tables(loss: Loss) -> Grid:
    """Each table that is gold or chosen, with its place in the order of the retriever."""
    chosen = [table.casefold() for table in loss.record.selection.tables]
    rival = [] if loss.rival is None else [table.casefold() for table in loss.rival.tables]
    gold = loss.question.gold_tables
    relevance = {
        table.casefold(): float(score)
        for table, score in zip(loss.record.instance.ids, loss.record.instance.relevance, strict=True)
    }
    tables = sorted({*chosen, *rival, *gold}, key=lambda table: (loss.ranks.get(table, 10**9), table))
    rows = [
        (
            f"`{_code(table)}`",
            "gold" if table in gold else "",
            "chosen" if table in chosen else "",
            str(loss.ranks.get(table, "not in the corpus")),
            f"{relevance[table]:.3f}" if table in relevance else "no candidate",
        )
        for table in tables
    ]
    return Grid("", ("table", "gold", "chosen", "rank", "cosine"), rows)


def _values(loss: Loss) -> Grid:
    case, header = loss.comparison, ("set", *Terms._fields, "value")
    sets = {"chosen": case.chosen} | ({} if case.rival is None else {"rival": case.rival})
    rows = [(name, *(f"{part:.3f}" for part in (*terms, sum(terms)))) for name, terms in sets.items()]
    if case.rival is None:
        rows.append(("rival", *([""] * len(Terms._fields)), "there is none"))
    else:
        rows.append(("difference", *(f"{part:+.3f}" for part in (*case.differences, -case.deficit))))
    return Grid("", header, rows)


def _joins(loss: Loss, edges: Sequence[JoinEdge]) -> str:
    names = loss.record.instance.ids
    joins = [f"`{_code(names[left])}` and `{_code(names[right])}` {weight:.3f}" for left, right, weight in edges]
    return "; ".join(joins) or "none"


def _plain(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*")


def _code(text: str) -> str:
    return " ".join(text.split()).replace("|", "/").replace("`", "'")
