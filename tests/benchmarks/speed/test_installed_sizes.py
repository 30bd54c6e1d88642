"""Sizes of installations, on folders that look like site-packages."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.speed.installed_sizes import (
    MARK,
    Refused,
    Size,
    declared_extras,
    kept_rows,
    measure_sizes,
    parts_grid,
    size_of,
    sizes_grid,
    sizes_page,
)


def installed(packages: Path, name: str, size: int) -> None:
    """A distribution with one file, as pip leaves it."""
    (packages / f"{name}.bin").write_bytes(bytes(size))
    told = packages / f"{name}-1.dist-info"
    told.mkdir()
    (told / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
    (told / "RECORD").write_text(f"{name}.bin,,{size}\n")


def test_all_files_count_and_each_distribution_has_its_own(tmp_path: Path) -> None:
    """Files that no distribution lists, such as compiled modules, are part of the whole."""
    installed(tmp_path, "one", 3000)
    installed(tmp_path, "Two", 500)
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "__pycache__" / "one.pyc").write_bytes(bytes(70))
    found = size_of("x", tmp_path)
    assert found.distributions == {"one": 3000, "two": 500}
    texts = sum(path.stat().st_size for path in tmp_path.rglob("*-info/*"))
    assert found.size == 3570 + texts


def test_an_extra_is_told_beside_the_base() -> None:
    """What it adds, the largest of that, a star for torch, and what could not be installed."""
    base = Size("", 400_000_000, {"jar-rerank": 1_000_000, "numpy": 50_000_000})
    extra = Size("embed", 1_100_000_000, base.distributions | {"torch": 600_000_000, "tokenizers": 10_000_000})
    refused = Refused("vanna", "ERROR: none")
    assert sizes_grid([base, extra, refused]).rows == [
        ("none: the base", "400", "", "2", "", "numpy 50, jar-rerank 1"),
        ("`embed`\\*", "1100", "700", "4", "2", "torch 600, tokenizers 10"),
        ("`vanna`", "not installed: ERROR: none", "", "", "", ""),
    ]
    assert "| `embed`\\* | 1100 | 700 | 4 | 2 | torch 600, tokenizers 10 |" in sizes_page([base, extra, refused], 60)


def test_the_large_parts_of_the_base_are_told_with_what_they_are_for() -> None:
    """Largest first, with their purpose; small ones are left out, and the page says what is left without pyarrow."""
    base = Size("", 583_000_000, {"click": 400_000, "pandas": 84_000_000, "pyarrow": 176_000_000, "new": 9_000_000})
    rows = parts_grid(base).rows
    assert [row[:2] for row in rows] == [("pyarrow", "176"), ("pandas", "84"), ("new", "9")]
    assert [bool(row[2]) for row in rows] == [True, True, False]
    assert "Without it the base would be 407 MB" in sizes_page([base], 60)


def test_a_page_keeps_the_rows_that_are_not_measured_anew() -> None:
    """They are marked once, and stand where setup.cfg has them; a page of all extras says nothing of it."""
    base, extra = Size("", 400_000_000, {"numpy": 50_000_000}), Size("embed", 500_000_000, {"numpy": 50_000_000})
    other = Size("static", 450_000_000, {"numpy": 50_000_000, "wordllama": 33_000_000})
    page = sizes_page([base, extra, other], 60)
    assert MARK not in page
    for _ in range(2):
        page = sizes_page([base, other], 60, kept_rows(page, ["", "static"]))
        assert page.count(MARK) == 2
        rows = [line for line in page.splitlines() if line.startswith(("| none", "| `"))]
        assert [row.split("|")[1].strip() for row in rows] == ["none: the base", f"`embed`{MARK}", "`static`"]
        assert "| 500 | 100 |" in rows[1]


def test_the_extras_are_those_that_users_install() -> None:
    """All of setup.cfg but the one for the package's own checks."""
    extras = declared_extras()
    assert {"static", "embed", "haystack", "all"} <= set(extras)
    assert "test" not in extras


def test_a_package_that_cannot_be_built_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """There is nothing to compare with."""
    monkeypatch.setattr("benchmarks.speed.installed_sizes.ROOT", tmp_path)
    with pytest.raises(Exception, match="pip"):
        measure_sizes([], print)
