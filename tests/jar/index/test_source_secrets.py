"""Whatever is taken for a source, and wherever it fails: no message repeats a password or a token that stands in it."""

from __future__ import annotations

import logging
import traceback
import warnings
from pathlib import Path

import duckdb
import pytest
from click.testing import CliRunner

from jar import Catalog
from jar.cli.main import main
from jar.index.open_sources import open_sources
from joinability import SourceError
from joinability.credentials import without_credentials
from joinability.engines.duck import Duck
from joinability.engines.spark import Spark

SECRET = "s3cretTOKEN"
PARTS = SECRET[:4], SECRET[4:]
"""A message must not hold even a part of it."""
ADDRESSES = [
    f"md:shop?motherduck_token={SECRET}",
    f"duckdb:md:shop?motherduck_token={SECRET}",
    f"duckdb:///md:shop?motherduck_token={SECRET}",
    f"duckdb:///none.duckdb?motherduck_token={SECRET}",
    f"duckdb:///none.duckdb#token={SECRET}",
    f"duckdb:none.duckdb;token={SECRET}",
    f"duckdb://me:{SECRET}@host/shop",
    f"duckdb://{SECRET}@host/shop.duckdb",
    f"motherduck://shop?motherduck_token={SECRET}",
    f"postgresql://me:{SECRET}@127.0.0.1:1/shop",
    f"postgresql://me:{SECRET}/x@127.0.0.1:1/shop",
    f"postgresql://{SECRET}@127.0.0.1:1/shop",
    f"postgresql://127.0.0.1:1/shop?user=me&password={SECRET}",
    f"postgresql:/me:{SECRET}@127.0.0.1:1/shop",
    f"postgresql:me:{SECRET}@127.0.0.1/shop",
    f"mysql://me:{SECRET}@127.0.0.1:1/shop?unknown={SECRET}",
    f"mysql+pymysql://me:{SECRET}@127.0.0.1:1/shop?ssl_ca={SECRET}",
    f"postgresql://me:{SECRET[:4]}@{SECRET[4:]}@127.0.0.1:1/shop",
    f"postgresql://me:12@{SECRET}/x@127.0.0.1:1/shop",
    f"postgresql://me:12?{SECRET}@127.0.0.1:1/shop",
    f"mysql://127.0.0.1:1/shop?user=a@b&password={SECRET}",
    f"mysql://me@{SECRET}@{SECRET}",
    f"snowflake://me:{SECRET}@account/shop",
    f"databricks://token:{SECRET}@host",
    f"bigquery://project?credentials_base64={SECRET}",
    f"https://me:{SECRET}@host/orders.csv",
    f"sqlite:///none.db?key={SECRET}",
    f"host=127.0.0.1 port=1 password={SECRET}",
    f"host=127.0.0.1 password='a {SECRET}'",
]


@pytest.mark.parametrize("address", ADDRESSES)
def test_no_way_in_repeats_a_secret(
    address: str, tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither as a database nor as a path, alone or beside a source that can be read, and not in a log or a warning."""
    monkeypatch.chdir(tmp_path)
    caplog.set_level(logging.DEBUG)
    Path("good.csv").write_text("id\n1\n")
    told = []
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        for opened in (
            lambda: Catalog.from_database(address),
            lambda: Catalog.from_files(address),
            lambda: Catalog.from_files(["good.csv", address]),
            lambda: Catalog.from_sqlite(address),
            lambda: Catalog.from_sqlite([address, f"other/{address}"]),
            lambda: open_sources([address]),
            lambda: open_sources(["good.csv", address]),
        ):
            try:
                told.append(str(opened()))
            except (SourceError, ValueError, FileNotFoundError) as error:
                told += [str(error), "".join(traceback.format_exception(error))]
    said = "\n".join([*told, *(str(warning.message) for warning in warned), caplog.text])
    assert not [part for part in PARTS if part in said]
    assert [path.name for path in tmp_path.iterdir()] == ["good.csv"]


@pytest.mark.parametrize("address", ADDRESSES)
def test_an_index_of_what_is_left_holds_no_secret(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command line says what failed without it, and no byte of the file that it makes has it."""
    monkeypatch.chdir(tmp_path)
    Path("good.csv").write_text("id\n1\n")
    done = CliRunner().invoke(main, ["index", "good.csv", address, "-o", "lake.jar", "--embedder", "static"])
    assert done.exit_code in (1, 2), done.output
    assert not [part for part in PARTS if part in done.output]
    assert not [path for path in tmp_path.iterdir() if SECRET.encode() in path.read_bytes()]


def test_the_remedy_for_a_url_is_told() -> None:
    """MotherDuck is read through a connection, and SQLite files by their path."""
    with pytest.raises(SourceError, match=r"duckdb\.connect"):
        Catalog.from_database("md:shop")
    with pytest.raises(SourceError, match="from_sqlite"):
        Catalog.from_database("sqlite:///shop.db")


def test_what_engines_say_is_shown_without_secrets() -> None:
    """DuckDB repeats the connection of an attached database, Spark the URL of a source."""
    said = Exception(f'unable to connect to Postgres at "host=h user=me password={SECRET}": refused')
    with duckdb.connect() as connection:
        assert Duck(connection).cause(said) == 'unable to connect to Postgres at "host=h user=me password=***": refused'
    url = Exception(f"no driver for jdbc:mysql://me:{SECRET}@h/shop?accessToken={SECRET}&x=1")
    assert Spark.cause(Spark.__new__(Spark), url) == "no driver for jdbc:mysql://***@h/shop?accessToken=***&x=1"


def test_other_words_stay_as_they_are() -> None:
    """What is no secret is left in a message."""
    text = "column token_count = 3 is at line 7: expected key=value, not pass; see https://host/page"
    assert without_credentials("password too short; " + text.replace(" = 3", "")) == (
        "password too short; " + text.replace(" = 3", "")
    )
