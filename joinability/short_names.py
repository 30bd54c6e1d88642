"""Ids of tables and columns by names that are short for them, or misspelled."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from difflib import get_close_matches

from joinability.errors import CatalogError
from joinability.lines import listed

LISTED = 5
"""Ids that a message about a short name lists."""
NEAREST = 3
"""Ids that a message about an unknown name proposes."""
MOST_UNKNOWN = 10
"""Unknown names of descriptions that an error tells."""


def full_names(short: str, ids: Iterable[str]) -> list[str]:
    """The ids that a name which is none may stand for: those that end with it, from one of their dots on.

    Where none does, those that are or end with it in other letter case, or with their accents in the other form of
    Unicode, as in names of files that macOS wrote.

    Examples
    --------
    >>> full_names("loan", ["bank.loan", "bank.sloan", "old.bank.loan"]), full_names("BANK.LOAN", ["bank.loan"])
    (['bank.loan', 'old.bank.loan'], ['bank.loan'])
    """
    if not short:
        return []
    known = list(ids)
    if ending := [id_ for id_ in known if id_.endswith(f".{short}")]:
        return ending
    folded = folded_name(short)
    return [id_ for id_ in known if f".{folded_name(id_)}".endswith(f".{folded}")]


def folded_name(name: str) -> str:
    """A name in which neither letter case nor the form of accents counts."""
    return unicodedata.normalize("NFC", name).casefold()


def nearest_names(name: object, known: Iterable[str]) -> list[str]:
    """The ids that are spelled nearly as a name, in full or from one of their dots on: the best `NEAREST` of them, best
    first. Case does not count.

    Examples
    --------
    >>> nearest_names("lones", ["bank.loan", "bank.client"]), nearest_names("CLIENT", ["bank.loan", "bank.client"])
    (['bank.loan'], ['bank.client'])
    """
    asked = folded_name(str(name))
    parts = asked.count(".") + 1
    spelled: dict[str, list[str]] = {}
    for id_ in known:
        folded = folded_name(id_)
        for form in {folded, ".".join(folded.split(".")[-parts:])}:
            spelled.setdefault(form, []).append(id_)
    close = get_close_matches(asked, list(spelled), n=NEAREST)
    return list(dict.fromkeys(id_ for form in close for id_ in spelled[form]))[:NEAREST]


def ambiguous(kind: str, short: str, ids: Sequence[str]) -> str:
    """That a short name stands for several ids, in words.

    Examples
    --------
    >>> ambiguous("table", "loan", ["bank.loan", "old.loan"])
    "'loan' is the short name of 2 tables: bank.loan, old.loan; give the id of the one that is meant"
    """
    named = listed(ids, LISTED)
    return f"{short!r} is the short name of {len(ids)} {kind}s: {named}; give the id of the one that is meant"


def meant_ids(names: Collection[str], known: Mapping[str, Collection[str]]) -> dict[str, str]:
    """The ids of several kinds that names stand for, as far as there are any: an id itself before what it is short for,
    a kind before the next.

    Raises
    ------
    CatalogError
        When a name is short for several ids of a kind.

    Examples
    --------
    >>> meant_ids(["loan", "loan.date", "x"], {"table": ["bank.loan"], "column": ["bank.loan.date", "bank.x.loan"]})
    {'loan': 'bank.loan', 'loan.date': 'bank.loan.date'}
    """
    meant = {name: name for name in names if any(name in ids for ids in known.values())}
    for kind, ids in known.items():
        ended: dict[str, list[str]] = {name: [] for name in names if name not in meant}
        for id_ in ids if ended else ():
            parts = id_.split(".")
            for ending in (".".join(parts[start:]) for start in range(1, len(parts))):
                if ending in ended:
                    ended[ending].append(id_)
        for name, found in ended.items():
            if len(found) > 1:
                raise CatalogError(ambiguous(kind, name, found))
            meant.update((name, id_) for id_ in found)
    return meant


def nothing_is_called(unknown: Sequence[str], known: Sequence[str]) -> str:
    """What an error says of descriptions whose names are unknown, with the names that are near."""
    near = [nearest_names(name, known) for name in unknown[:MOST_UNKNOWN]]
    hints = [f"did you mean {' or '.join(map(repr, names))}?" if names else "" for names in near]
    if len(unknown) == 1:
        told = f"a description names {unknown[0]!r}, which is no table or column of the catalog"
        return f"{told}; {hints[0]}" if hints[0] else told
    lines = [f"{name!r}{f' ({hint})' if hint else ''}" for name, hint in zip(unknown, hints, strict=False)]
    more = f", and {len(unknown) - MOST_UNKNOWN} more" if len(unknown) > MOST_UNKNOWN else ""
    return f"{len(unknown)} descriptions name no table or column of the catalog: {', '.join(lines)}{more}"
