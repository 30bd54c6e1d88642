"""What the keys of the tables of a database tell of the letters in its names.

A table's name and its first column are mostly short for the same thing: the `DR` of `DRCODE` is a doctor in `DOCMST`,
and then `ANEDR` is another one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product

from joinability.spelling.areas import KEYS, areas, split_area
from joinability.spelling.common_words import ABBREVIATIONS, skeleton, stands_in, word_ranks
from joinability.spelling.compounds import LISTED, TAILS, heads_and_tails
from joinability.spelling.prefixes import is_word
from joinability.spelling.vocabulary import LETTERS, Vocabulary, plain_words
from joinability.spelling.word_forms import is_common, stands_for

SAYS_LITTLE = frozenset("archive backup bak detail fact file header history list master old table tbl".split())
"""Last words of the names of tables that say how they hold something, not what."""
KINDS = frozenset(LISTED.split())
"""Endings of names of data that tell what a column holds wherever they stand, unlike `bk`, a backup at an end alone."""
ROLE_LETTERS: Mapping[str, tuple[str, ...]] = {"p": ("parent",)}
"""What one letter says that a row is to another one."""
MEASURES = frozenset("amount balance charge cost count percent price quantity rate sum total weight".split())
"""What is measured, and neither numbered nor listed."""
NO_THINGS = MEASURES.union("active clean disabled general national special timestamp".split())
"""The same, and what things are like: no table is called so alone."""
SORTS_OF_TABLES: Mapping[str, str] = {"ms": "master", "mf": "master", "tb": "table"}
"""What the names of tables may end with alone, and what it stands for."""
FEWEST_OF_SORT = 2
"""Such names that a database has, at least."""
OF_TITLE = 4
"""Letters of a part of a table's name that its key may be short for."""
SHORTEST_BEGINNING = 3
"""Letters of the beginning of such a name that its key may have in full, at least."""
MOST_OF_ROLE = 4
"""Letters for what a row is to another one, in front of those of its key, at most."""
SHORT_HEAD, FEWEST_ROLES = 2, 3
"""Letters of a key that other names end with by chance, and names that do so, for these to be no chance."""


def key_heads(
    titles: Sequence[str], columns: Sequence[Sequence[str]], vocabulary: Vocabulary
) -> dict[str, tuple[str, ...]]:
    """What the first columns of tables are short for, where the names of the tables say it.

    What stands before the kind of the column counts where it is short for a part of the table's name that is read as
    one word, or has the first letters of all its words; of several such readings none.

    Parameters
    ----------
    titles, columns : names of tables without their schemas, and of the columns of each

    Examples
    --------
    >>> columns = [["DPTCD", "DPTNM"], ["CMPLNO", "CMPLDT"]]
    >>> key_heads(["DEPOT", "CMPLNT"], columns, Vocabulary.of(["DEPOT", "CMPLNT"]))
    {'dpt': ('depot',), 'cmpl': ('complaint',)}
    >>> key_heads(["pay_terms"], [["PTCD", "DESCR"]], Vocabulary.of(["pay_terms"]))
    {'pt': ('pay', 'terms')}
    """
    found: dict[str, set[tuple[str, ...]]] = {}
    of_areas = areas(titles)
    for title, own in zip(titles, columns, strict=True):
        said = plain_words(split_area(title, of_areas)[1])
        for head in {head for name in own[:1] for head in _heads(name) if head not in TAILS}:
            found.setdefault(head, set()).update(_short_for(head, said, vocabulary))
    return {head: next(iter(words)) for head, words in found.items() if len(words) == 1}


def keys_of_titles(
    titles: Sequence[str], columns: Sequence[Sequence[str]], vocabulary: Vocabulary
) -> dict[str, tuple[str, ...]]:
    """The first columns of tables whose names begin alike and end with a word for a key, in words: the `DISCD` of
    `DISCDE` is a code, and nothing "discontinued".

    Parameters
    ----------
    titles, columns : names of tables without their schemas, and of the columns of each

    Examples
    --------
    >>> keys_of_titles(["DISCDE", "SPCCDE"], [["DISCD", "DISDS"], ["SPCCD"]], Vocabulary.of(["DISCDE", "DISCD"]))
    {'discd': ('discount', 'code')}
    """
    found = {}
    for title, own in zip(titles, columns, strict=True):
        for name in _undivided(own[:1]):
            for head, tail in heads_and_tails(name):
                begins = len(head) >= SHORTEST_BEGINNING and title.lower().startswith(head) and name != title.lower()
                if begins and tail in KEYS and len(vocabulary.meaning(name)) == 1 and name not in word_ranks():
                    found[name] = (*vocabulary.meaning(head), TAILS[tail])
    return found


