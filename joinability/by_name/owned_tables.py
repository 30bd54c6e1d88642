"""Tables that are of another one by their names: the `deal_stages` of `deals`."""

from __future__ import annotations

from collections.abc import Sequence

from joinability.names import name_words, without_s
from joinability.spelling.vocabulary import singular

Words = tuple[str, ...]


def owned_tables(titles: Sequence[str]) -> list[tuple[int, Words]]:
    """For each table of a database the place of the one with whose whole name its own begins, and the rest of its name:
    -1 and () for none, and where another table is called as the rest.

    Examples
    --------
    >>> owned_tables(["deals", "deal_stages", "products", "categories", "product_categories"])
    [(-1, ()), (0, ('stage',)), (-1, ()), (-1, ()), (-1, ())]
    """
    parted = (title.rpartition(".") for title in titles)
    called = [(schema.casefold(), tuple(map(without_s, name_words(last)))) for schema, _, last in parted]
    there = {name: place for place, name in enumerate(called)}
    owned: list[tuple[int, Words]] = []
    for schema, words in called:
        cuts = (cut for cut in range(len(words) - 1, 0, -1) if (schema, words[:cut]) in there)
        cut = next((cut for cut in cuts if (schema, words[cut:]) not in there), 0)
        owned.append((there[schema, words[:cut]], words[cut:]) if cut else (-1, ()))
    return owned


def without_beginning(title: str, beginning: Words) -> str:
    """The name of a table without words that it begins with, in the singular; as it is where it does not.

    Examples
    --------
    >>> without_beginning("shopify_orders", ("shopify",)), without_beginning("orders", ("shopify",))
    ('orders', 'orders')
    """
    words = name_words(title)
    begins = bool(beginning) and tuple(map(singular, words[: len(beginning)])) == beginning
    return "_".join(words[len(beginning) :]) if begins else title
