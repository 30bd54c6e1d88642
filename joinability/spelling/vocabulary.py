"""`Vocabulary`: what the names of one database mean, in words.

A name is taken apart at changes of case, digits and separators; what a whole table puts in front of its columns is left
out. A part that is no word is looked up among the short forms of the field of business of the database, matched with
the longer words that it has itself, or cut into words and short forms: the cheapest cut, by their frequency and
with the words of the database first. What costs too much stays as it is. No identifier is changed: this only says how
one reads.

Where English reads few of the names, they are of another language, or codes. Cut into English words they would say
something else ("standort" is no "stan dort"), so that they are cut into parts of other names alone.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain

from joinability.attributes import cached_property
from joinability.spelling.common_words import (
    ABBREVIATIONS,
    ACRONYMS,
    VOWELS,
    likeliest_words,
    singular_of_ies,
    skeleton,
    word_ranks,
)
from joinability.spelling.compounds import TAILS, heads_and_tails, repeated_heads
from joinability.spelling.cuts import cheapest_cut
from joinability.spelling.lexicon import field_weights, reading, readings, short_forms, words_of_fields
from joinability.spelling.product_marks import without_product_mark
from joinability.spelling.word_forms import is_act, is_code, is_derived, stands_for

_PART = re.compile(r"[^\W\d_]+|\d+")
_DOUBLED = re.compile(r"(.)\1")

CASE_CHANGE = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z](?!s(?![a-z]))[a-z])")
"""Where a word begins by its case: airport|Code, HTTP|Server; but IDs is one word."""
SHORT = {short: (word,) for short, word in ABBREVIATIONS.items()} | dict(ACRONYMS)
"""The words that short forms stand for."""
LEAST_CUT = 5
"""Letters from which a part is tried for a cut."""
OWN_LESS, PIECE, LONG_PIECE = 4.0, 2.5, 0.5
"""What a word of the database costs less, and what each piece costs beside its rarity, a long one less, in nats."""
DEAREST, DEAREST_LETTER = 8.0, 1.7
"""What a cut costs at most, with so much more for each letter: what costs more is rather a word of another language."""
MOST_CODE = 8
"""Letters of a part that may have pieces of two letters everywhere."""
FREQUENT = 2_000
"""Rank up to which a word of three letters may be a piece."""
TWO_LETTERS = frozenset("is by of in at to on or no my up it as an be us ga ip tv pk fk id".split())
"""Words of two letters that may be pieces."""
BETWEEN = frozenset("as at be by in is of on or to up".split())
"""Words of two letters between others: what tables say of such letters counts in names in capitals alone."""
NO_PIECES = frozenset("ous ing ment tion sion ness ity ism ist ive ally able ible".split())
"""Endings of words, which are no pieces."""
DESCRIBED = 200
"""Characters of each description whose words are read."""
LONG_PART, UNREAD, FEWEST = 5, 0.45, 8
"""Names are not English where more than this share of their parts of five letters and more, of which there are at least
so many, are neither words nor cut into words. Of databases in English at most .40 are, but for one of codes; of 40
words of another language at least .52."""
LETTERS = {"a": "amount", "c": "code", "d": "date", "n": "number", "t": "time", "u": "user"}
"""What the last letter of a name of six to eight letters may stand for."""
LONGEST_UNCUT = 3
"""Letters that such a name has more than."""
AFTER_ACTS = frozenset("by dt date dte dttm ts tm time tmst user usr uid on at".split())
"""Parts of names that follow what is done."""
RECORDING = {
    "ad": "add", "ch": "change", "cr": "create", "en": "enter", "ins": "insert", "md": "modify", "up": "update",
}  # fmt: skip
"""Letters for what is done to a row, where names tell both who does it and when: `CHUSR` and `CHDT`."""
WHO, WHEN = ("by", "usr"), ("dt", "dte", "dttm", "tim", "tm", "ts")
"""What follows them."""
FLAGS = frozenset("fl flag flg ind yn".split())
"""What follows a word for what either is or is not so."""
FLAGGED = {"act": "active"}
"""Words that are short for another one before those."""
SHORTEST_WORD = 3
"""Letters of a word that may as well be another word's beginning."""
OWN_WORD, OWN_PIECE = 4, 4
"""Letters of a word of a database for which parts stand, and of a part that is a piece of other names, where names are
not English."""
LONG_END = 6
"""Letters of such a part that is a piece by itself, whatever stands in front: `lieferanschrift` is an address."""