def agreed_heads(
    titles: Sequence[str], columns: Sequence[Sequence[str]], vocabulary: Vocabulary
) -> dict[str, tuple[str, ...]]:
    """What the names of tables and of their first columns begin with, where both are short for one thing: the `DOC` of
    `DOCMST` is a doctor, and no document, where that begins with `DRNO`, and this `DR` is no debit.

    Parameters
    ----------
    titles, columns : names of tables without their schemas, and of the columns of each

    Examples
    --------
    >>> titles, columns = ["DOCMST", "DOCHSP", "CLNT"], [["DRNO", "DRSPC"], ["DRNO", "HSPCD"], ["CLNO"]]
    >>> agreed_heads(titles, columns, Vocabulary.of(titles))
    {'doc': ('doctor',), 'dr': ('doctor',), 'cl': ('client',)}
    """
    found: dict[str, set[tuple[str, ...]]] = {}
    in_titles: dict[str, set[tuple[str, ...]]] = {}
    of_areas = areas(titles)
    for title, own in zip(titles, columns, strict=True):
        said = plain_words(split_area(title, of_areas)[1])[:1]
        beginnings = [piece for part in said for piece in vocabulary.pieces(part)[:1]]
        heads = [head for name in own[:1] for head in _heads(name) if head not in KINDS and not _is_written(head)]
        for beginning, head in product(beginnings, heads):
            in_titles.setdefault(head, set()).add(_whose_letters(beginning, head, vocabulary))
            if words := _agreed(beginning, head, vocabulary):
                found.setdefault(beginning, set()).add(words)
                found.setdefault(head, set()).add(words)
    told = {short: next(iter(words)) for short, words in found.items() if len(words) == 1}
    for head, meant in in_titles.items():
        if head not in found and len(meant) == 1 and (words := next(iter(meant))):
            told[head] = words
    return {
        short: words for short, words in told.items() if len(short) == SHORT_HEAD or vocabulary.meaning(short) != words
    }


def _agreed(beginning: str, head: str, vocabulary: Vocabulary) -> tuple[str, ...]:
    """The one word for which the beginnings of a table's name and of its key both stand: what one of them means by
    itself, where the other may be short for it; else the likeliest for both, unless the key has letters of what the
    table's name means; () for nothing."""
    if beginning == head or len(beginning) < SHORTEST_BEGINNING:
        return ()
    of_title, of_key = vocabulary.readings(beginning), vocabulary.readings(head)
    meant, called = vocabulary.meaning(beginning), vocabulary.meaning(head)
    both = {words: of_title[words] * of_key[words] for words in of_title if words in of_key and len(words) == 1}
    likeliest = max(both, key=lambda words: (both[words], words), default=())
    if meant in both or called in both:
        return max(both.keys() & {meant, called}, key=lambda words: (both[words], words))
    for words, short in ((meant, head), (called, beginning)):
        if len(words) == 1 and words[0] in word_ranks() and _begins(short, words[0]):
            return words
    return () if stands_in(head, meant[0]) else likeliest


def _whose_letters(beginning: str, head: str, vocabulary: Vocabulary) -> tuple[str, ...]:
    """The one word that the beginning of a table's name means, where it begins like two letters of its key, and goes
    on with the other; () for none."""
    words = vocabulary.meaning(beginning)
    is_read = len(words) == 1 and words[0] in word_ranks() and len(beginning) >= SHORTEST_BEGINNING
    is_in_word = len(head) == SHORT_HEAD and words[0][0] == head[0] and stands_in(head[1:], beginning[1:])
    return words if is_read and is_in_word else ()


