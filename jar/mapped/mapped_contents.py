"""Contents of an index as a file that is mapped into memory: nothing is parsed, and DuckDB is not loaded.

It lies in the user's cache folder, is made when an index is read for the first time, and holds for one state of the
index file, of Python, numpy and this package. In any other case it is not used, and the index is read and mapped anew.
``JAR_MAPPED=off`` in the environment does without.

Layout: `HEAD`, the path of the index, the contents as plain values (`jar.mapped.plain_objects`), then their arrays,
each at a multiple of `ALIGNED` bytes.
"""

from __future__ import annotations

import hashlib
import marshal
import math
import mmap
import os
import struct
import sys
import time
import zlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

import numpy as np

from jar.mapped.plain_objects import PACKAGES, AnyArray, made, plain
from jar.user_cache import user_cache

SWITCH = "JAR_MAPPED"
"""The environment variable by which a user does without, when it is one of `OFF`."""
OFF = ("off", "0", "no", "false")
FOLDER = "mapped"
"""The folder of `user_cache`."""
LARGEST = 1 << 30
"""Bytes of arrays beyond which contents are not mapped."""
DATABASE_HEAD = 3 * 4096
"""Bytes at the start of an index file that change with each change of it: DuckDB's headers."""
LONGEST_PATH = 1 << 16
ABANDONED = 3600
"""Seconds after which a file that was not written to its end is deleted."""
MAGIC = b"jarmap01"
ALIGNED = 64
WORD = np.dtype("<u8")


class Head(NamedTuple):
    """The beginning of a file: bytes of all of it, of path and objects, and sums by which damage is found."""

    magic: bytes
    state: bytes
    total: int
    path: int
    objects: int
    checksum: int
    arrays: int

    @property
    def end(self) -> int:
        """Where the objects end."""
        return HEAD.size + self.path + self.objects


HEAD = struct.Struct("<8s32sQQQQQ")


class MappedContents:
    """The mapped contents of an index file in the state in which it is now.

    Parameters
    ----------
    path : Path
        The index file.
    """

    def __init__(self, path: Path) -> None:
        self.path = os.path.realpath(path)
        is_off = os.environ.get(SWITCH, "").strip().casefold() in OFF
        folder = None if is_off else user_cache(FOLDER)
        name = hashlib.sha256(os.fsencode(self.path)).hexdigest()[:32]
        self.file = None if folder is None else folder / f"{name}.map"
        self.state = None if self.file is None else _state(self.path)

    def read(self) -> Any:
        """The contents; None where they are not mapped, or those of another state.

        The file stays open as long as they live.
        """
        if self.file is None or self.state is None:
            return None
        try:
            if not self.file.is_file():
                return None
            with open(self.file, "rb") as file:
                if hasattr(os, "getuid") and os.fstat(file.fileno()).st_uid != os.getuid():
                    return None  # what somebody else wrote is not read
                whole = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
        except (OSError, ValueError):
            return None
        head = _checked_head(whole, self.state)
        if head is None:
            return None
        shapes, objects = marshal.loads(whole[head.end - head.objects : head.end])  # noqa: S302 - checked by a sum
        types = [(np.dtype(kind), shape) for kind, shape in shapes]
        sizes = [kind.itemsize * math.prod(shape) for kind, shape in types]
        arrays = [
            np.frombuffer(whole, kind, math.prod(shape), place).reshape(shape)
            for (kind, shape), place in zip(types, _places(head.end, sizes), strict=True)
        ]
        return made(objects, arrays)

    def write(self, contents: object) -> None:
        """Map contents that were read since; nothing where the file has changed, or the folder may not be written."""
        if self.file is None or self.state is None or _state(self.path) != self.state:
            return
        try:
            objects, arrays = plain(contents)
        except TypeError:  # of something that a user gave: the index is read each time
            return
        if sum(array.nbytes for array in arrays) > LARGEST:
            return
        with suppress(OSError):
            self.file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            _forget_lost(self.file.parent)
            _write(self.file, self.state, os.fsencode(self.path), objects, arrays)


