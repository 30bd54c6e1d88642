"""The index file: written all or nothing, refreshed where something changed, opened by anybody."""

from __future__ import annotations

import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pytest

from jar import Catalog, Index, IndexBusyError, IndexChangedError, IndexFormatError, Reranker
from jar.errors import EmbedderError, JarError
from jar.index.open_sources import open_sources
from tests.jar.conftest import toy_embedder


def frames(count: int) -> dict[str, pd.DataFrame]:
    return {
        f"shop.t{i}": pd.DataFrame({"id": range(i, i + 5), "name": [f"n{i}{j}" for j in range(5)]})
        for i in range(count)
    }


def build(catalog: Catalog, path: Path | None = None, **options: object) -> Index:
    return Index.build(catalog, path=path, progress=False, **{"embedder": toy_embedder, **options})


def test_saved_and_loaded_it_answers_the_same(lake_index: Index, tmp_path: Path) -> None:
    """A copy on disk ranks like the index in memory."""
    lake_index.save(tmp_path / "lake.jar")
    loaded = Index.load(tmp_path / "lake.jar", embedder=toy_embedder)
    question = "female clients with loans"
    assert Reranker(loaded).rank(question, 3).tables == Reranker(lake_index).rank(question, 3).tables
    assert len(loaded) == len(lake_index)
    assert [path.name for path in tmp_path.iterdir()] == ["lake.jar"]


@pytest.mark.skipif(os.name == "nt", reason="this system has other permissions")
def test_a_file_is_for_whom_it_was_before(lake_index: Index, lake: Catalog, tmp_path: Path) -> None:
    """A new one for whom the system gives new files; one that is written anew or refreshed for the same as before."""
    path, plain = tmp_path / "lake.jar", tmp_path / "plain"
    plain.touch()
    lake_index.save(path)
    assert path.stat().st_mode == plain.stat().st_mode
    for mode in (0o640, 0o600, 0o444):
        path.chmod(mode)
        lake_index.save(path)
        assert path.stat().st_mode & 0o777 == mode
        build(lake, path, values="off")
        assert path.stat().st_mode & 0o777 == mode


def test_the_page_tells_of_every_table(lake_index: Index) -> None:
    """What lies in the file is what docs/index-file.md says, but for what is there on a wish alone."""
    page = (Path(__file__).parents[3] / "docs/index-file.md").read_text("utf-8")
    rows = [line.split("|")[1] for line in page.splitlines() if line.startswith("| `")]
    told = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    with duckdb.connect(str(lake_index.path), read_only=True) as connection:
        present = {name for (name,) in connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()}
    assert present <= told
    assert told - present <= {"join_verdicts", "descriptions", "token_vectors"}


def test_a_user_can_query_it(lake_index: Index) -> None:
    """The tables that the documentation names are there, for any DuckDB client."""
    with duckdb.connect(str(lake_index.path), read_only=True) as connection:
        tables = {row[0] for row in connection.execute("SHOW TABLES").fetchall()}
        assert tables >= {"meta", "catalog_tables", "catalog_columns", "embeddings", "failures"}
        assert tables >= {"profiles", "column_values", "column_overlaps"}
        meta = dict(connection.execute("SELECT key, value FROM meta").fetchall())
        assert meta.keys() >= {"format", "embedder", "dimension", "score"}


def test_vectors_are_those_of_the_texts(lake_index: Index) -> None:
    """Each table and column has the embedding of its own text."""
    from jar.text.embedding import load_embedder
    from jar.text.spelled_names import spell
    from jar.text.texts import column_text, table_text

    contents = lake_index.contents
    embed = load_embedder(toy_embedder)
    np.testing.assert_allclose(
        contents.table_vectors, embed([table_text(table) for table in spell(contents.tables)]), atol=1e-6
    )
    texts = [column_text(table, place) for table in spell(contents.tables) for place in range(len(table.columns))]
    np.testing.assert_allclose(contents.column_vectors, embed(texts), atol=1e-6)


