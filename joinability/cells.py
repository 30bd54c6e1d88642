"""Columns of any Arrow or Python type, printed as cells: a text or a number per value, nulls left out.

A cell has a `text` or a `number`, never both. Floating numbers stay numbers here, because every engine and library
prints them differently; `sql/normalised.sql` alone turns them into text. Everything else has one
obvious text: integers in decimal digits, booleans 1 and 0, dates and times in ISO form, bytes in hexadecimal. So have
integral decimals that are too long for a float.
"""

from __future__ import annotations

import datetime
import decimal
import math
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow

UUID = "arrow.uuid"
"""Name of the Arrow extension type of UUIDs."""
PANDAS = "pandas."
"""How the names of the extension types of pandas begin: periods and intervals."""
EXACT = 9e15
"""Up to here a float stands for one integer alone."""


def cell(value: Any) -> str | float | None:
    """Print one Python value: a text, a float (see the module's docstring), or None for a missing value.

    Examples
    --------
    >>> cell(3), cell(True), cell(b"\\x0f"), cell(float("nan")), cell(decimal.Decimal("2.50"))
    ('3', '1', '0f', None, 2.5)
    """
    if value is None or isinstance(value, str):
        return value
    if hasattr(value, "item") and not isinstance(value, (bytes, bytearray, memoryview)):
        value = value.tolist() if getattr(value, "ndim", 0) else value.item()  # a numpy array or scalar
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, (float, decimal.Decimal)):
        return _number_cell(value)
    if isinstance(value, (bytes, bytearray, memoryview)):
        return bytes(value).hex()
    text = value.isoformat(" ") if isinstance(value, datetime.datetime) else str(value)
    return None if text in ("NaT", "<NA>", "None") else text


def _number_cell(value: float | decimal.Decimal) -> str | float | None:
    if math.isnan(value):
        return None
    if isinstance(value, decimal.Decimal) and value.is_finite() and value == value.to_integral_value():
        return str(int(value))
    return float(value)


def column_array(values: Sequence[Any]) -> pyarrow.Array:
    """Arrow array of Python values of one column, whatever their types.

    Values that Arrow cannot hold in one type (SQLite columns, object columns of pandas) become text. A number that is
    no integer then has the text that Python prints for it, which `sql/normalised.sql` reads back exactly. Where some
    dates have a time of day, all have one: Arrow would drop it, or take no dates beside it.
    """
    import pyarrow as pa
    from pyarrow import types

    try:
        array = pa.array(values, from_pandas=True)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, TypeError, OverflowError, UnicodeEncodeError):
        array = None
    if (array is None or types.is_date(array.type)) and _has_dates_and_times(values):
        return column_array([_with_time(value) for value in values])
    if array is None or (_is_text_or_bytes(array.type) and {str, bytes} <= set(map(type, values))):
        return pa.array([_text(value) for value in values], type=pa.string())
    return array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array


def _has_dates_and_times(values: Iterable[Any]) -> bool:
    kinds = set(map(type, values))
    times = [kind for kind in kinds if issubclass(kind, datetime.datetime)]
    dates = [kind for kind in kinds if issubclass(kind, datetime.date) and kind not in times]
    return bool(dates) and any(kind.__name__ != "NaTType" for kind in times)  # to pandas, no time is a time


def _with_time(value: Any) -> Any:
    """The value, a date at midnight."""
    is_date = isinstance(value, datetime.date) and not isinstance(value, datetime.datetime)
    return datetime.datetime.combine(value, datetime.time()) if is_date else value


def _is_text_or_bytes(type_: pyarrow.DataType) -> bool:
    """Whether Arrow may have mixed the two: it takes bytes for text, and text for bytes."""
    from pyarrow import types

    return bool(types.is_string(type_) or types.is_binary(type_))


def _text(value: Any) -> str | None:
    printed = cell(value)
    if isinstance(printed, float):
        return str(int(printed)) if printed.is_integer() and abs(printed) < 2**63 else repr(printed)
    return None if printed is None else valid_text(printed)


def valid_text(text: str) -> str:
    """The text with "?" for each half of a surrogate pair, which UTF-8 cannot hold, as in JSON that was cut."""
    return text.encode("utf-8", "replace").decode("utf-8")


def cell_arrays(array: pyarrow.Array) -> tuple[pyarrow.Array, pyarrow.Array]:
    """The text cells and the number cells of one column: strings and doubles, each null where the other has a value."""
    import pyarrow as pa
    from pyarrow import types

    type_ = array.type
    if isinstance(type_, pa.BaseExtensionType):
        if type_.extension_name == UUID:  # text to every engine; its bytes would join with nothing
            return _text_array(array), pa.nulls(len(array), pa.float64())
        if type_.extension_name.startswith(PANDAS):  # the storage of a period is its number, of an interval its ends
            return pa.array(map(_text, array.to_pandas()), pa.string()), pa.nulls(len(array), pa.float64())
        array, type_ = array.storage, array.storage.type
    if types.is_dictionary(type_):
        return cell_arrays(array.dictionary_decode())
    if types.is_floating(type_):
        return pa.nulls(len(array), pa.string()), array.cast(pa.float64())
    if types.is_decimal(type_) and type_.scale > 0:
        return _decimal_cells(array)
    return _text_array(array), pa.nulls(len(array), pa.float64())


def _decimal_cells(array: pyarrow.Array) -> tuple[pyarrow.Array, pyarrow.Array]:
    """Numbers, and digits for the integral ones of which a float does not hold all."""
    import pyarrow as pa
    import pyarrow.compute as pc

    no_texts = pa.nulls(len(array), pa.string())
    texts = array.cast(pa.string())
    numbers = texts.cast(pa.float64())  # Arrow's own cast is off by a digit, 996.55 becomes 996.5500000000001
    is_long = pc.greater_equal(pc.abs(numbers), EXACT)
    if not pc.any(is_long).as_py():
        return no_texts, numbers
    is_whole = pc.and_(is_long, pc.match_substring_regex(texts, "^-?[0-9]+[.]0+$"))
    digits = pc.replace_substring_regex(texts, "[.]0+$", "")
    return pc.if_else(is_whole, digits, no_texts), pc.if_else(is_whole, pa.scalar(None, pa.float64()), numbers)


def _text_array(array: pyarrow.Array) -> pyarrow.Array:
    import pyarrow as pa
    from pyarrow import types

    type_ = array.type
    if types.is_string(type_):
        return array
    if types.is_boolean(type_):
        return array.cast(pa.int8()).cast(pa.string())
    if types.is_timestamp(type_) and type_.tz is not None:
        array, type_ = array.cast(pa.timestamp(type_.unit)), pa.timestamp(type_.unit)
    printable = (
        types.is_integer, types.is_decimal, types.is_large_string, types.is_date, types.is_time, types.is_timestamp,
        types.is_null,
    )  # fmt: skip
    if any(test(type_) for test in printable) or str(type_) == "string_view":
        return array.cast(pa.string())
    return pa.array([_text(value) for value in array.to_pylist()], type=pa.string())


def first_texts(values: Iterable[Any], size: int) -> tuple[str, ...]:
    """The first `size` distinct values as text, without missing and blank ones."""
    texts = map(_text, values)
    return tuple(islice(dict.fromkeys(text for text in texts if text is not None and text.strip()), size))
