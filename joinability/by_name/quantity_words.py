"""Words of the names of columns that count, measure, put in order, or answer yes or no: numbers there are no keys."""

from __future__ import annotations

from joinability.by_name.key_words import Words, about
from joinability.spelling.common_words import ABBREVIATIONS, word_ranks
from joinability.spelling.vocabulary import singular

QUANTITIES = frozenset(
    "age amount amt area average avg bal balance budget capacity cnt cost count day depth discount distance "
    "duration fee height hour hr kg km lat latitude length lng lon longitude max maximum mean mileage min minimum "
    "minute minutes month odometer pct percent percentage population pressure price qty quantity quota rank rate "
    "rating ratio salary score second seq sequence size speed sum temp temperature total vat volume wage weight "
    "width year".split()
)
"""Last words of columns that count or measure: small whole numbers among them are found in any key."""
QUANTITIES_ALONE = frozenset("order position tax".split())
"""Words that do so where they are the whole name: "order" is a place in a row, "work order" a thing."""
NO_PLURALS = frozenset("goods lens means news series species".split())
"""Words that end like a plural, and are none or mean one thing."""
ORDERS = frozenset("display grade level list no num number per position print rank seq sequence sort step".split())
"""Words of columns that count, put in order or grade."""
YES_OR_NO = frozenset("bln can flag flg has is may needs visible was".split())
"""First and last words of the names of columns that answer yes or no."""
_NUMBERS = {word: number for number, word in enumerate(sorted(QUANTITIES | QUANTITIES_ALONE), 1)}
PUT_IN_ORDER = tuple(-_NUMBERS[word] for word in sorted(QUANTITIES_ALONE))
"""The numbers of the words that tell a quantity by themselves alone."""
PLURAL = len(_NUMBERS) + 1
"""The number of the quantity that a plural tells: how many of something there are."""
FLAG = PLURAL + 1
"""The number of what answers yes or no."""


def says_how_many(name: Words) -> bool:
    """Whether the name of a column is a plural: a whole number under it is a count.

    Examples
    --------
    >>> [says_how_many(name) for name in (("seats",), ("open", "orders"), ("order", "ids"), ("species",), ("status",))]
    [True, True, False, False, False]
    """
    last = name[-1] if name else ""
    return last not in NO_PLURALS and singular(last) != last and singular(last) in word_ranks()


def measures(name: Words) -> bool:
    """Whether a number under the name of a column measures something, or puts it in order.

    Examples
    --------
    >>> [measures(name) for name in (("rating",), ("list", "price"), ("order",), ("work", "order"), ("course",))]
    [True, True, True, False, False]
    """
    return bool(name) and (name[-1] in QUANTITIES or (len(name) == 1 and name[0] in QUANTITIES_ALONE))


def may_number_a_thing(name: Words) -> bool:
    """Whether a whole number under the name of a column without a word for a key may tell which thing is meant: it
    counts, measures and orders nothing, and answers no question with yes or no.

    Examples
    --------
    >>> [may_number_a_thing(name) for name in (("from", "branch"), ("lead", "office"), ("player", "level"))]
    [True, True, False]
    >>> [may_number_a_thing(name) for name in (("open", "orders"), ("qty", "scrap"), ("display", "order"), ("prc",))]
    [False, False, False, False]
    """
    counts = not ORDERS.union(QUANTITIES).isdisjoint({*name, *(ABBREVIATIONS.get(word, word) for word in name)})
    return not (counts or says_how_many(name) or says_yes_or_no(name))


def says_yes_or_no(name: Words) -> bool:
    """Whether the name of a column says that it answers a question with yes or no.

    Examples
    --------
    >>> [says_yes_or_no(name) for name in (("is", "lead"), ("bln", "inspector"), ("inspector", "flag"), ("inspector",))]
    [True, True, True, False]
    >>> says_yes_or_no(("lock", "yes", "no"))
    True
    """
    return not YES_OR_NO.isdisjoint((*name[:1], *name[-1:])) or name[-2:] == ("yes", "no")


def quantity_of(name: Words) -> int:
    """A number for the quantity that a name tells by its last word, 0 for none; less than 0 where it is the whole name,
    and `FLAG` for a name without a word for a key that says yes or no.

    Examples
    --------
    >>> quantity_of(("price",)) == -quantity_of(("unit", "price")) < 0
    True
    >>> quantity_of(("order",)) < 0, quantity_of(("work", "order")), quantity_of(("course",)), quantity_of(())
    (True, 0, 0, 0)
    >>> [quantity_of(name) == FLAG for name in (("is", "lead"), ("lock", "yes", "no"), ("can", "id"))]
    [True, True, False]
    """
    if not measures(name):
        return FLAG if says_yes_or_no(name) and (name[-2:] == ("yes", "no") or not about(name)) else 0
    number = _NUMBERS[name[-1]]
    return -number if len(name) == 1 else number
