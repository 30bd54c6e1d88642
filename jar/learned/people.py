"""Whether a question asks for somebody, and which tables tell who: "Who lives in Leeds?" names no customers."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from joinability.by_name.roles import BUYS, DEALS, PEOPLE, PRIVATE, ROLES
from joinability.names import name_words
from joinability.spelling.common_words import ABBREVIATIONS, VOWELS, stands_in, word_ranks
from joinability.spelling.vocabulary import singular

if TYPE_CHECKING:
    from jar.arrays import Array, IntArray
    from jar.index.contents import IndexContents
    from joinability import Table

WHO = frozenset(
    "who whom whose whos whoever anyone everyone everybody people person persons "
    "wer wen wem wessen qui quién quien quiénes quem".split()
)
"""Words that ask for somebody."""
NAMELESS = frozenset("people person persons".split())
"""Those that may also be counted, or do what the question is about."""
MEANT = NAMELESS.union("those one ones man woman anyone anybody everyone everybody someone somebody nobody".split())
"""Words behind which "who" asks for somebody whom the question does not name."""
LEADING = frozenset("about at by for from in of on to with a à con de von".split())
"""Prepositions before "whom": it asks where the word before them does."""
ASKING = MEANT.union(
    "a about all and are as but did do does find give identify if is know list me name or out say see show tell than "
    "the then us was were when where which what how".split()
)
"""Words behind which "who" asks; behind others, as in "customers who ordered", it says more of what is named."""
UNITS = frozenset("per about can could will would".split())
"""Words behind which "person", "people" or "anyone" asks for nobody: they are a unit in "orders per person", a subject
in "books about people", and those who shall answer in "can anyone tell me"."""
COUNTED = frozenset("most many more fewer fewest least several two three four five six".split())
"""Words behind which people are counted: references to them are enough for that."""
ACTING = frozenset("because did do does our that to when where".split())
"""Words behind which people do something, and the question is about that."""
NUMBERS = frozenset("average count number percentage share".split())
"""Words for what is told "of people" without saying who they are."""
OTHERS = frozenset(
    "acolyte administrator adopter adult apprentice arbitrator artist astronaut athlete attendee babysitter baker "
    "barber barista barrister bellringer bidder biologist blogger booker borrower breeder brewer broadcaster "
    "butcher cadet caller camper candidate cardholder carpenter celebrity chairman chairperson champion chemist "
    "child childminder children chorister citizen classmate climber collaborator colleague columnist comedian "
    "commentator competitor complainant composer consumer contact contender contestant contributor councillor "
    "coworker crew cricketer customer cyclist dancer deacon defendant defender delegate dieter donor drinker "
    "economist employer enrollee enthusiast entrant entrepreneur executor exhibitor expert exporter farmer fencer "
    "fighter finalist fisherman follower footballer fosterer founder freelancer friend gamemaster geologist golfer "
    "graduate grandparent grantee grantor groomer groundskeeper grower guest guitarist gymnast headmaster helper "
    "hiker hirer historian hitter holder homeowner householder human hunter importer individual inhabitant inmate "
    "inpatient intern investor invitee jockey juror kid landlady learner lender listener lodger magistrate mariner "
    "mayor mediator member men merchant minder musician nanny narrator neighbor neighbour nominator nominee "
    "novelist occupant offender organist outpatient parent participant partner party patient patron pensioner "
    "petitioner pianist plaintiff player playtester playwright poet politician president priest prisoner prosecutor "
    "psychiatrist psychologist pupil racer reader refugee registrant relative renter respondent retailer retiree "
    "rider ringer rower runner sailor salesmen salespeople scholar scientist scorer scout senator settler sexton "
    "shareholder sibling singer sitter skater skier skipper soldier solicitor soloist songwriter speaker specialist "
    "spokesperson sponsor sportsman staff stakeholder stockholder student subscriber sufferer suspect swimmer "
    "tailor teammate tourist trader traveler traveller trustee typist undergraduate verger viewer visitor vocalist "
    "volunteer voter waitress walker wholesaler winner women wrestler youth".split()
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
    >>> asks_for_somebody("the clients to whom we shipped"), asks_for_somebody("How many people called?")
    (False, False)
    """
    spoken = question if question.isupper() else re.sub(r"\bWHO\b", " ", question)
    told = unicodedata.normalize("NFKC", spoken).casefold().replace("\u2019", "'")
    words = [word.strip("'").removesuffix("'s") for word in re.findall(r"[\w']+", told)]
    return any(word in WHO and _asks(word, words[:place]) for place, word in enumerate(words))


