"""Folders of DDL scripts: a script for each table, scripts of one database, and databases of their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from jar import Index
from jar.index.file import databases_of_scripts
from jar.index.open_sources import open_sources

TABLES = {
    "dept": "CREATE TABLE dept (dept_id INT PRIMARY KEY, title TEXT)",
    "empl": "CREATE TABLE empl (empl_id INT PRIMARY KEY, dept_id INT REFERENCES dept)",
    "proj": "CREATE TABLE proj (proj_id INT PRIMARY KEY, lead_id INT)",
    "proj_fk": "ALTER TABLE proj ADD FOREIGN KEY (lead_id) REFERENCES empl (empl_id)",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "firm"
    folder.mkdir()
    for name, text in TABLES.items():
        (folder / f"{name}.sql").write_text(f"{text};\n", encoding="utf-8")
    return folder


@pytest.mark.parametrize("name", ["firm", "hr"])
def test_scripts_of_a_table_each_are_one_database(folder: Path, name: str) -> None:
    """Called after the folder, or as the user says; keys lead from one script to the other."""
    catalog = open_sources([folder if name == "firm" else f"{name}={folder}"])
    assert [table.id for table in catalog] == [f"{name}.dept", f"{name}.empl", f"{name}.proj"]
    assert catalog[f"{name}.empl"].foreign_keys[0].target == f"{name}.dept"
    assert catalog[f"{name}.empl"].foreign_keys[0].target_columns == ("dept_id",)
    assert catalog[f"{name}.proj"].foreign_keys[0].target == f"{name}.empl"
    assert catalog[f"{name}.proj"].origin == str(folder / "proj.sql")
    assert not catalog.failures


def test_scripts_change_what_others_create(tmp_path: Path) -> None:
    """Migrations run in the order of their numbers."""
    steps = {
        "V1": "CREATE TABLE a (id INT PRIMARY KEY); CREATE TABLE b (id INT, a_id INT); CREATE TABLE c (id INT)",
        "V2": "ALTER TABLE b ADD COLUMN label TEXT",
        "V3": "DROP TABLE c",
        "V10": "CREATE TABLE c (id INT PRIMARY KEY, b_id INT)",
    }
    for name, text in steps.items():
        (tmp_path / f"{name}__step.sql").write_text(text, encoding="utf-8")
    catalog = open_sources([f"shop={tmp_path}"])
    assert {table.id: table.column_names for table in catalog} == {
        "shop.a": ["id"], "shop.b": ["id", "a_id", "label"], "shop.c": ["id", "b_id"],
    }
    assert not catalog.failures


@pytest.mark.parametrize("second", ["ALTER TABLE a ADD x INT", "CREATE TABLE b (a_id INT REFERENCES a)"])
def test_two_scripts_are_one_database_where_one_needs_the_other(tmp_path: Path, second: str) -> None:
    (tmp_path / "1.sql").write_text("CREATE TABLE a (id INT PRIMARY KEY); CREATE TABLE c (id INT)", encoding="utf-8")
    (tmp_path / "2.sql").write_text(second, encoding="utf-8")
    catalog = open_sources([f"shop={tmp_path}"])
    assert {table.database for table in catalog} == {"shop"}
    assert not catalog.failures
    assert "x" in catalog["shop.a"].column_names or catalog["shop.b"].foreign_keys[0].target == "shop.a"


def test_one_more_script_changes_no_name(folder: Path) -> None:
    """Of several tables, that need none of the others, even if these then are no longer three in four."""
    (folder / "x.sql").write_text("CREATE TABLE a (id INT); CREATE TABLE b (id INT)", encoding="utf-8")
    (folder / "y.sql").write_text("CREATE TABLE c (id INT); CREATE TABLE d (id INT)", encoding="utf-8")
    assert {table.database for table in open_sources([folder])} == {"firm"}


@pytest.mark.parametrize("schema", ["", "dbo."])
def test_keys_in_a_folder_of_their_own(tmp_path: Path, schema: str) -> None:
    for place, name in (("tables", "dept"), ("tables", "proj"), ("keys", "fk")):
        (tmp_path / place).mkdir(exist_ok=True)
        text = TABLES.get(name, "ALTER TABLE proj ADD FOREIGN KEY (lead_id) REFERENCES dept (dept_id)")
        for word in ("TABLE ", "REFERENCES "):
            text = text.replace(word, word + schema)
        (tmp_path / place / f"{name}.sql").write_text(text, encoding="utf-8")
    catalog = open_sources([f"shop={tmp_path}"])
    database = "shop.dbo" if schema else "shop"
    assert catalog[f"{database}.proj"].foreign_keys[0].target == f"{database}.dept"
    assert not catalog.failures


def test_scripts_that_create_the_same_tables_are_apart(tmp_path: Path) -> None:
    for name in ("north", "south", "west"):
        (tmp_path / f"{name}.sql").write_text(f"{TABLES['dept']}; {TABLES['empl']}", encoding="utf-8")
    assert {table.database for table in open_sources([tmp_path])} == {"north", "south", "west"}


def test_of_two_databases_in_a_folder_the_larger_has_its_name(tmp_path: Path) -> None:
    """Those that create the same table are apart, each with what needs it."""
    north = ["CREATE TABLE dept (id INT)", "ALTER TABLE only_north ADD x INT", "CREATE TABLE only_north (id INT)"]
    for place, text in enumerate(north):
        (tmp_path / f"n{place}.sql").write_text(text, encoding="utf-8")
    (tmp_path / "a1.sql").write_text("CREATE TABLE dept (id INT); CREATE TABLE far (id INT)", encoding="utf-8")
    (tmp_path / "a2.sql").write_text("ALTER TABLE far ADD x INT", encoding="utf-8")
    (tmp_path / "n3.sql").write_text("CREATE TABLE y (i INT REFERENCES only_north)", encoding="utf-8")
    held = {table.name: table.database for table in open_sources([f"shop={tmp_path}"]) if table.name != "dept"}
    assert held == {"only_north": "shop", "y": "shop", "far": "shop/a1"}


def test_what_cannot_be_read_names_its_script(folder: Path) -> None:
    (folder / "proj.sql").write_text("CREATE TABEL proj (id INT)", encoding="utf-8")
    (folder / "empl.sql").write_bytes(b"CREATE TABLE empl (caf\xe9 INT)")
    catalog = open_sources([folder])
    assert [table.id for table in catalog] == ["firm.dept"]
    told = dict(catalog.failures)
    assert str(folder / "empl.sql") in told
    assert any(source.startswith(f"{folder / 'proj.sql'}: CREATE TABEL") for source in told)


def test_folders_below_are_databases(folder: Path) -> None:
    (folder / "old").mkdir()
    for name in ("dept", "empl", "proj"):
        (folder / "old" / f"{name}.sql").write_text(TABLES[name], encoding="utf-8")
    assert {table.database for table in open_sources([folder])} == {"firm", "old"}


def test_schemas_in_scripts_stay(folder: Path) -> None:
    for name in ("dept", "empl", "proj"):
        (folder / f"{name}.sql").write_text(TABLES[name].replace("TABLE ", "TABLE dbo."), encoding="utf-8")
    (folder / "proj_fk.sql").unlink()
    assert {table.database for table in open_sources([folder])} == {"dbo"}


def test_scripts_of_several_tables_are_databases_of_their_own(folder: Path) -> None:
    """Unless the user gives them one name: then joins by names are looked for in all of it."""
    for name, text in list(TABLES.items())[:3]:
        alone = text.replace(" REFERENCES dept", "")
        (folder / f"{name}.sql").write_text(f"{alone}; CREATE TABLE {name}_log (id INT);", encoding="utf-8")
    (folder / "proj_fk.sql").unlink()
    found = open_sources([folder])
    assert {table.database for table in found} == {"dept", "empl", "proj"}
    assert any("3 scripts" in note and f"firm={folder}" in note for note in found.notes)
    named = open_sources([f"hr={folder}"])
    assert {table.database for table in named} == {"hr/dept", "hr/empl", "hr/proj"}
    assert len({table.warehouse for table in named}) == 1
    assert not any("scripts" in note for note in named.notes)


def test_files_given_by_themselves_are_databases(folder: Path) -> None:
    found = open_sources([folder / "dept.sql", folder / "empl.sql", folder / "proj.sql"])
    assert {table.database for table in found} == {"dept", "empl", "proj"}
    assert not any("scripts" in note for note in found.notes)


def test_a_refresh_keeps_scripts_together(folder: Path, tmp_path: Path) -> None:
    """Though the script of their keys is emptied, and no script needs another one any more; a new index has two."""
    for name in ("dept", "empl"):
        (folder / f"{name}.sql").unlink()
    (folder / "dept.sql").write_text(f"{TABLES['dept']}; CREATE TABLE site (site_id INT)", encoding="utf-8")
    (folder / "proj.sql").write_text(f"{TABLES['proj']}; CREATE TABLE task (task_id INT)", encoding="utf-8")
    keys = folder / "proj_fk.sql"
    keys.write_text("ALTER TABLE proj ADD FOREIGN KEY (lead_id) REFERENCES dept (dept_id)", encoding="utf-8")
    index = tmp_path / "firm.jar"
    Index.build(open_sources([folder]), path=index, embedder="distilled")
    for text in ("", "ALTER TABLE proj ADD FOREIGN KY (lead_id REFERENCES dept (dept_id"):
        keys.write_text(text, encoding="utf-8")
        again = open_sources([folder], before=databases_of_scripts(index))
        assert [table.id for table in again] == ["firm.dept", "firm.site", "firm.proj", "firm.task"]
        assert bool(again.failures) == bool(text)
    keys.unlink()
    assert {table.database for table in open_sources([folder], before=databases_of_scripts(index))} == {"firm"}
    assert {table.database for table in open_sources([folder])} == {"dept", "proj"}
    (folder / "dept.sql").unlink()
    left = open_sources([folder], before=databases_of_scripts(index))
    assert [table.id for table in left] == ["firm.proj", "firm.task"]


def test_an_emptied_script_loses_no_table(folder: Path, tmp_path: Path) -> None:
    """It says what to do; keys of other tables to those of the script stay, too."""
    index = tmp_path / "firm.jar"
    Index.build(open_sources([folder]), path=index, embedder="distilled")
    (folder / "dept.sql").write_text("\n", encoding="utf-8")
    catalog = open_sources([folder], before=databases_of_scripts(index))
    built = Index.build(catalog, path=index, embedder="distilled")
    assert [(source, cause.partition(";")[0]) for source, cause in built.failures] == [
        (str(folder / "dept.sql"), "the file is empty: write it anew, or take it away")
    ]
    assert {table.id for table in built.contents.tables} == {"firm.dept", "firm.empl", "firm.proj"}
    assert built.changes is not None
    assert not built.changes.dropped


def test_scripts_that_create_one_table_are_parted_even_if_they_were_together(folder: Path) -> None:
    (folder / "empl.sql").write_text(TABLES["dept"], encoding="utf-8")
    before = {str(folder / f"{name}.sql"): "firm" for name in TABLES}
    assert {table.database for table in open_sources([folder], before=before)} != {"firm"}


def test_an_index_tells_no_scripts_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "broken.jar").write_bytes(b"no index")
    assert databases_of_scripts(tmp_path / "broken.jar") == databases_of_scripts(tmp_path / "none.jar") == {}
