"""``jar index``, which makes or refreshes an index, and ``jar sample``, which writes files to try it on."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from jar.cli.options import ReadDialect
from jar.cli.output import FAILURE, SUCCESS, say

if TYPE_CHECKING:
    from typing import Literal

    from jar.index.index import Index
    from jar.values.known_values import ValueStore
    from joinability import Catalog
    from joinability.equality import Difference

SPELLINGS = 3
"""Columns in another spelling that are named."""
MOST_TOLD = 10
"""Names without effect that a line tells."""


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
@click.option("--dialect", type=ReadDialect(), help="SQL dialect of DDL files; by default what each looks like.")
@click.option(
    "--schema", "schemas", multiple=True, metavar="NAME",
    help="A schema of the databases behind URLs, in place of the default one; may be given several times.",
)  # fmt: skip
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
    "the first line table,column,description. Refreshes keep them, until others are given.",
)
@click.option("--token-vectors", is_flag=True, help="Keep vectors of tokens, for `jar filter`; refreshes keep them.")
@click.option("--progress/--no-progress", default=None, help="Progress bars; by default in a terminal only.")
def index_command(
    sources: tuple[str, ...],
    output: str,
    embedder: str | None,
    score: str | None,
    dialect: str | None,
    schemas: tuple[str, ...],
    memory_limit: str,
    values: ValueStore | None,
    text_values: int | None,
    ignore: tuple[Difference | Literal["nothing"], ...],
    descriptions: str | None,
    token_vectors: bool,
    progress: bool | None,
) -> None:
    """Index files, folders of files, and databases by URL.

    NAME=SOURCE gives the database of a source a name of its own. Run again, it reads only what changed.
    """
    from jar.description_file import read_descriptions
    from jar.index.file import databases_of_scripts
    from jar.index.index import Index
    from jar.index.open_sources import open_sources
    from joinability.paths import shown

    if "nothing" in ignore and len(set(ignore)) > 1:
        raise click.UsageError("--ignore nothing and another --ignore contradict each other: leave one out")
    folder, is_new = Path(output).parent, not Path(output).exists()
    made = "" if folder.exists() else f", in the new folder {shown(folder)}"
    catalog = open_sources(sources, dialect=dialect, schemas=schemas, before=databases_of_scripts(output))
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
    if is_new and not len(built):
        built.path.unlink()
        _tell_failures(built)
        say(f"{output}: no index was written, since no table could be read")
        sys.exit(FAILURE)
    if token_vectors:
        from jar.late import add_token_vectors

        add_token_vectors(built, progress=progress)
    _tell_changes(built, f"{output}{made}", catalog)
    if descriptions is None:
        _tell_kept_descriptions(built)
    if built.changes is not None and built.changes.added:
        _tell_spellings(built)
    _tell_failures(built)
    sys.exit(FAILURE if built.failures else SUCCESS)


def _tell_failures(built: Index) -> None:
    """Say what could not be read, and why."""
    for source, cause in built.failures:
        say(f"not indexed: {source}: {cause}")


def _tell_changes(built: Index, target: str, catalog: Catalog) -> None:
    """Say what was read, what was skipped, and what has no effect."""
    from jar.fitting.stored_fit import gone_tables
    from joinability.lines import listed, told_once

    changes = built.changes
    assert changes is not None
    added = len(changes.added) - sum(1 for table in changes.added if table.id in dict(built.failures))
    tables = "1 table" if len(built) == 1 else f"{len(built)} tables"
    say(f"{target}: {tables} ({added} read, {changes.kept} unchanged, {len(changes.dropped)} dropped)")
    for skipped in told_once(catalog.skipped):
        say(f"skipped: {skipped}")
    for note in catalog.notes:
        say(note)
    if strays := _stray_keys(catalog):
        say(f"declared keys to tables that are not here, of no effect: {listed(strays, MOST_TOLD)}")
    left = Counter(table.database for table in built.contents.tables)
    for database, count in Counter(id_.rpartition(".")[0] for id_ in changes.dropped).items():
        if count > left[database]:
            tables = "table" if count == 1 else f"{count} tables"
            lost = f"{database} is gone with its" if database not in left else f"most of {database} is gone,"
            say(f"{lost} {tables}: an index holds what one call names, so name all sources")
    if gone := gone_tables(built.contents):
        say(f"of no effect until they come back, though fitted to logged questions: {listed(gone, MOST_TOLD)}")
    stated = [row for row in built.verdicts().itertuples(index=False) if not row.in_index]
    if stated:
        joins = [f"{row.verdict} {row.left} {row.right}" for row in stated]
        say(f"of no effect until they come back, though stated: {listed(joins, MOST_TOLD)}")


def _stray_keys(catalog: Catalog) -> list[str]:
    """The declared keys to tables that a catalog does not have, in words."""
    ids = {table.id for table in catalog}
    keys = [(table.id, key) for table in catalog for key in table.foreign_keys]
    return [f"{id_} ({', '.join(key.columns)}) to {key.target}" for id_, key in keys if key.target not in ids]


def _tell_kept_descriptions(built: Index) -> None:
    """Say that descriptions of before still hold, and which of them have no effect."""
    from jar.index.file import open_index
    from jar.index.stated import read_described
    from joinability.lines import listed

    with open_index(built.path) as connection:
        described = read_described(connection)
    if described:
        many = "1 description" if len(described) == 1 else f"{len(described)} descriptions"
        say(f"kept: {many} given before; --descriptions takes others in their place")
    known = built.contents.table_position.keys() | built.contents.column_position.keys()
    if gone := [name for name in described if name not in known]:
        say(f"of no effect until they come back, though described: {listed(gone, MOST_TOLD)}")


def _tell_spellings(built: Index) -> None:
    """Say which columns would have the values of a key if case or zeros made no difference, and how to have it so."""
    from joinability.lines import listed

    frame = built.spelled_otherwise()
    if len(frame):
        columns = "1 column has" if len(frame) == 1 else f"{len(frame)} columns have"
        options = " ".join(f"--ignore {name}" for name in sorted({*frame["ignore"], *_ignored(built)}))
        examples = [f"{column} of {key}" for column, key in zip(frame["column"], frame["key"], strict=True)]
        say(f"{columns} values of a key in another spelling: {listed(examples, SPELLINGS)}; they join with {options}")


def _ignored(built: Index) -> list[str]:
    return built.contents.meta.get("ignore", "").split()


@click.command("sample")
@click.argument("folder", type=click.Path(file_okay=False))
@click.option("--seed", default=0, show_default=True)
@click.option("--format", "format_", type=click.Choice(["csv", "sqlite", "parquet"]), default="csv", show_default=True)
def sample_command(folder: str, seed: int, format_: Any) -> None:
    """Write the sample lake, a bank among look-alike tables, into FOLDER."""
    from jar.sample import write_sample_lake

    written = write_sample_lake(folder, seed=seed, format=format_)
    click.echo(f"{len(written)} files in {folder}", err=True)
