"""The tables that a model is shown for a question, and how: a system a row.

All contexts are written alike, and the tables of each in the order of their names: sets are compared, not orders, and
equal sets are equal prompts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from benchmarks.systems.joined import VARIANTS
from benchmarks.systems.ranking import dense
from benchmarks.systems.rows import Setting, UnknownSystemError
from benchmarks.systems.schemagate import schemagate
from jar import Reranker, Selection
from jar.answers.join import Join
from jar.answers.sql_context import SqlContext
from jar.answers.token_budget import estimated_tokens

MOST_TABLES = 10
"""Of a context that is filled up to a number of tokens; so many databases SQLite attaches."""


@dataclass(frozen=True)
class ShownTables:
    """A context: ids of its tables, and the text that stands before the question."""

    tables: tuple[str, ...]
    text: str


@dataclass(frozen=True)
class ContextRow:
    """A row of the registry: a name, what it is, and whose tokens its context has to fit in, if any."""

    name: str
    summary: str
    show: Callable[[Setting, int], list[ShownTables]] | None = None
    fits: str = ""


def of_tables(setting: Setting, tables: Sequence[str], joins: tuple[Join, ...] = ()) -> ShownTables:
    """Tables with their declared keys among each other, and joins, in the form of `Selection.to_sql_context`."""
    known = {table.id.casefold(): table for table in setting.dataset.catalog}
    schemas = tuple(known[table] for table in sorted(map(str.casefold, tables)))
    return ShownTables(tuple(table.id for table in schemas), SqlContext(schemas, joins).text())


def _dense(setting: Setting, k: int) -> list[ShownTables]:
    return [of_tables(setting, tables) for tables in dense(setting, [k]).tables[k]]


def _schemagate(setting: Setting, k: int) -> list[ShownTables]:
    return [of_tables(setting, tables) for tables in schemagate("hashed")(setting, [k]).tables[k]]


def _gold(setting: Setting, k: int) -> list[ShownTables]:
    return [of_tables(setting, sorted(question.gold_tables)) for question in setting.dataset.questions]


def _jar(setting: Setting, k: int) -> list[ShownTables]:
    reranker = VARIANTS["jar"].reranker(setting, Reranker)
    return [_of_selection(setting, reranker.rank(question.text, k=k)) for question in setting.dataset.questions]


def _auto(setting: Setting, k: int) -> list[ShownTables]:
    reranker = VARIANTS["jar"].reranker(setting, Reranker)
    return [_of_selection(setting, reranker.rank(question.text, k="auto")) for question in setting.dataset.questions]


def _of_selection(setting: Setting, selection: Selection) -> ShownTables:
    return of_tables(setting, selection.tables, selection.joins)


def filled(setting: Setting, model: Sequence[ShownTables]) -> list[ShownTables]:
    """As many of the first tables of the dense ranking as fit in the tokens of other contexts, but one at least."""
    shown = []
    for ranked, context in zip(dense(setting, [MOST_TABLES]).tables[MOST_TABLES], model, strict=True):
        room = estimated_tokens(context.text)
        tries = [of_tables(setting, ranked[:count]) for count in range(1, len(ranked) + 1)]
        shown.append(next((one for one in reversed(tries) if estimated_tokens(one.text) <= room), tries[0]))
    return shown


CONTEXTS: Mapping[str, ContextRow] = {
    row.name: row
    for row in (
        ContextRow("dense", "the K nearest tables by embedding", _dense),
        ContextRow("dense-as-jar", "the nearest tables, as many as fit in the tokens of `jar`", fits="jar"),
        ContextRow("schemagate", "K tables by schemagate, as it comes", _schemagate),
        ContextRow("jar", "K tables by `Reranker(index).rank(question, k=K)`, with its joins", _jar),
        ContextRow("dense-as-auto", "the nearest tables, as many as fit in the tokens of `jar-auto`", fits="jar-auto"),
        ContextRow("jar-auto", 'by `rank(question, k="auto")`, with its joins', _auto),
        ContextRow("gold", "the tables of the gold query", _gold),
    )
}


def check_contexts(names: Sequence[str]) -> None:
    """Refuse names that are not in the registry.

    Raises
    ------
    UnknownSystemError
        The message lists what there is.
    """
    for name in names:
        if name not in CONTEXTS:
            raise UnknownSystemError(f"unknown system {name!r}: choose among {', '.join(CONTEXTS)}")


def show_tables(setting: Setting, names: Sequence[str], k: int) -> dict[str, list[ShownTables]]:
    """The context of each question of a setting by system.

    Raises
    ------
    UnknownSystemError
        When a name is not in `CONTEXTS`.
    """
    check_contexts(names)
    made: dict[str, list[ShownTables]] = {}
    for name in dict.fromkeys([*(CONTEXTS[name].fits or name for name in names), *names]):
        row = CONTEXTS[name]
        made[name] = filled(setting, made[row.fits]) if row.show is None else row.show(setting, k)
    return {name: made[name] for name in names}
