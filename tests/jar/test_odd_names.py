"""Names with line breaks, escapes of terminals and markup: each line of an answer stays one, and HTML stays text."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner

from formulations import Instance, JarObjective, solve
from jar import Catalog, Index, Reranker
from jar.cli.main import main
from joinability.lines import one_line

STEERING = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e]")
ODD = "bad\nname\r\x1b[31m\u2028\u202e<img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def odd_index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two tables that join, whose names and columns have all that breaks a line, and one that cannot be read."""
    clients = pd.DataFrame({f"id{ODD}": range(40), f"name{ODD}": [f"n{ODD}{i}" for i in range(40)]})
    loans = pd.DataFrame({f"loan{ODD}": range(100, 140), f"id{ODD}": list(range(40))})
    catalog = Catalog.from_frames({f"bank.client{ODD}": clients, f"bank.loan{ODD}": loans, f"bank.no{ODD}": 3})
    path = tmp_path_factory.mktemp("odd") / "odd.jar"
    Index.build(catalog, path=path, embedder="static", progress=False, values="plain")
    return path


TABLES = {"div", "strong", "table", "thead", "tbody", "tr", "th", "td"}
PICTURE = {"div", "svg", "title", "rect", "path", "text"}


def parts_of(html: str) -> list[str]:
    """The names of the elements of an HTML text; none has handlers or links, those of tables no attributes at all."""
    names: list[str] = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            names.append(tag)
            assert not attrs or tag in PICTURE
            assert not [name for name, _ in attrs if name.startswith("on") or name in {"href", "src"}]

    Reader().feed(html)
    return names


def test_no_line_of_the_shell_is_broken(odd_index: Path) -> None:
    """Of ranking, explaining, columns and joins, of messages and of errors; each table has its one line."""
    table = f"bank.client{ODD}"
    for arguments in (
        ("rank", "client name", "-k", "2"),
        ("explain", "client name", "-k", "2"),
        ("explain", "--names"),
        ("columns", "client name"),
        ("joins",),
        ("joins", "--path", table, f"bank.loan{ODD}"),
        ("joins", "--unions", "--min-score", "0"),
        ("joins", "--veto", table, f"bank.loan{ODD}"),
        ("joins", "--verdicts"),
        ("joins", "--unpin", table, f"bank.loan{ODD}"),
        ("joins", "--path", table, "bank.none"),
        ("rank", "x", "--require", f"bank.clint{ODD}"),
    ):
        done = CliRunner().invoke(main, [arguments[0], str(odd_index), *arguments[1:]])
        assert not STEERING.search(done.output), (arguments, done.output)
        told = "bad\\nname\\r\\x1b[31m" in done.output
        assert told or {"--unpin", "--unions", "bank.none"} & set(arguments), (arguments, done.output)
        assert not [line for line in done.output.splitlines() if line.startswith("name")]


def test_a_question_of_several_lines_keeps_them(odd_index: Path) -> None:
    """They are the caller's; what steers a terminal goes."""
    result = Reranker(odd_index).rank("client\nname \x1b[31m", 1)
    assert str(result).splitlines()[:2] == ["client", "name \\x1b[31m"]


def test_catalogs_and_solutions_break_no_line_either() -> None:
    """Their tables are told with escapes."""
    frame = pd.DataFrame({"id": [1]})
    assert len(str(Catalog.from_frames({f"a.{ODD}": frame, "b": 3})).splitlines()) == 3
    solution = solve(Instance([1, 2], [[1, 2]], [[0, 1], [1, 0]], 2, ids=[ODD, "b"]), JarObjective())
    assert len(str(solution).splitlines()) == 3


def test_html_is_escaped(odd_index: Path) -> None:
    """In selections of tables and of columns, in the index and in the join graph: rows, and no element from a name."""
    index = Index.load(odd_index)
    reranker = Reranker(index)
    selection = reranker.rank(f"client name {ODD}", 2)
    assert selection.joins
    shown = [selection, reranker.columns(f"client {ODD}"), index, index.join_graph()]
    for one in shown:
        html = one._repr_html_()
        parts = parts_of(html)
        assert set(parts) <= (PICTURE if one in shown[:2] else TABLES)
        assert "&lt;img src=x" in html
        assert not STEERING.search(html)
        assert parts.count("rect") > 1 or html.count("<tr>") > 1
    assert "not indexed: bank.no" in index._repr_html_()


def test_a_repr_tells_what_it_is(lake_index: Index) -> None:
    """In one short line: what was chosen, over what, with which solver."""
    reranker = Reranker(lake_index)
    assert repr(reranker).startswith(f"<Reranker over <Index {lake_index.path}: 21 tables")
    assert "coarse=" in repr(reranker)
    assert "solver 'exact'" in repr(reranker)
    assert "crush" in repr(Reranker(lake_index, "crush")).casefold()
    selection = reranker.rank("Which clients have loans?", 2)
    parts = "connected" if selection.connected else "2 unconnected parts"
    assert repr(selection) == (
        f"<Selection: {parts}; optimal, value {selection.value:.3f} (exact); {', '.join(selection.tables)}>"
    )
    columns = reranker.columns("Which clients have loans?", 3)
    assert repr(columns).startswith("<ColumnSelection: 3 columns of 2 unconnected parts; probes: chunks of the ")
    assert repr(columns).endswith(f"{', '.join(columns.column_names)}>")


def test_names_of_all_scripts_stay_as_they_are() -> None:
    """Blanks of other scripts and joiners of letters are no line breaks."""
    for text in ("größe", "名前\u3000値", "نمی\u200cخواهم", "a\u00a0b", "👩\u200d🔬"):
        assert one_line(text) == text
