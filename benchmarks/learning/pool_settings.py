"""The settings in which training questions are asked: over how many databases, what is known, how names are damaged."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from benchmarks.data.dataset_form import Dataset, Question
from benchmarks.data.wild.companies import declaring_all
from benchmarks.data.wild.company_parts import company_parts
from benchmarks.data.wild.damage import damage_names
from benchmarks.data.wild.rewording import reword_questions
from benchmarks.joins.truth import KNOWLEDGE
from joinability import Catalog, ForeignKey, Table

UNANSWERED = 8
"""One question in so many is asked of a corpus without its database, too: nothing there answers it."""
LAKE = "lake"
"""Name of a database that holds the tables of several."""


@dataclass(frozen=True)
class PoolSetting:
    """How training questions are asked.

    Attributes
    ----------
    name : str
    databases : int
        So many make a corpus; 0 for all.
    as_one : bool
        Whether the tables of a corpus are those of one database.
    damaged : bool
        Whether names are run together, without vowels, or prefixed.
    knowledge : "values", "samples" or "schema"
        What is known of the rows: all, statistics and ten rows, or nothing.
    questions : int
        Of all, evenly spaced.
    keys : bool
        Whether foreign keys are declared.
    all_keys : bool
        Whether a company's database declares all its references.
    reworded : bool
        Whether questions have other words for those of names.
    parts : bool
        Whether each corpus is a part of a company's database, without declared keys one that has some otherwise.
    weight : float
        What each of its pools counts in a fit.
    """

    name: str
    databases: int = 0
    as_one: bool = False
    damaged: bool = False
    knowledge: str = "values"
    questions: int = 600
    keys: bool = True
    all_keys: bool = False
    reworded: bool = False
    parts: bool = False
    weight: float = 1.0


SETTINGS = (
    PoolSetting("one", 1, questions=1800),
    PoolSetting("five as one, damaged, no rows", 5, as_one=True, damaged=True, knowledge="schema", questions=700),
    PoolSetting("sixteen", 16, questions=700),
    PoolSetting("sixteen, samples", 16, knowledge="samples", questions=350),
    PoolSetting("sixteen as one, damaged, samples", 16, as_one=True, damaged=True, knowledge="samples", questions=350),
    PoolSetting("union", questions=400),
)
"""Those that the model of relevance is fitted on, and with all others that of sets."""
UNDECLARED = (
    PoolSetting("one, names alone", 1, knowledge="schema", questions=900, keys=False),
    PoolSetting("sixteen, names alone", 16, knowledge="schema", questions=400, keys=False),
    PoolSetting(
        "five as one, damaged, names alone", 5, as_one=True, damaged=True, knowledge="schema", questions=400, keys=False
    ),
    PoolSetting("one, rows without keys", 1, questions=600, keys=False),
    PoolSetting("sixteen, rows without keys", 16, questions=400, keys=False),
)
"""Without declared keys: rows and names alone say what joins."""
REWORDED = (
    PoolSetting("one, reworded", 1, questions=900, reworded=True),
    PoolSetting("sixteen, reworded", 16, questions=400, reworded=True),
    PoolSetting("one, reworded, rows without keys", 1, questions=600, keys=False, reworded=True),
    PoolSetting("one, reworded, names alone", 1, knowledge="schema", questions=400, keys=False, reworded=True),
    PoolSetting("sixteen, reworded, rows without keys", 16, questions=400, keys=False, reworded=True),
)
"""Questions in words of their own: how sure a set is differs there, and so the model of sets is fitted to them, too."""
COMPANIES = (
    PoolSetting("companies", 1, questions=468, weight=0.25),
    PoolSetting("companies, names alone", 1, knowledge="schema", questions=468, keys=False, weight=0.12),
    PoolSetting("companies, names and keys", 1, knowledge="schema", questions=468, all_keys=True, weight=0.12),
)
"""Of databases as companies have them, few and unlike Spider's: the model of sets is fitted to them, too."""
PLAIN = tuple(replace(setting, name=f"{setting.name}, plain") for setting in COMPANIES)
"""The same databases with questions in plain words: with the others, they teach what wide schemas weigh."""
PARTS = (
    PoolSetting("parts of companies", parts=True, weight=0.5),
    PoolSetting("parts of companies, rows without keys", keys=False, parts=True, weight=0.5),
)
"""The same databases in parts of few tables: with the others, they teach what broad tables weigh."""
PLAIN_PARTS = tuple(replace(setting, name=f"{setting.name}, plain") for setting in PARTS)
TERSE = (PoolSetting("terse", 1, knowledge="schema", questions=180, keys=False, weight=0.25),)
"""Schemas of short forms without rows, descriptions and keys: they teach with companies what wide schemas weigh."""
AGES = (
    PoolSetting("ages", 1, questions=600, weight=0.25),
    PoolSetting("ages, names alone", 1, knowledge="schema", questions=600, keys=False, weight=0.12),
    PoolSetting("ages, names and keys", 1, knowledge="schema", questions=600, all_keys=True, weight=0.12),
)
"""Of databases in modules of several ages: they teach with companies what wide schemas weigh."""
SMALL = (
    PoolSetting("small", 1, questions=600),
    PoolSetting("small, rows without keys", 1, questions=600, keys=False),
    PoolSetting("small, names alone", 1, knowledge="schema", questions=600, keys=False),
)
"""Of small databases of shops, clubs and apps, with questions as people type them into a chat: they teach what tables
weigh where a question is in words of its own."""
WAREHOUSES = (PoolSetting("warehouses", 1, questions=124),)
"""Warehouses as they are, with two sample rows of each table: they teach what tables weigh of which hardly any join is
known."""
OtherWords = Callable[[str], Collection[str]]
"""From a word to others, see `benchmarks.data.wild.rewording`."""


