"""One query over some SQLite files, in a process of its own that the caller can end: JSON in, JSON out.

Run as a script, so that it starts in a few hundredths of a second: nothing but the standard library is imported.
"""

from __future__ import annotations

import json
import sqlite3
import sys
from pathlib import Path
from typing import Any

MOST_ROWS = 100_000
MEMORY = 512 * 1024 * 1024
"""Bytes that SQLite may take."""
READING = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}


def query(files: dict[str, str], sql: str) -> dict[str, Any]:
    """Rows of a query, or the error in words.

    Parameters
    ----------
    files : dict
        Database files by the name that the query may write before a table. A table without one is looked for in their
        order. SQLite takes ten.
    sql : str
        One statement. Whatever does more than read is refused.
    """
    connection = sqlite3.connect(":memory:", uri=True)
    connection.text_factory = lambda data: data.decode("utf-8", "replace")
    try:
        connection.execute(f"PRAGMA hard_heap_limit = {MEMORY}")
        for name, path in files.items():
            quoted = '"' + name.replace('"', '""') + '"'
            connection.execute(f"ATTACH ? AS {quoted}", (f"{Path(path).resolve().as_uri()}?mode=ro&immutable=1",))
        connection.set_authorizer(_authorise)
        cursor = connection.execute(sql)
        rows = cursor.fetchmany(MOST_ROWS + 1)
    except (sqlite3.Error, sqlite3.Warning, ValueError, MemoryError) as error:
        return {"error": f"{type(error).__name__}: {error}"}
    finally:
        connection.close()
    if cursor.description is None:
        return {"error": "the statement is no query"}
    if len(rows) > MOST_ROWS:
        return {"error": f"more than {MOST_ROWS:,} rows"}
    plain = [[value.hex() if isinstance(value, bytes) else value for value in row] for row in rows]
    return {"columns": len(cursor.description), "rows": plain}


def _authorise(action: int, *_: object) -> int:
    return sqlite3.SQLITE_OK if action in READING else sqlite3.SQLITE_DENY


if __name__ == "__main__":
    json.dump(query(**json.load(sys.stdin)), sys.stdout)
