"""Whether a question asks for somebody, and which tables hold people: "Who lives in Leeds?" names no customers."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from joinability.by_name.roles import BUYS, DEALS, PEOPLE, PRIVATE, ROLES
from joinability.names import VOWELS, name_words
from joinability.spelling.common_words import ABBREVIATIONS, word_ranks
from joinability.spelling.vocabulary import singular

if TYPE_CHECKING:
    from jar.arrays import Array, IntArray
    from jar.index.contents import IndexContents
    from joinability import Table

WHO = frozenset(
    "who whom whose whos whoever anyone anybody everyone everybody someone somebody nobody people person persons "
    "wer wen wem wessen qui quién quien quiénes quem".split()
)
"""Words that ask for somebody."""
MEANT = frozenset(
    "those one ones man woman people person persons anyone anybody everyone everybody someone somebody nobody".split()
)
"""Words behind which "who" still asks for somebody whom the question does not name."""
LEADING = frozenset("about at by for from in of on to with a à con de von".split())
"""Prepositions before "whom": it asks where the word before them does."""
ASKING = MEANT.union(
    "a about all and are as but did do does find give identify if is know list me name or out say see show tell than "
    "the then us was were when where which what how".split()
)
"""Words behind which "who" asks; behind others, as in "customers who ordered", it says more of what is named."""
UNITS = frozenset("per about can could will would".split())
"""Words behind which people are a unit or a subject, or those who ask."""
OTHERS = frozenset(
    "adopter adult artist astronaut athlete attendee bidder borrower candidate celebrity champion child "
    "children citizen competitor composer contact contestant contributor councillor coworker crew customer "
    "dancer delegate donor enrollee entrant entrepreneur exhibitor expert farmer fighter follower friend golfer "
    "graduate grower guest guitarist human individual intern investor invitee jockey kid lender member men "
    "musician neighbor neighbour nominee occupant parent participant partner patient patron pensioner player "
    "poet politician president prisoner pupil racer relative renter rider sailor salesmen salespeople scholar "
    "scientist senator shareholder singer skater soldier speaker spectator sponsor staff student subscriber "
    "swimmer tourist traveler traveller volunteer voter women wrestler".split()
)
"""Last words of the names of tables that hold people, beside those that say what somebody does."""
HOLD_PEOPLE = PEOPLE | ROLES | PRIVATE | DEALS | BUYS | OTHERS
FILLING = frozenset(
    "archive bak backup base basic copy data dim file info list main master old profile record register table v".split()
)
"""Words behind a word for people that change nothing of what a table holds."""
_FILLING_IN_SHORT = re.compile(r"(?:ma?ste?r?|mas|ta?ble?|fi?le?|da?ta|reco?r?d?)$")
_NAMES = re.compile(
    r"(first|given|fore|vor|last|family|sur|maiden|nach|(?<![a-z])[fl])[_ -]?na?me?(?![a-z])", re.IGNORECASE
)
"""Of people, as columns have them; a table with two kinds of them holds people."""


def asks_for_somebody(question: str) -> bool:
    """Whether a question asks who, other than of those whom it names right before.

    Examples
    --------
    >>> asks_for_somebody("Who lives in Leeds?"), asks_for_somebody("show what was played and by whom")
    (True, True)
    >>> asks_for_somebody("How many customers who ordered a chair live in Leeds?"), asks_for_somebody("Which parks?")
    (False, False)
    >>> asks_for_somebody("the clients to whom we shipped"), asks_for_somebody("What is the price per person?")
    (False, False)
    """
    spoken = question if question.isupper() else re.sub(r"\bWHO\b", " ", question)
    told = unicodedata.normalize("NFKC", spoken).casefold().replace("\u2019", "'")
    words = [word.strip("'").removesuffix("'s") for word in re.findall(r"[\w']+", told)]
    return any(word in WHO and _asks(words, place) for place, word in enumerate(words))


def _asks(words: Sequence[str], place: int) -> bool:
    """Whether a word of `WHO` asks for somebody where it stands."""
    before = place - 1
    if words[place] in MEANT:
        return before < 0 or words[before] not in UNITS
    while before >= 0 and words[before] in LEADING:
        before -= 1
    return before < 0 or words[before] in ASKING


def people_asked_for(contents: IndexContents, question: str, tables: IntArray) -> Array:
    """Which of n tables hold people where a question asks for somebody, shape (n,): 1 or 0; else 0 for all."""
    if not asks_for_somebody(question):
        return np.zeros(len(tables))
    names = contents.words.of_name
    return np.array([holds_people(contents.tables[table], names(table)) for table in tables.tolist()], dtype=np.float64)


def holds_people(table: Table, words: Iterable[str] = ()) -> bool:
    """Whether a table holds people, or firms that deal, by its name or by names of people in its columns.

    Parameters
    ----------
    words : iterable of str
        What the name may be read as: `CUSMST` is short for "customer".

    Examples
    --------
    >>> from joinability import Column, Table
    >>> [holds_people(Table("shop", name, [Column("id")])) for name in ("vip_customers", "customer_orders", "HR_EMPL")]
    [True, False, True]
    >>> holds_people(Table("shop", "CUSMST", [Column("id")]), ["customer", "master"])
    True
    >>> holds_people(Table("shop", "KNA1", [Column("first_name"), Column("last_name")]))
    True
    """
    name = table.name.rpartition(".")[2]
    return (
        _is_of_people(name)
        or any(_is_short_for(word, name.casefold()) for word in words if word in HOLD_PEOPLE)
        or len(set(map(str.casefold, _NAMES.findall("\n".join(table.column_names))))) > 1
    )


@lru_cache(10_000)
def _is_of_people(name: str) -> bool:
    words = [singular(word) for word in name_words(name)]
    while len(words) > 1 and (words[-1] in FILLING or not words[-1].isalpha()):
        words.pop()
    return bool(words) and words[-2:-1] != ["by"] and ABBREVIATIONS.get(words[-1], words[-1]) in HOLD_PEOPLE


def _is_short_for(word: str, name: str) -> bool:
    """Whether the name of a table is a word in short, with or without one that changes nothing behind it (`CUSMST`).

    Three letters are the first ones of the word, or consonants; more are some in their order. A word of its own, as
    `contract`, is short for none.
    """
    short = _FILLING_IN_SHORT.sub("", name)
    if len(short) < 3 or word[0] != short[0] or (short == name and short in word_ranks()):
        return False
    if word.startswith(short):
        return True
    letters = iter(word)
    return (len(short) > 3 or not VOWELS.intersection(short[1:])) and all(letter in letters for letter in short)
