"""Cases: instances with their objective, and a text that changes with anything that a solver sees of them."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cached_property

from formulations import ColumnProblem, Instance, JarObjective


@dataclass(frozen=True, eq=False)
class Case:
    """An instance, its objective, and where it comes from.

    Attributes
    ----------
    label : str
        Name of the question or of the seed, without size: "spider-q0022".
    dataset : str
        "spider", "bird", "spider-union", ..., or "synthetic".
    kind : str
        A key of `questions.KINDS`, or of `synthetic.KINDS`.
    instance : Instance
        The reduced instance.
    objective : JarObjective
    columns : ColumnProblem, optional
        What the instance is the reduction of, for solvers that take columns.
    reduction_seconds : float, optional
        What the reduction took.
    """

    label: str
    dataset: str
    kind: str
    instance: Instance
    objective: JarObjective
    columns: ColumnProblem | None = None
    reduction_seconds: float | None = None

    @cached_property
    def digest(self) -> str:
        """Hash of the reduced instance and the objective."""
        instance = self.instance
        arrays = (instance.relevance, instance.coverage, instance.weights)
        rest = [instance.size, instance.require, instance.exclude, self.objective.to_dict()]
        return content_digest([array.tobytes() for array in arrays], rest)

    @cached_property
    def column_digest(self) -> str:
        """Hash of the column-level problem too, where there is one."""
        if self.columns is None:
            return self.digest
        arrays = (self.columns.fine, self.columns.owner, self.columns.joinability)
        return content_digest([array.tobytes() for array in arrays], self.digest)


def content_digest(blocks: list[bytes], rest: object) -> str:
    """Hash of blocks of bytes, their lengths, and JSON types."""
    digest = hashlib.blake2b(json.dumps([*map(len, blocks), rest], sort_keys=True).encode(), digest_size=16)
    for block in blocks:
        digest.update(block)
    return digest.hexdigest()
