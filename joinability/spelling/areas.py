"""What the names of many tables have in common and tells nothing of any: the letters of an area that those of one
application begin with, as `RS` of `RSVEH`, and what nearly all end with, as `customers_export` and `orders_export`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from joinability.spelling.common_words import ACRONYMS, stands_in, word_ranks
from joinability.spelling.prefixes import begin_together, shared_prefix
from joinability.spelling.vocabulary import plain_words, singular

OF_AREA = 3
"""Tables whose names begin with the same two letters, at least, for these to be those of an area."""
MANY_AREAS, IN_AREAS = 5, 0.8
"""Such letters, and the share of all tables that have some, for those of one or two tables to be of an area as well."""
KEYS = frozenset(["cd", "id", "no", "nr"])
"""Words for keys of two letters: `CD_` is in front of lists of codes."""
SAY_SO = 0.7
"""Share of the tables that begin alike, and whose columns do, too, that say that these letters are of an area."""
HEADS, SHORTEST_REST = (4, 3, 2), 3
"""How many letters the names of a family of tables may begin with, and how many follow at least."""
ALWAYS = frozenset(["hr"])
"""Letters that are always those of an area, where they begin the name of a table: tables hold no hours."""
ENDING, FEWEST_ENDING = 0.8, 3
"""Share of the tables of a database that end alike for this to tell nothing, and so many tables at least."""
_ENDING = re.compile(r"[\W_]+([^\W_]+)[\W_]*$")
_AREA = re.compile(r"([A-Za-z]{2})\d*_(?=\w)|([a-z]{2})(?=[A-Z][a-z])")


def areas(titles: Iterable[str]) -> frozenset[str]:
    """Two letters in front of the names of several tables, with a number or without: those of an area rather than short
    for a word, unless that is an acronym or says that what follows is a code. Where nearly all tables have such letters
    in front, those of a few are of areas, too.

    Examples
    --------
    >>> sorted(areas(["CB01_DECL", "CB02_ITEM", "CB07_CNTR", "PO_HDR", "PO_LIN", "PO_TAX"]))
    ['cb']
    >>> sorted(areas(["fpDepot", "fpTask", "fpTaskType", "hr_jobs", "ouZone"]))
    ['fp', 'hr']
    """
    matches = [_AREA.match(title) for title in titles]
    heads = Counter(_letters(match) for match in matches if match)
    is_rule = len(heads) >= MANY_AREAS and heads.total() >= IN_AREAS * len(matches)
    several = {head for head, count in heads.items() if is_rule or count >= OF_AREA} - ACRONYMS.keys() - KEYS
    return frozenset(several | (heads.keys() & ALWAYS))


def split_area(title: str, of_areas: Collection[str]) -> tuple[str, str]:
    """What the name of a table has in front for its area, with its number, in lower case, and the rest; "" for none.

    Examples
    --------
    >>> split_area("CB01_DECL", ["cb"]), split_area("ORDERS", ["cb"])
    (('cb01', 'DECL'), ('', 'ORDERS'))
    >>> split_area("fpTaskType", ["fp"])
    ('fp', 'TaskType')
    """
    match = _AREA.match(title)
    if match is None or _letters(match) not in of_areas:
        return "", title
    return match[0].rstrip("_").lower(), title[match.end() :]


def _letters(match: re.Match[str]) -> str:
    """The letters of an area, in lower case, where `_AREA` matches."""
    return (match[1] or match[2]).lower()


def titles_as_read(titles: Sequence[str], columns: Sequence[Sequence[str]]) -> list[str]:
    """The names of the tables of a database, without what nearly all end with, and with areas apart
    (`without_shared_endings`, `with_areas_apart`)."""
    return with_areas_apart(without_shared_endings(titles), columns)


def without_shared_endings(titles: Sequence[str]) -> list[str]:
    """The names of the tables of a database, without the last words and numbers that nearly all have.

    A name that would be that of another table, or empty, keeps its ending.

    Examples
    --------
    >>> without_shared_endings(["clients (export)", "dbo.loans (export)", "cards (export)"])
    ['clients', 'dbo.loans', 'cards']
    >>> without_shared_endings(["trips_2024_05_01", "stops_2024_05_01", "lines_2024_05_01"])
    ['trips', 'stops', 'lines']
    >>> without_shared_endings(["sales_2022", "sales_2023", "sales_2024"]), without_shared_endings(["a_log", "b_log"])
    (['sales_2022', 'sales_2023', 'sales_2024'], ['a_log', 'b_log'])
    """
    names = list(titles)
    while ending := _shared_ending(names):
        shorter = [_without(name, ending) for name in names]
        taken = Counter(name.lower() for name in shorter)
        kept = [new if taken[new.lower()] == 1 else name for new, name in zip(shorter, names, strict=True)]
        if kept == names:
            break
        names = kept
    return names


def _shared_ending(titles: Sequence[str]) -> str:
    """The word or number that nearly all of some names end with, in lower case; "" for none."""
    matches = (_ENDING.search(title.rpartition(".")[2]) for title in titles)
    counts = Counter(match[1].lower() for match in matches if match).most_common(1)
    return next((word for word, count in counts if count >= max(ENDING * len(titles), FEWEST_ENDING)), "")


def _without(title: str, ending: str) -> str:
    """A name without a word or number at its end, if it has that and more."""
    match = _ENDING.search(title.rpartition(".")[2])
    rest = title[: len(title) - len(match[0])] if match and match[1].lower() == ending else title
    return rest if any(sign.isalnum() for sign in rest.rpartition(".")[2]) else title


def with_areas_apart(titles: Sequence[str], columns: Sequence[Sequence[str]]) -> list[str]:
    """The names of tables, with a break behind the letters of an area that run together with what follows.

    What stands in front of the columns of a table is short for what it holds. Where it begins as the names of several
    tables go on behind the same two letters, these are of an area: the columns of `RSVEH` begin with `VEH_`. So are two
    to four letters behind which the names of several tables go on with words of other tables' columns: `STVTERM` has
    the terms that `SSBSECT_TERM_CODE` speaks of, `STVDEPT` departments.

    Parameters
    ----------
    titles, columns : names of tables, and of the columns of each

    Examples
    --------
    >>> columns = [[f"{short}_{end}" for end in ("ID", "NO", "DT")] for short in ("VEH", "DEP", "TRK", "PAT")]
    >>> with_areas_apart(["RSVEH", "RSDEPOT", "RSTRK", "PATMST"], columns)
    ['RS_VEH', 'RS_DEPOT', 'RS_TRK', 'PATMST']
    >>> codes = [[f"{name}_CODE", f"{name}_DESC"] for name in ("STVTERM", "STVDEPT", "STVMAJR")]
    >>> section = ["SSBSECT_CRN", "SSBSECT_TERM_CODE", "SSBSECT_DEPT_CODE", "SSBSECT_MAJR_CODE"]
    >>> with_areas_apart(["STVTERM", "STVDEPT", "STVMAJR", "SSBSECT"], [*codes, section])
    ['STV_TERM', 'STV_DEPT', 'STV_MAJR', 'SSBSECT']
    """
    last = [title.rpartition(".")[2] for title in titles]
    run_together = begin_together(columns)
    said: dict[str, Counter[bool]] = {}
    for title, own, begun in zip(last, columns, run_together, strict=True):
        prefix = shared_prefix(own, title).rstrip("_") or begun
        if prefix and len(plain_words(title)) == 1:
            said.setdefault(title[:2].lower(), Counter())[_goes_on(title.lower(), prefix)] += 1
    apart = {
        head for head, told in said.items() if told[True] >= OF_AREA and told[True] >= SAY_SO * told.total()
    } - KEYS
    families = _families(last, columns)
    cuts = [2 if _begins_with(name, apart) else families.get(name, 0) for name in last]
    return [
        f"{title[: len(title) - len(name)]}{name[:cut]}_{name[cut:]}" if cut else title
        for title, name, cut in zip(titles, last, cuts, strict=True)
    ]


def _families(titles: Sequence[str], columns: Sequence[Sequence[str]]) -> dict[str, int]:
    """How many letters the names of families of tables begin with, by the name: behind the same letters most of a
    family go on with a word that columns of other tables have. No word of English is cut, nor a name that other tables
    have whole."""
    own_words = [{part for name in own for part in plain_words(name)} for own in columns]
    spoken = Counter(part for own in own_words for part in own)
    families: dict[str, int] = {}
    for length in HEADS:
        said: dict[str, dict[str, bool]] = {}
        for title, own in zip(titles, own_words, strict=True):
            whole, rest = title.lower(), title[length:].lower()
            if _is_one_word(title) and title not in families and len(rest) >= SHORTEST_REST:
                is_whole = singular(whole) in word_ranks() or spoken[whole] > (whole in own)
                said.setdefault(whole[:length], {})[title] = spoken[rest] > (rest in own) and not is_whole
        for told in said.values():
            if sum(told.values()) >= max(OF_AREA, SAY_SO * len(told)):
                families |= {title: length for title, goes_on in told.items() if goes_on}
    return families


def _goes_on(title: str, prefix: str) -> bool:
    """Whether the name of a table goes on behind two letters with what is in front of its columns."""
    rest = title[2:]
    return rest[:1] == prefix[0] and stands_in(prefix, rest) and not title.startswith(prefix)


def _begins_with(title: str, heads: Collection[str]) -> bool:
    """Whether the name of a table runs together, begins with some letters, and goes on with two letters or more."""
    return _is_one_word(title) and title[:2].lower() in heads and title[2:4].isalpha()


def _is_one_word(title: str) -> bool:
    """Whether neither case nor separators show words in the name of a table."""
    return (title.isupper() or title.islower()) and title.isalnum()