def plain_words(name: str) -> list[str]:
    """The words of a name as case, digits and separators show them, in lower case; accents are composed, "#" is a
    number, and the mark of a product behind the name is left out.

    By these words a `Vocabulary` reads names. Unlike `name_words` of `joinability.names` it splits between letters and
    digits, and leaves "IDs" whole.

    Examples
    --------
    >>> plain_words("HTTPServer_no2"), plain_words("SALESORDER")
    (['http', 'server', 'no', '2'], ['salesorder'])
    >>> plain_words("memberIDs"), plain_words("iso2"), plain_words("%")
    (['member', 'ids'], ['iso', '2'], [])
    """
    return list(_parts(name))


@lru_cache(maxsize=1 << 17)
def _parts(name: str) -> tuple[str, ...]:
    apart = CASE_CHANGE.sub(" ", unicodedata.normalize("NFC", without_product_mark(name)))
    return tuple(_PART.findall(apart.replace("#", " number ").lower()))


def singular(word: str) -> str:
    """The singular of an English noun, by its ending; `without_s` of `joinability.names` is the cruder one.

    Examples
    --------
    >>> [singular(word) for word in ("stories", "movies", "addresses", "boxes", "caches", "students", "status")]
    ['story', 'movie', 'address', 'box', 'cache', 'student', 'status']
    >>> singular("pers"), singular("accts")  # short for person, and for accounts
    ('pers', 'acct')
    """
    whole = ABBREVIATIONS.get(word, word)
    if whole != word and singular(whole) == whole:
        return word
    if len(word) > 4 and word.endswith("ies"):
        return singular_of_ies(word)
    if len(word) > 4 and word.endswith(("sses", "xes", "ches", "shes", "zzes", "uses")):
        with_e = word_ranks().get(word[:-1], math.inf) < word_ranks().get(word[:-2], math.inf)
        return word[: -1 if with_e or word.endswith(("auses", "ouses")) else -2]
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


