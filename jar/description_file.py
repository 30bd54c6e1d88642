"""Descriptions of tables and columns from a CSV file of names and descriptions."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from jar.errors import QueryError
from joinability import SourceError
from joinability.sources.text_file import text_of

HEADERS = (("name",), ("table",), ("column",), ("table", "column"), ("database", "table", "column"))
"""What a file of descriptions may call the parts of a name in its first line."""


def read_descriptions(path: str | Path) -> dict[str, str]:
    """Descriptions by the names "db.table" and "db.table.column": the two fields of each line of a CSV file.

    A first line may name the fields (`HEADERS`, then "description"); then a name may have several, such as a table and
    its column, of which those that are empty do not count.

    Raises
    ------
    QueryError
        When a line has not as many fields, or the file is no text.
    """
    descriptions: dict[str, str] = {}
    count, form = 2, "a name and its description"
    try:
        for line, fields in enumerate(csv.reader(io.StringIO(text_of(Path(path)), newline=""), strict=True), start=1):
            parts = [field.strip() for field in fields]
            if not descriptions and _is_header(parts):
                count, form = len(parts), ", ".join(parts)
            elif parts and len(parts) != count:
                raise QueryError(
                    f"{path}, line {line}: expected {form}, found {len(parts)} fields; "
                    f'quote a description that has commas: shop.orders.cu_no,"customer, by number"'
                )
            elif parts:
                descriptions[".".join(filter(None, parts[:-1]))] = parts[-1]
    except SourceError as error:
        raise QueryError(str(error)) from None
    except csv.Error as error:
        raise QueryError(f"{path} is no CSV file of names and descriptions: {error}") from error
    return descriptions


def _is_header(fields: list[str]) -> bool:
    *names, last = [field.casefold() for field in fields] or [""]
    return tuple(names) in HEADERS and last == "description"
