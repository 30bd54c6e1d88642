"""`ExampleStore`: questions with their SQL, from a log or a data set, each read once."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from jar.errors import QueryError
from jar.examples.example import Example
from jar.examples.sql_structure import read_structure

__all__ = ["ExampleStore", "LeftOut"]

FIELDS = {"question": ("question", "utterance"), "sql": ("sql", "query"), "database": ("database", "db_id", "db")}
"""The fields of a row, and under which names they are looked for, in any case."""
TOLD = 5
"""Rows that a message names."""

_structure = lru_cache(maxsize=1 << 14)(read_structure)


@dataclass(frozen=True)
class LeftOut:
    """A row that is no example: its number, from 1 and without a header, its question as far as known, and why."""

    row: int
    question: str
    reason: str


class ExampleStore(Sequence[Example]):
    """Questions with the SQL that answers them.

    A row that cannot be used is left out, and `left_out` says which and why: no question, SQL that sqlglot cannot read
    or that is no single query, or the same row again.

    Parameters
    ----------
    rows : iterable of mappings
        With "question", "sql" (or "query") and, if known, "database" (or "db_id").
    dialect : str, optional
        Of the SQL, as sqlglot names it; see `jar.examples.sql_structure.read_structure`.

    Raises
    ------
    QueryError
        When no row can be used.

    Examples
    --------
    >>> store = ExampleStore([{"question": "How many singers are there?", "sql": "SELECT COUNT(*) FROM singer"}])
    >>> store[0].skeleton
    'SELECT COUNT(*) FROM t'
    """

    def __init__(self, rows: Iterable[Mapping[str, Any]], *, dialect: str | None = None) -> None:
        self.dialect = dialect
        self.left_out: tuple[LeftOut, ...] = ()
        self._examples: tuple[Example, ...] = ()
        self._read((row, "") for row in rows)

    @classmethod
    def from_file(cls, path: str | Path, *, dialect: str | None = None) -> ExampleStore:
        """The examples of a file: .csv with a header, .jsonl or .ndjson (an object on each line), or .json (a list).

        Raises
        ------
        QueryError
            When the file cannot be read, has no such columns, or holds no row that can be used.
        """
        store = cls.__new__(cls)
        store.dialect = dialect
        try:
            store._read(_rows_of(Path(path)))
        except (OSError, UnicodeDecodeError, csv.Error) as error:
            raise QueryError(f"{path} cannot be read: {error}") from error
        except QueryError as error:
            raise QueryError(f"{path}: {error}") from error
        return store

    def save(self, path: str | Path) -> None:
        """Write the examples, values and all, as .csv or .jsonl; `from_file` reads them again.

        Raises
        ------
        QueryError
            When the ending is another.
        """
        path = Path(path)
        if path.suffix == ".csv":
            with path.open("w", encoding="utf-8", newline="") as file:
                writer = csv.DictWriter(file, list(FIELDS))
                writer.writeheader()
                writer.writerows(map(_row, self))
        elif path.suffix == ".jsonl":
            lines = (json.dumps(_row(example), ensure_ascii=False) + "\n" for example in self)
            path.write_text("".join(lines), encoding="utf-8")
        else:
            raise QueryError(f"examples are saved as .csv or .jsonl, not {path.suffix!r}")

    def of(self, databases: Iterable[str]) -> ExampleStore:
        """The examples of some databases.

        Raises
        ------
        QueryError
            When there are none.
        """
        wanted = {database.casefold() for database in databases}
        return self._with([example for example in self if example.database.casefold() in wanted])

    def without(self, databases: Iterable[str]) -> ExampleStore:
        """The examples of all other databases.

        Raises
        ------
        QueryError
            When there are none.
        """
        unwanted = {database.casefold() for database in databases}
        return self._with([example for example in self if example.database.casefold() not in unwanted])

    def __len__(self) -> int:
        return len(self._examples)

    def __getitem__(self, place: Any) -> Any:
        return self._examples[place]

    def __repr__(self) -> str:
        return f"ExampleStore({len(self)} examples, {len(self.left_out)} rows left out)"

    def _with(self, examples: Sequence[Example]) -> ExampleStore:
        if not examples:
            raise QueryError("no example is of these databases")
        store = ExampleStore.__new__(ExampleStore)
        store.dialect, store.left_out, store._examples = self.dialect, (), tuple(examples)
        return store

    def _read(self, rows: Iterable[tuple[Mapping[str, Any] | None, str]]) -> None:
        """Take what can be used of rows, each a mapping, or None with the reason why it is none."""
        examples: dict[tuple[str, str, str], Example] = {}
        places: dict[tuple[str, str, str], int] = {}
        left_out = []
        for number, (row, reason) in enumerate(rows, 1):
            question = ""
            try:
                if row is None:
                    raise QueryError(reason)
                question, sql, database = key = _fields(row)
                if key in examples:
                    raise QueryError(f"the same as row {places[key]}")
                examples[key] = Example(question, sql, database, _structure(sql, self.dialect), self.dialect)
                places[key] = number
            except QueryError as error:
                left_out.append(LeftOut(number, question, str(error)))
        self.left_out = tuple(left_out)
        self._examples = tuple(examples.values())
        if not examples:
            raise QueryError(_nothing(left_out))


def _nothing(left_out: Sequence[LeftOut]) -> str:
    if not left_out:
        return "no row: an example is a question with its SQL"
    reasons = "; ".join(f"row {entry.row}: {entry.reason}" for entry in left_out[:TOLD])
    more = f"; and {len(left_out) - TOLD} more" if len(left_out) > TOLD else ""
    return f"no row can be used as an example ({reasons}{more})"


def _row(example: Example) -> dict[str, str]:
    return {"question": example.question, "sql": example.sql, "database": example.database}


def _fields(row: Mapping[str, Any]) -> tuple[str, str, str]:
    """Question, SQL and database of a row."""
    if not isinstance(row, Mapping):
        raise QueryError(f"{type(row).__name__} and no mapping with a question and its SQL")
    if None in row:
        raise QueryError(f"{len(row[None])} more cells than the header has")  # type: ignore[index]
    by_name = {str(name).strip().casefold(): value for name, value in row.items()}
    given = {}
    for name, names in FIELDS.items():
        # Spider's own files have the parsed query as "sql": the text is under the next name.
        value = next((by_name[key] for key in names if isinstance(by_name.get(key), str)), "")
        if not value.strip() and name != "database":
            raise QueryError(f"no text under {' or '.join(map(repr, names))}; it has {', '.join(by_name) or 'nothing'}")
        given[name] = value.strip()
    return given["question"], given["sql"], given["database"]


def _rows_of(path: Path) -> Iterator[tuple[Mapping[str, Any] | None, str]]:
    """The rows of a file, each with the reason where it is none."""
    if path.suffix == ".csv":
        with path.open(encoding="utf-8-sig", newline="") as file:
            yield from ((row, "") for row in csv.DictReader(file))
    elif path.suffix in (".jsonl", ".ndjson"):
        with path.open(encoding="utf-8-sig") as file:
            yield from (_from_line(line) for line in file if line.strip())
    elif path.suffix == ".json":
        try:
            rows = json.loads(path.read_text(encoding="utf-8-sig"))
        except ValueError as error:
            raise QueryError(f"no JSON: {error}") from error
        if not isinstance(rows, list):
            raise QueryError("a list of objects is expected")
        yield from ((row, "") for row in rows)
    else:
        raise QueryError(f"examples are read from .csv, .jsonl, .ndjson or .json, not {path.suffix!r}")


def _from_line(line: str) -> tuple[Mapping[str, Any] | None, str]:
    try:
        return json.loads(line), ""
    except ValueError as error:
        return None, f"no JSON: {error}"
