"""``jar explain``: why each table is chosen, as text or as a page, or what the names of an index mean."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from jar.cli.options import optional_question, table_option
from jar.cli.output import print_explanation, say
from jar.cli.rank import asker, exit_status, explorer, ranking_options

if TYPE_CHECKING:
    from jar.answers.selection import Selection
    from jar.index.contents import IndexContents
    from jar.index.index import Index
    from jar.page.exploration import Exploration


@click.command("explain")
@click.option("--names", is_flag=True, help="Tell how names are read: of a database, TABLE, TABLE.COLUMN, or all.")
@table_option("--why-not", multiple=True, help="Say why a table is not in the answer; may be repeated.")
@click.option(
    "--max-tokens", type=click.IntRange(1), help="Tokens of the tables at most, about, with -k auto, as of `jar rank`."
)
@click.option("--html", "page", type=click.Path(dir_okay=False, writable=True), help="Write a page to explore.")
@partial(ranking_options, question=optional_question)
def explain_command(
    names: bool, why_not: tuple[str, ...], max_tokens: int | None, page: str | None, **values: Any
) -> None:
    """Say why each table is chosen, with the evidence of every join.

    --why-not tells what a table would add that is not there, and what the set would be worth; with -k auto, how likely
    it is needed. With --html the answer becomes a file that any browser opens, without a network: require or exclude
    tables, change the size, look at the evidence, copy the SQL.
    """
    from jar.index.index import Index
    from joinability.paths import shown

    if names and page is not None:
        raise click.UsageError("--names and --html are two things to ask for: give one")
    if names:
        from joinability.lines import lines_text

        click.echo(lines_text(_read_names(values["index_file"], values["question"])))
        return
    if values["question"] is None:
        raise click.UsageError("Missing argument 'QUESTION'.")
    if max_tokens is not None and not values["ranking"].leaves_size_open:
        raise click.UsageError("--max-tokens bounds how many tables there are: give -k auto with it")
    question, bounded = values.pop("question"), {} if max_tokens is None else {"max_tokens": max_tokens}
    if page is not None:
        exploration = explorer(Index.load(values.pop("index_file")), **values)(question, **bounded)
        folder = Path(page).parent
        made = "" if folder.exists() else f", in the new folder {shown(folder)}"
        exploration.save(page)
        say(f"{page}{made}: {', '.join(exploration.selection.tables) or 'no tables'}")
        sys.exit(exit_status(exploration.selection))
    index = Index.load(values.pop("index_file"))
    wished = [_id_of(index, table) for table in why_not]  # an unknown one is an error before anything is printed
    ask = partial(asker(index, **values), **bounded)
    if wished and values["ranking"].leaves_size_open:
        exploration = explorer(index, **values)(question, **bounded)
        selection, told = exploration.selection, partial(_why_not_added, index, ask, exploration)
    else:
        selection = ask(question)
        told = partial(_why_not, ask, selection)
    print_explanation(selection)
    constraints = values["constraints"]
    excluded = {_id_of(index, name) for name in constraints.exclude} if wished else set()
    for table in wished:
        click.echo(f"\n{f'{table} is excluded' if table in excluded else told(table, constraints.require)}")
    sys.exit(exit_status(selection))


def _id_of(index: Index, table: str) -> str:
    """The id of a table.

    Raises
    ------
    QueryError
        When there is no such table.
    """
    from jar.index.lookup import table_position

    return index.contents.tables[table_position(index.contents, table)].id


def _why_not(ask: Callable[..., Selection], answer: Selection, table: str, required: tuple[str, ...]) -> str:
    """Why a table is not in an answer, by another one of as many tables that has it."""
    from jar.answers.why_not import why_not

    how = {"k": max(len(answer.tables), 1), "require": (*required, table)}
    return why_not(answer, answer if table in answer.tables else ask(answer.question, **how), table)


def _why_not_added(
    index: Index,
    ask: Callable[..., Selection],
    exploration: Exploration,
    table: str,
    required: tuple[str, ...],
) -> str:
    """Why a table is not in an answer of as many tables as needed, by what it would change there."""
    from jar.answers.why_not import Added, why_not_added
    from jar.sizes.adding import adding
    from jar.tables.table_answer import ways_between

    answer = exploration.selection
    if table in answer.tables:
        return why_not_added(answer, answer, table, None)
    ids, distribution = exploration.problem.reduction.instance.ids, exploration.distribution
    added: Added | None = None
    between: tuple[str, ...] = ()
    if table in ids and distribution is not None:
        chosen, place = [ids.index(one) for one in answer.tables], ids.index(table)
        added = adding(distribution, chosen, place)
        between, _ = ways_between(index.contents, exploration.problem, [chosen, [place]])
    how: dict[str, Any] = {"recall": None, "max_k": None, "max_tokens": None, "require": (*answer.tables, table)}
    wished = ask(answer.question, k=len(answer.tables) + 1, **how)
    return why_not_added(answer, wished, table, added, between)


def _read_names(index_file: str, only: str | None) -> Iterator[str]:
    """A line for each table and each of its columns with its words; an arrow where separators do not show them.

    Sharded tables are told by the first of their family; of a column that is named, it and its table.

    Raises
    ------
    QueryError
        When there is no database, table or column of the name.
    """
    from jar.index.index import Index
    from jar.text.spelled_names import spell
    from joinability.spelling.vocabulary import plain_words

    contents, only_column = Index.load(index_file).contents, None
    if only is not None and only not in {table.database for table in contents.tables}:
        only, only_column = _table_or_column(contents, only)
    shards = {table: members for members in contents.families.members.values() for table in members}
    for place, (table, spelled) in enumerate(zip(contents.tables, spell(contents.tables), strict=True)):
        family = shards.get(place, (place,))
        if only not in (None, table.id, table.database) or (place != family[0] and only != table.id):
            continue
        name = [*spelled.database, *spelled.schema, *spelled.name]
        likewise = f" (and {len(family) - 1} more to {contents.tables[family[-1]].name})" if len(family) > 1 else ""
        yield f"{table.id}: {' '.join(name)}{likewise}"
        for column, words in zip(table.columns, spelled.columns, strict=True):
            if only_column not in (None, column.name):
                continue
            sign = ":" if list(words) == plain_words(column.name) else " ->"
            yield f"  {column.name}{sign} {' '.join(words)}"


def _table_or_column(contents: IndexContents, name: str) -> tuple[str, str | None]:
    """The id of a table of a name, and None; of a column the id of its table, and its name there.

    Raises
    ------
    QueryError
        When there is neither.
    """
    from jar.index.lookup import column_position, full_name, table_position

    head = full_name(contents, name.rpartition(".")[0])
    if full_name(contents, name) not in contents.table_position and head in contents.table_position:
        position = column_position(contents, name)
        owner = contents.tables[contents.owner[position]].id
        return owner, contents.column_name(position)[len(owner) + 1 :]
    return contents.tables[table_position(contents, name)].id, None
