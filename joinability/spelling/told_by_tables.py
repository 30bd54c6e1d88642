"""What the tables of a database tell of the letters in its names: prefixes, keys and numbered files.

What the columns of a table have in front of their names says of which table others speak: where `BL_` stands in front
of the columns of `BLST_MST`, `AS_BL_NO` is the number of a blast. So does what its first column is short for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from joinability.spelling.areas import KEYS, areas, split_area
from joinability.spelling.common_words import ABBREVIATIONS, skeleton, word_ranks
from joinability.spelling.compounds import TAILS, heads_and_tails
from joinability.spelling.prefixes import is_word, shared_prefix
from joinability.spelling.vocabulary import Vocabulary, plain_words, stands_for

SAYS_LITTLE = frozenset("backup bak detail fact header history list master old table tbl".split())
"""Last words of the names of tables that say how they hold something, not what."""
CODED: Mapping[str, tuple[tuple[str, ...], ...]] = {
    code: tuple(tuple(words.split("_")) for words in readings.split(","))
    for code, _, readings in (
        pair.partition(":")
        for pair in """
    ac:account ad:address ag:agent,agreement ap:accounts_payable ar:accounts_receivable as:asset bk:booking,bank
    bl:bill,bill_of_lading br:branch cc:cost_center cl:claim,client cm:customer cn:contract,contact co:company
    cs:customer ct:contract,contact cu:customer cy:currency dl:delivery,dealer dp:department dr:driver,doctor
    em:employee eq:equipment fa:fixed_asset gl:general_ledger im:item in:invoice,inventory it:item iv:invoice
    jb:job lc:location ln:loan mb:member od:order oh:order or:order pa:patient,part pl:policy,plant
    po:purchase_order pr:product,project pt:patient,part py:payment,payroll qt:quote rc:receipt rt:route sh:shipment
    sm:salesman so:sales_order sp:supplier st:stock,store,student su:supplier sv:service tk:ticket tr:transaction
    us:user ve:vendor,vehicle vh:vehicle vn:vendor wh:warehouse wo:work_order
    """.split()
    )
}
"""What two letters stand for by which files are numbered, the likeliest first."""
CODED_COLUMNS = 2
"""Columns of such a file that begin with its letters, at least."""
_CODED = re.compile(r"([A-Za-z]{2})\d+")
MEASURES = frozenset("amount balance charge cost count percent price quantity rate sum total weight".split())
"""What is measured, and neither numbered nor listed."""
OF_TITLE = 4
"""Letters of a part of a table's name that its key may be short for."""
SHORTEST_BEGINNING = 3
"""Letters of the beginning of such a name that its key may have in full, at least."""
SHORTEST, LONGEST = 2, 4
"""Letters of what stands in front of the columns of a table, for it to be a name of the table."""


