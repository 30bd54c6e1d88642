"""A real file system without room, and one mounted for reading alone; skipped where none may be mounted."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from jar import Catalog, Index, IndexWriteError
from jar.cli.main import main
from jar.sample import sample_frames
from tests.jar.conftest import toy_embedder

MOMENTS = 10
ROOM = 64 * 2**20


class Disk:
    """A file system in memory."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.mount("-t", "tmpfs", "-o", f"size={ROOM}", "tmpfs")

    def mount(self, *options: str) -> None:
        subprocess.run(["mount", *options, str(self.folder)], check=True, capture_output=True, text=True)

    def change(self, options: str) -> None:
        """Give it another size, or another right."""
        self.mount("-o", f"remount,{options}")


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    """Empty, with room."""
    folder = tmp_path / "disk"
    folder.mkdir()
    try:
        made = Disk(folder)
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"no file system may be mounted here: {getattr(error, 'stderr', error)}")
    yield made
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, list(map(str, arguments)))


def build(tables: int, path: Path) -> Index:
    """Index the first tables of the sample lake."""
    frames = dict(list(sample_frames(rows=12).items())[:tables])
    return Index.build(Catalog.from_frames(frames), path=path, embedder=toy_embedder, progress=False)


def test_wherever_a_disk_is_full_the_old_index_stays(disk: Disk) -> None:
    """With room for no, one, two tenths and so on of what a refresh writes; with room, the next run is the new one."""
    path = disk.folder / "a.jar"
    build(3, path)
    old = path.read_bytes()
    build(8, path)
    needed, refused = path.stat().st_size, 0
    for moment in range(MOMENTS):
        disk.change(f"size={ROOM}")
        for file in disk.folder.iterdir():
            file.unlink()
        path.write_bytes(old)
        disk.change(f"size={len(old) + needed * moment // MOMENTS + 4096}")
        try:
            build(8, path)
            assert len(Index.load(path)) == 8
        except IndexWriteError as error:
            refused += 1
            assert "no space left on device; make room" in str(error)  # noqa: PT017 - it may also succeed
            assert path.read_bytes() == old
        if moment % 3:
            continue
        disk.change(f"size={ROOM}")
        assert len(build(8, path)) == 8
        assert [file.name for file in disk.folder.iterdir()] == ["a.jar"]
    assert refused > MOMENTS / 2


def test_a_disk_without_room_for_a_verdict(disk: Disk) -> None:
    """The command says what to do with status 1, and no verdict is lost or half kept."""
    path = disk.folder / "a.jar"
    index = build(8, path)
    assert run("joins", path, "--veto", *index.tables()["id"][:2]).exit_code == 0
    old = path.read_bytes()
    (disk.folder / "others").write_bytes(bytes(4096))
    disk.change(f"size={len(old) + 8192}")
    done = run("joins", path, "--veto", *index.tables()["id"][2:4])
    disk.change(f"size={ROOM}")
    assert len(Index.load(path, embedder=toy_embedder).verdicts()) == (2 if done.exit_code == 0 else 1)
    if done.exit_code:
        assert done.exit_code == 1
        assert "no space left on device; make room" in done.stderr


def test_a_mount_for_reading_alone(disk: Disk, tmp_path: Path) -> None:
    """Questions are answered; what would be written is refused with status 1, and nothing changes."""
    (tmp_path / "t.csv").write_text("id,name\n1,a\n2,b\n")
    path = disk.folder / "a.jar"
    assert run("index", tmp_path / "t.csv", "-o", path, "--embedder", "distilled").exit_code == 0
    old = path.read_bytes()
    disk.change("ro")
    assert run("rank", path, "names", "-k", "1").exit_code == 0
    (tmp_path / "t.csv").write_text("id,name\n1,a\n2,c\n3,d\n")
    for arguments in (
        ("index", tmp_path / "t.csv", "-o", path),
        ("index", tmp_path / "t.csv", "-o", disk.folder / "b.jar"),
        ("joins", path, "--veto", "t.id", "t.name"),
    ):
        done = run(*arguments)
        assert done.exit_code == 1, (arguments, done.output)
        assert "cannot be written: read-only file system; choose a path that may be written" in done.stderr
    assert run("joins", path, "--veto", "t.id", "t.id").exit_code == 2  # which is refused before
    assert path.read_bytes() == old
    assert [file.name for file in disk.folder.iterdir()] == ["a.jar"]
