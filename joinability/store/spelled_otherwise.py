"""Columns whose values are those of a key, but for the case of letters or zeros in front: `pd` and `PD`, `7` and `007`.

As written they join nothing. A few sample values of each column, spelled in other ways, are looked up among the stored
values of keys.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from hashlib import md5
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from joinability.evidence.traits import KEY_UNIQUENESS

if TYPE_CHECKING:
    import duckdb

    from joinability.arrays import Indices
    from joinability.equality import Difference
    from joinability.evidence.profiles import ColumnEvidence

FEWEST = 3
"""Samples of a column at least."""
NEARLY_ALL = 0.8
"""Share of the samples that have to be found in the key."""
MORE = 2
"""Samples that have to be found only when they are spelled otherwise."""
TELLING = 4
"""Characters of samples from which no name has to say that they refer to the key, unless this counts 1, 2, 3, ..."""
NAMED = 0.5
"""How far names have to agree elsewhere (`NameForms.similarity`)."""
MOST = 20_000
"""Columns with samples up to which they are looked up."""
WIDTHS = range(1, 13)
"""Digits of numbers that are filled up with zeros."""
FOUND = """
SELECT spelled.column_id, difference, found.column_id, count(DISTINCT number)
FROM spelled JOIN column_values AS found USING (hash) JOIN profiles ON profiles.column_id = found.column_id
WHERE profiles.uniqueness >= ? AND found.column_id <> spelled.column_id
GROUP BY ALL ORDER BY ALL
"""


class SpelledOtherwise(NamedTuple):
    """A column, the key whose values it has but for their spelling, and what has to be ignored."""

    column: int
    key: int
    difference: Difference


def spelled_otherwise(
    connection: duckdb.DuckDBPyConnection, evidence: ColumnEvidence, ignored: Collection[str] = ()
) -> list[SpelledOtherwise]:
    """The columns of which nearly all samples are values of a key of their database when they are spelled otherwise,
    each with the key that has most of them, and of these with the best name.

    Parameters
    ----------
    connection : DuckDBPyConnection
        To the file of the evidence.
    ignored : collection of str
        Differences that make none in the file.
    """
    import pyarrow as pa

    place = {id_: k for k, id_ in enumerate(evidence.ids)}
    rows = connection.execute("SELECT column_id, table_id || '.' || name, samples FROM profiles").fetchall()
    columns = {number: place[id_] for number, id_, _ in rows if id_ in place}
    samples = {number: texts for number, id_, texts in rows if id_ in place and len(texts or ()) >= FEWEST}
    if not samples or len(samples) > MOST:
        return []
    spelled = [
        (number, k, difference, _hash(text))
        for number, texts in samples.items()
        for k, sample in enumerate(texts)
        for text, difference in spellings(sample)
        if difference not in ignored
    ]
    numbers, order, differences, hashes = zip(*spelled, strict=True)
    told = {"column_id": numbers, "number": order, "difference": differences}
    connection.register("spelled", pa.table({**told, "hash": np.array(hashes, dtype=np.uint64)}))
    counts = {
        (number, key, difference): count
        for number, difference, key, count in connection.execute(FOUND, [KEY_UNIQUENESS]).fetchall()
        if key in columns
    }
    connection.unregister("spelled")
    best: dict[int, tuple[tuple[int, float], SpelledOtherwise]] = {}
    for (number, key, difference), count in counts.items():
        child, parent, texts = columns[number], columns[key], samples[number]
        more = count - counts.get((number, key, ""), 0)
        if not difference or more < MORE or count < NEARLY_ALL * len(texts) or not _meet(evidence, child, parent):
            continue
        name = float(evidence.forms.similarity(*(np.array([side]) for side in (child, parent)))[0])
        tells = np.mean([len(text) for text in texts]) >= TELLING and not evidence.traits.counted[parent]
        if (tells or name >= NAMED) and (child not in best or (count, name) > best[child][0]):
            best[child] = (count, name), SpelledOtherwise(child, parent, difference)
    return [found for _, found in best.values()]


def spellings(sample: str) -> Iterator[tuple[str, str]]:
    """A value as it is written, and otherwise, each with the difference that it takes; "" for none.

    Examples
    --------
    >>> [text for text, difference in spellings("Pd") if difference]
    ['pd', 'PD']
    >>> [text for text, difference in spellings("007") if difference][:4]
    ['7', '07', '0007', '00007']
    """
    yield sample, ""
    if sample.isascii() and sample.isdigit():
        digits = sample.lstrip("0") or "0"
        filled = (digits.zfill(width) for width in WIDTHS if width >= len(digits))
        yield from ((text, "zeros") for text in filled if text != sample)
    else:
        yield from ((text, "case") for text in (sample.lower(), sample.upper()) if text != sample)


def _hash(text: str) -> int:
    """As `hashed` of `sql/normalised.sql`."""
    return int(md5(text.encode(), usedforsecurity=False).hexdigest()[:16], 16)


def _meet(evidence: ColumnEvidence, child: int, parent: int) -> bool:
    """Whether two columns are of different tables of one database."""
    database: Indices = evidence.column_database
    return bool(evidence.table[child] != evidence.table[parent] and database[child] == database[parent])