def corpora(dataset: Dataset, setting: PoolSetting, other_words: OtherWords) -> Iterator[Dataset]:
    """The corpora of a setting with their questions; no database without training questions is in any.

    Some questions of a corpus are asked of the next one as well, and need no table there.

    Parameters
    ----------
    dataset : Dataset
        The training questions over their own databases and others.
    other_words : callable
        For questions that are reworded.
    """
    if setting.parts:
        yield from _parts(dataset, setting)
        return
    asked = {question.database for question in dataset.questions}
    known = KNOWLEDGE[setting.knowledge]
    tables = [known(table) for table in dataset.catalog if table.database in asked]
    if not setting.keys:
        tables = [replace(table, foreign_keys=()) for table in tables]
    elif setting.all_keys:
        tables = declaring_all(tables)
    whole = replace(dataset, catalog=Catalog(tables))
    whole = whole.restricted(minimum_tables=0, limit=setting.questions)
    if setting.reworded:
        whole = reword_questions(whole, other_words)
    if setting.damaged:
        whole = damage_names(whole)
    before: tuple[Question, ...] = ()
    for group in _groups(sorted(asked), setting.databases):
        questions = tuple(question for question in whole.questions if question.database in group)
        if questions:
            tables = [table for table in whole.catalog if table.database in group]
            strange = (replace(question, gold_tables=frozenset()) for question in before[::UNANSWERED])
            part = replace(whole, catalog=Catalog(tables), questions=(*questions, *strange))
            before = questions
            yield as_one_database(part) if setting.as_one else part


def _parts(dataset: Dataset, setting: PoolSetting) -> Iterator[Dataset]:
    for part in company_parts(dataset):
        if setting.keys:
            yield part
        elif any(table.foreign_keys for table in part.catalog):
            yield replace(part, catalog=Catalog([replace(table, foreign_keys=()) for table in part.catalog]))


def _groups(databases: Sequence[str], size: int) -> list[set[str]]:
    """Databases in groups of a size, mixed by their names; all for 0."""
    mixed = sorted(databases, key=lambda name: hashlib.md5(f"group {name}".encode(), usedforsecurity=False).digest())
    size = size or len(mixed)
    return [set(mixed[start : start + size]) for start in range(0, len(mixed), size)]


def as_one_database(dataset: Dataset) -> Dataset:
    """The same tables in one database; those whose name another has are called after their own as well."""
    counts: dict[str, int] = {}
    for table in dataset.catalog:
        counts[table.name.casefold()] = counts.get(table.name.casefold(), 0) + 1
    names = {
        table.id: table.name if counts[table.name.casefold()] == 1 else f"{table.database}_{table.name}"
        for table in dataset.catalog
    }
    ids = {table: f"{LAKE}.{name}" for table, name in names.items()}
    folded = {table.casefold(): name.casefold() for table, name in ids.items()}
    return replace(
        dataset,
        catalog=Catalog([_moved(table, names[table.id], ids) for table in dataset.catalog]),
        questions=tuple(
            replace(question, gold_tables=frozenset(folded.get(table, table) for table in question.gold_tables))
            for question in dataset.questions
        ),
    )


def _moved(table: Table, name: str, ids: dict[str, str]) -> Table:
    keys = tuple(
        ForeignKey(key.columns, ids[key.target], key.target_columns)
        for key in table.foreign_keys
        if key.target in ids
    )
    return replace(table, database=LAKE, name=name, foreign_keys=keys)
