"""Checks of input arrays: each returns the checked value or raises an `InvalidInstanceError` that names the place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from formulations.coercion import number_in_range, whole_number
from formulations.errors import InvalidInstanceError
from formulations.scale import LARGEST_NUMBER

Array: TypeAlias = npt.NDArray[np.float64]
IntArray: TypeAlias = npt.NDArray[np.integer[Any]]
SignArray: TypeAlias = npt.NDArray[np.int8]
TableKey: TypeAlias = int | str
"""A table, by its index or by its id."""

SYMMETRY_TOLERANCE = 1e-9
"""Largest difference, relative to the largest entry, that passes for rounding in a symmetric matrix."""


def as_floats(field: str, value: Any) -> Array:
    """Return a new float64 array with the values of `value`.

    It is C-contiguous whatever the order of `value`, since numba compiles one version of a function for each order.
    """
    try:
        given = np.asarray(value)
        if given.dtype.kind not in "fiub":
            given = _numbers(given)
        return np.array(given, dtype=np.float64, order="C")
    except (TypeError, ValueError, OverflowError) as cause:
        raise InvalidInstanceError(field, f"not an array of numbers ({cause})", "pass an array of floats") from cause


def _numbers(given: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Refuse strings and complex numbers, which numpy would convert."""
    wrong = str(given.dtype) if given.dtype.kind != "O" else None
    if wrong is None:
        kinds = {type(entry) for entry in given.ravel().tolist()}
        wrong = next((kind.__name__ for kind in kinds if issubclass(kind, (str, bytes, complex))), None)
    if wrong is not None:
        raise TypeError(f"entries of type {wrong}")
    return given


def freeze(*arrays: npt.NDArray[Any]) -> None:
    """Make arrays read-only."""
    for array in arrays:
        array.flags.writeable = False


def as_list(field: str, value: Any, meaning: str) -> list[Any]:
    """Return the elements of an iterable; a string is refused, since it would be taken apart into its letters."""
    if isinstance(value, str):
        raise InvalidInstanceError(field, f"is the string {value!r}", f"pass a list of {meaning}")
    if not isinstance(value, Iterable):
        raise InvalidInstanceError(field, f"is {value!r}", f"pass a list of {meaning}")
    return list(value)


def check_finite(field: str, array: Array, *, minus_infinity: bool = False) -> None:
    """Raise unless every entry is finite (or ``-inf``, where that has a meaning) and no sum of them overflows."""
    if array.size == 0 or (array.min() >= -LARGEST_NUMBER and array.max() <= LARGEST_NUMBER):
        return  # without a second array of this size, as nearly always
    good = np.abs(array) <= LARGEST_NUMBER
    if minus_infinity:
        good |= array == -np.inf
    if not good.all():
        place = [int(k) for k in np.argwhere(~good)[0]]
        allowed = "finite numbers, or -inf for 'can not match'" if minus_infinity else "finite numbers only"
        remedy = f"pass {allowed}, none above {LARGEST_NUMBER:g}"
        raise InvalidInstanceError(f"{field}{place}", f"is {array[tuple(place)]}", remedy)


def parameter(field: str, value: Any) -> float:
    """Return a parameter of an objective as a float: from 0 to `LARGEST_NUMBER`."""
    number = number_in_range(value, 0.0, LARGEST_NUMBER)
    if number is None:
        remedy = f"pass a finite number >= 0, none above {LARGEST_NUMBER:g}"
        raise InvalidInstanceError(field, f"is {value!r}", remedy)
    return number


def relevance_vector(value: Any) -> Array:
    """Check the coarse relevance: shape (n,), finite, n >= 1."""
    array = as_floats("relevance", value)
    if array.ndim != 1 or array.size == 0:
        remedy = "pass one score per table, shape (n,), n >= 1"
        raise InvalidInstanceError("relevance", f"has shape {array.shape}", remedy)
    check_finite("relevance", array)
    return array


def coverage_matrix(field: str, value: Any, columns: int, meaning: str) -> Array:
    """Check a matrix of sub-query scores: shape (m, columns), m >= 0, finite or ``-inf``."""
    array = as_floats(field, value)
    if array.shape in ((0,), (0, 0)):
        array = array.reshape(0, columns)
    if array.ndim != 2 or array.shape[1] != columns:
        remedy = f"pass one row per sub-query and one column per {meaning}, shape (m, {columns})"
        raise InvalidInstanceError(field, f"has shape {array.shape}", remedy)
    check_finite(field, array, minus_infinity=True)
    return array


def symmetric_matrix(field: str, value: Any, n: int) -> Array:
    """Check a symmetric (n, n) matrix of weights >= 0, dense or scipy sparse; the diagonal is set to zero."""
    array = as_floats(field, value.toarray() if hasattr(value, "toarray") else value)
    if array.size == 0 and n == 0:
        array = array.reshape(0, 0)
    if array.shape != (n, n):
        raise InvalidInstanceError(field, f"has shape {array.shape}", f"pass a symmetric matrix of shape ({n}, {n})")
    np.fill_diagonal(array, 0.0)
    check_finite(field, array)
    if n and array.min() < 0.0:
        i, j = (int(k) for k in np.argwhere(array < 0.0)[0])
        raise InvalidInstanceError(f"{field}[{i}, {j}]", f"is {array[i, j]}", "pass weights >= 0; zero means 'no join'")
    if not np.array_equal(array, array.T):
        array = _symmetrised(field, array)
    return array


