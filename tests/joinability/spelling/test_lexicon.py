"""Short forms by field of business: the list is sound, and a database tells its field."""

from __future__ import annotations

import math

import pytest

from joinability.spelling.common_words import ABBREVIATIONS, ACRONYMS
from joinability.spelling.lexicon import (
    ACRONYM,
    COMMON,
    EVERY,
    FIELDS,
    LIKELY,
    LITTLE,
    OWN,
    PIECES,
    TELLING,
    field_weights,
    listed,
    reading,
    short_forms,
)

HOSPITAL = field_weights(["patient", "ward", "dosage", "diag", "nurse", "appt"])
BANK = field_weights(["loan", "collateral", "custody", "dividend", "ledger", "coupon"])


def test_the_list_is_sound() -> None:
    """Ten thousand short forms, each with a weight, and readings by field that are other words."""
    forms = short_forms()
    assert len(forms) > 10_000
    assert forms.keys() >= ABBREVIATIONS.keys() | ACRONYMS.keys()
    for short, form in forms.items():
        assert short.isascii()
        assert short.isalpha()
        assert form.weight > 0
        assert form.cost == -math.log(form.weight / PIECES)
        assert all(len(of) == len(FIELDS) and " ".join(words) != short for words, of in form.readings.items())


def test_the_field_of_a_database_tells_what_short_forms_stand_for() -> None:
    """`dx` is a diagnosis everywhere, `adm` an admission in a hospital; what all have counts the same everywhere, and
    less than what the field of the database has."""
    assert HOSPITAL[0] == BANK[0] == EVERY < 1
    assert max(range(1, 7), key=HOSPITAL.__getitem__) == FIELDS.index(next(of for of in FIELDS if "health" in of))
    assert max(range(1, 7), key=BANK.__getitem__) == FIELDS.index(next(of for of in FIELDS if "money" in of))
    assert reading("nav", BANK) == ("net", "asset", "value")
    assert reading("nav", HOSPITAL) != ("net", "asset", "value")
    assert reading("xqz", BANK) == ()


@pytest.mark.parametrize("short", ["inst", "nav", "ser", "prem", "crt", "po", "lic", "adm"])
def test_a_reading_is_that_of_the_formula(short: str) -> None:
    """The greatest weight among all readings, by loops over fields."""
    known, likely = {"serial", "license"}, ("created",)
    best = []
    for words, of_fields in short_forms()[short].readings.items():
        weight = 0.0
        for field in range(len(FIELDS)):
            weight += BANK[field] * of_fields[field]
        weight += COMMON * (words == listed(short))
        weight *= OWN ** (set(words) <= known) * LIKELY ** (words == likely)
        if len(words) == 1 or words == listed(short) or weight >= ACRONYM:
            best.append((weight, words))
    assert reading(short, BANK, known, likely.__eq__) == max(best, key=lambda pair: pair[0])[1]


def test_fields_weigh_by_the_formula() -> None:
    """By loops over the parts of names."""
    parts = ["patient", "ward", "dx", "loan", "no", "customer"]
    counts = [0.0] * len(FIELDS)
    for part in parts:
        form = short_forms().get(part)
        fields = {
            field
            for other in ([form] if form else short_forms().values())
            for words, of in other.readings.items()
            for field in range(len(FIELDS))
            if of[field] == 1 and (form or part in words)
        }
        for field in fields if len(fields) <= TELLING else ():
            counts[field] += 1 / len(fields)
    most = max(count + LITTLE for count in counts[1:])
    assert field_weights(parts) == pytest.approx((EVERY, *(((count + LITTLE) / most) ** 2 for count in counts[1:])))


def test_the_words_of_a_database_and_the_short_lists_go_first() -> None:
    """Of several readings that counts which is there in full, and the listed one before most others."""
    assert reading("ser", HOSPITAL) == ("serial",)
    assert reading("ser", HOSPITAL, {"series"}) == ("series",)
    assert listed("po") == ("purchase", "order")
    assert listed("xqz") == ()
    assert reading("crt", BANK) == ("created",)
