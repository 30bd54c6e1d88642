"""The names of the tables and columns of one database in words, read together.

What the columns of a table have in front of their names is left out where they run together (`PMPOLN`), and says of
which table others speak: where `BL_` stands in front of the columns of `BLST_MST`, `AS_BL_NO` is the number of a blast.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from joinability.spelling.common_words import word_ranks
from joinability.spelling.prefixes import shared_prefix, without_prefixes
from joinability.spelling.vocabulary import KNOWN, Vocabulary, plain_words

SAYS_LITTLE = frozenset("backup bak detail fact header history list master old table tbl".split())
"""Last words of the names of tables that say how they hold something, not what."""
SHORTEST, LONGEST = 2, 4
"""Letters of what stands in front of the columns of a table, for it to be a name of the table."""


def own_prefixes(
    titles: Sequence[str], columns: Sequence[Sequence[str]], vocabulary: Vocabulary
) -> dict[str, tuple[str, ...]]:
    """What the columns of tables have in front of their names, with the words of the table that it stands for.

    Of several tables with one such prefix, as a table and its history have, the one of fewest words counts.

    Parameters
    ----------
    titles, columns : names of tables without their schemas, and of the columns of each

    Examples
    --------
    >>> columns = [["BL_NO", "BL_DT", "BL_PIT"], ["AS_NO", "AS_BL_NO", "AS_DT"]]
    >>> own_prefixes(["BLST_MST", "ASY_SMPL"], columns, Vocabulary.of(["blast", "assay_sample"]))
    {'bl': ('blast',), 'as': ('assay', 'sample')}
    """
    found: dict[str, tuple[str, ...]] = {}
    for title, own in zip(titles, columns, strict=True):
        prefix = shared_prefix(own, title).rstrip("_")
        if not SHORTEST <= len(prefix) <= LONGEST or prefix in plain_words(title) or _is_common(prefix):
            continue
        words = _without_last(vocabulary.words(title))
        if prefix not in found or len(words) < len(found[prefix]):
            found[prefix] = words
    return found


def _is_common(part: str) -> bool:
    return len(part) > 2 and word_ranks().get(part, KNOWN) < KNOWN


def _without_last(words: Sequence[str]) -> tuple[str, ...]:
    """The words of the name of a table without those that say how it holds something."""
    kept = list(words)
    while len(kept) > 1 and kept[-1] in SAYS_LITTLE:
        kept.pop()
    return tuple(kept)


def database_vocabulary(
    titles: Sequence[str],
    columns: Sequence[Sequence[str]],
    descriptions: Iterable[str] = (),
    told: Mapping[str, tuple[str, ...]] | None = None,
    further: Iterable[str] = (),
) -> Vocabulary:
    """The vocabulary of a database, which knows the prefixes of its tables, too.

    Parameters
    ----------
    titles, columns : names of tables, and of the columns of each
    descriptions : texts
    told : mapping
        What parts of names stand for, by their own descriptions.
    further : other names
    """
    names = [*further, *(name for title, own in zip(titles, columns, strict=True) for name in (title, *own))]
    vocabulary = Vocabulary.of(names, descriptions, told)
    last = [title.rpartition(".")[2] for title in titles]
    prefixes = own_prefixes(last, columns, vocabulary)
    return vocabulary.knowing({**prefixes, **(told or {})}) if prefixes else vocabulary


def read_names(titles: Sequence[str], columns: Sequence[Sequence[str]]) -> tuple[list[str], list[list[str]]]:
    """The names of the tables of a database, and of the columns of each, in words where these say more than the names.

    Examples
    --------
    >>> read_names(["CUST_MST"], [["CUST_NBR", "ShipAddress", "INVDT"]])
    (['customer_master'], [['customer_number', 'ShipAddress', 'invoice_date']])
    """
    bare = without_prefixes(columns)
    vocabulary = database_vocabulary(titles, bare)
    read = [_read(title, title, vocabulary) for title in titles]
    return read, [
        [_read(name, short, vocabulary) for name, short in zip(names, own, strict=True)]
        for names, own in zip(columns, bare, strict=True)
    ]


def _read(written: str, name: str, vocabulary: Vocabulary) -> str:
    """A name in words, but for its schema; as it is written where case, digits and separators show these words."""
    schema, dot, last = name.rpartition(".")
    words = vocabulary.words(last)
    return written if words == plain_words(last) and name == written else f"{schema}{dot}{'_'.join(words)}"
