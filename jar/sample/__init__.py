"""A sample lake: a small invented bank among look-alike tables of other domains, with no key declared anywhere.

Every name, code and number is made up here, from a seed, and is the same on every platform. The bank::

    client <---- disposition ----> account <---- loan, transaction
      |               ^               |
      v               |               v
    district        card          district

A disposition says which client may use which account, as its OWNER or as a DISPONENT. Who asks about clients, cards and
loans never names it, and yet nothing joins without it. (`transaction` is an SQL keyword: quote it.)

What makes the lake hard, on purpose:

- look-alike tables: a shop has `customers` and `loyalty_cards`, a library lends `loans`, a gym has `members`;
- one name, other values: `account_id` of the telephone company, `card_id` of its SIM cards and `loan_id` of the library
  share their names with the bank's keys, and no value;
- one set of values, other meaning: the columns in `COUNTED` count 1, 2, 3, ..., so that each contains the shorter ones,
  and refers to none of them;
- flags and dates: every `gender` column holds the same two letters, and days of unrelated events coincide.

The columns that join are in `KEYS`. Dates are ISO text; the only empty cells are those of `library.loans.returned_on`.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from jar.errors import JarError
from jar.sample.databases import DATABASES, Table
from jar.sample.dice import Dice
from joinability.errors import SourceError
from joinability.paths import shown

if TYPE_CHECKING:
    import pandas as pd

    from joinability import Catalog

__all__ = [
    "COUNTED",
    "KEYS",
    "QUESTIONS",
    "Question",
    "sample_catalog",
    "sample_columns",
    "sample_frames",
    "write_sample_lake",
]


@dataclass(frozen=True)
class Question:
    """A question about the sample lake, and the tables that are needed to answer it."""

    text: str
    tables: tuple[str, ...]


QUESTIONS = (
    Question(  # from the introduction of the JAR paper; `disposition` is never named
        "Which female clients of the bank own credit cards and also have loans?",
        ("bank.client", "bank.disposition", "bank.card", "bank.loan"),
    ),
    Question(  # `loans` is never named: the look-alike of the first question is the bridge of this one
        "Which library members have read books of poetry?",
        ("library.members", "library.loans", "library.books"),
    ),
    Question(  # `account` is never named
        "What is the average loan amount per region of the bank?",
        ("bank.loan", "bank.account", "bank.district"),
    ),
)

# Each (column that refers, column referred to): the foreign keys that nobody declared.
KEYS = (
    ("bank.client.district_id", "bank.district.district_id"),
    ("bank.account.district_id", "bank.district.district_id"),
    ("bank.disposition.client_id", "bank.client.client_id"),
    ("bank.disposition.account_id", "bank.account.account_id"),
    ("bank.card.disposition_id", "bank.disposition.disposition_id"),
    ("bank.loan.account_id", "bank.account.account_id"),
    ("bank.transaction.account_id", "bank.account.account_id"),
    ("retail.loyalty_cards.customer_id", "retail.customers.customer_id"),
    ("retail.credit_notes.customer_id", "retail.customers.customer_id"),
    ("library.loans.member_id", "library.members.member_id"),
    ("library.loans.shelf_mark", "library.books.shelf_mark"),
    ("clinic.appointments.patient_code", "clinic.patients.patient_code"),
    ("telecom.sim_cards.account_id", "telecom.subscribers.account_id"),
    ("logistics.shipments.depot_code", "logistics.depots.depot_code"),
)

# Surrogate ids that count 1, 2, 3, ...: they contain one another by coincidence.
COUNTED = (
    "bank.district.district_id",
    "retail.customers.customer_id",
    "clinic.appointments.appointment_id",
    "logistics.shipments.shipment_id",
)


def sample_columns(seed: int = 0, rows: int = 300) -> dict[str, Table]:
    """Return every table as lists of values by column name, by table id ("bank.client").

    Most tables have about `rows` rows (10 to 50,000); the size of `bank.district` and `logistics.depots` is fixed.
    Needs the standard library only.
    """
    if not 10 <= rows <= 50_000:
        raise ValueError(f"rows is {rows}: choose from 10 to 50000")
    return {
        f"{database}.{name}": table
        for database, build in DATABASES.items()
        for name, table in build(Dice(f"{seed}/{database}"), rows).items()
    }


def sample_frames(seed: int = 0, rows: int = 300) -> dict[str, pd.DataFrame]:
    """Return every table of the lake as a data frame, by table id ("bank.client"); sizes as in `sample_columns`."""
    import pandas as pd

    return {table_id: pd.DataFrame(table) for table_id, table in sample_columns(seed, rows).items()}


def sample_catalog(seed: int = 0, rows: int = 300) -> Catalog:
    """Return the lake as a catalog over data frames, without declared keys."""
    from joinability import Catalog

    return Catalog.from_frames(sample_frames(seed, rows))


def write_sample_lake(
    folder: str | Path,
    seed: int = 0,
    format: str = "csv",  # noqa: A002
    rows: int = 300,
) -> list[Path]:
    """Write the lake to `folder`, over what an earlier call wrote there, and return the paths of the files.

    Formats "csv" and "parquet" give a file per table, `<folder>/<database>/<table>.<format>`; "sqlite" gives a file per
    database, `<folder>/<database>.sqlite`, that declares no key.

    Raises
    ------
    JarError
        When a file of one of these names is there whose tables have other columns; nothing is written.
    """
    if format not in _WRITERS:
        raise ValueError(f"format is {format!r}: choose one of {', '.join(_WRITERS)}")
    frames: dict[Path, dict[str, pd.DataFrame]] = {}
    for table_id, frame in sample_frames(seed, rows).items():
        database, table = table_id.split(".")
        name = f"{database}.sqlite" if format == "sqlite" else f"{database}/{table}.{format}"
        frames.setdefault(Path(folder, name), {})[table] = frame
    for path, of_file in frames.items():
        if path.exists() and not _is_sample(path, of_file):
            raise JarError(f"{shown(path)} is no file of the sample, and would be written over: choose another folder")
    for path, of_file in frames.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        for table, frame in of_file.items():
            _WRITERS[format](frame, path, table)
    return list(frames)


def _is_sample(path: Path, frames: dict[str, pd.DataFrame]) -> bool:
    """Whether all tables of a file are of the sample, by their columns."""
    from joinability import Catalog

    try:
        found = Catalog.from_sqlite(path) if path.suffix == ".sqlite" else Catalog.from_files(path)
    except SourceError:
        return False
    tables = list(found)
    known = [set(frame) for frame in frames.values()]
    return path.is_file() and bool(tables) and all(set(table.column_names) in known for table in tables)


def _write_csv(frame: pd.DataFrame, path: Path, table: str) -> None:
    frame.to_csv(path, index=False, lineterminator="\n", encoding="utf-8")


def _write_parquet(frame: pd.DataFrame, path: Path, table: str) -> None:
    frame.to_parquet(path, engine="pyarrow", index=False)


def _write_sqlite(frame: pd.DataFrame, path: Path, table: str) -> None:
    import sqlite3

    with closing(sqlite3.connect(path)) as connection, connection:
        frame.to_sql(table, connection, index=False, if_exists="replace")


_WRITERS: dict[str, Callable[[pd.DataFrame, Path, str], None]] = {
    "csv": _write_csv,
    "sqlite": _write_sqlite,
    "parquet": _write_parquet,
}
