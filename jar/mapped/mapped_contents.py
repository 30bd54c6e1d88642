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
from typing import Any
from uuid import uuid4

import numpy as np

from jar.mapped.plain_objects import PACKAGES, AnyArray, made, plain

SWITCH = "JAR_MAPPED"
"""The environment variable by which a user does without."""
FOLDER = Path("jar-rerank", "mapped")
"""Below the user's cache folder (``XDG_CACHE_HOME``, else ``~/.cache``)."""
LARGEST = 1 << 30
"""Bytes of arrays beyond which contents are not mapped."""
DATABASE_HEAD = 3 * 4096
"""Bytes at the start of an index file that change with each change of it: DuckDB's headers."""
LONGEST_PATH = 1 << 16
ABANDONED = 3600
"""Seconds after which a file that was not written to its end is deleted."""
HEAD = struct.Struct("<8s32sQQQI")
"""Magic, state, bytes of the whole, of the path and of the objects, and checksum of both."""
MAGIC = b"jarmap01"
ALIGNED = 64


class MappedContents:
    """The mapped contents of an index file in the state in which it is now.

    Parameters
    ----------
    path : Path
        The index file.
    """

    def __init__(self, path: Path) -> None:
        self.path = os.path.realpath(path)
        folder = _folder()
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
            with open(self.file, "rb") as file:
                if hasattr(os, "getuid") and os.fstat(file.fileno()).st_uid != os.getuid():
                    return None  # what somebody else wrote is not read
                whole = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
        except (OSError, ValueError):
            return None
        told = _checked(whole, self.state)
        if told is None:
            return None
        shapes, objects = marshal.loads(told)  # noqa: S302 - what the user wrote, checked by a sum
        start = HEAD.size + _length(whole)
        types = [(np.dtype(kind), shape) for kind, shape in shapes]
        sizes = [kind.itemsize * math.prod(shape) for kind, shape in types]
        arrays = [
            np.frombuffer(whole, kind, math.prod(shape), place).reshape(shape)
            for (kind, shape), place in zip(types, _places(start, sizes), strict=True)
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


def _folder() -> Path | None:
    if os.environ.get(SWITCH, "").casefold() == "off":
        return None
    try:
        return (Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")) / FOLDER
    except RuntimeError:  # a user without a home
        return None


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


def _length(whole: memoryview) -> int:
    """Bytes of path and objects."""
    _, _, _, path, objects, _ = HEAD.unpack_from(whole)
    return int(path + objects)


def _checked(whole: memoryview, state: bytes) -> memoryview | None:
    """The plain values of a mapped file; None where it is of another state, or damaged."""
    if len(whole) < HEAD.size:
        return None
    magic, held, total, path, _, checksum = HEAD.unpack_from(whole)
    told = whole[HEAD.size : HEAD.size + _length(whole)]
    is_whole = magic == MAGIC and held == state and total == len(whole) and checksum == zlib.crc32(told)
    return told[path:] if is_whole else None


def _places(start: int, sizes: Sequence[int]) -> list[int]:
    """Where arrays of so many bytes lie that begin behind `start`."""
    rounded = accumulate((_aligned(size) for size in sizes), initial=_aligned(start))
    return list(rounded)[: len(sizes)]


def _aligned(place: int) -> int:
    return -(-place // ALIGNED) * ALIGNED


def _write(target: Path, state: bytes, path: bytes, objects: Any, arrays: Sequence[AnyArray]) -> None:
    told = marshal.dumps(([(array.dtype.str, array.shape) for array in arrays], objects))
    sizes = [array.nbytes for array in arrays]
    *places, total = _places(HEAD.size + len(path) + len(told), [*sizes, 0])
    head = HEAD.pack(MAGIC, state, total, len(path), len(told), zlib.crc32(path + told))
    partial = target.with_name(f"{target.name}.{uuid4().hex}")
    try:
        with open(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(head + path + told)
            for place, array in zip(places, arrays, strict=True):
                file.seek(place)
                file.write(np.ascontiguousarray(array).data)
            file.truncate(total)
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
    with open(mapped, "rb") as file:
        head = file.read(HEAD.size)
        if len(head) < HEAD.size:
            return False
        magic, _, _, length, _, _ = HEAD.unpack(head)
        return magic == MAGIC and length <= LONGEST_PATH and os.path.exists(file.read(length))


CODE = _code()
"""That of this process: what is on the disk may be newer."""
