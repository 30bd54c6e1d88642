"""Short forms that run together, as names of eight characters and fewer have them: `CUSTNM`, `ordqty`, `apprdt`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

TAILS: Mapping[str, str] = dict(
    pair.split(":")
    for pair in """
    adr:address amt:amount bal:balance bk:backup by:by cat:category ccy:currency cd:code cde:code cls:class
    cnt:count cod:code code:code ctg:category cur:currency date:date desc:description dsc:description dt:date
    dte:date dtl:detail dttm:datetime fl:flag flg:flag grp:group hdr:header his:history hist:history hs:history
    hst:history id:id ids:ids ind:indicator itm:item key:key lim:limit lin:line lmt:limit ln:line log:log lst:list
    lvl:level map:map mst:master mth:month nam:name name:name nbr:number nm:name no:no nr:number
    num:number pct:percent prc:price qty:quantity ref:reference rel:relation rsn:reason rt:rate seq:sequence
    stat:status sts:status tbl:table text:text tim:time tm:time tot:total tp:type trn:transaction ts:timestamp
    tx:text txt:text typ:type type:type usr:user val:value wgt:weight yr:year
    """.split()
)
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
