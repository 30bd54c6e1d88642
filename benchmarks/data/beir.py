"""Any folder in the layout of BEIR: corpus.jsonl, queries.jsonl, qrels/*.tsv.

Thakur et al., "BEIR: A Heterogeneous Benchmark for Zero-shot Evaluation of Information Retrieval Models", NeurIPS 2021.

A document becomes a table without rows. Its database is ``metadata.database`` or else the name of the folder, its name
is the title where no other document of the database has it, else the document's id, and its columns are
``metadata.columns`` (names). A document without them has one column that is named by the text, so that every system
reads the same words.
"""

from __future__ import annotations

import csv
import json
import os
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.data.dataset_form import SPIDER_WEIGHTS, Dataset, Question
from benchmarks.data.layout import MissingDataError
from benchmarks.data.refusal import RefusalError
from joinability import Catalog, Column, Table

BEIR = "beir:"
"""What the name of such a data set begins with; the path follows."""

LAYOUT = (
    "a folder in the layout of BEIR has corpus.jsonl, queries.jsonl and qrels/test.tsv (query-id, corpus-id, score); "
    "data sets in it: https://github.com/beir-cellar/beir"
)
PREFERRED = "test.tsv"

Entry = Mapping[str, Any]


class BeirFormatError(RefusalError, ValueError):
    """A file that is not as BEIR has it; the message names file and line."""


def load_beir(path: Path) -> Dataset:
    """Tables, questions and gold tables of a folder.

    Questions are those that the qrels judge; gold is what they give a score above 0. A gold document that the corpus
    lacks counts as one that no system finds, and the note says so.

    Parameters
    ----------
    path : Path
        The folder, of which ``qrels/test.tsv`` is read, or the only file there; or another of its qrels files.

    Raises
    ------
    MissingDataError
        When a file is not there.
    BeirFormatError
        When a line can not be read, a judged question is missing, or no question has a gold document.
    """
    folder, judged = _places(path)
    documents = _read_lines(_required(folder / "corpus.jsonl"))
    texts = {key: str(entry["text"]) for key, entry in _read_lines(_required(folder / "queries.jsonl")).items()}
    tables = _tables(documents, folder.name)
    gold = _read_qrels(_required(judged))
    if unknown := sorted(set(gold) - set(texts)):
        raise BeirFormatError(
            f"{judged} judges {len(unknown)} questions that queries.jsonl lacks, such as {unknown[0]!r}"
        )
    if not gold:
        raise BeirFormatError(f"{judged} has no line with a score above 0")
    missing = {document for found in gold.values() for document in found} - set(tables)
    questions = tuple(_question(key, texts[key], found, tables, folder.name) for key, found in gold.items())
    note = f"{len(missing)} gold documents are not in the corpus" if missing else ""
    return Dataset(_name(folder, judged), Catalog(tables.values()), questions, SPIDER_WEIGHTS, note, _real(folder))


def beir_name(path: Path) -> tuple[str, str]:
    """What `load_beir` calls a data set, and its folder, without reading either.

    Raises
    ------
    MissingDataError
        When the folder has several files of qrels, and the path names none.
    """
    folder, judged = _places(path)
    return _name(folder, judged), _real(folder)


def _places(path: Path) -> tuple[Path, Path]:
    """The folder and its file of qrels."""
    given = Path(os.path.abspath(path))
    return (given.parent.parent, given) if given.suffix == ".tsv" else (given, _qrels_file(given))


def _name(folder: Path, judged: Path) -> str:
    return f"{BEIR}{folder.name}" + ("" if judged.name == PREFERRED else f"/{judged.stem}")


def _real(folder: Path) -> str:
    return str(folder.resolve())


def _question(key: str, text: str, gold: list[str], tables: Mapping[str, Table], folder: str) -> Question:
    ids = [tables[document].id if document in tables else f"{folder}.{document}" for document in gold]
    databases = {tables[document].database for document in gold if document in tables}
    return Question(
        id=key,
        text=text,
        database=databases.pop() if len(databases) == 1 else folder,
        gold_tables=frozenset(name.casefold() for name in ids),
        subqueries=None,
        sql="",
    )


def _tables(documents: Mapping[str, Entry], folder: str) -> dict[str, Table]:
    """The table of each document."""
    databases = {key: str((entry.get("metadata") or {}).get("database") or folder) for key, entry in documents.items()}
    titles = {key: str(entry.get("title") or "").strip() for key, entry in documents.items()}
    count = Counter((databases[key], title) for key, title in titles.items())
    names = {key: title if title and count[databases[key], title] == 1 else key for key, title in titles.items()}
    return {
        key: Table(databases[key], names[key], _columns(entry), description=entry["text"] or None)
        for key, entry in documents.items()
    }


def _columns(entry: Entry) -> tuple[Column, ...]:
    names = (entry.get("metadata") or {}).get("columns") or [" ".join(str(entry["text"]).split())]
    return tuple(Column(name) for name in dict.fromkeys(map(str, names)) if name.strip())


def _qrels_file(folder: Path) -> Path:
    """``qrels/test.tsv``, or the only file where that is not there."""
    files = sorted((folder / "qrels").glob("*.tsv"))
    if len(files) > 1 and folder / "qrels" / PREFERRED not in files:
        raise MissingDataError(f"{folder / 'qrels'} has no {PREFERRED}: give one of {', '.join(map(str, files))}")
    return files[0] if len(files) == 1 else folder / "qrels" / PREFERRED


def _required(path: Path) -> Path:
    if not path.is_file():
        raise MissingDataError(f"there is no {path}: {LAYOUT}")
    return path


def _read_lines(path: Path) -> dict[str, Entry]:
    """Objects by their ``_id``."""
    entries: dict[str, Entry] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), start=1):
        if not line.strip():
            continue
        try:
            entry = json.loads(line)
            key = str(entry["_id"])
            entry["text"]
        except (ValueError, KeyError, TypeError) as error:
            raise BeirFormatError(f"{path}, line {number}: not an object with _id and text ({error!r})") from error
        if key in entries:
            raise BeirFormatError(f"{path}, line {number}: the _id {key!r} is there twice")
        entries[key] = entry
    return entries


def _read_qrels(path: Path) -> dict[str, list[str]]:
    """Question to its gold documents, in the order of the file."""
    documents: dict[str, list[str]] = {}
    with path.open(encoding="utf-8", newline="") as file:
        for number, row in enumerate(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE), start=1):
            if not row or (number == 1 and row[0] == "query-id"):
                continue
            try:
                question, document, score = row[0], row[1], float(row[2])
            except (IndexError, ValueError) as error:
                raise BeirFormatError(f"{path}, line {number}: not query-id, corpus-id and score: {row}") from error
            if score > 0:
                documents.setdefault(question, []).append(document)
    return documents
