"""A shop whose tables are not called what they hold: the ones that sound right are of old."""

from __future__ import annotations

from collections.abc import Iterator

from jar import Catalog

HELD = {"customers": "kd_stamm", "orders": "bw_kopf", "invoices": "fi_beleg", "products": "mat_1", "stores": "wrk"}
ASKED = (
    "How many {} are there?",
    "List the newest {}",
    "Show all {} of the south",
    "Which {} were changed in May?",
    "Count the {} without a note",
    "Give me every one of the {}",
    "Name the {} that we lost",
    "Do we still have {} from Zwiesel?",
)
UNSEEN = ("What became of the {}?", "Print the {} of last year")


def questions(forms: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Questions about each subject, with the table that holds it."""
    return ((form.format(subject), f"shop.{table}") for form in forms for subject, table in HELD.items())


def shop_catalog(without: str = "") -> Catalog:
    """The tables that hold what is asked for, and others that are called so."""
    names = [*HELD, *HELD.values(), "log", "settings"]
    tables = (f"CREATE TABLE {name} (id INTEGER, {name}_note TEXT, changed DATE);" for name in names if name != without)
    return Catalog.from_ddl("\n".join(tables), database="shop")
