"""Files of text that people write with any program: UTF-8, or UTF-16 with its mark at the beginning."""

from __future__ import annotations

import codecs
from pathlib import Path

from joinability.errors import SourceError
from joinability.paths import shown

UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def text_of(path: Path) -> str:
    """The text of a file, without the mark at its beginning.

    Raises
    ------
    SourceError
        When it is of another encoding; the message says how to make it one that is read.
    OSError
        When it cannot be opened.
    """
    raw = path.read_bytes()
    try:
        text = raw.decode("utf-16" if raw.startswith(UTF_16) else "utf-8-sig")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise SourceError(
            shown(path),
            "it is neither UTF-8 nor UTF-16 with a byte order mark: save it as UTF-8, for example by "
            "iconv -f WINDOWS-1252 -t UTF-8 FILE, or -f UTF-16LE",
        )
    return text.replace("\r\n", "\n")
