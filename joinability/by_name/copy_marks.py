"""Words that mark a table as a copy of another one: `stg_orders` and `orders_bak` beside `orders`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from joinability.names import name_words
from joinability.spelling.vocabulary import singular

_OTHER_LANGUAGES = frozenset(
    "kopie kopien sicherung sicherungen sicherungskopie duplikat archiv archiviert veraltet "
    "copie sauvegarde sauvegardes doublon ancien ancienne anciens anciennes vieux obsolete temporaire provisoire "
    "copia copias respaldo respaldos duplicado antiguo antigua antiguos viejo vieja "
    "duplicato vecchio vecchia vecchi archivio temporaneo provvisorio "
    "antigo antiga antigos velho velha arquivado temporario "
    "reservekopie archief verouderd oud oude tijdelijk".split()
)
COPIES = _OTHER_LANGUAGES | frozenset(
    "arc archive archived backup backups bak bck bkp bkup copy copies deprecated dev development duplicate duplicates "
    "hist history hst landing legacy old raw sandbox scratch snapshot snapshots stage staging stg temp temporary test "
    "tests testing tmp".split()
)
"""Words in the name of a schema, or of a database, that holds copies of what stands elsewhere, in seven languages."""
SELDOM = frozenset("dev development hist history hst landing snapshot snapshots test tests testing".split())
"""Those of them that a table's own name may have for what it holds."""
MARKS = COPIES - SELDOM
"""Those that mark a copy at an end of a table's own name, as in `stg_orders` and `orders_bak`."""
HISTORIES = frozenset("hist history hst".split())
"""Those that mark a copy where nearly all columns are those of the original: other histories tell what has changed."""
CERTAIN = frozenset("backup backups bak bck bkp bkup staging stg temp temporary tmp".split())
"""Those that no thing has in its name, so that its columns may be called otherwise."""
STAGED = frozenset("stage staging stg temp tmp".split())
"""Those in front of what is on its way to another table, whatever that is called."""
MASTERS = frozenset("master mst mstr".split())
"""Last words of the names of tables that hold each thing once, whatever is told of it elsewhere under its number."""
BEHIND_STEMS = MASTERS.union("hd hdr head header kopf mas ms stamm".split())
"""Such words, and others, where they run together with what the number is of."""
SHARED = 0.5
"""Share of the columns of the narrower of two tables of which one is a copy that both have."""
KEPT = 0.8
"""Share of the columns of a history that the original has, from which it is a copy of rows that are gone there."""

_PERIOD = re.compile(r"_?(?<!\d)(19|20)\d\d([_-]?\d\d){0,2}(?!\d)")
Words = tuple[str, ...]


def marked_copies(names: Sequence[str], columns: Sequence[Sequence[Words]]) -> dict[int, frozenset[str]]:
    """The marks of the tables of one database that are copies: another one of their schema has the rest of the name,
    and half of the columns of the narrower one, unless the mark is `CERTAIN`, and nearly all columns of a history.

    Parameters
    ----------
    names, columns : names of tables, and the words of the columns of each

    Examples
    --------
    >>> shared = [("id",), ("day",)]
    >>> found = marked_copies(["orders", "stg_orders", "orders_2023_bak", "stg_visits", "old.orders_old"], [shared] * 5)
    >>> {place: sorted(marks) for place, marks in found.items()}
    {1: ['stg'], 2: ['bak']}
    >>> marked_copies(["deals", "deal_stages"], [[("id",), ("amount",), ("day",)], [("id",), ("name",), ("step",)]])
    {}
    >>> sorted(marked_copies(["flt", "flt_hist", "pay", "pay_hist"], [*[[("id",)]] * 3, [("id",), ("old",)]]))
    [1]
    """
    placed = [(schema.casefold(), _words(last)) for schema, _, last in (name.rpartition(".") for name in names)]
    whole = {(schema, "".join(words)): place for place, (schema, words) in enumerate(placed)}
    found = {}
    for place, (schema, words) in enumerate(placed):
        for known in (MARKS, HISTORIES):
            marks, rest = known.intersection(words), _unmarked(words, known)
            originals = [whole.get((schema, "".join(cut))) for cut in (rest, _undated(rest))]
            original = next((one for one in originals if one is not None), None)
            if original is not None and _is_copy(marks, columns[place], columns[original]):
                found[place] = marks
    return found


def is_master(name: str, numbered: Words) -> bool:
    """Whether a table holds once each thing that its key numbers, by its name.

    Parameters
    ----------
    numbered : words
        What the key is the number of.

    Examples
    --------
    >>> [is_master(name, ("item",)) for name in ("product_master", "core.ITEM_MST", "masters")]
    [True, True, False]
    >>> [is_master(name, ("mat",)) for name in ("MATHD", "MATSTAMM", "MATWK", "LIFHD")]
    [True, True, False, False]
    """
    words = name_words(name.rpartition(".")[2])
    is_stem_with_ending = len(words) == 1 and words[0].removeprefix("".join(numbered)) in BEHIND_STEMS
    return not MASTERS.isdisjoint(words[-1:]) or (bool(numbered) and is_stem_with_ending)


def is_staged(name: str) -> bool:
    """Whether a table is on its way to another one, by its name.

    Examples
    --------
    >>> [is_staged(name) for name in ("stg_customer", "etl.TMP_INVOICE", "stages", "customer_stage")]
    [True, True, False, False]
    """
    words = name_words(name.rpartition(".")[2])
    return len(words) > 1 and words[0] in STAGED


def without_period(name: str) -> str:
    """The name of a table that holds a year or a month without this; "" of others.

    Examples
    --------
    >>> without_period("sales.orders_2023"), without_period("events_2024_03"), without_period("T001")
    ('sales.orders', 'events', '')
    """
    rest = _PERIOD.sub("", name)
    return rest.casefold() if rest != name else ""


def _is_copy(marks: frozenset[str], columns: Sequence[Words], original: Sequence[Words]) -> bool:
    """Whether a table with some marks is a copy of another one, by the columns of both."""
    own, others = set(columns), set(original)
    if marks & HISTORIES:
        return len(own & others) >= KEPT * len(own)
    return bool(marks & CERTAIN) or len(own & others) >= SHARED * min(len(own), len(others))


def _words(name: str) -> Words:
    return tuple(map(singular, name_words(name)))


def _unmarked(words: Words, marks: frozenset[str]) -> Words:
    """The words between some marks; () where there are none of these."""
    start = next((place for place, word in enumerate(words) if word not in marks), len(words))
    dated = _undated(words)
    end = len(dated) if dated and dated[-1] in marks else len(words)
    while end > start and words[end - 1] in marks:
        end -= 1
    return words[start:end] if end - start < len(words) else ()


def _undated(words: Words) -> Words:
    """The words without numbers at the end."""
    end = len(words)
    while end and words[end - 1].isdigit():
        end -= 1
    return words[:end]
