"""Names as sets of words and of trigrams, in which "StudentID", "student_id" and "students.id" are equal."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from functools import cache, lru_cache

from joinability.spelling.common_words import (
    ABBREVIATIONS,
    ACRONYMS,
    VOWELS,
    singular_of_ies,
    skeleton,
    stands_in,
    word_ranks,
)
from joinability.spelling.product_marks import without_product_mark

GENERIC = frozenset(
    "id ids uid uuid guid sid oid sk key pk ref code cd no nr num number index idx name title slug".split()
)
"""Words that say nothing without the name of the table."""
SORTS = frozenset("category class group kind level mode reason stage state status type".split())
"""Words for sorts of something: the type of a vessel is none of containers."""

KEY_WORDS = frozenset(
    "id ids key code number no uuid guid sid oid xid sk pk fk barcode ein fips identifier hash address symbol geoid "
    "cd nbr num nr ident isbn sku vin ean upc".split()
)
"""Last words of names that say which row is meant, in full or in short."""
_RUN_TOGETHER = re.compile(r"(\w{2,}?)(id|key|code|number|no|sk|cd|nbr|num)")
"""A name in one case that ends in one of these words, after two letters or more."""
_KEY_FIRST = re.compile(r"(id|fk|pk|sk|code|cod|num|no|nr|ref)(\w{2,})")
"""A name in one case that begins with a word which says that a row is meant."""

CONSONANTS = 0.6
"""Share of the consonants of a word that a short form of it has, at least, unless it has the first ones."""
SHARED = 0.8
"""Share of the columns of a table whose names begin with a word that says nothing of a column."""
FREQUENT = 2_000
"""Rank up to which a word of English is no short form, unless it is a known one."""
SHORT_FORM = 3
"""Letters of a short form in the name of a table, at least, for which the name of a column may have the whole word."""
DERIVED = frozenset(["er", "ing", "ment", "or", "r"])
"""What is added to such a word in those that it may stand for all the same."""
FEWEST = 3
"""Fewer names that begin alike share no prefix."""

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_WORD = re.compile(r"[^\W_]+")


@lru_cache(maxsize=65_536)
def name_words(name: str) -> tuple[str, ...]:
    """Lower-case words of a name, split at everything but letters and digits, and at camelCase; accents are composed,
    "#" is a number, and the mark of a product behind the name is left out.

    By these words names are compared for joins. `plain_words` of `joinability.spelling.vocabulary`, by which names are
    read, also splits between letters and digits, and leaves "IDs" whole, as does `words` of `jar.text.texts`.

    Examples
    --------
    >>> name_words("StudentID"), name_words("HTTPRequest_no.2"), name_words("POL#")
    (('student', 'id'), ('http', 'request', 'no', '2'), ('pol', 'number'))
    >>> name_words("memberIDs"), name_words("iso2"), name_words("%")
    (('member', 'i', 'ds'), ('iso2',), ())
    """
    composed = unicodedata.normalize("NFC", without_product_mark(name))
    return tuple(_WORD.findall(_CAMEL.sub(" ", composed).replace("#", " number ").lower()))


def is_key_name(name: str) -> bool:
    """Whether a name says which row is meant, by its last word; words may run together in what is no word itself.

    Examples
    --------
    >>> [is_key_name(name) for name in ("customerKey", "CUST_NBR", "DEPTNO", "keyboard", "paid", "volcano")]
    [True, True, True, False, False, False]
    """
    words = name_words(name)
    return bool(KEY_WORDS.intersection(words[-1:])) or (len(words) == 1 and is_key_run_together(words[0]))


def is_key_run_together(word: str) -> bool:
    """Whether a word in lower case is no word but several, the last of which says which row is meant."""
    return bool(_RUN_TOGETHER.fullmatch(word)) and word not in word_ranks()


def split_key(label: str, subjects: Collection[str]) -> str:
    """The name of a column with its key word apart, where that runs together with what is, or abbreviates, a subject.

    Parameters
    ----------
    subjects : words
        Of the names of the tables of its database, in the singular.

    Examples
    --------
    >>> split_key("idcli", ["client"]), split_key("deptno", ["department"]), split_key("idea", ["client"])
    ('id_cli', 'dept_no', 'idea')
    """
    words = name_words(label)
    if len(words) != 1 or words[0] in word_ranks():
        return label
    for form, about in ((_KEY_FIRST, 2), (_RUN_TOGETHER, 1)):
        match = form.fullmatch(words[0])
        subject = without_s(match[about]) if match else ""
        if match and any(subject == other or abbreviates(subject, other) for other in subjects):
            return "_".join(match.groups())
    return label


@lru_cache(maxsize=65_536)
def without_s(word: str) -> str:
    """A word without the s of a plural, in "ies" with "y" in its place.

    It is cruder than `singular` of `joinability.spelling.vocabulary`, which knows more endings. The weights of the join
    score are fitted with the words that this one makes, so that it stays as it is.

    Examples
    --------
    >>> without_s("stories"), without_s("students"), without_s("class"), without_s("boxes"), without_s("status")
    ('story', 'student', 'class', 'boxe', 'statu')
    """
    if len(word) > 4 and word.endswith("ies"):
        return singular_of_ies(word)
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


@lru_cache(maxsize=65_536)
def header_words(column: str, table: str) -> tuple[str, ...]:
    """Words of the name of a column, in the singular; a generic name gets the words of its table's name before it.

    Examples
    --------
    >>> header_words("ID", "students"), header_words("student_id", "loans")
    (('student', 'id'), ('student', 'id'))
    """
    named = name_words(column)
    return tuple(map(without_s, (*name_words(table), *named) if is_generic(column) else named))


def is_generic(column: str) -> bool:
    """Whether the name of a column says nothing without that of its table.

    Examples
    --------
    >>> is_generic("ID"), is_generic("student_id")
    (True, False)
    """
    return GENERIC.issuperset(name_words(column))


def sorts(word: str) -> bool:
    """Whether a word, in full or in short, is one for sorts of something.

    Examples
    --------
    >>> sorts("type"), sorts("sts"), sorts("vessel")
    (True, True, False)
    """
    return ABBREVIATIONS.get(word, word) in SORTS


def prefix_free(columns: Sequence[str]) -> list[str]:
    """Names of the columns of one table without the words that `SHARED` of them begin with, at least `FEWEST`.

    Words are taken off one by one, as long as so many of all columns begin with them. A name that is nothing but the
    prefix stays as it is, and so does one that does not begin with it.

    Examples
    --------
    >>> prefix_free(["cu_name", "cu_city", "cu_phone", "cu_region_key", "region"])
    ['name', 'city', 'phone', 'region_key', 'region']
    """
    names = [name_words(column) for column in columns]
    start = [0] * len(names)
    longer = list(range(len(names)))
    needed = max(FEWEST, SHARED * len(names))
    while len(longer) >= needed:
        first = Counter(names[place][start[place]] for place in longer if len(names[place]) > start[place])
        word, sharing = first.most_common(1)[0] if first else ("", 0)
        if sharing < needed:
            break
        begun = [place for place in longer if len(names[place]) > start[place] and names[place][start[place]] == word]
        longer = [place for place in begun if len(names[place]) > start[place] + 1]
        for place in longer:
            start[place] += 1
    return ["_".join(name[cut:]) if cut else column for name, cut, column in zip(names, start, columns, strict=True)]


@lru_cache(maxsize=65_536)
def trigrams(text: str) -> frozenset[str]:
    """Letter trigrams of a text, its two ends marked.

    Examples
    --------
    >>> sorted(trigrams("id1"))
    ['^id', 'd1$', 'id1']
    """
    marked = f"^{text}$"
    return frozenset(marked[start : start + 3] for start in range(len(marked) - 2)) or frozenset([marked])


def abbreviates(short: str, long: str) -> bool:
    """Whether a word abbreviates another one: cut off ("cust"), contracted ("dept"), or its consonants ("mgr").

    Examples
    --------
    >>> [abbreviates(*pair) for pair in [("cust", "customer"), ("dept", "department"), ("mgr", "manager")]]
    [True, True, True]
    >>> [abbreviates(*pair) for pair in [("id", "identity"), ("set", "student"), ("drg", "discharge"), ("v1", "v12")]]
    [False, False, False, False]
    """
    if not 2 <= len(short) < len(long) or short[0] != long[0] or short in GENERIC:
        return False
    if not short.isalpha() and re.sub(r"\D", "", short) != re.sub(r"\D", "", long):
        return False
    if long.startswith(short) or (len(short) > 2 and long.startswith(short[:-1]) and long.endswith(short[-1])):
        return True
    consonants = skeleton(long)
    if consonants.startswith(short) or len(short) >= CONSONANTS * len(consonants):
        return VOWELS.isdisjoint(short[1:]) and stands_in(short, long)
    return False


def spelled_out(names: Iterable[tuple[str, ...]], known: Iterable[str]) -> list[set[str]]:
    """Words of each name in the singular, with the known words that they abbreviate and those that abbreviate them.

    A frequent word of English means itself, and what acts on it: a cost is no costume, and "in" no instrument, but
    "ship" may mean a shipper. A short form of `ABBREVIATIONS` means what it stands for there, where that is known, and
    an acronym of `ACRONYMS` its words, where all are: a "po" is a purchase order.

    Parameters
    ----------
    names : iterable of tuples of words
    known : iterable of words
        In the singular.
    """
    names = list(names)
    by_letter: dict[str, list[str]] = {}
    for word in dict.fromkeys(known):
        by_letter.setdefault(word[:1], []).append(word)
    there = {without_s(word) for name in names for word in name}.union(*by_letter.values())
    ranks = word_ranks()

    @cache
    def longer(word: str) -> tuple[str, ...]:
        beside = by_letter.get(word[:1], ())
        long_forms = {long for long in beside if abbreviates(word, long)}
        whole = without_s(ABBREVIATIONS.get(word, ""))
        if whole in beside:  # "stat" is a status and no station; "emp" may begin "emplmst", too
            begins = whole[: len(word) + 1]
            long_forms = {long for long in long_forms if long not in ranks or long.startswith(begins)} | {whole}
        elif whole:  # "pct" is a percentage, also where none is there, and no project
            long_forms = {long for long in long_forms if _is_whole(word, long)}
        elif ranks.get(word, FREQUENT) < FREQUENT:
            long_forms = {long for long in long_forms if long.removeprefix(word).removeprefix(word[-1]) in DERIVED}
        return tuple(long_forms)

    def may_shorten(short: str, word: str) -> bool:
        whole = without_s(ABBREVIATIONS.get(short, ""))
        if whole == word or whole in there:  # a table of stats is none of stations where there is a status
            return whole == word
        if len(short) < SHORT_FORM or (not whole and ranks.get(short, FREQUENT) < FREQUENT):
            return False
        if whole and not (word in ranks and _is_whole(short, word)):
            return False
        return word.isalpha() == short.isalpha() and abbreviates(short, word)

    @cache
    def meant(word: str) -> tuple[str, ...]:
        shorter = [short for short in by_letter.get(word[:1], ()) if may_shorten(short, word)]
        bare = word.rstrip("0123456789")  # "player1_id" and "player2_id" are ids of players
        told = tuple(map(without_s, ACRONYMS.get(word, ())))
        in_full = told if there.issuperset(told) else ()
        return (word, *longer(word), *shorter, *((bare,) if len(bare) >= SHORT_FORM else ()), *in_full)

    @cache
    def of_name(name: tuple[str, ...]) -> set[str]:
        return {meaning for word in name for meaning in meant(without_s(word))}

    return [of_name(name) for name in names]


def _is_whole(short: str, long: str) -> bool:
    """Whether a word has the first letters of another one, `SHORT_FORM` at least, or all that are no vowels."""
    return (len(short) >= SHORT_FORM and long.startswith(short)) or skeleton(long) == short


def endings(names: Sequence[tuple[str, ...]]) -> list[list[int]]:
    """For each name the numbers of the names that it is or ends with, from the start of a word on; breaks do not count.

    The code or the number of a sort of something is no ending: that of vessels is none of the types of containers.

    Examples
    --------
    >>> endings([("home", "team", "id"), ("teamid",), ("id",)]), endings([("vessel", "type", "code"), ("type", "code")])
    ([[0, 1, 2], [1], [2]], [[0], [1]])
    """
    numbers: dict[str, list[int]] = {}
    for number, name in enumerate(names):
        numbers.setdefault("".join(name), []).append(number)
        if len(name) > 1 and name[-1] in KEY_WORDS:
            numbers.setdefault("".join(name[:-1]), []).append(number)
    return [
        [
            number
            for start in range(len(name))
            if not start or not numbers_sorts(name[start:])
            for number in numbers.get("".join(name[start:]), ())
        ]
        for name in names
    ]


def numbers_sorts(words: Sequence[str]) -> bool:
    """Whether words are those of the number or the code of a sort, of whatever it is.

    Examples
    --------
    >>> [numbers_sorts(words) for words in (("type", "id"), ("typ", "cd"), ("vessel", "type", "id"), ("type",))]
    [True, True, False, False]
    """
    return len(words) == 2 and sorts(words[0]) and words[1] in KEY_WORDS