def _asks(word: str, before: Sequence[str]) -> bool:
    """Whether a word of `WHO` asks for somebody behind the other words of the question."""
    last = before[-1] if before else ""
    if word in NAMELESS:
        told_of = last == "of" and not NUMBERS.isdisjoint(before[-2:])
        return last not in UNITS | COUNTED | ACTING and not last.isdigit() and not told_of
    if word in MEANT:
        return last not in UNITS
    if word == "whose" and last == "and":
        return False  # "songs in a format and whose length ..."
    while before and before[-1] in LEADING:
        before = before[:-1]
    if before and before[-1] in NAMELESS:
        return _asks(before[-1], before[:-1])
    return not before or before[-1] in ASKING


def people_asked_for(contents: IndexContents, question: str, tables: IntArray) -> Array:
    """Which of n tables tell who, where a question asks for somebody, shape (n,).

    1 for a table that holds people, 1/2 for another one that names somebody in a column, else 0.
    """
    if not asks_for_somebody(question):
        return np.zeros(len(tables))
    names = contents.words.of_name

    def told(table: int) -> float:
        one = contents.tables[table]
        return 1.0 if holds_people(one, names(table)) else 0.5 if names_somebody(one) else 0.0

    return np.array([told(table) for table in tables.tolist()], dtype=np.float64)


def holds_people(table: Table, words: Iterable[str] = ()) -> bool:
    """Whether a table holds people, or firms that deal, by its name or by names of people in its columns.

    Parameters
    ----------
    words : iterable of str
        What the name may be read as: `CUSMST` is short for "customer".

    Examples
    --------
    >>> from joinability import Column, Table
    >>> names = ("vip_customers", "customer_orders", "HR_EMPL", "gameMasters")
    >>> [holds_people(Table("shop", name, [Column("id")])) for name in names]
    [True, False, True, True]
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


def names_somebody(table: Table) -> bool:
    """Whether a column has names of people: a text that is called after somebody, and no declared key.

    Examples
    --------
    >>> from joinability import Column, Table
    >>> columns = [("director", "TEXT"), ("owner_name", "CHAR"), ("customer", "INT"), ("customer_email", "TEXT")]
    >>> [names_somebody(Table("shop", "x", [Column(name, type=declared)])) for name, declared in columns]
    [True, True, False, False]
    """
    keys = {column for key in table.foreign_keys for column in key.columns}
    return any(
        _is_called_after_somebody(column.name)
        and column.name not in keys
        and column.family == "text"
        for column in table.columns
    )


@lru_cache(100_000)
def _is_called_after_somebody(name: str) -> bool:
    words = [ABBREVIATIONS.get(word, word) for word in map(singular, name_words(name))]
    if len(words) > 1 and words[-1] == "name":
        words.pop()
    return bool(words) and words[-1] in HOLD_PEOPLE


@lru_cache(10_000)
def _is_of_people(name: str) -> bool:
    words = [singular(word) for word in name_words(name)]
    while len(words) > 1 and (words[-1] in FILLING or not words[-1].isalpha()):
        if "".join(words[-2:]) in HOLD_PEOPLE:  # a game master is no game
            return True
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
    return (len(short) > 3 or VOWELS.isdisjoint(short[1:])) and stands_in(short, word)
