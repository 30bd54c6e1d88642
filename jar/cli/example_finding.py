"""``jar examples``: earlier questions whose SQL looks like what a question needs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from jar.cli import options
from jar.cli.output import JSON_HELP, print_json

if TYPE_CHECKING:
    from jar.examples import ExampleRetriever, ExampleStore
    from jar.index.index import Index

ENDINGS = (".examples.jsonl", ".examples.csv")
"""Of the store beside an index, after the name of the index."""
WAYS = ("structure", "skeleton", "lexical", "nearest", "masked")


def store_path(index_file: str, store: str | None) -> Path:
    """The file of examples: the one that is named, else the one beside the index.

    Raises
    ------
    UsageError
        When none is named and none is there.
    """
    if store is not None:
        return Path(store)
    stem = Path(index_file).with_suffix("")
    beside = [Path(f"{stem}{ending}") for ending in ENDINGS]
    found = next((path for path in beside if path.exists()), None)
    if found is None:
        names = " or ".join(path.name for path in beside)
        raise click.UsageError(
            f"no examples beside {index_file} ({names}): give --store FILE, "
            ".csv or .jsonl with the columns question, sql and, if known, database"
        )
    return found


def find_retriever(way: str, index: Index, store: ExampleStore, *, values: bool) -> ExampleRetriever:
    """The retriever of a name."""
    from jar.examples import LexicalExamples, MaskedExamples, NearestExamples, SkeletonExamples, StructureExamples

    rows: dict[str, Callable[[], ExampleRetriever]] = {
        "structure": lambda: StructureExamples(store, values=values),
        "skeleton": lambda: SkeletonExamples(store, values=values),
        "lexical": lambda: LexicalExamples(store, values=values),
        "nearest": lambda: NearestExamples(store, index.embedder, values=values),
        "masked": lambda: MaskedExamples(store, index.embedder, values=values),
    }
    return rows[way]()


@click.command("examples")
@options.index_file
@options.question
@click.option("--store", metavar="FILE", help="Questions with their SQL, .csv or .jsonl; else that beside the index.")
@click.option("-k", "count", type=click.IntRange(1), default=5, show_default=True, help="How many examples.")
@click.option("--by", "way", type=click.Choice(WAYS), default=WAYS[0], show_default=True, help="What makes them fit.")
@click.option("--dialect", type=options.ReadDialect(), help="The dialect of the SQL.")
@click.option("--database", "databases", multiple=True, help="Only examples of this database; may be repeated.")
@click.option("--values", is_flag=True, help="Show the values in questions and SQL; else they are masked.")
@click.option("--json", "as_json", is_flag=True, help=JSON_HELP)
def examples_command(
    index_file: str,
    question: str,
    store: str | None,
    count: int,
    way: str,
    dialect: str | None,
    databases: tuple[str, ...],
    values: bool,
    as_json: bool,
) -> None:
    """Find earlier questions whose SQL looks like what QUESTION needs."""
    from jar.index.index import Index

    path = store_path(index_file, store)
    index = Index.load(index_file)
    examples = options.read_examples(path, dialect)
    chosen = examples.of(databases) if databases else examples
    found = find_retriever(way, index, chosen, values=values)(question, count)
    if as_json:
        left_out = [asdict(entry) for entry in examples.left_out]
        print_json({"question": question, "examples": [asdict(one) for one in found], "left_out": left_out})
        return
    for place, one in enumerate(found, 1):
        database = f"  ({one.database})" if one.database else ""
        click.echo(f"{place}. {one.question}{database}\n   {one.sql}\n   {one.score:.2f}")
