"""Real databases laid out as Spider and BIRD publish them give the same data sets as the files that come along here."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.data.dataset_form import Dataset
from benchmarks.data.datasets import load_dataset

DATABASES = {"spider": ("concert_singer", "pets_1", "world_1"), "bird": ("superhero",)}
FOLDERS = {"spider": "database", "bird": "dev_databases"}
SCHEMAS = {"spider": "tables.json", "bird": "dev_tables.json"}
SCHEMA_KEYS = (
    "db_id",
    "table_names_original",
    "table_names",
    "column_names_original",
    "column_names",
    "column_types",
    "primary_keys",
    "foreign_keys",
)
QUERY_KEYS = {"spider": "query", "bird": "SQL"}


@pytest.fixture(scope="module")
def published(data_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder with spider/ and bird/: schema file, dev.json, and for each database a folder with its SQLite file."""
    root = tmp_path_factory.mktemp("published")
    for name, databases in DATABASES.items():
        for database in databases:
            place = root / name / FOLDERS[name] / database
            place.mkdir(parents=True)
            file = f"{database}.sqlite"
            (place / file).symlink_to(data_folder / name / "databases" / database / file)
        schemas = [entry for entry in _read(data_folder / name / "union_tables.json") if entry["db_id"] in databases]
        (root / name / SCHEMAS[name]).write_text(
            json.dumps([{key: entry[key] for key in SCHEMA_KEYS} for entry in schemas])
        )
        entries = [entry for entry in _read(data_folder / name / "dev_questions.json") if entry["db_id"] in databases]
        (root / name / "dev.json").write_text(json.dumps([_published(name, entry) for entry in entries]))
    return root


def _published(name: str, entry: dict[str, Any]) -> dict[str, Any]:
    """A question as it is published: the query under its own name, and in Spider parsed, too."""
    kept = {key: value for key, value in entry.items() if key != "sql"} | {QUERY_KEYS[name]: entry["sql"]}
    return kept | ({"sql": {"select": []}} if name == "spider" else {})


def _read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.fixture(scope="module", params=list(DATABASES))
def pair(request: pytest.FixtureRequest, published: Path, data_folder: Path) -> tuple[Dataset, Dataset]:
    """A data set by the published files, and by those that come along."""
    return load_dataset(request.param, published), load_dataset(request.param, data_folder)


def test_the_questions_are_the_same(pair: tuple[Dataset, Dataset]) -> None:
    """Text, gold tables and difficulty of each question on these databases; decompositions do not come with it."""
    found, known = pair
    told = [(q.text, q.database, q.gold_tables, q.difficulty) for q in found.questions]
    assert told == [
        (q.text, q.database, q.gold_tables, q.difficulty)
        for q in known.questions
        if q.database in DATABASES[found.name]
    ]
    assert len(told) > 100
    assert all(question.subqueries is None for question in found.questions)


def test_every_gold_table_has_rows(pair: tuple[Dataset, Dataset]) -> None:
    """The corpus is that of the SQLite files, and has each gold table with its rows and keys."""
    found, _ = pair
    tables = {table.id.casefold(): table for table in found.catalog}
    for question in found.questions:
        assert all(tables[table].source is not None for table in question.gold_tables)
    assert any(table.foreign_keys for table in found.catalog)
    assert found.note == ""


def test_the_tables_are_the_same(published: Path, data_folder: Path) -> None:
    """Spider's tables have the same columns, types and keys either way."""
    found, known = (load_dataset("spider", root).catalog for root in (published, data_folder))
    for table in found:
        assert (table.columns, table.primary_key, table.foreign_keys) == (
            known[table.id].columns,
            known[table.id].primary_key,
            known[table.id].foreign_keys,
        )
    assert {table.database for table in found} == set(DATABASES["spider"])