def told_by_tables(
    titles: Sequence[str], columns: Sequence[Sequence[str]], vocabulary: Vocabulary
) -> dict[str, tuple[str, ...]]:
    """The words that letters in the names of a database stand for, by its tables.

    Parameters
    ----------
    titles, columns : names of tables without their schemas, and of the columns of each
    """
    return {
        **keys_of_titles(titles, columns, vocabulary),
        **titles_by_keys(titles, columns, vocabulary),
        **key_heads(titles, columns, vocabulary),
        **things_by_keys(titles, columns, vocabulary),
        **own_prefixes(titles, columns, vocabulary),
        **coded_tables(titles, columns, vocabulary),
    }


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
    of_areas = areas(titles)
    for title, own in zip(titles, columns, strict=True):
        prefix = shared_prefix(own, title).rstrip("_")
        rest = split_area(title, of_areas)[1]
        is_whole = any(vocabulary.meaning(part) == (part,) for part in plain_words(rest))
        is_written = is_word(prefix) and (is_whole or prefix in ABBREVIATIONS)
        if not SHORTEST <= len(prefix) <= LONGEST or prefix in plain_words(title) or is_written:
            continue
        words = _without_last(vocabulary.words(rest))
        if prefix not in found or len(words) < len(found[prefix]):
            found[prefix] = words
    return found


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
    {'discd': ('disabled', 'code')}
    """
    found = {}
    for title, own in zip(titles, columns, strict=True):
        for name in {part for name in own[:1] if len(parts := plain_words(name)) == 1 for part in parts}:
            for head, tail in heads_and_tails(name):
                begins = len(head) >= SHORTEST_BEGINNING and title.lower().startswith(head) and name != title.lower()
                if begins and tail in KEYS and len(vocabulary.meaning(name)) == 1 and name not in word_ranks():
                    found[name] = (*vocabulary.meaning(head), TAILS[tail])
    return found


def titles_by_keys(
    titles: Sequence[str], columns: Sequence[Sequence[str]], vocabulary: Vocabulary
) -> dict[str, tuple[str, ...]]:
    """What the names of tables begin with, where their first columns say it: the `DOC` of `DOCMST` is a doctor, and no
    document, where that begins with `DRNO`.

    Parameters
    ----------
    titles, columns : names of tables without their schemas, and of the columns of each

    Examples
    --------
    >>> titles, columns = ["DOCMST", "DOCHSP", "PATMST"], [["DRNO", "DRSPC"], ["DRNO", "HSPCD"], ["PTNO"]]
    >>> titles_by_keys(titles, columns, Vocabulary.of([*titles, "ward", "doctor"]))
    {'doc': ('doctor',)}
    """
    found: dict[str, set[tuple[str, ...]]] = {}
    for title, own in zip(titles, columns, strict=True):
        said = {words for name in own[:1] for head in _heads(name) if len(words := vocabulary.meaning(head)) == 1}
        for beginning in {piece for part in plain_words(title)[:1] for piece in vocabulary.pieces(part)[:1]}:
            for words in said:
                is_short = len(beginning) >= SHORTEST_BEGINNING and stands_for(beginning, *words)
                if is_short and words[0] in word_ranks() and vocabulary.meaning(beginning) != words:
                    found.setdefault(beginning, set()).add(words)
    return {beginning: next(iter(words)) for beginning, words in found.items() if len(words) == 1}


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


def _short_for(head: str, said: Sequence[str], vocabulary: Vocabulary) -> Iterator[tuple[str, ...]]:
    """The words of parts of a table's name for which its key is short: of one part that is one word, or of all by
    their first letters."""
    for part in said:
        words = vocabulary.meaning(part)
        bare = _without_last(words)
        is_in_short = len(part) >= OF_TITLE and stands_for(head, part) and head not in word_ranks()
        if len(words) == 1 and words[0] in word_ranks() and is_in_short:
            yield words
        elif len(words) > len(bare) == 1 and bare[0] in word_ranks() and _begins(head, bare[0]):
            yield bare
    if len(said) > 1 and head == "".join(part[0] for part in said) and not is_word(head):
        yield tuple(word for part in said for word in vocabulary.meaning(part))


def _begins(head: str, word: str) -> bool:
    """Whether letters are the first ones of a word, or of its consonants."""
    return head != word and (word.startswith(head) or skeleton(word).startswith(head))


def coded_tables(
    titles: Sequence[str], columns: Sequence[Sequence[str]], vocabulary: Vocabulary
) -> dict[str, tuple[str, ...]]:
    """What two letters stand for by which files are numbered and their columns begin, and what these columns say, too:
    `CU01` with `CUNO` and `CUCTY`.

    Of several readings that counts whose word the database has.

    Parameters
    ----------
    titles, columns : names of tables without their schemas, and of the columns of each

    Examples
    --------
    >>> coded_tables(["CU01", "CU09"], [["CUNO", "CUCTY"], ["CUGRP"]], Vocabulary.of([]))
    {'cu': ('customer',), 'cucty': ('customer', 'city')}
    """
    found: dict[str, tuple[str, ...]] = {}
    for title, own in zip(titles, columns, strict=True):
        match = _CODED.fullmatch(title)
        code = match[1].lower() if match else ""
        begun = [part for name in own for part in plain_words(name)[:1] if code and part.startswith(code)]
        if code not in CODED or len(begun) < CODED_COLUMNS:
            continue
        found[code] = next((words for words in CODED[code] if vocabulary.has(words)), CODED[code][0])
        for part in begun:
            rest = part.removeprefix(code)
            is_read = is_word(rest) or vocabulary.meaning(rest) != (rest,)
            if vocabulary.meaning(part) == (part,) and rest not in ("", *TAILS) and is_read:
                found[part] = (*found[code], *vocabulary.meaning(rest))
    return found


def _heads(name: str) -> list[str]:
    """What stands before the kind of a column in its name: `DPT` of `DPTCD` and `DPT_CD`."""
    *heads, last = plain_words(name) or [""]
    if heads:
        return heads[-1:] if last in TAILS else []
    return [head for head, _ in heads_and_tails(last)]


def _without_last(words: Sequence[str]) -> tuple[str, ...]:
    """The words of the name of a table without those that say how it holds something."""
    kept = list(words)
    while len(kept) > 1 and kept[-1] in SAYS_LITTLE:
        kept.pop()
    return tuple(kept)
