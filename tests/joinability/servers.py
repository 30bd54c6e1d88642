"""Throw-away servers for the tests: databases in temporary folders on free ports, stopped at the end.

They are started here, not by the system: Debian's packages have to be installed, no more (`tests/services.sh`). A
server that is not there skips the tests that need it, with the reason.
"""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

HINT = "bash tests/services.sh installs it"
WAIT = 60.0


@contextmanager
def postgres_server() -> Iterator[str]:
    """A PostgreSQL server; the URL of its superuser."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    initdb = str(found[-1]) if found else _program("initdb")
    if initdb is None:
        pytest.skip(f"no PostgreSQL server: {HINT}")
    tools = Path(initdb).parent
    with _folder("postgres") as (folder, user):
        port = _free_port()
        data = str(folder / "data")
        _run([initdb, "-D", data, "-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale=C.UTF-8", "-N"], user)
        options = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1 -c fsync=off"
        control = str(tools / "pg_ctl")
        _run([control, "-D", data, "-o", options, "-w", "-l", str(folder / "log"), "start"], user)
        try:
            yield f"postgresql://postgres@127.0.0.1:{port}/postgres"
        finally:
            _run([control, "-D", data, "-m", "immediate", "-w", "stop"], user)


@contextmanager
def mariadb_server() -> Iterator[str]:
    """A MariaDB server; the URL of a user who may do everything."""
    server, install = _program("mariadbd"), _program("mariadb-install-db")
    if server is None or install is None:
        pytest.skip(f"no MariaDB server: {HINT}")
    import pymysql

    with _folder("mysql") as (folder, user):
        data, end = folder / "data", folder / "socket"
        own = [] if user is None else [f"--user={user}"]
        normal = "--auth-root-authentication-method=normal"
        _run([install, "--no-defaults", f"--datadir={data}", normal, "--skip-test-db", *own], None)
        port = _free_port()
        process = subprocess.Popen(
            [server, "--no-defaults", f"--datadir={data}", f"--socket={end}", f"--port={port}", *own,
             "--bind-address=127.0.0.1", f"--pid-file={folder / 'pid'}", "--innodb-flush-log-at-trx-commit=0"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        try:
            until = time.monotonic() + WAIT
            while True:
                try:
                    with pymysql.connect(unix_socket=str(end), user="root") as connection:
                        cursor = connection.cursor()
                        cursor.execute("CREATE USER tester@'%' IDENTIFIED BY 'tester'")
                        cursor.execute("GRANT ALL ON *.* TO tester@'%' WITH GRANT OPTION")
                        cursor.execute("CREATE DATABASE shop CHARACTER SET utf8mb4")
                    break
                except pymysql.err.OperationalError:
                    if process.poll() is not None or time.monotonic() > until:
                        raise
                    time.sleep(0.1)
            yield f"mysql://tester:tester@127.0.0.1:{port}/shop"
        finally:
            process.terminate()
            process.wait(WAIT)


@contextmanager
def spark_session() -> Iterator[Any]:
    """A local Spark session of one core."""
    pytest.importorskip("pyspark", reason="pip install 'jar-rerank[spark]'")
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        pytest.skip(f"no Java for Spark: {HINT}")
    from pyspark.sql import SparkSession

    with tempfile.TemporaryDirectory() as folder:
        builder = SparkSession.builder.master("local[1]").appName("tests")
        settings = {
            "spark.ui.enabled": "false",
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.sql.shuffle.partitions": "1",
            "spark.sql.warehouse.dir": f"{folder}/warehouse",
            "spark.sql.session.timeZone": "Asia/Tokyo",
            "spark.local.dir": folder,
            "spark.log.level": "ERROR",
            "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
            "spark.sql.codegen.wholeStage": "false",
            "spark.sql.adaptive.enabled": "false",
        }
        for name, value in settings.items():
            builder = builder.config(name, value)
        session = builder.getOrCreate()
        try:
            yield session
        finally:
            session.stop()


@contextmanager
def _folder(owner: str) -> Iterator[tuple[Path, str | None]]:
    """A folder with a short path, which sockets need, and the user to run as: servers refuse to be run by root."""
    folder = Path(tempfile.mkdtemp(prefix="jar-", dir="/tmp" if Path("/tmp").is_dir() else None))
    user = None
    try:
        if os.geteuid() == 0:
            try:
                entry = pwd.getpwnam(owner)
            except KeyError:
                pytest.skip(f"no user {owner} to run the server as: {HINT}")
            user = owner
            os.chown(folder, entry.pw_uid, entry.pw_gid)
        yield folder, user
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _program(name: str) -> str | None:
    """The path of a program, also where servers are kept that not every shell looks for."""
    return shutil.which(name, path=os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/sbin", "/sbin"]))


def _run(command: Sequence[str], user: str | None) -> None:
    prefix = [] if user is None else [_program("runuser") or "runuser", "-u", user, "--"]
    done = subprocess.run([*prefix, *command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd="/")
    assert done.returncode == 0, done.stdout


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
