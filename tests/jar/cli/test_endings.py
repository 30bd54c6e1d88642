"""How a command ends where the system, a file or the user stops it: one line, an honest status, nothing lost."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest
from click.testing import CliRunner, Result

from jar import Catalog, Index, IndexFormatError, IndexWriteError
from jar.cli.main import main
from jar.index import refresh
from jar.mapped.mapped_contents import SWITCH
from jar.sample import sample_frames, write_sample_lake
from tests.jar.conftest import toy_embedder


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, list(map(str, arguments)))


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample lake as files, and an index of a part of it."""
    folder = tmp_path_factory.mktemp("endings")
    write_sample_lake(folder / "lake")
    assert run("index", folder / "lake" / "bank", "-o", folder / "bank.jar", "--embedder", "static").exit_code == 0
    return folder


def index_with_room(lake: Path, output: Path, kilobytes: int) -> subprocess.CompletedProcess[str]:
    """Index where no file may grow beyond a size, which the system refuses as it does on a full disk."""
    size = kilobytes * 1024
    return subprocess.run(
        [sys.executable, "-m", "jar", "index", str(lake / "lake"), "-o", str(output), "--embedder", "static"],
        capture_output=True,
        text=True,
        timeout=300,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)),
    )


@pytest.mark.parametrize("kilobytes", [8, 300, 1200, 2600])
def test_a_full_disk_leaves_the_old_index_and_the_next_run_goes_on(lake: Path, tmp_path: Path, kilobytes: int) -> None:
    """Wherever the room ends: status 1, the remedy in one line, no third state; with room it is done."""
    path = tmp_path / "a.jar"
    path.write_bytes((lake / "bank.jar").read_bytes())
    full = index_with_room(lake, path, kilobytes)
    assert full.returncode == 1, full.stderr
    (message,) = full.stderr.splitlines()
    assert "cannot be written: file too large; make room" in message
    assert path.read_bytes() == (lake / "bank.jar").read_bytes()
    done = run("index", lake / "lake", "-o", path)
    assert done.exit_code == 0, done.output
    assert len(Index.load(path)) == 21


