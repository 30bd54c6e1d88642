"""``python -m benchmarks sizes``."""

from __future__ import annotations

import time
from pathlib import Path

import click

from benchmarks.commands.options import NameList, OutputPath, clock, console
from benchmarks.speed.installed_sizes import declared_extras, kept_rows, measure_sizes, sizes_grid, sizes_page


@click.command("sizes")
@click.option("--extras", type=NameList(), help="Names with commas; by default all but test. A page keeps others.")
@click.option("--page", type=OutputPath(folder=False), help="Where the page is written, such as docs/sizes.md.")
def sizes(extras: list[str] | None, page: Path | None) -> None:
    """Measure what the package and its extras take on a disk, by installing each from the package index."""
    start = time.perf_counter()
    found = measure_sizes(extras or declared_extras(), clock())
    sizes_grid(found).show(console())
    if page is not None:
        seconds = time.perf_counter() - start
        kept = kept_rows(page.read_text("utf-8"), [size.extra for size in found]) if extras and page.exists() else {}
        page.write_text(sizes_page(found, seconds, kept), "utf-8")
