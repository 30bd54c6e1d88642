"""Which differences between two texts make none between the values that they stand for."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, fields
from typing import Literal

from joinability.errors import CatalogError

Difference = Literal["case", "zeros"]


@dataclass(frozen=True)
class Equality:
    """What values are compared without, the same for all tables of a store.

    Attributes
    ----------
    ignore_case : bool
        Whether letters are upper or lower case: `abc` is `ABC`.
    ignore_zeros : bool
        Zeros before whole numbers: `007` is `7`.
    """

    ignore_case: bool = False
    ignore_zeros: bool = False

    @classmethod
    def ignoring(cls, differences: Collection[str]) -> Equality:
        """The equality without some differences: "case", "zeros".

        Raises
        ------
        CatalogError
            When one of them is unknown.
        """
        known = {field.name.removeprefix("ignore_") for field in fields(cls)}
        if isinstance(differences, str) or not set(differences) <= known:
            raise CatalogError(f"ignore is {differences!r}; it is a list of none, some or all of {sorted(known)}")
        return cls(**{f"ignore_{name}": True for name in differences})

    @property
    def ignored(self) -> tuple[str, ...]:
        """The differences that make none, as `ignoring` takes them."""
        return tuple(name.removeprefix("ignore_") for name, is_ignored in self.parameters if is_ignored)

    @property
    def parameters(self) -> tuple[tuple[str, bool], ...]:
        """The parameters of `sql/values.sql`."""
        return tuple((field.name, getattr(self, field.name)) for field in fields(self))


AS_WRITTEN = Equality()
"""All differences count, as in a join."""