def test_only_what_changed_is_read_again(tmp_path: Path) -> None:
    """A second build reads the added and the changed table, drops the removed one, and equals a build from scratch."""
    path = tmp_path / "shop.jar"
    first = frames(6)
    assert len(build(Catalog.from_frames(first), path).changes.added) == 6
    second = dict(first)
    del second["shop.t0"]
    second["shop.t1"] = pd.DataFrame({"id": [1, 2, 3], "city": ["a", "b", "c"]})
    second["shop.t9"] = pd.DataFrame({"id": [2, 3, 4]})
    refreshed = build(Catalog.from_frames(second), path)
    assert sorted(table.id for table in refreshed.changes.added) == ["shop.t1", "shop.t9"]
    assert refreshed.changes.kept == 4
    scratch = build(Catalog.from_frames(second))
    key = ["left", "right"]
    left, right = refreshed.joins(), scratch.joins()
    for frame in (left, right):
        pairs = [tuple(sorted(pair)) for pair in zip(frame["left"], frame["right"], strict=True)]
        frame[key] = pairs
    columns = [*key, "score", "jaccard"]
    pd.testing.assert_frame_equal(
        left.sort_values(key)[columns].reset_index(drop=True), right.sort_values(key)[columns].reset_index(drop=True)
    )


def test_nothing_changed_touches_nothing(tmp_path: Path) -> None:
    """With an embedder that has a name, a build of the same catalog leaves the file's bytes alone."""
    path = tmp_path / "shop.jar"
    build(Catalog.from_frames(frames(3)), path, embedder="static")
    before = (path.stat().st_mtime_ns, path.read_bytes())
    changes = build(Catalog.from_frames(frames(3)), path, embedder="static").changes
    assert (len(changes.added), len(changes.dropped), changes.kept) == (0, 0, 3)
    assert (path.stat().st_mtime_ns, path.read_bytes()) == before


def test_another_embedder_embeds_everything_anew(tmp_path: Path) -> None:
    """Vectors of two embedders never mix."""
    path = tmp_path / "shop.jar"
    build(Catalog.from_frames(frames(2)), path, embedder="static")
    index = build(Catalog.from_frames(frames(2)), path)
    assert index.changes.kept == 2
    assert index.contents.table_vectors.shape[1] == 256
    assert index.contents.meta["embedder"].startswith("callable:")


def test_a_table_that_fails_is_reported_and_the_rest_indexed(tmp_path: Path) -> None:
    """A locked SQLite file and a CSV with a bad row are named with their cause; the good tables are there."""
    good = sqlite3.connect(tmp_path / "good.sqlite")
    good.execute("CREATE TABLE fine (id INTEGER)")
    good.execute("INSERT INTO fine VALUES (1)")
    good.commit()
    good.close()
    locked = sqlite3.connect(tmp_path / "locked.sqlite")
    locked.execute("CREATE TABLE busy (id INTEGER)")
    locked.commit()
    locked.execute("BEGIN EXCLUSIVE")
    catalog = Catalog.from_sqlite([tmp_path / "good.sqlite", tmp_path / "locked.sqlite"])
    index = build(catalog)
    assert [table.id for table in index.contents.tables] == ["good.fine"]
    ((source, cause),) = index.failures
    assert "locked" in source
    assert "locked" in cause
    locked.rollback()
    locked.close()


@pytest.mark.parametrize("damage", ["truncated", "half", "foreign", "empty", "text", "version", "sqlite"])
def test_damaged_and_foreign_files_are_refused_and_left_untouched(
    lake_index: Index, tmp_path: Path, damage: str
) -> None:
    """Load, build and save raise IndexFormatError, and the file keeps every byte."""
    path = tmp_path / "x.jar"
    lake_index.save(path)
    if damage == "truncated":
        path.write_bytes(path.read_bytes()[:5000])
    elif damage == "half":
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    elif damage == "foreign":
        path.unlink()
        with duckdb.connect(str(path)) as connection:
            connection.execute("CREATE TABLE mine (a INTEGER)")
    elif damage == "empty":
        path.write_bytes(b"")
    elif damage == "text":
        path.write_text("a,b\n1,2\n" * 1000)
    elif damage == "version":
        with duckdb.connect(str(path)) as connection:
            connection.execute("UPDATE meta SET value = '0' WHERE key = 'format'")
    else:
        path.unlink()
        connection = sqlite3.connect(path)
        connection.execute("CREATE TABLE meta (key TEXT, value TEXT)")
        connection.commit()
        connection.close()
    before = path.read_bytes()
    with pytest.raises(IndexFormatError, match=r"x\.jar"):
        Index.load(path, embedder=toy_embedder)
    with pytest.raises(IndexFormatError, match=r"x\.jar"):
        build(Catalog.from_frames(frames(1)), path)
    assert path.read_bytes() == before


