"""The site builds as `make docs` builds it: without a warning, with every public name, and with all that it loads."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.pages import ROOT

DOCS = ROOT / "docs"
TWICE = {"Catalog", "ColumnStatistics", "TableStatistics", "CrushObjective", "JarObjective"}
"""Names that two packages offer: their entry is that of `jar`."""


def build(source: Path, target: Path) -> subprocess.CompletedProcess[str]:
    """Run the recipe of `make docs` on other folders."""
    [recipe] = re.findall(r"^\t\$\(BIN\)/python (-m sphinx .*) docs build/docs$", (ROOT / "Makefile").read_text(), re.M)
    command = [sys.executable, *shlex.split(recipe), str(source), str(target)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=400, check=False)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the built site."""
    pytest.importorskip("sphinx", reason='the builder is not installed: pip install "jar-rerank[docs]"')
    folder = tmp_path_factory.mktemp("site")
    done = build(DOCS, folder)
    assert done.returncode == 0, done.stderr
    return folder


def test_every_page_is_part_of_the_site(site: Path) -> None:
    """Each has its place in the list at the side."""
    sidebar = (site / "index.html").read_text(encoding="utf-8").partition('<div class="sidebar-tree">')[2]
    listed = set(re.findall(r'class="reference internal" href="([\w./-]+)\.html"', sidebar.partition("</aside>")[0]))
    pages = {str(path.relative_to(DOCS).with_suffix("")) for path in DOCS.rglob("*.md")} - {"index"}
    assert pages - listed == set()


def test_every_public_name_has_an_entry(site: Path) -> None:
    """In the reference, by the name under which users import it."""
    from sphinx.util.inventory import InventoryFile

    entries = InventoryFile.loads((site / "objects.inv").read_bytes(), uri="").data
    public = json.loads((ROOT / "tests" / "public_names.json").read_text(encoding="utf-8"))
    offered = {f"{package}.{name}" for package, own in public.items() for name in own}
    elsewhere = {f"{package}.{name}" for package in ("formulations", "joinability") for name in TWICE}
    missing = offered - elsewhere - {name for names in entries.values() for name in names}
    assert missing == set(), "each package has a page in docs/reference/, and each constant an entry there"


def test_every_command_has_an_entry(site: Path) -> None:
    """With its own help."""
    from jar.cli.commands import COMMANDS

    page = (site / "reference" / "command-line.html").read_text(encoding="utf-8")
    assert [command.name for command in COMMANDS if f'id="jar-{command.name}"' not in page] == []


def test_no_page_loads_anything_from_elsewhere(site: Path) -> None:
    """Scripts, styles, fonts and pictures lie in the folder, so that the site opens from a disk without a network."""
    loads = re.compile(r'<(?:script|img|iframe|source)[^>]* src="(?:https?:)?//|<link[^>]* href="(?:https?:)?//')
    pages = list(site.rglob("*.html"))
    assert len(pages) > 40
    assert [page.name for page in pages if loads.search(page.read_text(encoding="utf-8"))] == []
    asks = re.compile(r"url\(['\"]?(?:https?:)?//|@import ['\"]http")
    assert [path.name for path in site.rglob("*.css") if asks.search(path.read_text(encoding="utf-8"))] == []


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[there](#not-there)", "not-there"),
        ("[there](nowhere.md)", "nowhere.md"),
        ("[there](other.md#not-there)", "not-there"),
        ("![picture](figures/none.png)", "none.png"),
    ],
)
def test_a_broken_link_breaks_the_build(text: str, problem: str, tmp_path: Path) -> None:
    """Of pages, headings and pictures."""
    pytest.importorskip("sphinx", reason='the builder is not installed: pip install "jar-rerank[docs]"')
    source = tmp_path / "docs"
    source.mkdir()
    shutil.copy(DOCS / "conf.py", source)
    (source / "index.md").write_text(f"# Page\n\n{text}\n\n```{{toctree}}\n<!-- all other pages -->\n```\n")
    (source / "other.md").write_text("# Other\n")
    done = build(source, tmp_path / "site")
    assert done.returncode != 0
    assert problem in done.stderr
    assert "other.md" not in done.stderr.replace("other.md#not-there", "")