def _state(path: str) -> bytes | None:
    """Digest of the state of an index file, and of all that reads it; None while a change of it waits to be merged."""
    if CODE is None or os.path.exists(f"{path}.wal"):
        return None
    try:
        told = os.stat(path)
        with open(path, "rb") as file:
            head = file.read(DATABASE_HEAD)
    except OSError:
        return None
    state = (path, told.st_dev, told.st_ino, told.st_size, told.st_mtime_ns, told.st_ctime_ns, head, CODE)
    return hashlib.sha256(repr(state).encode("utf-8", "replace")).digest()


def _code() -> bytes | None:
    """Digest of Python, numpy and the files of this package; None where these are not to be found."""
    root = Path(__file__).parents[2]
    try:
        files = [
            (entry.name, (source := entry.stat()).st_size, source.st_mtime_ns)
            for package in PACKAGES
            for entry in _sources(root / package)
        ]
    except OSError:  # of a program in one file, or while it is installed
        return None
    return hashlib.sha256(repr((sys.version, np.__version__, files)).encode("utf-8", "replace")).digest()


def _sources(folder: str | Path) -> Iterator[os.DirEntry[str]]:
    """The files of a package: code, weights, statements."""
    with os.scandir(folder) as entries:
        for entry in sorted(entries, key=lambda entry: entry.name):
            if not entry.is_dir():
                yield entry
            elif entry.name != "__pycache__":
                yield from _sources(entry.path)


def _checked_head(whole: memoryview, state: bytes) -> Head | None:
    """The head of a mapped file; None where it is of another state, or the file is damaged."""
    if len(whole) < HEAD.size or len(whole) % WORD.itemsize:
        return None
    head = Head(*HEAD.unpack_from(whole))
    if head[:3] != (MAGIC, state, len(whole)) or head.end > len(whole):
        return None
    is_whole = head.checksum == zlib.crc32(whole[HEAD.size : head.end]) and head.arrays == _sum(
        np.frombuffer(whole, WORD)[_aligned(head.end) // WORD.itemsize :]
    )
    return head if is_whole else None


def _sum(words: AnyArray) -> int:
    """Sum of words of 8 bytes, which takes half as long as a checksum of bytes."""
    return int(words.sum(dtype=WORD))


def _places(start: int, sizes: Sequence[int]) -> list[int]:
    """Where arrays of so many bytes lie that begin behind `start`."""
    return list(accumulate(map(_aligned, sizes), initial=_aligned(start)))[: len(sizes)]


def _aligned(place: int) -> int:
    return -(-place // ALIGNED) * ALIGNED


def _write(target: Path, state: bytes, path: bytes, objects: Any, arrays: Sequence[AnyArray]) -> None:
    told = marshal.dumps(([(array.dtype.str, array.shape) for array in arrays], objects))
    filled = [array.tobytes().ljust(_aligned(array.nbytes), b"\0") for array in arrays]
    start = HEAD.size + len(path) + len(told)
    total = _aligned(start) + sum(map(len, filled))
    of_arrays = sum(_sum(np.frombuffer(array, WORD)) for array in filled) % (1 << 64)
    head = Head(MAGIC, state, total, len(path), len(told), zlib.crc32(path + told), of_arrays)
    partial = target.with_name(f"{target.name}.{uuid4().hex}")
    try:
        with open(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write((HEAD.pack(*head) + path + told).ljust(_aligned(start), b"\0"))
            file.writelines(filled)
            file.flush()
            os.fsync(file.fileno())
        os.replace(partial, target)
    finally:
        partial.unlink(missing_ok=True)


def _forget_lost(folder: Path) -> None:
    """Delete what was mapped of indexes that are no longer there, and what was not written to its end."""
    for file in folder.iterdir():
        with suppress(OSError):
            is_whole = file.suffix == ".map"
            if (is_whole and not _has_index(file)) or (not is_whole and file.stat().st_mtime < time.time() - ABANDONED):
                file.unlink()


def _has_index(mapped: Path) -> bool:
    """Whether the index that was mapped to a file is there."""
    if not mapped.is_file():
        return False
    with open(mapped, "rb") as file:
        read = file.read(HEAD.size)
        if len(read) < HEAD.size:
            return False
        head = Head(*HEAD.unpack(read))
        return head.magic == MAGIC and head.path <= LONGEST_PATH and os.path.exists(file.read(head.path))


CODE = _code()
"""That of this process: what is on the disk may be newer."""
