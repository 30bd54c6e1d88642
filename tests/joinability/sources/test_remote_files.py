"""Files behind addresses: a server on this machine where DuckDB has its extension, empty files everywhere."""

from __future__ import annotations

import io
import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import duckdb
import pandas as pd
import pytest

from joinability import Catalog, SourceError
from joinability.sources.remote import shown_address


def parquet(frame: pd.DataFrame) -> bytes:
    buffer = io.BytesIO()
    frame.to_parquet(buffer)
    return buffer.getvalue()


FRAME = pd.DataFrame({"id": [1, 2, 3], "code": ["007", "x", "y"]})
FILES = {
    "/lake/t.csv": FRAME.to_csv(index=False).encode(),
    "/lake/u.parquet": parquet(FRAME),
    "/lake/v.json": FRAME.to_json(orient="records").encode(),
    "/lake/empty.csv": b"",
}


class Files(BaseHTTPRequestHandler):
    """Serves `FILES`, and parts of them."""

    protocol_version = "HTTP/1.1"

    def do_HEAD(self) -> None:
        self._answer()

    def do_GET(self) -> None:
        self.wfile.write(self._answer())

    def _answer(self) -> bytes:
        content = FILES.get(self.path.partition("?")[0])
        part = re.match(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        self.send_response(404 if content is None else 206 if part else 200)
        body = content or b""
        if part:
            start, end = int(part[1]), int(part[2] or len(body) - 1)
            self.send_header("Content-Range", f"bytes {start}-{end}/{len(body)}")
            body = body[start : end + 1]
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Accept-Ranges", "bytes")
        self.end_headers()
        return body

    def log_message(self, *arguments: object) -> None:
        """Say nothing."""


@pytest.fixture
def address() -> Iterator[str]:
    """Where the files are served."""
    try:
        duckdb.connect(config={"autoinstall_known_extensions": "false"}).execute("LOAD httpfs")
    except duckdb.Error:
        pytest.skip("DuckDB has no extension httpfs here: python -c \"import duckdb; duckdb.sql('INSTALL httpfs')\"")
    with ThreadingHTTPServer(("127.0.0.1", 0), Files) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/lake"
        server.shutdown()


def rows(catalog: Catalog, table: str) -> list[tuple[object, ...]]:
    source = catalog[table].source
    assert source is not None
    batches = [[column.to_pylist() for column in batch] for batch in source.batches(2)]
    return [row for batch in batches for row in zip(*batch, strict=True)]


@pytest.mark.parametrize("name", ["t.csv", "u.parquet", "v.json"])
def test_a_file_of_a_server_is_read(address: str, name: str) -> None:
    """In batches, the table named after the file, the database after its folder; what follows a "?" is kept silent."""
    catalog = Catalog.from_files(f"{address}/{name}?token=S3CRET")
    (table,) = catalog
    assert table.id == f"lake.{name[0]}"
    assert [str(code) for _, code in rows(catalog, table.id)] == ["007", "x", "y"]
    assert "S3CRET" not in repr(table) + str(table.fingerprint())


@pytest.mark.parametrize(("name", "cause"), [("gone.csv", "404"), ("empty.csv", "the file is empty")])
def test_a_file_that_cannot_be_read_says_why(address: str, name: str, cause: str) -> None:
    """Without what follows a "?"."""
    with pytest.raises(SourceError, match=cause) as caught:
        Catalog.from_files(f"{address}/{name}?token=S3CRET")
    assert "S3CRET" not in str(caught.value)


@pytest.mark.parametrize(("name", "content"), [("t.csv", ""), ("t.json", ""), ("t.json", "[]")])
def test_an_empty_file_is_no_table(tmp_path: Path, name: str, content: str) -> None:
    """DuckDB makes up a column; by its path such a file is refused, too."""
    (tmp_path / name).write_text(content)
    with pytest.raises(SourceError, match="the file is empty"):
        Catalog.from_files(f"file://{tmp_path}/{name}")


@pytest.mark.parametrize("kind", ["https", "s3"])
def test_an_ending_is_looked_at_first(kind: str) -> None:
    """Nobody installs an extension to learn then that the file is of no use."""
    with pytest.raises(SourceError, match=r"a file that ends in \.csv"):
        Catalog.from_files(f"{kind}://host/lake/page.html")


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("https://host/x@y.csv", "https://host/x@y.csv"),
        ("https://host:8080/a/y.csv?token=1", "https://host:8080/a/y.csv"),
        ("https://me:12/cret@host/y.csv", "https://***@host/y.csv"),
        ("s3://bucket/a@b/orders.csv", "s3://bucket/a@b/orders.csv"),
        ("https://me:se/cret@host/y.csv", "https://***@host/y.csv"),
        ("https://me@host/x@y.csv", "https://***@y.csv"),
    ],
)
def test_a_name_may_have_the_sign_of_credentials(address: str, told: str) -> None:
    """Where the host can have no user before it; where it may have one, all goes up to the last sign."""
    assert shown_address(address) == told