def things_by_keys(
    titles: Sequence[str], columns: Sequence[Sequence[str]], vocabulary: Vocabulary
) -> dict[str, tuple[str, ...]]:
    """What the names of tables begin with, where it would be a measure and their first columns number it: no `CSTMST`
    that begins with `CSTNO` lists costs.

    Parameters
    ----------
    titles, columns : names of tables without their schemas, and of the columns of each

    Examples
    --------
    >>> things_by_keys(["CSTMST", "CSTHST"], [["CSTNO", "CSTNM"], ["CSTAMT"]], Vocabulary.of(["CSTMST", "customer"]))
    {'cst': ('customer',)}
    """
    found: dict[str, tuple[str, ...]] = {}
    for title, own in zip(titles, columns, strict=True):
        for head, tail in {pair for name in own[:1] for pair in heads_and_tails("".join(plain_words(name)))}:
            begins = len(head) >= SHORTEST_BEGINNING and title.lower().startswith(head) and tail in KEYS
            if begins and MEASURES.issuperset(vocabulary.meaning(head)):
                thing = vocabulary.thing(head, MEASURES)
                found |= {head: thing} if thing and MEASURES.isdisjoint(thing) else {}
    return found


def things_of_titles(
    titles: Sequence[str], columns: Sequence[Sequence[str]], vocabulary: Vocabulary
) -> dict[str, tuple[str, ...]]:
    """What the names of tables begin with, where it would be no thing (`NO_THINGS`) and may be one that the database
    has in full: the `CNTMST` of those who ship containers holds no counts. None that names of columns end with.

    Parameters
    ----------
    titles, columns : names of tables without their schemas, and of the columns of each

    Examples
    --------
    >>> ports = Vocabulary.of(["CNTMST", "container_no"])
    >>> things_of_titles(["CNTMST"], [["CN_NO"]], ports), things_of_titles(["CNTMST"], [["PCS_CNT"]], ports)
    ({'cnt': ('container',)}, {})
    """
    ends = {part for own in columns for name in own for part in plain_words(name)[-1:]}
    heads = {head for name in _undivided(titles) for head in (name, *(head for head, _ in heads_and_tails(name)))}
    found: dict[str, tuple[str, ...]] = {}
    for head in heads - ends:
        if len(head) >= SHORTEST_BEGINNING and NO_THINGS.issuperset(vocabulary.meaning(head)):
            weights = vocabulary.readings(head)
            things = [words for words in weights if vocabulary.has(words) and NO_THINGS.isdisjoint(words)]
            found |= {head: max(things, key=lambda words: (weights[words], words))} if things else {}
    return found


def endings_of_titles(titles: Sequence[str], vocabulary: Vocabulary) -> dict[str, tuple[str, ...]]:
    """The names of tables that end with letters which say what sort of table it is, in words, where several do:
    `CUSTMS` and `SUPPMS` are masters, though `DURMS` is in milliseconds; beside `ORDHD`, `ORDDT` holds details.

    Parameters
    ----------
    titles : names of tables without their schemas

    Examples
    --------
    >>> endings_of_titles(["CUSTMS", "SUPPMS", "LOGS"], Vocabulary.of([]))
    {'custms': ('customer', 'master'), 'suppms': ('supplier', 'master')}
    >>> endings_of_titles(["ORDHD", "ORDDT", "DUEDT"], Vocabulary.of([]))
    {'orddt': ('order', 'detail')}
    """
    names = _undivided(titles)
    headed = [name[:-2] for name in sorted(names) if name.endswith("dt") and not names.isdisjoint(_headers(name[:-2]))]
    found: dict[str, tuple[str, ...]] = {head + "dt": (*vocabulary.meaning(head), "detail") for head in headed}
    for ending, sort in SORTS_OF_TABLES.items():
        heads = [name.removesuffix(ending) for name in sorted(names) if name.endswith(ending)]
        read = {head: vocabulary.meaning(head) for head in heads if head + ending not in word_ranks()}
        known = {head: words for head, words in read.items() if words != (head,) or is_word(head)}
        if len(known) >= FEWEST_OF_SORT:
            found |= {head + ending: (*words, sort) for head, words in known.items()}
    return found


def _headers(head: str) -> set[str]:
    """What the table of headers may be called beside that of details."""
    return {head + ending for ending in ("hd", "hdr")}


