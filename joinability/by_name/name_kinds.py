"""The kinds of references that names suggest, and how often each is right."""

from __future__ import annotations

from typing import NamedTuple


class NameKind(NamedTuple):
    """A way in which names say that a column refers to a key.

    Attributes
    ----------
    chance : float
        That such a reference is right where one table alone has such a key.
    meaning : str
        What says so.
    """

    chance: float
    meaning: str


NAME_KINDS: dict[str, NameKind] = {
    "same": NameKind(0.91, "it has the name of the key: orders.customer_id, customers.customer_id"),
    "kin": NameKind(0.9, "named after the table, but for how both begin: shopify_line.order_id, shopify_order.id"),
    "named": NameKind(0.9, "it is named after the table: orders.customer_id or CUSTOMERID, customers.id"),
    "role kin": NameKind(0.75, "so it is behind other words: shopify_order.billing_address_id, shopify_address.id"),
    "role": NameKind(0.83, "so it is behind other words: orders.bill_customer_id"),
    "short": NameKind(0.55, "it is named after the table in short: orders.cust_no, customers.id"),
    "role short": NameKind(0.4, "so it is behind other words: orders.bill_addr_id, addresses.id"),
    "lead": NameKind(0.95, "it has the name of the key that leads a table not named after it: vbap.matnr, mara.matnr"),
    "role lead": NameKind(0.65, "so it is behind other words"),
    "both lead": NameKind(0.75, "both lead their tables, and have one name"),
    "many lead": NameKind(0.2, "that name leads four tables and more"),
    "bare": NameKind(0.76, "it has the name of the table: quiz.course, course.id"),
    "role bare": NameKind(0.6, "so it is behind other words, and both hold numbers: trip.from_branch, branch.id"),
    "role code": NameKind(0.8, "so it is, or after the key, and both hold such codes: customer.home_br, branch.br_cd"),
    "short code": NameKind(0.6, "it is named in short, and both hold such codes: orders.curr, currency.currency_cd"),
    "last": NameKind(0.85, "it is named after the last words of the table: sale_order.partner_id, res_partner.id"),
    "person": NameKind(0.9, "it says what somebody does, and the table holds people: tickets.assignee_id, users.id"),
    "numbered person": NameKind(0.85, "so it does with no word for a key, and both hold numbers or codes: audit.judge"),
    "bare person": NameKind(0.4, "so it does in a text, maybe a name, or by a word for things, too: audits.inspector"),
    "other person": NameKind(0.7, "so it does, and of those whom it may mean they alone fit or are written alike"),
    "role last": NameKind(0.75, "so it is behind other words: sale_order.invoice_partner_id"),
    "first": NameKind(0.1, "it is named after the first words of the table: title.kind_id, kind_type.id"),
    "siblings": NameKind(0.25, "both have the name of a key that no table has"),
}
"""The kinds of references by name, of which the first that applies counts. A chance is the share that is right on
Spider's training databases, as they are, damaged and shortened, and in companies (`python -m benchmarks joins names`);
of kinds that these hardly have (role bare, role code, numbered and bare person, short, role short, first, siblings) it
is set by hand."""
WITHOUT_A_WORD = ("role bare", "role code", "short code")
"""Those without a word for a key that are not the whole name of a table."""
BEHIND_OTHERS = tuple(kind for kind in NAME_KINDS if kind.startswith("role") or kind.endswith("person"))
"""Those behind a word for a role: a column of the table itself may tell another of its rows so."""
