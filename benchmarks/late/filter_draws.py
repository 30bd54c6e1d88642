"""Questions over the tables of their own databases: what the schema filter sees, and what is needed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from benchmarks.data.dataset_form import Question
from benchmarks.data.gold_columns import gold_columns
from benchmarks.late.late_examples import schemas_of
from jar.late.schema_evidence import DatabaseSeen, SchemaEvidence

Flags = npt.NDArray[np.bool_]
Array = npt.NDArray[np.float64]

TOGETHER = 256


@dataclass(frozen=True, eq=False)
class Draw:
    """A question over its database.

    Attributes
    ----------
    question : Question
    seen : DatabaseSeen
        Of n tables with C columns.
    tables, columns : arrays (n,), (C,)
        Which are needed.
    lost : bool
        Whether a needed table is none of the n.
    """

    question: Question
    seen: DatabaseSeen
    tables: Flags
    columns: Flags
    lost: bool


def draw(look: SchemaEvidence, questions: Iterable[Question]) -> Iterator[Draw]:
    """What the filter sees of each question; those whose gold query names no table of the index are left out."""
    contents = look.index.contents
    schemas = schemas_of(contents)
    asked = list(questions)
    for start in range(0, len(asked), TOGETHER):
        some = asked[start : start + TOGETHER]
        for question, query in zip(some, look.queries([question.text for question in some]), strict=True):
            seen = look(query, question.database)
            tables = [contents.tables[table].id.casefold() for table in seen.tables.tolist()]
            columns = [contents.column_names[column].casefold() for column in seen.columns.tolist()]
            used = question.gold_columns or gold_columns(question.sql, question.database, schemas[question.database])
            yield Draw(
                question,
                seen,
                np.array([table in question.gold_tables for table in tables], dtype=np.bool_),
                np.array([column in used for column in columns], dtype=np.bool_),
                not question.gold_tables <= set(tables),
            )


@dataclass(frozen=True)
class Kept:
    """What thresholds keep, in percent: questions with all they need, and what is gone of the tables or columns.

    Attributes
    ----------
    complete : float
    gone : float
        Of all items of all questions' databases.
    mean_gone : float
        Share of a database, mean over the questions.
    """

    complete: float
    gone: float
    mean_gone: float


def kept_by(scores: Iterable[Array], needed: Iterable[Flags], threshold: float) -> Kept:
    """What a threshold keeps of each question's items by their scores; the best one always."""
    complete, left, whole, shares = [], 0, 0, []
    for scored, wanted in zip(scores, needed, strict=True):
        keep = (scored >= threshold) | (scored == scored.max(initial=-np.inf))
        complete.append(bool(keep[wanted].all()))
        left, whole = left + int(keep.sum()), whole + len(keep)
        shares.append(keep.mean() if len(keep) else 1.0)
    return Kept(100 * float(np.mean(complete)), 100 * (1 - left / whole), 100 * (1 - float(np.mean(shares))))


def least_needed(scores: Iterable[Array], needed: Iterable[Flags]) -> Array:
    """The least score among what each question needs, ascending; questions that need nothing are left out."""
    return np.sort([scored[wanted].min() for scored, wanted in zip(scores, needed, strict=True) if wanted.any()])
