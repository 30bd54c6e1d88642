"""The one form that every data set is read into: a corpus of tables, questions, and what is known of the answers."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace

from joinability import Catalog, Table

FOLDS = 5
"""Parts of the databases that are fitted on: a fit is judged by the part that it has not seen."""


@dataclass(frozen=True)
class Question:
    """A question with what is known of its answer.

    Attributes
    ----------
    id : str
        Position in the file of questions.
    text, database : str
    gold_tables : frozenset of str
        Ids, case folded.
    subqueries : tuple of str or None
        The decomposition that comes with the data set (a language model's), where there is one.
    sql : str
        The gold query.
    difficulty : str or None
        As the data set grades it.
    gold_columns : frozenset of str
        "database.table.column", case folded; empty where they are not known.
    imagined_schema : str or None
        The schema that a language model imagined for the question, where the data set has one.
    """

    id: str
    text: str
    database: str
    gold_tables: frozenset[str]
    subqueries: tuple[str, ...] | None
    sql: str
    difficulty: str | None = None
    gold_columns: frozenset[str] = frozenset()
    imagined_schema: str | None = None


@dataclass(frozen=True)
class Weights:
    """Weights of the terms of the objective."""

    coarse: float
    fine: float
    coverage: float
    join: float


@dataclass(frozen=True)
class Dataset:
    """A corpus and its questions.

    Attributes
    ----------
    name : str
    catalog : Catalog
    questions : tuple of Question
    weights : Weights
        Those of the JAR paper's runs on this corpus.
    note : str
        What a reader of its figures has to know.
    folder : str
        Where it is; empty for a data set of the registry, which its name tells.
    within : bool
        Whether each question is asked of the tables of its own database alone, not of all.
    """

    name: str
    catalog: Catalog
    questions: tuple[Question, ...]
    weights: Weights
    note: str = ""
    folder: str = ""
    within: bool = False

    def parts(self) -> list[Dataset]:
        """The data sets that are asked apart: one for each database that has questions, or the whole."""
        if not self.within:
            return [self]
        tables: dict[str, list[Table]] = {}
        for table in self.catalog:
            tables.setdefault(table.database, []).append(table)
        return [
            replace(
                self,
                name=f"{self.name}-{database}",
                catalog=Catalog(tables[database]),
                questions=tuple(question for question in self.questions if question.database == database),
                within=False,
            )
            for database in dict.fromkeys(question.database for question in self.questions)
        ]

    def restricted(self, minimum_tables: int = 1, limit: int | None = None) -> Dataset:
        """The same corpus with the questions that need so many tables, at most `limit` of them, evenly spaced."""
        kept = [question for question in self.questions if len(question.gold_tables) >= minimum_tables]
        if limit is not None and limit < len(kept):
            kept = [kept[position * len(kept) // limit] for position in range(limit)]
        return replace(self, questions=tuple(kept))


SPIDER_WEIGHTS = Weights(coarse=10, fine=2, coverage=8, join=1)
"""Of the paper's runs on Spider, and of data sets that the paper does not have."""


def fold_of(database: str) -> int:
    """Which of the `FOLDS` a database belongs to, by its name."""
    return int(hashlib.md5(database.encode(), usedforsecurity=False).hexdigest(), 16) % FOLDS
