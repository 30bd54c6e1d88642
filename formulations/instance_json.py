"""The JSON form of an instance; docs/formulation.md has the schema."""

from __future__ import annotations

import json
from collections.abc import Mapping
from difflib import get_close_matches
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from formulations import validation
from formulations.coercion import number_in_range
from formulations.errors import InvalidInstanceError
from formulations.scale import LARGEST_NUMBER
from formulations.validation import Array

KEYS = (
    "ids",
    "relevance",
    "coverage",
    "compatibility",
    "size",
    "require",
    "exclude",
    "forbid_joins",
    "groups",
    "objective",
)
LIKENESS = 0.8
"""How like a known key another one is that must be a misspelling (`difflib`)."""


def encoded(fields: Mapping[str, Any], objective: Any = None) -> dict[str, Any]:
    """Return the checked fields of an instance as JSON types.

    Entries ``-inf`` of the coverage are written as ``None``; compatibility as triplets ``[i, j, w]``, i < j, w > 0.
    """
    compatibility, forbidden, groups = fields["compatibility"], fields["forbid_joins"], fields["groups"]
    rows, columns = np.nonzero(np.triu(compatibility, 1))
    weights = compatibility[rows, columns]
    data: dict[str, Any] = {
        "ids": list(fields["ids"]),
        "relevance": fields["relevance"].tolist(),
        "coverage": [[None if r == -np.inf else r for r in row] for row in fields["coverage"].tolist()],
        "compatibility": [list(edge) for edge in zip(rows.tolist(), columns.tolist(), weights.tolist(), strict=True)],
        "size": fields["size"],
        "require": list(fields["require"]),
        "exclude": list(fields["exclude"]),
    }
    if forbidden:
        data["forbid_joins"] = [list(pair) for pair in forbidden]
    if groups is not None:
        data["groups"] = list(groups)
    if objective is not None:
        data["objective"] = objective.to_dict()
    return data


def decoded(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of `Instance` that a JSON object holds.

    Other keys of the object are left alone, but not those that look like a misspelt one.

    Raises
    ------
    InvalidInstanceError
        When a key is missing or misspelt, or its value has the wrong shape.
    """
    if not isinstance(data, Mapping):
        raise InvalidInstanceError("json", f"holds a {type(data).__name__}", "an instance is a JSON object")
    for name in data:
        if name not in KEYS and (meant := get_close_matches(str(name), KEYS, n=1, cutoff=LIKENESS)):
            raise InvalidInstanceError(str(name), "is not a key of an instance", f"did you mean {meant[0]!r}?")
    for name in ("relevance", "compatibility", "size"):
        if name not in data:
            raise InvalidInstanceError(name, "is missing", "see the instance schema in docs/formulation.md")
    relevance = _numbers("relevance", data["relevance"])
    coverage = [
        [-np.inf if score is None else score for score in _numbers(f"coverage[{q}]", row, null=True)]
        for q, row in enumerate(_list("coverage", data.get("coverage", [])))
    ]
    arguments = {name: _list(name, data.get(name, [])) for name in ("require", "exclude", "forbid_joins")}
    return {
        "relevance": relevance,
        "coverage": coverage,
        "compatibility": _matrix(_list("compatibility", data["compatibility"]), len(relevance)),
        "size": data["size"],
        "ids": None if data.get("ids") is None else _list("ids", data["ids"]),
        "groups": None if data.get("groups") is None else _list("groups", data["groups"]),
        **arguments,
    }


def read_json(source: str | Path) -> dict[str, Any]:
    """Return the JSON object in a file, or in a text: a string that is empty or starts with ``{`` or ``[``.

    Raises
    ------
    InvalidInstanceError
        When it is not JSON, or not an object.
    OSError
        When the file can not be read.
    """
    if not isinstance(source, (str, PathLike)):
        raise InvalidInstanceError("json", f"is {source!r}", "pass a path, or a JSON text")
    is_text = isinstance(source, str) and source.lstrip()[:1] in ("", "{", "[")
    place = "json" if is_text else str(source)
    try:
        text = str(source) if is_text else Path(source).read_text(encoding="utf-8")
        data = json.loads(text)
    except UnicodeDecodeError as cause:
        raise InvalidInstanceError(place, "is no text in UTF-8", "an instance file is JSON") from cause
    except (ValueError, RecursionError) as cause:
        raise InvalidInstanceError(place, f"is not valid JSON ({cause})", "see docs/formulation.md") from cause
    if not isinstance(data, dict):
        raise InvalidInstanceError(place, f"holds a {type(data).__name__}", "an instance is a JSON object")
    return data


def _list(name: str, value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise InvalidInstanceError(name, f"is {value!r}", "pass a list")
    return value


def _numbers(name: str, value: Any, *, null: bool = False) -> list[Any]:
    """Check a list of JSON numbers, or nulls among them; strings and flags are none."""
    kinds = (int, float, type(None)) if null else (int, float)
    for position, number in enumerate(_list(name, value)):
        if type(number) not in kinds:
            raise InvalidInstanceError(f"{name}[{position}]", f"is {number!r}", "pass numbers")
    return list(value)


def _matrix(triplets: list[Any], n: int) -> Array:
    joins = np.zeros((n, n))
    seen: set[tuple[int, int]] = set()
    for position, triplet in enumerate(triplets):
        name = f"compatibility[{position}]"
        if len(_list(name, triplet)) != 3:
            raise InvalidInstanceError(name, f"is {triplet!r}", "pass triplets [i, j, w]")
        i, j = (validation.table_index(name, key, n, {}) for key in triplet[:2])
        if i == j:
            raise InvalidInstanceError(name, f"joins table {i} with itself", "pass two different tables")
        if i > j:
            raise InvalidInstanceError(name, f"has {i} before {j}", "pass triplets [i, j, w] with i < j")
        if (i, j) in seen:
            raise InvalidInstanceError(name, f"repeats the pair ({i}, {j})", "pass one triplet for each pair")
        seen.add((i, j))
        weight = number_in_range(triplet[2], 0.0, LARGEST_NUMBER)
        if not weight:
            remedy = f"pass weights above 0, at most {LARGEST_NUMBER:g}, and leave out pairs that do not join"
            raise InvalidInstanceError(name, f"has the weight {triplet[2]!r}", remedy)
        joins[i, j] = joins[j, i] = weight
    return joins