def test_a_missing_index_says_how_to_make_one(tmp_path: Path) -> None:
    """A path without a file names the command."""
    with pytest.raises(FileNotFoundError, match="jar index"):
        Index.load(tmp_path / "none.jar")


def test_a_callable_embedder_is_asked_for_again(lake_index: Index, tmp_path: Path) -> None:
    """An index built with a callable needs it for questions, and says so."""
    lake_index.save(tmp_path / "lake.jar")
    with pytest.raises(EmbedderError, match=r"Index\.load"):
        Reranker(Index.load(tmp_path / "lake.jar"))


def test_an_embedder_that_fails_leaves_the_old_index(tmp_path: Path) -> None:
    """When the model breaks half way, the previous index still opens, and the next build completes it."""
    path = tmp_path / "shop.jar"
    build(Catalog.from_frames(frames(2)), path)

    def broken(texts: list[str]) -> np.ndarray:
        raise RuntimeError("out of memory")

    with pytest.raises(RuntimeError, match="out of memory"):
        build(Catalog.from_frames(frames(5)), path, embedder=broken)
    assert len(Index.load(path, embedder=toy_embedder)) == 2
    resumed = build(Catalog.from_frames(frames(5)), path)
    assert len(resumed) == 5
    assert resumed.changes.kept == 5


KILLED = """
import sys, time
from pathlib import Path
import numpy as np
from jar import Catalog, Index

def slow(texts):
    Path(sys.argv[2]).write_text("embedding")
    time.sleep(60)

Index.build(Catalog.from_files(sys.argv[1]), path=sys.argv[3], embedder=slow, progress=False)
"""


def test_a_kill_in_the_middle_keeps_the_old_index_and_the_work_done(tmp_path: Path) -> None:
    """After kill -9 the previous index opens; the next run keeps what was read and finishes."""
    path, lake, flag = tmp_path / "shop.jar", tmp_path / "lake", tmp_path / "flag"
    lake.mkdir()
    for name, frame in frames(4).items():
        frame.to_csv(lake / f"{name}.csv", index=False)
    build(Catalog.from_frames(frames(2)), path)
    process = subprocess.Popen([sys.executable, "-c", KILLED, str(lake), str(flag), str(path)])
    deadline = time.monotonic() + 120
    while not flag.exists() and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.05)
    assert flag.exists()
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert len(Index.load(path, embedder=toy_embedder)) == 2
    finished = build(Catalog.from_files(lake), path)
    assert len(finished) == 4
    assert finished.changes.kept == 4
    assert sorted(p.name for p in tmp_path.iterdir()) == ["flag", "lake", "shop.jar"]


def test_two_writers_of_one_index_do_not_mix(tmp_path: Path) -> None:
    """While another process writes the index, a build says so instead of waiting or mixing."""
    path = tmp_path / "shop.jar"
    build(Catalog.from_frames(frames(1)), path)
    code = "import duckdb, sys, time; c = duckdb.connect(sys.argv[1]); print('open', flush=True); time.sleep(60)"
    (tmp_path / "shop.jar.partial").write_bytes(path.read_bytes())
    with subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path / "shop.jar.partial")], stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "open\n"
        with pytest.raises(IndexBusyError, match=rf"another process \(.*, number {other.pid}\) has it open: wait"):
            build(Catalog.from_frames(frames(2)), path)
        other.kill()


def test_odd_names_and_empty_tables_are_indexed() -> None:
    """Quotes, dots, newlines, keywords and unicode in names, no rows, no columns and only nulls: all are indexed."""
    odd = {
        'a.b"c': pd.DataFrame({'say "x"': [1], "new\nline": ["v"], "select": [2], "naïve.名": [3]}),
        "a.empty": pd.DataFrame({"id": []}),
        "a.nothing": pd.DataFrame(),
        "a.nulls": pd.DataFrame({"id": [None, None]}),
        "a.'; DROP TABLE meta; --": pd.DataFrame({"'; DROP TABLE profiles; --": [1]}),
    }
    index = build(Catalog.from_frames(odd))
    assert {table.id for table in index.contents.tables} == set(odd)
    selection = Reranker(index).rank("select the line", k=5)
    assert set(selection.tables) == set(odd)
    sql = selection.to_sql_context()
    assert '"say ""x"""' in sql
    assert '"select"' in sql
    assert str(selection)
    assert selection.explain()