@dataclass(frozen=True)
class Vocabulary:
    """The words that the names of one database are read by.

    Parameters
    ----------
    parts : counter of str
        How often each part stands in its names, as case, digits and separators show them.
    described : frozenset of str
        The words of its descriptions and natural names.
    told : mapping
        What parts of its names stand for, by their own descriptions.
    """

    parts: Counter[str] = field(default_factory=Counter)
    described: frozenset[str] = frozenset()
    told: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    _known: dict[str, tuple[str, ...]] = field(init=False, repr=False, compare=False, default_factory=dict)
    _in_english: dict[str, tuple[str, ...]] = field(init=False, repr=False, compare=False, default_factory=dict)

    @cached_property
    def english(self) -> bool:
        """Whether its names are read as English."""
        long = [part for part in self.parts if len(part) >= LONG_PART and not is_code(part)]
        unread = sum(self._meaning_in_english(part) == (part,) and part not in word_ranks() for part in long)
        return len(long) < FEWEST or unread <= UNREAD * len(long)

    @cached_property
    def _own_words(self) -> frozenset[str]:
        """Words of English that its names and descriptions have in full."""
        words = {word for word in self.parts if len(word) > 2 and word in word_ranks()}
        return frozenset(words | {word for word in self.described if len(word) > 3 and word in word_ranks()})

    @cached_property
    def _long(self) -> Mapping[str, list[str]]:
        """The longer of these by their first letter, the most frequent first."""
        by_letter: dict[str, list[str]] = {}
        for word in sorted(self._own_words, key=lambda word: (-self.parts[word], word)):
            if len(word) >= OWN_WORD:
                by_letter.setdefault(word[0], []).append(word)
        return by_letter

    @cached_property
    def _fields(self) -> tuple[float, ...]:
        """How much the database is of each field of business."""
        return field_weights(chain.from_iterable(map(self.pieces, self.parts)))

    @cached_property
    def _repeated(self) -> frozenset[str]:
        """What several of its parts begin with that are no words."""
        return repeated_heads(part for part in self.parts if part not in word_ranks())

    @classmethod
    def of(
        cls, names: Iterable[str], descriptions: Iterable[str] = (), told: Mapping[str, tuple[str, ...]] | None = None
    ) -> Vocabulary:
        """The vocabulary of a database with these names of its own, its tables and columns, and these descriptions."""
        parts = Counter(part for name in names for part in plain_words(name) if part.isalpha())
        described = {part for text in descriptions for part in plain_words(text[:DESCRIBED]) if part.isalpha()}
        return cls(parts, frozenset(described), told or {})

    def knowing(self, told: Mapping[str, tuple[str, ...]]) -> Vocabulary:
        """The same vocabulary, with other parts of names that stand for something."""
        return replace(self, told=told)

    def has(self, words: Iterable[str]) -> bool:
        """Whether its names and descriptions have these words in full."""
        return self._own_words.issuperset(words)

    def words(self, name: str, prefix: str = "") -> list[str]:
        """The words of a name without a prefix, in lower case; a name without letter or digit is a word of its own.

        Examples
        --------
        >>> shop = Vocabulary.of(["sales", "order_id", "header"])
        >>> shop.words("SALESORDERHEADER"), shop.words("custAcctNbr"), shop.words("cu_nm", "cu_")
        (['sales', 'order', 'header'], ['customer', 'account', 'number'], ['name'])
        >>> shop.words("CNTRCTR"), shop.words("pseudonymous"), shop.words("LASTUPDATEDATE")
        (['contractor'], ['pseudonymous'], ['last', 'update', 'date'])
        >>> atms = shop.knowing({"at": ("branch", "atm")})
        >>> atms.words("created_at"), atms.words("TX_AT")
        (['created', 'at'], ['transaction', 'branch', 'atm'])
        """
        bare = name[len(prefix) :] if prefix and name.lower().startswith(prefix) else name
        parts = plain_words(bare)
        if len(parts) == 1 or bare.lower() in self.told:
            return list(self.told.get(bare.lower()) or self.meaning(parts[0]))
        pairs = zip(parts, [*parts[1:], ""], strict=False)
        plain = frozenset() if bare.isupper() else BETWEEN
        read = ((part,) if part in plain else self._meaning_before(part, after) for part, after in pairs)
        return list(chain.from_iterable(read)) or name.split()

    def _meaning_before(self, part: str, after: str) -> tuple[str, ...]:
        """The words of a part of a name of several parts, by what stands after it."""
        if part in self.told or part in self.described or not self.english:
            return self.meaning(part)
        if len(part) <= SHORTEST_WORD and len(after) > 1 and after.isdigit():  # CB02 is the second list of an area
            return (part,)
        if after in FLAGS and part in FLAGGED:
            return (FLAGGED[part],)
        likely = None
        if not after and part in TAILS:
            likely = (TAILS[part],).__eq__
        elif after in AFTER_ACTS:
            likely = is_act
        return (likely and reading(part, self._fields, self._own_words, likely)) or self.meaning(part)

    def meaning(self, part: str) -> tuple[str, ...]:
        """The words that one part of a name stands for: itself, where it is a word or nothing better is known."""
        if self.english:
            return self._meaning_in_english(part)
        words = self._known.get(part)
        if words is None:
            words = self._known[part] = self.told.get(part) or tuple(self._read_other(part))
        return words

    def _meaning_in_english(self, part: str) -> tuple[str, ...]:
        words = self._in_english.get(part)
        if words is None:
            words = self._in_english[part] = self.told.get(part) or tuple(self._read(part))
        return words

    def _read_other(self, part: str) -> list[str]:
        """The words of a part of a name that is not English: parts of other names, perhaps with an s between them.

        Of the short forms those count that are no beginning of their word, such as `dt`: `prov` need be no provider.
        """
        long = ABBREVIATIONS.get(part, part)
        if not long.startswith(part) and part not in self.described:
            return [long]

        def is_known(piece: str) -> bool:
            return len(piece) >= OWN_PIECE and piece != part and (piece in self.parts or piece in self.described)

        def cost(piece: str) -> float:
            with_s = piece[-1] == "s" and self.parts[piece[:-1]] and len(piece) > OWN_PIECE
            return 1.0 if is_known(piece) or with_s else math.inf

        pieces = cheapest_cut(part, cost)
        ends = range(OWN_PIECE, len(part) - LONG_END + 1) if len(pieces) == 1 else ()
        return next(([part[:end], part[end:]] for end in ends if is_known(part[end:])), pieces)

    def _read(self, part: str) -> list[str]:
        if not part.isascii() or not part.isalpha() or part in ("id", "ids"):
            return [part]
        for head, tail in heads_and_tails(part):
            if head in self.told or (tail in (*WHO, *WHEN) and self._records(head)):
                return [*self.told.get(head, (RECORDING.get(head, head),)), TAILS[tail]]
            if tail in FLAGS and head in FLAGGED:
                return [FLAGGED[head], TAILS[tail]]
        if part not in self.described and (short := self._short(part)):
            return list(short)
        contracted = VOWELS.isdisjoint(part[1:])
        if part in self._own_words or (part in word_ranks() and not (len(part) < LEAST_CUT and contracted)):
            return [part]
        one = singular(part)
        if len(part) > LEAST_CUT and (one in word_ranks() or one in words_of_fields() or is_derived(part)):
            return [part]
        if contracted and (words := self._of_database(part) or self._contracted(part)):
            return words
        if words := self._cut(part) or self._word_with_ending(part):
            return words
        return self._of_database(part) or self._compound(part) or _likeliest(part) or self._with_letter(part) or [part]

    def thing(self, part: str, measures: Collection[str]) -> tuple[str, ...]:
        """What a part is likeliest short for that is none of some measures; () where it is no short form."""
        return reading(part, self._fields, self._own_words, lambda words: words[-1] not in measures)

    def readings(self, part: str) -> dict[tuple[str, ...], float]:
        """What a part may stand for, each with its weight: itself alone, where it is a word."""
        is_short = len(part) <= SHORTEST_WORD or part not in word_ranks()
        return readings(part, self._fields, self._own_words) if is_short else {(part,): 1.0}

    def _records(self, act: str) -> bool:
        """Whether names tell both by whom rows are made or changed and when, with these letters for it."""
        return act in RECORDING and all(any(act + how in self.parts for how in hows) for hows in (WHO, WHEN))

    def pieces(self, part: str) -> list[str]:
        """What a part is cut into, by which a database tells its field; itself where it is a word, or no cut."""
        if len(part) < LEAST_CUT or part in word_ranks() or part in short_forms():
            return [part]
        pieces = cheapest_cut(part, self._cost)
        return pieces if self._may_be(part, pieces) else [part]

    def _cut(self, part: str) -> list[str]:
        """The words of a part that is a cut into words and short forms; none where it is not."""
        *heads, tail = cheapest_cut(part, self._cost) if len(part) >= LEAST_CUT else [part]
        if not heads or not self._may_be(part, [*heads, tail]):
            return []
        read = [word for piece in heads for word in self._short(piece) or (piece,)]
        return [*read, *((TAILS[tail],) if tail in TAILS else self._short(tail) or (tail,))]

    def _with_letter(self, part: str) -> list[str]:
        """The words of a part that is a short form and a letter for what a column holds: `chgu`, `crtd`, `invn`."""
        words = self._short(part[:-1]) if len(part) > LONGEST_UNCUT else ()
        return [*words, LETTERS[part[-1]]] if words and part[-1] in LETTERS else []

    def _may_be(self, part: str, pieces: Sequence[str]) -> bool:
        """Whether a part may be a cut: what costs too much, and a long part with a piece of two letters that is no
        ending of data, is rather a rare word, or one of another language."""
        if sum(map(self._cost, pieces)) > DEAREST + DEAREST_LETTER * len(part):
            return False
        short = [piece for piece in pieces[:-1] if len(piece) < SHORTEST_WORD]
        return len(part) <= MOST_CODE or not (short or (len(pieces[-1]) < SHORTEST_WORD and pieces[-1] not in TAILS))

    def _short(self, part: str) -> tuple[str, ...]:
        """What a part is short for; () where it is no short form."""
        return self.told.get(part) or reading(part, self._fields, self._own_words)

    def _contracted(self, part: str) -> list[str]:
        """The words of a part without vowels: the likeliest, unless the database often begins so."""
        begins = any(head in self._repeated for head, _ in heads_and_tails(part))
        return (begins and self._compound(part)) or _likeliest(part) or self._compound(part)

    def _word_with_ending(self, part: str) -> list[str]:
        """The words of a part that is a word, a short form of three letters and more, or what the database repeats, and
        an ending of data: `formid` is no "for mid", and `invnum` nothing "in"."""
        for head, tail in heads_and_tails(part):
            is_word = len(head) > SHORTEST_WORD and (head in self._own_words or head in word_ranks())
            if is_word or (len(head) >= SHORTEST_WORD and (head in SHORT or head in self._repeated)):
                return [*self._meaning_in_english(head), TAILS[tail]]
        return []

    def _compound(self, part: str) -> list[str]:
        """The words of a part that is a short form or a word with an ending of data; none where it is not."""
        for head, tail in heads_and_tails(part):
            if words := self._head(head):
                return [*words, TAILS[tail]]
        return []

    def _head(self, head: str) -> list[str]:
        """What stands before such an ending, in words; none where nothing is known of it."""
        words = list(self._meaning_in_english(head))
        is_word = head in self._own_words or (len(head) >= SHORTEST_WORD and head in word_ranks())
        return words if is_word or words != [head] or head in self._repeated else []

    def _of_database(self, part: str) -> list[str]:
        """What the word of the database means that a part stands for; nothing where it has none."""
        long = self._long.get(part[0], ())
        found = [word for word in long if stands_for(part, word)]
        if not found and len(part) == 3 and VOWELS.isdisjoint(part[1:]):
            found = [word for word in long if _DOUBLED.sub(r"\1", skeleton(word)).startswith(part)]
        return [word for one in found[:1] for word in self._short(one) or (one,)]

    def _cost(self, piece: str) -> float:
        """What a piece costs in a cut: the log of its rank, less for words of the database; infinite for no word."""
        if piece in NO_PIECES:
            return math.inf
        rank, short = word_ranks().get(piece), short_forms().get(piece)
        if piece in self._own_words or (piece in self.told and len(piece) >= SHORTEST_WORD):
            own = max(1.0, math.log((rank or 0) + 2) - OWN_LESS) + PIECE
            return own if short is None else min(own, short.cost)
        if short is not None:
            return short.cost
        if rank is None or (len(piece) == 2 and piece not in TWO_LETTERS) or (len(piece) == 3 and rank > FREQUENT):
            return math.inf
        return math.log(rank + 2) + (PIECE if len(piece) < LONG_PART else LONG_PIECE)


def _likeliest(part: str) -> list[str]:
    """The likeliest word of English with the consonants of a part; none where there is none."""
    word = likeliest_words().get(part)
    return [] if word is None else [word]
