"""``jar index``, which makes or refreshes an index, and ``jar sample``, which writes files to try it on."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from jar.cli.output import FAILURE, SUCCESS, say

if TYPE_CHECKING:
    from typing import Literal

    from jar.index.known_values import ValueStore
    from joinability.equality import Difference


class SourcesCommand(click.Command):
    """A command whose help tells the formats of files."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the formats; their registry is loaded for this help alone."""
        from joinability.sources.formats import format_names, suffixes

        with formatter.section("Formats of files"):
            formatter.write_text(f"{format_names()} ({suffixes()})")
        super().format_epilog(ctx, formatter)


@click.command("index", cls=SourcesCommand)
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...", type=click.Path())
@click.option(
    "-o", "--output", required=True, help="The index file to make or to refresh.", metavar="FILE", type=click.Path()
)
@click.option(
    "--embedder",
    help='"minilm", "distilled", "static" or a model\'s path; by default as before, at first minilm if installed.',
)
@click.option("--score", help='Join score: "default" or "paper"; by default as before, at first "default".')
@click.option("--dialect", help="SQL dialect of DDL files, as sqlglot names it; by default what each file looks like.")
@click.option("--memory-limit", default="1GB", show_default=True, help="Bound on the engine's memory.")
@click.option(
    "--values",
    type=click.Choice(("off", "hashed", "plain")),
    help="What is kept of short texts in the rows, so that questions find them; by default as before, at first hashed.",
)
@click.option(
    "--text-values",
    type=click.IntRange(min=0),
    metavar="N",
    help="Sample values of a column that are embedded with its name; by default as before, at first 0.",
)
@click.option(
    "--ignore",
    type=click.Choice(("case", "zeros", "nothing")),
    multiple=True,
    help="What makes no difference between values: abc is ABC, 007 is 7; by default as before, at first nothing.",
)
@click.option(
    "--descriptions",
    type=click.Path(exists=True, dir_okay=False),
    metavar="FILE",
    help="What tables and columns hold: CSV lines of a name, db.table or db.table.column, and its description; or with "
    "the first line table,column,description.",
)
@click.option("--token-vectors", is_flag=True, help="Keep vectors of tokens, for `jar filter`; refreshes keep them.")
@click.option("--progress/--no-progress", default=None, help="Progress bars; by default in a terminal only.")
def index_command(
    sources: tuple[str, ...],
    output: str,
    embedder: str | None,
    score: str | None,
    dialect: str | None,
    memory_limit: str,
    values: ValueStore | None,
    text_values: int | None,
    ignore: tuple[Difference | Literal["nothing"], ...],
    descriptions: str | None,
    token_vectors: bool,
    progress: bool | None,
) -> None:
    """Index files, folders of files, and databases by URL.

    Run again, it reads only what changed.
    """
    from jar.fitting.stored_fit import gone_tables
    from jar.index.index import Index
    from jar.index.open_sources import open_sources, read_descriptions
    from joinability.sources.catalog import told_once

    if "nothing" in ignore and len(set(ignore)) > 1:
        raise click.UsageError("--ignore nothing and another --ignore contradict each other: leave one out")
    catalog = open_sources(sources, dialect=dialect)
    if descriptions is not None:
        catalog = catalog.with_descriptions(read_descriptions(descriptions))
    built = Index.build(
        catalog,
        path=output,
        embedder=embedder,
        score=score,
        progress=progress,
        memory_limit=memory_limit,
        values=values,
        text_values=text_values,
        ignore=[name for name in ignore if name != "nothing"] if ignore else None,
    )
    if token_vectors:
        from jar.late import add_token_vectors

        add_token_vectors(built, progress=progress)
    changes = built.changes
    assert changes is not None
    failures = built.failures
    added = len(changes.added) - sum(1 for table in changes.added if table.id in dict(failures))
    tables = "1 table" if len(built) == 1 else f"{len(built)} tables"
    say(f"{output}: {tables} ({added} read, {changes.kept} unchanged, {len(changes.dropped)} dropped)")
    for told in told_once(catalog.skipped):
        say(f"skipped: {told}")
    for note in catalog.notes:
        say(note)
    if gone := gone_tables(built.contents):
        say(f"of no effect until they come back, though fitted to logged questions: {', '.join(gone)}")
    for source, cause in failures:
        say(f"not indexed: {source}: {cause}")
    sys.exit(FAILURE if failures else SUCCESS)


@click.command("sample")
@click.argument("folder", type=click.Path(file_okay=False))
@click.option("--seed", default=0, show_default=True)
@click.option("--format", "format_", type=click.Choice(["csv", "sqlite", "parquet"]), default="csv", show_default=True)
def sample_command(folder: str, seed: int, format_: Any) -> None:
    """Write the sample lake, a bank among look-alike tables, into FOLDER."""
    from jar.sample import write_sample_lake

    written = write_sample_lake(folder, seed=seed, format=format_)
    click.echo(f"{len(written)} files in {folder}", err=True)