def roles_of_keys(columns: Sequence[Sequence[str]], vocabulary: Vocabulary) -> dict[str, tuple[str, ...]]:
    """Names that nobody reads, and that end with a table's key or its letters: `ANEDR` where doctors have a `DRCODE`,
    and `PDPNO` where departments have a `DPNO`.

    Parameters
    ----------
    columns : names of the columns of each table

    Examples
    --------
    >>> columns = [["DEPTCD", "PDEPT"], ["STFNO", "DEPTCD"]]
    >>> roles_of_keys(columns, Vocabulary.of(["DEPMST", "STFMST", *columns[0], *columns[1]]))
    {'pdept': ('parent', 'department')}
    """
    names = _undivided(name for own in columns for name in own)
    keys = _undivided(name for own in columns for name in own[:1])
    known: dict[str, tuple[str, ...]] = {}
    for short in {*(head for key in keys for head in _heads(key) if head not in TAILS), *filter(_heads, keys)}:
        if (words := vocabulary.meaning(short)) != (short,):
            known[short] = words
    ends = {part: [end for start in range(1, len(part)) if (end := part[start:]) in known] for part in names}
    ending = Counter(end for found in ends.values() for end in found)
    told = {}
    for part, found in ends.items():
        if is_common(vocabulary.meaning(part)[0]) or part in word_ranks():
            continue
        for end in found:  # the longest first
            role = part.removesuffix(end)
            is_ending = len(end) > SHORT_HEAD or ending[end] >= FEWEST_ROLES
            if is_ending and (1 < len(role) <= MOST_OF_ROLE or role in ROLE_LETTERS):
                told[part] = (*(ROLE_LETTERS.get(role) or vocabulary.meaning(role)), *known[end])
                break
    return told


def from_and_to(vocabulary: Vocabulary) -> dict[str, tuple[str, ...]]:
    """Names that tell where something begins and ends: `FRWRD` beside `TOWRD` is no "forward".

    Examples
    --------
    >>> from_and_to(Vocabulary.of(["FRWRD", "TOWRD", "FRM", "TOD", "WRDCD"]))
    {'frwrd': ('from', 'ward'), 'towrd': ('to', 'ward')}
    """
    found: dict[str, tuple[str, ...]] = {}
    for part in vocabulary.parts:
        for beginning in ("from", "frm", "fr"):
            rest = part.removeprefix(beginning)
            words = (LETTERS[rest],) if rest in LETTERS else vocabulary.meaning(rest)
            is_read = words != (rest,) or rest in word_ranks()
            end = f"to{rest}"
            if rest != part and is_read and end in vocabulary.parts and not is_common(part) and not is_common(end):
                found |= {part: ("from", *words), end: ("to", *words)}
                break
    return found


def _short_for(head: str, said: Sequence[str], vocabulary: Vocabulary) -> Iterator[tuple[str, ...]]:
    """The words of parts of a table's name for which its key is short: of one part that is one word, or of all by
    their first letters."""
    for part in said:
        words = vocabulary.meaning(part)
        bare = without_last(words)
        is_in_short = len(part) >= OF_TITLE and stands_for(head, part) and head not in word_ranks()
        if len(words) == 1 and words[0] in word_ranks() and is_in_short:
            yield words
        elif len(words) > len(bare) == 1 and bare[0] in word_ranks() and _begins(head, bare[0]):
            yield bare
    if len(said) > 1 and head == "".join(part[0] for part in said) and not is_word(head):
        yield tuple(word for part in said for word in vocabulary.meaning(part))


def _undivided(names: Iterable[str]) -> set[str]:
    """The names that case, digits and separators leave whole, in lower case."""
    return {parts[0] for parts in map(plain_words, names) if len(parts) == 1}


def _is_written(head: str) -> bool:
    """Whether letters are a word of four and more, and short for none."""
    return len(head) > SHORTEST_BEGINNING and head in word_ranks() and head not in ABBREVIATIONS


def _begins(head: str, word: str) -> bool:
    """Whether letters are the first ones of a word, or of its consonants."""
    return head != word and (word.startswith(head) or skeleton(word).startswith(head))


def _heads(name: str) -> list[str]:
    """What stands before the kind of a column in its name: `DPT` of `DPTCD` and `DPT_CD`."""
    *heads, last = plain_words(name) or [""]
    if heads:
        return heads[-1:] if last in TAILS else []
    return [head for head, _ in heads_and_tails(last)]


def without_last(words: Sequence[str]) -> tuple[str, ...]:
    """The words of the name of a table without those that say how it holds something."""
    kept = list(words)
    while len(kept) > 1 and kept[-1] in SAYS_LITTLE:
        kept.pop()
    return tuple(kept)
