"""What every objective offers, and the way from its JSON form back to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, ClassVar, Protocol

from formulations.errors import InvalidInstanceError
from formulations.instance import Instance
from formulations.instance_json import read_json
from formulations.objectives.crush import CrushObjective
from formulations.objectives.jar import JarObjective
from formulations.solution import JoinEdge


class Objective(Protocol):
    """What a set is worth, and how its members hang together.

    Attributes
    ----------
    name : str
        What the JSON form calls it, and by which the registry finds a solver's module.
    """

    name: ClassVar[str]

    def value(self, instance: Instance, items: Sequence[int]) -> float:
        """Return the value of a set."""
        ...

    def scale(self, instance: Instance) -> float:
        """Return the largest positive term that occurs in the value of a set (`formulations.scale`)."""
        ...

    def edges(self, instance: Instance, items: Sequence[int]) -> tuple[JoinEdge, ...]:
        """Return the joins of a set that an answer lists, the best first."""
        ...

    def to_dict(self) -> dict[str, Any]:
        """Return the objective as JSON types, with its name."""
        ...


OBJECTIVES: dict[str, type[JarObjective] | type[CrushObjective]] = {
    objective.name: objective for objective in (JarObjective, CrushObjective)
}
"""The objectives by name."""


def objective_from_dict(data: Mapping[str, Any]) -> JarObjective | CrushObjective:
    """Return the objective that ``to_dict`` wrote; without a ``name`` it is the JAR objective.

    Raises
    ------
    InvalidInstanceError
        When it is no object, or the name or a parameter is not known.
    """
    if not isinstance(data, Mapping):
        raise InvalidInstanceError("objective", f"is {data!r}", 'pass an object such as {"name": "jar", "coarse": 10}')
    parameters = dict(data)
    name = parameters.pop("name", JarObjective.name)
    if not isinstance(name, str) or name not in OBJECTIVES:
        raise InvalidInstanceError("objective.name", f"is {name!r}", f"known objectives: {', '.join(OBJECTIVES)}")
    objective = OBJECTIVES[name]
    known = [field.name for field in fields(objective)]
    unknown = sorted(set(parameters) - set(known))
    if unknown:
        remedy = f"use {', '.join(known)}"
        raise InvalidInstanceError(f"objective.{unknown[0]}", "is not a parameter of the objective", remedy)
    return objective(**parameters)


def load_problem(source: str | Path) -> tuple[Instance, JarObjective | CrushObjective]:
    """Return the instance in a JSON file or text, and the objective stored in it (else the default one)."""
    data = read_json(source)
    return Instance.from_dict(data), objective_from_dict(data.get("objective", {}))
