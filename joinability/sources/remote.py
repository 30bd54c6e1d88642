"""Files behind addresses (`https://`, `s3://` and the like), which DuckDB reads with its extensions."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from joinability.credentials import without_credentials
from joinability.errors import SourceError, first_line
from joinability.schema import Column, Table
from joinability.sources.frames import distinct_names, sql_type

if TYPE_CHECKING:
    import duckdb
    import pyarrow

EXTENSIONS = {
    **dict.fromkeys(("http", "https", "s3", "s3a", "s3n", "gs", "gcs", "r2", "hf"), "httpfs"),
    **dict.fromkeys(("az", "azure", "abfss"), "azure"),
    "file": "",
}
"""The extension of DuckDB that reads each kind of address."""
READERS = {
    ".csv": "read_csv(?, all_varchar = true)",
    ".tsv": "read_csv(?, all_varchar = true)",
    ".parquet": "read_parquet(?)",
    ".json": "read_json(?)",
    ".jsonl": "read_json(?)",
    ".ndjson": "read_json(?)",
}
"""How DuckDB reads each kind of file; values of text files are kept as they stand."""

MADE_UP = (["column0"], ["json"])
"""The names that DuckDB gives to what it finds in empty text files."""


def is_remote_file(address: str) -> bool:
    """Whether a text is the address of a file rather than that of a database."""
    kind, sign, _ = address.partition("://")
    return bool(sign) and kind.lower() in EXTENSIONS


@dataclass(frozen=True)
class RemoteSource:
    """The rows of one file.

    Attributes
    ----------
    address : str
        As given: it may hold secrets, and is in no message.
    table_id : str
    path : str
        The address as messages show it.
    """

    address: str = field(repr=False)
    table_id: str
    path: str

    def batches(self, size: int) -> Iterator[list[pyarrow.Array]]:
        """Rows in batches of at most `size`."""
        with _opened(self.address, self.table_id) as connection:
            rows = connection.sql(f"SELECT * FROM {_reader(self.address)}", params=[self.address])
            read = rows.to_arrow_reader if hasattr(type(rows), "to_arrow_reader") else rows.fetch_record_batch
            for batch in read(size):
                yield list(batch.columns)

    def fingerprint(self) -> str:
        """Never the same text twice: whether the file changed is known only to who reads it."""
        return f"{self.path}|{uuid.uuid4()}"


def remote_table(address: str, database: str | None = None) -> Table:
    """Table of a file by its address; its database is the folder that it is in, or the host, if none is given.

    Raises
    ------
    SourceError
        When DuckDB's extension is not installed, or the file cannot be read. No message holds secrets.
    """
    path, reader = shown_address(address), _reader(address)
    kind, _, rest = path.partition("://")
    place = PurePosixPath(rest.rpartition("@")[2] if _may_have_user(rest) else rest)
    with _opened(address, path) as connection:
        first = connection.sql(f"SELECT * FROM {reader} LIMIT 1", params=[address]).to_arrow_table()
    schema = first.schema
    if not len(first) and schema.names in MADE_UP:
        raise SourceError(path, "the file is empty: write it anew, or take it away")
    names = distinct_names(schema.names)
    columns = tuple(Column(name, sql_type(field.type)) for name, field in zip(names, schema, strict=True))
    table = Table(database or place.parent.name or kind, _stem(place), columns)
    return Table(table.database, table.name, columns, source=RemoteSource(address, table.id, path))


def shown_address(address: str) -> str:
    """An address without user, password, query and fragment.

    Examples
    --------
    >>> shown_address("https://me:secret@host/lake/orders.csv?token=x#y")
    'https://***@host/lake/orders.csv'
    >>> shown_address("s3://bucket/a@b/orders.csv")
    's3://bucket/a@b/orders.csv'
    """
    kind, sign, rest = address.partition("?")[0].partition("#")[0].partition("://")
    if _may_have_user(rest):
        return without_credentials(f"{kind}{sign}{rest}")
    return f"{kind}{sign}{without_credentials(rest)}"


def _may_have_user(rest: str) -> bool:
    """Whether what follows the kind of an address may start with a user, whose password may have digits and a slash."""
    return not {"@", ":"}.isdisjoint(rest.partition("/")[0])


def _reader(address: str) -> str:
    name = PurePosixPath(shown_address(address)).name.lower().removesuffix(".gz")
    reader = READERS.get(PurePosixPath(name).suffix)
    if reader is None:
        raise SourceError(shown_address(address), f"expected the address of a file that ends in {', '.join(READERS)}")
    return reader


def _stem(place: PurePosixPath) -> str:
    return PurePosixPath(place.name.removesuffix(".gz")).stem


@contextmanager
def _opened(address: str, source: str) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection that can read the address; nothing is installed for it."""
    import duckdb

    extension = EXTENSIONS[address.partition("://")[0].lower()]
    offline: dict[str, Any] = {"autoinstall_known_extensions": "false", "autoload_known_extensions": "false"}
    with duckdb.connect(config=offline) as connection:
        if extension:
            try:
                connection.execute(f"LOAD {extension}")
            except duckdb.Error:
                raise SourceError(
                    source,
                    f"DuckDB reads such addresses with its extension {extension}, which is not installed: "
                    f"python -c \"import duckdb; duckdb.sql('INSTALL {extension}')\", or download the file",
                ) from None
        try:
            yield connection
        except duckdb.Error as error:
            said = first_line(error).replace(address, shown_address(address))
            raise SourceError(source, without_credentials(said)) from None