def _symmetrised(field: str, array: Array) -> Array:
    difference = np.abs(array - array.T)
    if difference.max() > SYMMETRY_TOLERANCE * array.max():
        i, j = (int(k) for k in np.unravel_index(int(difference.argmax()), array.shape))
        raise InvalidInstanceError(
            f"{field}[{i}, {j}]",
            f"is {array[i, j]}, but [{j}, {i}] is {array[j, i]}",
            "pass a symmetric matrix, for example (w + w.T) / 2",
        )
    return np.ascontiguousarray((array + array.T) / 2.0)


def set_size(value: Any, n: int) -> int:
    """Check the number K of tables to select: 1 <= K <= n."""
    size = whole_number(value)
    if size is None:
        raise InvalidInstanceError("size", f"is {value!r}", "pass a whole number of tables")
    if not 1 <= size <= n:
        raise InvalidInstanceError("size", f"is {size} with {n} tables", f"pass a number from 1 to {n}")
    return size


def changed_size(value: Any, require: tuple[int, ...], exclude: tuple[int, ...], ids: tuple[str, ...]) -> int:
    """Check another number of tables for a problem whose other parts are checked already."""
    size = set_size(value, len(ids))
    table_sets(require, exclude, size, ids)
    return size


def unique_ids(value: Sequence[str] | None, n: int) -> tuple[str, ...]:
    """Check the ids: n different strings; by default ``"0"`` to ``"n-1"``."""
    if value is None:
        return tuple(map(str, range(n)))
    ids = tuple(as_list("ids", value, "strings"))
    if isinstance(value, str) or len(ids) != n:
        raise InvalidInstanceError("ids", f"has {len(ids)} entries for {n} tables", "pass one id per table")
    for i, name in enumerate(ids):
        if not isinstance(name, str):
            raise InvalidInstanceError(f"ids[{i}]", f"is {name!r}", "pass strings")
    if len(set(ids)) != n:
        i = next(i for i, name in enumerate(ids) if ids.index(name) != i)
        raise InvalidInstanceError(f"ids[{i}]", f"repeats {ids[i]!r}", "pass a different id for each table")
    return ids


def group_labels(value: Any, n: int) -> tuple[str | int, ...]:
    """Check the groups: n labels, each a string or a whole number."""
    labels = tuple(as_list("groups", value, "labels"))
    if len(labels) != n:
        raise InvalidInstanceError("groups", f"has {len(labels)} entries for {n} items", "pass one label per item")
    return tuple([label if isinstance(label, str) else _whole(f"groups[{i}]", label) for i, label in enumerate(labels)])


def _whole(field: str, label: Any) -> int:
    number = whole_number(label)
    if number is None:
        raise InvalidInstanceError(field, f"is {label!r}", "pass a string or a whole number")
    return number


def table_index(field: str, key: Any, n: int, positions: Mapping[str, int]) -> int:
    """Return the index of a table that is given by its id (a string) or its index."""
    if isinstance(key, str):
        if key not in positions:
            raise InvalidInstanceError(field, f"names the unknown table {key!r}", "pass an id from ids, or an index")
        return positions[key]
    index = whole_number(key)
    if index is None:
        raise InvalidInstanceError(field, f"is {key!r}", "pass an id or an index")
    if not 0 <= index < n:
        raise InvalidInstanceError(field, f"is {index} with {n} tables", f"pass an index from 0 to {n - 1}, or an id")
    return index


def table_sets(require: Any, exclude: Any, size: int, ids: tuple[str, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Check the tables that must, and must not, be selected; return both as ascending indices."""
    required, excluded = _table_set("require", require, ids), _table_set("exclude", exclude, ids)
    both = sorted(set(required) & set(excluded))
    if both:
        raise InvalidInstanceError("require", f"has {ids[both[0]]!r}, and so has exclude", "keep it in one of the two")
    if len(required) > size:
        remedy = "require fewer tables, or raise size"
        raise InvalidInstanceError("require", f"has {len(required)} tables for a set of {size}", remedy)
    if len(ids) - len(excluded) < size:
        fact = f"leaves {len(ids) - len(excluded)} tables for a set of {size}"
        raise InvalidInstanceError("exclude", fact, "exclude fewer tables, or lower size")
    return required, excluded


def _table_set(field: str, keys: Any, ids: tuple[str, ...]) -> tuple[int, ...]:
    keys = as_list(field, keys, "tables")
    if not keys:
        return ()
    positions = {name: i for i, name in enumerate(ids)}
    indices = {table_index(f"{field}[{k}]", key, len(ids), positions) for k, key in enumerate(keys)}
    return tuple(sorted(indices))


def table_pairs(field: str, pairs: Any, ids: tuple[str, ...]) -> tuple[tuple[int, int], ...]:
    """Check pairs of tables; return them as ascending indices, in order."""
    result = set()
    positions: dict[str, int] = {}
    for position, pair in enumerate(as_list(field, pairs, "pairs of tables")):
        positions = positions or {name: i for i, name in enumerate(ids)}
        name = f"{field}[{position}]"
        if isinstance(pair, str) or not hasattr(pair, "__len__") or len(pair) != 2:
            raise InvalidInstanceError(name, f"is {pair!r}", "pass a pair of tables")
        i, j = sorted(table_index(name, key, len(ids), positions) for key in pair)
        if i == j:
            raise InvalidInstanceError(name, f"joins {ids[i]!r} with itself", "pass two different tables")
        result.add((i, j))
    return tuple(sorted(result))
