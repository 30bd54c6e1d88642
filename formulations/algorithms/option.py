"""The options of a solver, as its module declares them: what each accepts, and values that any machine can try."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from formulations.coercion import LARGEST_INTEGER, number_in_range, whole_number
from formulations.scale import LARGEST_NUMBER


@dataclass(frozen=True)
class Option:
    """An option of a solver, under its name in the mapping ``OPTIONS`` of the module.

    Attributes
    ----------
    examples : tuple
        Values that any machine can try; the conformance kit solves its instances with each.
    proof : bool
        Whether an exact solver still proves optimality with every such value, when given the time.
    least, most : float
        The range of a number; by default up to what a calculation can hold.
    choices : tuple of str
        All values of a word, the examples among them; ``None`` only where it is an example.
    """

    examples: tuple[Any, ...]
    proof: bool = True
    least: float = 0.0
    most: float | None = None
    choices: tuple[str, ...] = ()

    @property
    def real(self) -> bool:
        """Whether a value may have a fraction."""
        return any(isinstance(example, float) for example in self.examples)

    @property
    def _limit(self) -> float:
        return self.most or (LARGEST_NUMBER if self.real else LARGEST_INTEGER)

    def convert(self, value: Any) -> float | str | None:
        """Return a value of the kind of the examples, as Python's own int, float, str or None.

        Raises
        ------
        ValueError
            When it is of another kind or out of range; infinite numbers are.
        """
        number: float | str | None
        if value is None and None in self.examples:
            return None
        if self.choices:
            number = str(value) if isinstance(value, str) and value in self.choices else None
        elif self.real:
            number = number_in_range(value, self.least, self._limit)
        else:
            number = whole_number(value)
            number = number if number is not None and self.least <= number <= self._limit else None
        if number is None:
            raise ValueError(self.meaning())
        return number

    def meaning(self) -> str:
        """Return in words what is accepted."""
        none = ", or None" if None in self.examples else ""
        if self.choices:
            return f"one of {', '.join(map(repr, self.choices))}{none}"
        whole = "" if self.real else "whole "
        span = f">= {self.least:g}" if self.most is None else f"from {self.least:g} to {self.most:g}"
        limit = f" (at most {self._limit:.0e})" if self.most is None else ""
        return f"a {whole}number {span}{none}{limit}"


@dataclass(frozen=True)
class HelperOption(Option):
    """An option that names an in-process solver, whose function ``solve`` the module is given in place of the name.

    The registry fills in the ``choices``, so that no solver has to know the others.

    Attributes
    ----------
    default : str, optional
        The solver where the caller names none.
    """

    default: str | None = None
