"""``jar sample``: a lake to try things on."""

from __future__ import annotations

from typing import Any

import click


@click.command("sample")
@click.argument("folder", type=click.Path(file_okay=False))
@click.option("--seed", default=0, show_default=True)
@click.option("--format", "format_", type=click.Choice(["csv", "sqlite", "parquet"]), default="csv", show_default=True)
def sample_command(folder: str, seed: int, format_: Any) -> None:
    """Write the sample lake, a bank among look-alike tables, into FOLDER."""
    from jar.sample import write_sample_lake

    written = write_sample_lake(folder, seed=seed, format=format_)
    click.echo(f"{len(written)} files in {folder}", err=True)
