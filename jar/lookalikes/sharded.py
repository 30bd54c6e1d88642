"""Families of sharded tables: `events_20240101`, `events_20240102` and so on, which are one table to a question."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import NamedTuple

from jar.text.spelled_names import NamedTable

LEAST = 3
"""Members of a family: two tables whose names differ in a digit are as often two things as one."""

DIGITS = re.compile(r"\d+")
LONGEST_SPAN = 30
"""Years after the first that "2012-2017" may mean; "from 2012 to 2017" may mean these two alone."""

_SPAN = re.compile(
    r"\bbetween\s+((?:19|20)\d\d)\s+(?:and|to)\s+((?:19|20)\d\d)\b"
    r"|\b((?:19|20)\d\d)\s*(?:[-–—]|through)\s*((?:19|20)\d\d)\b",
    re.IGNORECASE,
)
_COMPARED = re.compile(
    r"\b(?:chang|differen|compar|increas|decreas|gr[eo]w|declin|r[io]s[ei]|f[ae]ll|gain|los[ets]|drop)", re.IGNORECASE
)
_EACH_YEAR = re.compile(
    r"\b(?:each|every|per|by|all)\s+year|\byear(?:s\b|ly\b|[- ](?:on|over|by)[- ])|\bannual", re.IGNORECASE
)
_DATE = re.compile(r"\b(\d{4})-(\d{2})-(\d{2})\b")
_DATES = re.compile(
    rf"\b(?:between|from)\s+({_DATE.pattern})\s+(?:and|to|until|through)\s+({_DATE.pattern})", re.IGNORECASE
)
LONGEST_TIME = 31
"""Days that "between 2024-01-02 and 2024-02-01" may mean; a longer time means its two ends."""
_MONTHS = "january february march april may june july august september october november december".split()
_MONTH = "|".join(f"{month}|{month[:3]}" for month in _MONTHS)
_TOLD = re.compile(
    r"\b(?:(\d{1,2})(?:st|nd|rd|th)?\s+(?:of\s+)?)?"
    + rf"({_MONTH})\.?,?\s+"
    + r"(?:(\d{1,2})(?:st|nd|rd|th)?,?\s+)?((?:19|20)\d\d)\b",
    re.IGNORECASE,
)
_MONTHS_OF_A_YEAR = re.compile(
    rf"\b(between\s+)?({_MONTH})\.?\s*(,|[-–—]|\b(?:and|or|to|until|through)\b)\s*({_MONTH})\.?,?\s+((?:19|20)\d\d)\b",
    re.IGNORECASE,
)
_IN_NAME = re.compile(r"(?<!\d)((?:19|20)\d\d)[^\da-z](0[1-9]|1[0-2])(?:[^\da-z]([0-3]\d))?(?!\d)", re.IGNORECASE)

_ORDINALS = {"first": "1", "second": "2", "third": "3", "fourth": "4"}
_QUARTER = re.compile(
    r"(?<![^\W\d_])q([1-4])(?![^\W_])|\bquarter\s+([1-4])\b"
    + rf"|\b({'|'.join(_ORDINALS)}|[1-4](?:st|nd|rd|th))\s+quarter\b",
    re.IGNORECASE,
)
_BEGINS_WITH_MONTH = re.compile(r"(?:19|20)\d\d(?:0[1-9]|1[0-2])")


class FamiliesAsked(NamedTuple):
    """What a question leaves of the families.

    Attributes
    ----------
    hidden : list of int
        Tables that it is not about, or that another one stands for.
    standing : dict
        From each table that stands for others to all that it stands for, itself first among them.
    """

    hidden: list[int]
    standing: dict[int, tuple[int, ...]]


@dataclass(frozen=True)
class Families:
    """The families among the tables of an index.

    Attributes
    ----------
    names : tuple of str
        Names of all tables.
    members : mapping
        From the first table of each family to all its tables, as positions in the order of their numbers.
    """

    names: tuple[str, ...]
    members: Mapping[int, tuple[int, ...]]

    @classmethod
    def of(cls, tables: Sequence[NamedTable]) -> Families:
        """The tables of one database whose names differ in digits alone and whose columns are equal, three or more."""
        groups: dict[tuple[object, ...], list[int]] = {}
        for place, table in enumerate(tables):
            if any(sign.isdigit() for sign in table.name):
                form = DIGITS.sub("#", table.name.lower())
                columns = tuple(name.lower() for name in table.column_names)
                groups.setdefault((table.database, form, columns), []).append(place)
        names = tuple(table.name for table in tables)
        ordered = (
            sorted(group, key=lambda place: ([int(number) for number in DIGITS.findall(names[place])], place))
            for group in groups.values()
            if len(group) >= LEAST
        )
        return cls(names, {members[0]: tuple(members) for members in ordered})

    def asked(self, question: str, kept: Collection[int] = (), excluded: Collection[int] = ()) -> FamiliesAsked:
        """Which tables of each family a question is about.

        Those whose name has most of the numbers of the question that tell them apart, if it has any, where one stands
        for all with the same numbers; else the first, for all that are left.

        Parameters
        ----------
        question : str
        kept : positions
            Tables that are meant in any case: those that the caller requires.
        excluded : positions
            Tables that nothing stands for.
        """
        numbers, gone = {number for number in asked_numbers(question) if len(number) > 1}, frozenset(excluded)
        hidden: list[int] = []
        standing: dict[int, tuple[int, ...]] = {}
        for members in self.members.values():
            left = tuple(place for place in members if place not in gone)
            required = [(place,) for place in left if place in kept]
            alike = required or self._alike(left, numbers)
            standing |= {group[0]: group for group in alike if len(group) > 1}
            shown = {group[0] for group in alike}
            hidden += [place for place in left if place not in shown]
        return FamiliesAsked(hidden, standing)

    def _alike(self, members: tuple[int, ...], asked: set[str]) -> list[tuple[int, ...]]:
        """The members that have most of some numbers, those with the same ones together; all, where none has any."""
        if not asked or not members:
            return [members] if members else []
        shared = {place: frozenset(asked & _numbers(self.names[place])) for place in members}
        most = max(map(len, shared.values()))
        groups: dict[frozenset[str], list[int]] = {}
        for place, numbers in shared.items():
            if len(numbers) == most:
                groups.setdefault(numbers, []).append(place)
        return [tuple(group) for group in groups.values()]


def _numbers(name: str) -> set[str]:
    """The numbers of a name, dates and months with separators as one number, too, the months and years of dates, and
    quarters of a year."""
    numbers = {*DIGITS.findall(name), *("".join(filter(None, parts)) for parts in _IN_NAME.findall(name))}
    return {shorter for number in numbers for shorter in with_its_month_and_year(number)} | _quarters(name)


def _quarters(text: str) -> set[str]:
    """The quarters of a year that a text names, as `q2`.

    Examples
    --------
    >>> sorted(_quarters("orders_2023_q2") | _quarters("the first quarter, and Q3") | _quarters("faq1 q5"))
    ['q1', 'q2', 'q3']
    """
    told = ("".join(found).lower() for found in _QUARTER.findall(text))
    return {f"q{_ORDINALS.get(number, number[:1])}" for number in told}


def with_its_month_and_year(number: str) -> tuple[str, ...]:
    """A number of a name, and the month and the year that it begins with, where it begins with a month.

    Examples
    --------
    >>> with_its_month_and_year("20240131"), with_its_month_and_year("202401"), with_its_month_and_year("123456")
    (('20240131', '202401', '2024'), ('202401', '202401', '2024'), ('123456',))
    """
    return (number, number[:6], number[:4]) if _BEGINS_WITH_MONTH.match(number) else (number,)


def asked_numbers(question: str) -> frozenset[str]:
    """The numbers of a question, with dates and months as names have them, the years or days of a span, years in two
    digits, and quarters of a year, too.

    Examples
    --------
    >>> sorted(asked_numbers("Top 3 days of 2015-2017, and 2024-01-31?"))
    ['15', '16', '17', '2015', '2016', '2017', '202401', '20240131', '3']
    >>> sorted(asked_numbers("between 2023-12-30 and 2024-01-01")), sorted(asked_numbers("on the 3rd of May, 2024"))
    (['202312', '20231230', '20231231', '202401', '20240101'], ['2024', '202405', '20240503', '24', '3'])
    >>> sorted(asked_numbers("from February to April 2024")), sorted(asked_numbers("second quarter of 2024"))
    (['2024', '202402', '202403', '202404', '24'], ['2', '2024', '24', 'q2'])
    """
    dated = _TOLD.sub(_as_number, _MONTHS_OF_A_YEAR.sub(_each_month, question))
    numbers = {number for text in (question, dated) for number in DIGITS.findall(_DATE.sub(r"\1\2\3", text))}
    numbers |= {"".join(day[:2]) for day in _DATE.findall(dated)}
    for span in _DATES.finditer(dated):
        numbers |= set(_days(span.group(1), span.group(5)))
    for first, last in _spans(question):
        numbers |= {str(year) for year in range(first, last + 1)}
    numbers |= {number[2:] for number in numbers if len(number) == len("2024")}
    return frozenset(numbers.union(*((quarter, quarter[1:]) for quarter in _quarters(question))))


def years_between_compared(question: str) -> frozenset[str]:
    """The years between two that a question compares, without those that it names itself.

    Examples
    --------
    >>> sorted(years_between_compared("How did rents change between 2015 and 2018?"))
    ['2016', '2017']
    >>> years_between_compared("total rent between 2015 and 2018") | years_between_compared("growth by year, 2015-2018")
    frozenset()
    """
    if not _COMPARED.search(question) or _EACH_YEAR.search(question):
        return frozenset()
    between = {str(year) for first, last in _spans(question) for year in range(first + 1, last)}
    return frozenset(between - set(DIGITS.findall(question)))


def _spans(question: str) -> Iterator[tuple[int, int]]:
    """The first and the last year of each span of a question."""
    for span in _SPAN.finditer(question):
        first, last = (int(year) for year in span.groups() if year)
        yield first, min(last, first + LONGEST_SPAN)


def _each_month(told: re.Match[str]) -> str:
    """Each month of "from February to April 2024" or of "February and March 2024" with its year."""
    between, first, how, last, year = told.groups()
    start, end = (_month(name) for name in (first, last))
    is_span = bool(between) or how.lower() not in (",", "and", "or")
    months = range(start, end + 1) if is_span and start < end else (start, end)
    return " ".join(f"{_MONTHS[month - 1]} {year}" for month in months)


def _month(name: str) -> int:
    """The number of a month, from 1, by its name or what it begins with."""
    return next(place for place, month in enumerate(_MONTHS, 1) if month.startswith(name.lower()))


def _as_number(told: re.Match[str]) -> str:
    """A date in words as numbers: "3 January 2024" as 2024-01-03, a month without a day as 202401."""
    day, name, other_day, year = told.groups()
    month = _month(name)
    return f"{year}-{month:02}-{int(day or other_day):02}" if day or other_day else f"{year}{month:02}"


def _days(first: str, last: str) -> Iterator[str]:
    """The days of a time of at most `LONGEST_TIME` of them, as names have them; none where a date is none."""
    try:
        start, end = (date.fromisoformat(text) for text in (first, last))
    except ValueError:
        return
    if 0 <= (end - start).days < LONGEST_TIME:
        for number in range((end - start).days + 1):
            yield (start + timedelta(number)).strftime("%Y%m%d")
