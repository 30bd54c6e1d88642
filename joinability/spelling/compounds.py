"""Short forms that run together, as names of eight characters and fewer have them: `CUSTNM`, `ordqty`, `apprdt`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from joinability.spelling.common_words import ABBREVIATIONS

LISTED = """
    adr amt bal by cat ccy cd cde cls cnt code cur date desc dsc dt dte dtl dttm flg grp hdr hist id ids ind itm
    key lim lin lmt ln log lvl map mst mth name nbr nm no nr num pct prc qty ref rel rsn seq stat sts tbl text
    tm tot trn txt typ type usr val wgt yr
"""
"""Endings that are words, or that `ABBREVIATIONS` explain."""
ENDINGS_ALONE = """
    arc:archive bk:backup cod:code ctg:category det:detail fil:file fl:flag hd:header his:history hs:history
    hst:history lst:list mas:master nam:name rt:rate tab:table tim:time tp:type ts:timestamp tx:text
"""
"""Those that are short for something at the end of a name alone."""
TAILS: Mapping[str, str] = {
    **{tail: ABBREVIATIONS.get(tail, tail) for tail in LISTED.split()},
    **dict(pair.split(":") for pair in ENDINGS_ALONE.split()),
}
"""What such a name ends with: the kind of what a column holds, or of table."""
LONGEST_TAIL = max(map(len, TAILS))
LEAST_HEAD, MOST = 2, 14
"""Letters before the tail, at least, and of such a name, at most."""
REPEATED = 2
"""Different tails that follow letters which are a word of the database, though no one knows which."""


def heads_and_tails(part: str) -> Iterator[tuple[str, str]]:
    """The cuts of a part of a name before what it may end with, the longest ending first.

    Examples
    --------
    >>> list(heads_and_tails("apprdttm")), list(heads_and_tails("codes"))
    ([('appr', 'dttm'), ('apprdt', 'tm')], [])
    """
    if len(part) <= MOST:
        for length in range(min(LONGEST_TAIL, len(part) - LEAST_HEAD), 1, -1):
            if part[-length:] in TAILS:
                yield part[:-length], part[-length:]


def repeated_heads(parts: Iterable[str]) -> frozenset[str]:
    """What several parts of names begin with, each with another tail, or is a part itself.

    Examples
    --------
    >>> sorted(repeated_heads(["tncno", "tncmst", "odno", "fstcd", "fst"]))
    ['fst', 'tnc']
    """
    tails: dict[str, set[str]] = {}
    for part in parts:
        tails.setdefault(part, set()).add("")
        for head, tail in heads_and_tails(part):
            tails.setdefault(head, set()).add(tail)
    return frozenset(head for head, found in tails.items() if len(found) >= REPEATED)
