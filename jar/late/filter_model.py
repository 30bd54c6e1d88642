"""The model of the schema filter: log-odds of tables and columns, and thresholds from questions that it never saw."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from jar.arrays import Array
from jar.errors import JarError
from jar.late.schema_evidence import COLUMN_FEATURES, TABLE_FEATURES, DatabaseSeen
from jar.learned.relevance_model import RelevanceModel, Stage

FILTER = "filter.json"


@dataclass(frozen=True, eq=False)
class Calibration:
    """Which threshold keeps all that a question needs, for a wished share of the questions.

    Attributes
    ----------
    least : array (q,), ascending
        Of each of q questions the least score among all that it needs.
    """

    least: Array

    def threshold(self, recall: float) -> float:
        """The greatest score such that of the questions, and one more to come, at least `recall` stay whole.

        The ``floor((q + 1) (1 - recall))``-th least score (split conformal prediction; Vovk, Gammerman and Shafer,
        2005): a new question, exchangeable with the q, stays whole with at least this probability. Minus infinity for a
        recall that q questions cannot vouch for; it never rises with `recall`.
        """
        place = int(np.floor((len(self.least) + 1) * (1 - recall) + 1e-9))
        return float(self.least[min(place, len(self.least)) - 1]) if place and len(self.least) else -np.inf


@dataclass(frozen=True, eq=False)
class FilterModel:
    """How tables and columns of a database are judged.

    Attributes
    ----------
    within : RelevanceModel
        Fitted on questions over the tables of one database.
    table, column : Stage
        Logistic regressions over `TABLE_FEATURES` and `COLUMN_FEATURES`.
    tables, columns : Calibration
        Of their scores, less the best of the database.
    card : mapping
    """

    within: RelevanceModel
    table: Stage
    column: Stage
    tables: Calibration
    columns: Calibration
    card: Mapping[str, Any] = field(default_factory=dict)

    def table_odds(self, seen: DatabaseSeen) -> Array:
        """Log-odds that each of n tables is needed, shape (n,)."""
        return self.table.log_odds(seen.of_tables(self.within.log_odds(seen.seen)))

    def column_odds(self, seen: DatabaseSeen, odds: Array) -> Array:
        """Log-odds that each of C columns is needed, by those of the tables, shape (C,)."""
        return self.column.log_odds(seen.of_columns(odds))

    def to_dict(self) -> dict[str, Any]:
        """The model as JSON types."""
        return {
            "card": dict(self.card),
            "within": self.within.to_dict(),
            "table": self.table.to_dict(TABLE_FEATURES),
            "column": self.column.to_dict(COLUMN_FEATURES),
            "tables": np.round(self.tables.least, 4).tolist(),
            "columns": np.round(self.columns.least, 4).tolist(),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> FilterModel:
        """The model that `to_dict` tells.

        Raises
        ------
        JarError
            When it is of other features than those of this version.
        """
        return cls(
            RelevanceModel.from_dict(data["within"]),
            Stage.of(data["table"], TABLE_FEATURES),
            Stage.of(data["column"], COLUMN_FEATURES),
            Calibration(np.sort(np.asarray(data["tables"], dtype=np.float64))),
            Calibration(np.sort(np.asarray(data["columns"], dtype=np.float64))),
            data.get("card", {}),
        )

    def save(self, path: str | Path) -> None:
        """Write the model as JSON."""
        Path(path).write_text(json.dumps(self.to_dict()) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, path: str | Path) -> FilterModel:
        """Read a model.

        Raises
        ------
        JarError
            When the file holds none of this version.
        """
        try:
            return cls.from_dict(json.loads(Path(path).read_text(encoding="utf-8")))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise JarError(f"{path} holds no model of the schema filter: {error}") from error


@cache
def shipped_filter() -> FilterModel:
    """The model of the package."""
    return FilterModel.from_dict(json.loads((files("jar.late") / FILTER).read_text("utf-8")))