def test_an_empty_catalog_is_an_index_without_tables() -> None:
    """No tables make an index that opens, lists nothing, and refuses questions with a reason."""
    index = build(Catalog(()))
    assert len(index) == 0
    assert len(index.tables()) == 0
    assert len(index.joins()) == 0
    with pytest.raises(ValueError, match="no candidates"):
        Reranker(index).rank("anything", 1)


def test_the_views_say_what_the_contract_names(lake_index: Index) -> None:
    """`joins` and `tables` are data frames with the promised columns, best first."""
    joins = lake_index.joins(min_score=0.3)
    assert list(joins.columns[:4]) == ["left", "right", "score", "declared"]
    assert joins["score"].is_monotonic_decreasing
    assert joins["score"].min() >= 0.3
    one = lake_index.joins(table="bank.client")
    assert len(one) > 0
    assert (one["left"].str.startswith("bank.client.") | one["right"].str.startswith("bank.client.")).all()
    assert {"id", "database", "name", "columns", "rows"} <= set(lake_index.tables().columns)
    with pytest.raises(ValueError, match="no table"):
        lake_index.joins(table="bank.clientele")


def test_the_temporary_file_goes_with_the_index() -> None:
    """An index that was not saved leaves nothing behind."""
    index = build(Catalog.from_frames(frames(1)))
    folder = index.path.parent
    assert folder.exists()
    del index
    assert not folder.exists()


def shop_file(path: Path, rows: int) -> None:
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE IF NOT EXISTS orders (id INTEGER)")
    connection.executemany("INSERT INTO orders VALUES (?)", [(number,) for number in range(rows)])
    connection.commit()
    connection.close()


def test_a_source_that_cannot_be_read_for_a_while_keeps_its_tables(tmp_path: Path) -> None:
    """A file locked during a refresh is reported; what was read of it before stays, and then it is read again."""
    shop_file(tmp_path / "one.sqlite", 3)
    shop_file(tmp_path / "two.sqlite", 3)
    paths = [tmp_path / "one.sqlite", tmp_path / "two.sqlite"]
    path = tmp_path / "shop.jar"
    build(Catalog.from_sqlite(paths), path)
    locked = sqlite3.connect(tmp_path / "two.sqlite")
    locked.execute("BEGIN EXCLUSIVE")
    index = build(Catalog.from_sqlite(paths), path)
    locked.rollback()
    locked.close()
    assert {table.id for table in index.contents.tables} == {"one.orders", "two.orders"}
    assert "stays in the index" in index.failures[0][1]
    assert build(Catalog.from_sqlite(paths), path).failures == ()


def test_what_a_run_read_itself_is_none_of_before(tmp_path: Path) -> None:
    """A statement of a script that fails says nothing of the tables of the others, in the first run or later."""
    script = "CREATE TABLE a (x INT);\nALTER TABLE nowhere ADD y INT;\n"
    (tmp_path / "shop.sql").write_text(script)
    for _ in range(2):
        index = build(open_sources([tmp_path / "shop.sql"]), tmp_path / "shop.jar")
        ((_, cause),) = index.failures
        assert "no table shop.nowhere" in cause
        assert "before stays" not in cause


@pytest.mark.parametrize("path", [None, 5, ["shop.jar"]])
def test_an_index_is_named_by_a_path(path: Any) -> None:
    """Whatever else is given is refused in words."""
    for refused in (lambda: Index.load(path), lambda: build(Catalog([])).save(path)):
        with pytest.raises(JarError, match=r"given by its path, such as 'shop\.jar', not by"):
            refused()


def test_a_new_version_that_cannot_be_read_leaves_the_old_one(tmp_path: Path) -> None:
    """A table that changed and fails half way keeps its previous contents."""
    lake = tmp_path / "lake"
    lake.mkdir()
    (lake / "good.csv").write_text("id,name\n1,a\n2,b\n")
    (lake / "other.csv").write_text("id\n1\n")
    path = tmp_path / "shop.jar"
    build(Catalog.from_files(lake), path)
    (lake / "good.csv").write_text("id,name\n1,a\n2,b,too,many\n")
    index = build(Catalog.from_files(lake), path)
    assert {table.id for table in index.contents.tables} == {"lake.good", "lake.other"}
    assert index.tables().set_index("id").loc["lake.good", "rows"] == 2
    ((source, cause),) = index.failures
    assert "good" in source
    assert "stays in the index" in cause


