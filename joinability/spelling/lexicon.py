"""Short forms by field of business: what each stands for, and how often it is a piece of a name that runs together.

``short_forms.txt`` has a line for each: the short form, how often it is a piece of 2,400 names that run together, as
`custmst` and `invhdr` do, and what it stands for, with the numbers of the fields (`FIELDS`) in which it does so first,
and after a comma of those in which another reading comes first: ``ser 4 serial=123456,7 series=7,123``. It was written
for this project by a language model, each field without the others, and without sight of any schema.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from joinability.spelling.common_words import ABBREVIATIONS, ACRONYMS

FIELDS = (
    "every database",
    "money: accounts, banks, funds, insurance, tax",
    "health: hospitals, pharmacies, laboratories, science",
    "transport: freight, customs, airlines, railways, vehicles",
    "production: factories, purchasing, mines, energy, water, farms",
    "people: personnel, schools, law, government, associations",
    "markets: sales, shops, hotels, media, telecommunications, software",
)
"""What the short forms were collected from, each by its number from 1."""
PIECES = 12_000.0
"""The weights of all pieces of names that run together, about; what a short form weighs is its share of these."""
SECOND = 0.5
"""Weight of a reading in a field where another one comes first."""
EVERY = 0.9
"""Weight of what all databases have: less than that of the field of a database, whose own words come first."""
COMMON = 2.0
"""Weight of the one reading that the short lists of `joinability.spelling.common_words` have."""
UNSEEN = 0.25
"""Weight of a short form as a piece for each field that has it, beside the names in which it is one."""

OWN = 3.0
"""How much more a reading weighs whose words the database has in full."""
LIKELY = 5.0
"""How much more a reading weighs that is likely by what stands beside it."""
ACRONYM = 0.75
"""Weight from which a short form stands for several words: in databases of the fields that have it."""
TELLING, LITTLE = 3, 5.0
"""Fields that have a part of a name which tells the field of a database, at most; what stands for parts not seen."""

Words = tuple[str, ...]


class ShortForm(NamedTuple):
    """A short form.

    Attributes
    ----------
    weight : float
        How often it is a piece of a name that runs together.
    readings : mapping from tuples of str to arrays of 7 numbers
        What it stands for, and how much each field is for it, from 0 to 1.
    """

    weight: float
    readings: dict[Words, tuple[float, ...]]

    @classmethod
    def of(cls, times: int, readings: Iterable[tuple[Words, tuple[float, ...]]]) -> ShortForm:
        """A short form that is so often a piece of a name, with its readings."""
        told = dict(readings)
        fields = sum(map(any, zip(*told.values(), strict=True)))
        return cls(times + UNSEEN * max(fields, 1), told)

    @property
    def fields(self) -> frozenset[int]:
        """The fields that have it, from 0, each with the reading that comes first there."""
        told = self.readings.values()
        return frozenset(field for weights in told for field, weight in enumerate(weights) if weight == 1)

    @property
    def cost(self) -> float:
        """What it costs as a piece of a name, in nats."""
        return -math.log(self.weight / PIECES)


@lru_cache(1)
def short_forms() -> Mapping[str, ShortForm]:
    """All short forms, those of the short lists among them."""
    text = Path(__file__).with_name("short_forms.txt").read_text(encoding="ascii")
    lines = (line.split("\t") for line in text.splitlines())
    forms = {short: ShortForm.of(int(times), map(_reading, told)) for short, times, *told in lines}
    for short in (*ABBREVIATIONS, *ACRONYMS):
        forms.setdefault(short, ShortForm.of(0, ()))
        forms[short].readings.setdefault(listed(short), (0.0,) * len(FIELDS))
    return forms


def listed(short: str) -> Words:
    """What a short form stands for on the short lists of `joinability.spelling.common_words`; () for nothing."""
    return (ABBREVIATIONS[short],) if short in ABBREVIATIONS else ACRONYMS.get(short, ())


def _reading(told: str) -> tuple[Words, tuple[float, ...]]:
    """A reading, and how much each field is for it, of "institution=26,1"."""
    words, _, fields = told.partition("=")
    first, _, later = fields.partition(",")
    numbers = map(str, range(1, len(FIELDS) + 1))
    return tuple(words.split()), tuple(1.0 if of in first else SECOND if of in later else 0.0 for of in numbers)


@lru_cache(1)
def words_of_fields() -> Mapping[str, frozenset[int]]:
    """The fields, from 0, in which each word of a first reading stands."""
    fields: dict[str, set[int]] = {}
    for form in short_forms().values():
        for words, weights in form.readings.items():
            for word in words:
                fields.setdefault(word, set()).update(field for field, weight in enumerate(weights) if weight == 1)
    return {word: frozenset(of) for word, of in fields.items()}


def field_weights(parts: Iterable[str]) -> tuple[float, ...]:
    """How much a database is of each field, from 0 to 1, by the parts of its names; of what all have, it is
    `EVERY`.

        theta_f = ((n_f + LITTLE) / max_g (n_g + LITTLE)) ** 2,   n_f = sum of 1 / |F_p| over the parts p with f in F_p

    F_p are the fields that have a part as a short form, else as a word of a reading that comes first, of parts that
    `TELLING` fields have, at most.

    Examples
    --------
    >>> weights = field_weights(["patient", "dosage", "ward", "appt", "hosp", "diag"])
    >>> max(range(1, 7), key=weights.__getitem__)
    2
    """
    counted: Counter[int] = Counter()
    for part in set(parts):
        form = short_forms().get(part)
        of = words_of_fields().get(part, frozenset()) if form is None else form.fields
        if 0 < len(of) <= TELLING:
            counted.update(dict.fromkeys(of, 1 / len(of)))
    told = [counted[field] + LITTLE for field in range(1, len(FIELDS))]
    return (EVERY, *((weight / max(told)) ** 2 for weight in told))


def reading(
    short: str, weights: Sequence[float], known: Collection[str] = (), likely: Callable[[Words], bool] | None = None
) -> Words:
    """What a short form stands for in a database of these fields: the reading r of the greatest weight; () where it is
    no short form.

        w(r) = (sum_f theta_f a_rf + COMMON [r is listed]) OWN^[all its words are known] LIKELY^[it is likely]

    a_rf is 1 where r comes first in field f, `SECOND` where another reading does, and 0 where f does not have it.
    Several words that no short list has need a weight of `ACRONYM`.

    Parameters
    ----------
    weights : 7 numbers
        theta, as `field_weights` gives it.
    known : words
        Those that the database has in full.
    likely : callable, optional
        Whether a reading suits what stands beside it.

    Examples
    --------
    >>> reading("ser", field_weights(["meter", "pump"])), reading("ser", field_weights(["pump"]), {"series"})
    (('serial',), ('series',))
    """
    best: Words = ()
    most = 0.0
    for words, weight in readings(short, weights, known).items():
        told = weight * (LIKELY if likely and likely(words) else 1.0)
        if told > most and (len(words) == 1 or words == listed(short) or told >= ACRONYM):
            best, most = words, told
    return best


def readings(short: str, weights: Sequence[float], known: Collection[str] = ()) -> dict[Words, float]:
    """What a short form stands for, each with its weight w(r) in a database of these fields, as `reading` has it."""
    form = short_forms().get(short)
    told = {}
    for words, of_fields in form.readings.items() if form else ():
        weight = sum(share * of for share, of in zip(weights, of_fields, strict=True))
        weight += COMMON if words == listed(short) else 0.0
        told[words] = weight * (OWN if set(words).issubset(known) else 1.0)
    return told
