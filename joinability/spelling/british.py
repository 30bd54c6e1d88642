"""British and American spellings of one word: a question asks for licences, and the table holds licenses."""

from __future__ import annotations

import re
from functools import lru_cache

from joinability.spelling.common_words import word_ranks

_PAIRS = """
acknowledgement:acknowledgment aeroplane:airplane aluminium:aluminum anaemia:anemia anaesthesia:anesthesia
anaesthetic:anesthetic archaeology:archeology artefact:artifact calibre:caliber catalogue:catalog centimetre:centimeter
centre:center cheque:check defence:defense diarrhoea:diarrhea dialogue:dialog enquiry:inquiry enrol:enroll
enrolment:enrollment fibre:fiber foetal:fetal foetus:fetus fulfil:fulfill fulfilment:fulfillment gynaecology:gynecology
haemoglobin:hemoglobin instalment:installment jewellery:jewelry judgement:judgment kerb:curb
kilometre:kilometer leukaemia:leukemia licence:license litre:liter manoeuvre:maneuver metre:meter
millilitre:milliliter millimetre:millimeter oedema:edema oesophagus:esophagus oestrogen:estrogen offence:offense
orthopaedic:orthopedic paediatric:pediatric plough:plow practise:practice
pretence:pretense programme:program speciality:specialty theatre:theater tumour:tumor tyre:tire
"""
_SAME = dict(pair.split(":") for pair in _PAIRS.split())
_OTHER = {**_SAME, **{american: british for british, american in _SAME.items()}}
_ENDINGS = (
    (r"our(?=(?:s|ed|ing|ite|ites|al|hood|hoods)?$)", "or"),
    (r"or(?=(?:s|ed|ing|ite|ites|al|hood|hoods)?$)", "our"),
    (r"is(?=(?:e|ed|es|er|ers|ing|ation|ations)$)", "iz"),
    (r"iz(?=(?:e|ed|es|er|ers|ing|ation|ations)$)", "is"),
    (r"ys(?=(?:e|ed|er|ers|ing)$)", "yz"),
    (r"yz(?=(?:e|ed|er|ers|ing)$)", "ys"),
    (r"(?<=[aeiou])ll(?=(?:ed|ing|er|ers)$)", "l"),
    (r"(?<=[aeiou])l(?=(?:ed|ing|er|ers)$)", "ll"),
)
"""Ends of words that differ, in both directions."""
_RULES = tuple((re.compile(pattern), other) for pattern, other in _ENDINGS)
_STEM = 3
"""Letters that stand before such an end, at least: an hour is no "hor"."""


@lru_cache(maxsize=1 << 16)
def other_spelling(word: str) -> str:
    """The American spelling of a British word in lower case, or the reverse; "" where there is none.

    By a list of words, of which the plural ends in "s"; else by the ends of words, where English has both.

    Examples
    --------
    >>> [other_spelling(word) for word in ("licences", "center", "favourite", "organization", "filled", "hour")]
    ['licenses', 'centre', 'favorite', 'organisation', '', '']
    """
    one = word.removesuffix("s")
    if listed := _OTHER.get(word) or _OTHER.get(one, ""):
        return listed if word in _OTHER else listed + word[len(one) :]
    ranks = word_ranks()
    for pattern, end in _RULES:
        match = pattern.search(word)
        if match and match.start() >= _STEM and (other := word[: match.start()] + end + word[match.end() :]) in ranks:
            return other if word in ranks else ""
    return ""