def test_a_damaged_partial_file_does_not_stop_the_next_run(tmp_path: Path) -> None:
    """When what an interrupted run left turns out to be damaged, the index is built from the sources."""
    path = tmp_path / "shop.jar"
    build(Catalog.from_frames(frames(40)), path)
    partial = bytearray(path.read_bytes())
    middle = len(partial) // 3
    partial[middle : len(partial) - 4096] = bytes(len(partial) - 4096 - middle)
    (tmp_path / "shop.jar.partial").write_bytes(bytes(partial))
    assert len(build(Catalog.from_frames(frames(41)), path)) == 41


def test_a_foreign_file_in_the_way_is_left_alone(tmp_path: Path) -> None:
    """A file of somebody else's by the name of the partial file is neither deleted nor overwritten."""
    (tmp_path / "shop.jar.partial").write_text("precious")
    with pytest.raises(IndexFormatError, match="in the way"):
        build(Catalog.from_frames(frames(1)), tmp_path / "shop.jar")
    assert (tmp_path / "shop.jar.partial").read_text() == "precious"


def test_another_embedder_of_the_same_width_is_warned_of(tmp_path: Path) -> None:
    """Questions embedded by a model that the index was not built with are not silently compared."""
    index = build(Catalog.from_frames(frames(1)), tmp_path / "shop.jar", embedder="static")
    with pytest.warns(UserWarning, match="'static'"):
        Reranker(index, embedder=toy_embedder)


def test_no_text_is_embedded_twice(tmp_path: Path) -> None:
    """Columns with one text share a vector; a refresh embeds what is new alone."""
    seen: list[str] = []

    def counting(texts: list[str]) -> np.ndarray:
        seen.extend(texts)
        return toy_embedder(texts)

    path = tmp_path / "shop.jar"
    build(Catalog.from_frames(frames(4)), path, embedder=counting)
    texts = [text for text in seen if text != "dimension"]
    assert len(texts) == len(set(texts)) > 0


def test_sample_values_are_those_of_the_index_that_is_open(tmp_path: Path) -> None:
    """Of a file that was indexed anew, or is gone, an error says so; pins and copies change nothing."""
    path = tmp_path / "s.jar"

    def build(values: list[str]) -> Index:
        frames = {"s.emp": pd.DataFrame({"id": [1, 2], "v": values}), "s.dep": pd.DataFrame({"id": [1, 2]})}
        return Index.build(Catalog.from_frames(frames), path=path, embedder=toy_embedder, progress=False)

    old = build(["x", "y"])
    old.pin_join("s.emp.id", "s.dep.id")
    old.save(tmp_path / "copy.jar")
    copied = Index.load(tmp_path / "copy.jar", embedder=toy_embedder)
    assert old.sample_values(["s.emp"]) == copied.sample_values(["s.emp"])
    new = build(["N1", "N2"])
    with pytest.raises(IndexChangedError, match=r"s\.jar was indexed anew .*Index\.load it again"):
        old.sample_values(["s.emp"])
    assert set(new.sample_values(["s.emp"])["s.emp.v"]) == {"N1", "N2"}
    path.unlink()
    with pytest.raises(IndexChangedError, match=r"s\.jar is gone"):
        new.sample_values(["s.emp"])


@pytest.mark.parametrize(
    ("given", "hint"),
    [("rows", r'Catalog\.from_files\("rows"\).* not of str'), (None, "not of NoneType"), ([], "not of list")],
)
@pytest.mark.parametrize("kept", [True, False])
def test_an_index_of_something_else_than_a_catalog_is_an_error(
    given: Any, hint: str, kept: bool, tmp_path: Path
) -> None:
    """The message says what makes a catalog; no file is left."""
    with pytest.raises(JarError, match=f"built of a jar.Catalog.*{hint}"):
        Index.build(given, path=tmp_path / "a.jar" if kept else None, embedder=toy_embedder)
    assert not list(tmp_path.iterdir())


def test_an_embedder_whose_width_changes_is_refused(tmp_path: Path) -> None:
    """Between calls, too; the index that was there stays."""
    widths = iter([4, 4, 5])

    class Encoder:
        batch = 1024

        def __call__(self, texts: list[str]) -> Any:
            return np.ones((len(texts), next(widths, 5)), dtype=np.float32)

    names = iter(f"c{number}" for number in range(1_200))
    frames = {f"s.t{table}": pd.DataFrame([range(40)], columns=[next(names) for _ in range(40)]) for table in range(30)}
    with pytest.raises(EmbedderError, match="vectors of several widths: 4, 5"):
        Index.build(Catalog.from_frames(frames), path=tmp_path / "i.jar", embedder=Encoder(), progress=False)
