"""Small data sets in the layout of the public releases."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

TABLES = {
    "Client": ("client_id", "name"),
    "Disp": ("disp_id", "client_id", "card_id"),
    "Card": ("card_id", "issued"),
}
DATABASES = ("bank", "club", "gym", "shop")


def schema(database: str) -> dict[str, Any]:
    """An entry of tables.json: clients and cards, and the dispositions between them."""
    columns = [(number, column) for number, table in enumerate(TABLES.values()) for column in table]
    return {
        "db_id": database,
        "table_names_original": list(TABLES),
        "table_names": [name.lower() for name in TABLES],
        "column_names_original": [[-1, "*"], *([number, name] for number, name in columns)],
        "column_names": [[-1, "*"], *([number, name.replace("_", " ")] for number, name in columns)],
        "column_types": ["text", *("number" if name.endswith("id") else "text" for _, name in columns)],
        "primary_keys": [1, 3, 6],
        "foreign_keys": [[4, 1], [5, 6]],
    }


def write_rows(path: Path) -> None:
    """A SQLite file with ten rows in each table."""
    path.parent.mkdir(parents=True)
    with closing(sqlite3.connect(path)) as connection, connection:
        for table, columns in TABLES.items():
            described = ", ".join(f"{name} {'INTEGER' if name.endswith('id') else 'TEXT'}" for name in columns)
            connection.execute(f"CREATE TABLE {table} ({described})")
            places = ", ".join("?" for _ in columns)
            for row in range(10):
                connection.execute(f"INSERT INTO {table} VALUES ({places})", [row + len(table)] * len(columns))


def questions() -> list[dict[str, Any]]:
    """Two questions for each database; the second needs all three tables."""
    join = "SELECT name FROM client JOIN disp USING (client_id) JOIN card USING (card_id)"
    asked = [("Who is a client?", "SELECT name FROM client"), ("Which clients of the {} have a card?", join)]
    return [
        {"db_id": name, "question": text.format(name), "query": sql, "sql": {"select": []}}
        for name in DATABASES
        for text, sql in asked
    ]


@pytest.fixture(scope="session")
def public_layout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder with spider/ and bird/ as they are published: four databases of three tables, eight questions each."""
    root = tmp_path_factory.mktemp("public")
    for name, schemas, databases in (
        ("spider", "tables.json", "database"),
        ("bird", "dev_tables.json", "dev_databases"),
    ):
        for database in DATABASES:
            write_rows(root / name / databases / database / f"{database}.sqlite")
        (root / name / schemas).write_text(json.dumps([schema(database) for database in DATABASES]))
        (root / name / "dev.json").write_text(json.dumps(questions()))
    return root


@pytest.fixture
def clinic(tmp_path: Path) -> Path:
    """A folder as BEIR has it: three tables, one question that needs two of them."""
    folder = tmp_path / "clinic"
    (folder / "qrels").mkdir(parents=True)
    documents = [{"_id": str(n), "title": name, "text": name} for n, name in enumerate(("doctors", "beds", "bills"))]
    (folder / "corpus.jsonl").write_text("".join(json.dumps(document) + "\n" for document in documents))
    (folder / "queries.jsonl").write_text('{"_id": "q", "text": "Which doctors wrote bills?"}\n')
    (folder / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq\t0\t1\nq\t2\t1\n")
    return folder