def test_a_place_that_may_not_be_written_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a mount for reading alone: status 1, and what to do."""
    catalog = Catalog.from_frames(sample_frames(rows=10))

    def refused(*_: object, **__: object) -> None:
        raise OSError(30, "Read-only file system", str(tmp_path / "a.jar.partial"))

    monkeypatch.setattr(Path, "mkdir", refused)
    with pytest.raises(IndexWriteError, match=r"a\.jar cannot be written: read-only file system; choose a path"):
        Index.build(catalog, path=tmp_path / "a.jar", embedder=toy_embedder, progress=False)
    write = tmp_path / "t.csv"
    write.write_text("id\n1\n")
    done = run("index", write, "-o", tmp_path / "a.jar", "--embedder", "static")
    assert done.exit_code == 1
    assert "choose a path that may be written" in done.stderr


def test_a_folder_that_is_a_file_is_told(tmp_path: Path) -> None:
    catalog, file = Catalog.from_frames(sample_frames(rows=10)), tmp_path / "notes.txt"
    file.write_text("kept")
    with pytest.raises(IndexWriteError, match="a file has the name of its folder: choose another"):
        Index.build(catalog, path=file / "a.jar", embedder=toy_embedder, progress=False)
    assert file.read_text() == "kept"


@pytest.mark.parametrize("place", [20, 4096 + 5, 2 * 4096 + 5, 300_000])
def test_a_damaged_index_is_told_what_to_do(lake: Path, tmp_path: Path, place: int) -> None:
    """In whatever header or block: status 2, the advice, and no byte changed; or indexing makes it anew."""
    content = bytearray((lake / "bank.jar").read_bytes())
    content[place : place + 60] = b"\xff" * 60
    path = tmp_path / "a.jar"
    path.write_bytes(content)
    with pytest.raises(IndexFormatError, match="left untouched; delete it and index again"):
        Index.load(path)
    for arguments in (("rank", path, "loans"), ("joins", path)):
        done = run(*arguments)
        assert done.exit_code == 2, (arguments, done.output)
        assert "delete it and index again" in done.stderr
        assert path.read_bytes() == bytes(content)
    done = run("index", lake / "lake", "-o", path)
    if place < 3 * 4096:  # that it is an index cannot be told any more
        assert done.exit_code == 2
        assert "delete it and index again" in done.stderr
        assert path.read_bytes() == bytes(content)
    else:  # all is read anew
        assert done.exit_code == 0, done.output
        assert len(Index.load(path)) == 21


@pytest.mark.parametrize("module", ["click", "jar.cli.commands", "jar.cli.joins", "numpy", "duckdb"])
def test_ctrl_c_while_the_command_is_loaded_is_no_error(lake: Path, module: str) -> None:
    """Whatever is being imported at that moment: one line, status 130."""
    stop = (
        "import sys, os, signal\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # a shell's background jobs ignore it
        "class Stop:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name == {module!r}:\n"
        "            os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Stop())\n"
        "sys.argv[0] = 'jar'\n"
        "from jar.__main__ import run\n"
        "run()\n"
    )
    arguments = ["rank", str(lake / "bank.jar"), "Which clients have loans?"]
    read = {**os.environ, SWITCH: "off"}  # else no engine is loaded
    command = [sys.executable, "-c", stop, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, env=read, timeout=300)
    assert done.returncode == 130, done.stderr
    assert done.stderr.splitlines()[-1:] == ["Interrupted"]
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_ctrl_c_while_it_works_is_no_error(lake: Path, tmp_path: Path) -> None:
    """The index is as it was."""
    code = (
        "import os, signal, sys\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from jar.index import refresh\n"
        "refresh.write_texts = lambda *_: os.kill(os.getpid(), signal.SIGINT)\n"
        "from jar.__main__ import run\n"
        "run()\n"
    )
    arguments = ["index", str(lake / "lake"), "-o", str(tmp_path / "a.jar"), "--embedder", "static"]
    (tmp_path / "a.jar").write_bytes((lake / "bank.jar").read_bytes())
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stderr) == (130, "Interrupted\n")
    assert (tmp_path / "a.jar").read_bytes() == (lake / "bank.jar").read_bytes()


@pytest.mark.parametrize(
    "error",
    [
        RuntimeError("Query interrupted"),
        duckdb.InvalidInputException("counting the rows of the Python object 'read' failed: KeyboardInterrupt: "),
    ],
)
def test_ctrl_c_in_the_engine_is_no_damage(
    lake: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    """DuckDB may make an error of its own of it: nothing is begun anew for that, and the index is as it was."""

    def interrupted(*_: object) -> None:
        raise error

    monkeypatch.setattr(refresh, "write_texts", interrupted)
    (tmp_path / "a.jar").write_bytes((lake / "bank.jar").read_bytes())
    done = run("index", lake / "lake", "-o", tmp_path / "a.jar", "--embedder", "static")
    assert (done.exit_code, done.stderr) == (130, "Interrupted\n")
    assert (tmp_path / "a.jar").read_bytes() == (lake / "bank.jar").read_bytes()
    with pytest.raises(KeyboardInterrupt):
        Index.build(Catalog.from_files(lake / "lake"), path=tmp_path / "a.jar", embedder="static", progress=False)


@pytest.mark.parametrize("is_cause", [False, True])
def test_an_interrupted_statement_is_ctrl_c(monkeypatch: pytest.MonkeyPatch, is_cause: bool) -> None:
    """DuckDB raises an error of Python's own, and what comes after it fails in its turn."""

    def interrupted(*_: object) -> None:
        try:
            raise RuntimeError("Query interrupted")
        except RuntimeError as error:
            if not is_cause:
                raise
            raise ValueError("Current transaction is aborted (please ROLLBACK)") from error

    monkeypatch.setattr(Index, "load", interrupted)
    result = run("rank", "shop.jar", "clients")
    assert (result.exit_code, result.stderr) == (130, "Interrupted\n")


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-"])
@pytest.mark.parametrize("command", ["joins {}", "rank {} clients -k 2", "explain {} clients"])
def test_a_process_may_have_no_output(lake: Path, command: str, closed: str) -> None:
    """As one that a scheduler starts: Python has None for it."""
    jar = f"{sys.executable} -m jar {command.format(lake / 'bank.jar')} {closed}"
    done = subprocess.run(jar, shell=True, capture_output=True, text=True, timeout=300)
    assert (done.returncode, "Traceback" in done.stderr) == (0, False)


def test_ignoring_nothing_and_something_is_refused(lake: Path, tmp_path: Path) -> None:
    """In either order, before anything is read."""
    for options in (("nothing", "case"), ("zeros", "nothing")):
        flags = [word for option in options for word in ("--ignore", option)]
        done = run("index", lake / "lake", "-o", tmp_path / "a.jar", *flags)
        assert done.exit_code == 2
        assert "contradict each other" in done.stderr
    assert list(tmp_path.iterdir()) == []
