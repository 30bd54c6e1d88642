"""Differences that an index ignores between values: stated once, kept by every refresh."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner

from jar import Catalog, Index, JarError
from jar.cli.main import main
from tests.jar.conftest import toy_embedder

FRAMES = {
    "shop.orders": pd.DataFrame({"order": [1, 2, 3, 4], "product_code": ["a007", "b1", "a007", "b1"]}),
    "shop.products": pd.DataFrame({"product_code": ["A007", "B1", "C2"], "size": ["007", "0010", "08"]}),
    "shop.sizes": pd.DataFrame({"size": ["7", "8", "10"], "label": ["small", "medium", "large"]}),
}


def joined(index: Index) -> set[tuple[str, str]]:
    return {(edge["left"], edge["right"]) for edge in index.joins(min_score=0).to_dict("records")}


CASE = ("shop.orders.product_code", "shop.products.product_code")
ZEROS = ("shop.products.size", "shop.sizes.size")


def test_what_is_ignored_stays_so(tmp_path: Path) -> None:
    """Keys that differ in case or zeros join where that is ignored; a refresh needs no word, a change reads anew."""
    path, catalog = tmp_path / "i.jar", Catalog.from_frames(FRAMES)

    def build(**options: object) -> Index:
        return Index.build(catalog, path=path, embedder=toy_embedder, progress=False, **options)  # type: ignore[arg-type]

    assert not joined(build()) & {CASE, ZEROS}
    zeros = build(ignore=["zeros"])
    assert zeros.changes is not None
    assert len(zeros.changes.added) == 3
    assert joined(zeros) & {CASE, ZEROS} == {ZEROS}
    assert joined(build()) & {CASE, ZEROS} == {ZEROS}
    assert joined(build(ignore={"case", "zeros"})) >= {CASE, ZEROS}
    assert not joined(build(ignore=[])) & {CASE, ZEROS}


def test_the_command_ignores_them(tmp_path: Path) -> None:
    """`--ignore`, once for each difference, and `nothing` to go back."""
    lake, path = tmp_path / "shop", tmp_path / "i.jar"
    lake.mkdir()
    for name, frame in FRAMES.items():
        frame.to_csv(lake / f"{name.partition('.')[2]}.csv", index=False)

    def indexed(*options: str) -> set[tuple[str, str]]:
        result = CliRunner().invoke(main, ["index", str(lake), "-o", str(path), "--embedder", "static", *options])
        assert result.exit_code == 0, result.output
        return joined(Index.load(path)) & {CASE, ZEROS}

    assert indexed("--ignore", "case") == {CASE}
    assert indexed("--ignore", "case", "--ignore", "zeros") == indexed() == {CASE, ZEROS}
    assert indexed("--ignore", "nothing") == set()


@pytest.mark.parametrize("ignore", ["case", ["accents"]])
def test_an_unknown_difference_is_said_before_any_work(ignore: object) -> None:
    """With the differences that there are."""
    with pytest.raises(JarError, match=r"\['case', 'zeros'\]"):
        Index.build(Catalog.from_frames(FRAMES), ignore=ignore)  # type: ignore[arg-type]
