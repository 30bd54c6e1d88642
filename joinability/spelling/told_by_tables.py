"""What the tables of a database tell of the letters in its names: prefixes, keys and numbered files.

What the columns of a table have in front of their names says of which table others speak: where `BL_` stands in front
of the columns of `BLST_MST`, `AS_BL_NO` is the number of a blast. So does what its first column is short for.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from joinability.spelling.areas import areas, split_area
from joinability.spelling.common_words import ABBREVIATIONS
from joinability.spelling.compounds import TAILS
from joinability.spelling.prefixes import is_word, shared_prefix
from joinability.spelling.told_by_keys import (
    KINDS,
    agreed_heads,
    endings_of_titles,
    from_and_to,
    key_heads,
    keys_of_titles,
    roles_of_keys,
    things_by_keys,
    things_of_titles,
    without_last,
)
from joinability.spelling.vocabulary import Vocabulary, plain_words

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
    told = {
        **_staged(titles),
        **endings_of_titles(titles, vocabulary),
        **things_of_titles(titles, columns, vocabulary),
        **keys_of_titles(titles, columns, vocabulary),
        **key_heads(titles, columns, vocabulary),
        **agreed_heads(titles, columns, vocabulary),
        **things_by_keys(titles, columns, vocabulary),
        **own_prefixes(titles, columns, vocabulary),
        **coded_tables(titles, columns, vocabulary),
    }
    knowing = vocabulary.knowing({**told, **vocabulary.told})
    return {**roles_of_keys(columns, knowing), **from_and_to(knowing), **told}


def _staged(titles: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """What `stg` stands for where tables begin with it: no storage."""
    return {"stg": ("staging",)} if any(title.lower().startswith("stg_") for title in titles) else {}


def own_prefixes(
    titles: Sequence[str], columns: Sequence[Sequence[str]], vocabulary: Vocabulary
) -> dict[str, tuple[str, ...]]:
    """What the columns of tables have in front of their names, with the words of the table that it stands for.

    Of several tables with one such prefix, as a table and its history have, the one of fewest words counts. The `CD` of
    `CDL` with `CD_VAL` and `CD_TXT` is a code all the same.

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
        if not SHORTEST <= len(prefix) <= LONGEST or prefix in KINDS or prefix in plain_words(title) or is_written:
            continue
        words = without_last(vocabulary.words(rest))
        if prefix not in found or len(words) < len(found[prefix]):
            found[prefix] = words
    return found


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
