"""What products put behind the names that their users give, which says nothing of what these mean."""

from __future__ import annotations

import re

_SALESFORCE = re.compile(r"(?<=[^_])__(?:c|e|r|x|pc|kav|mdt)$", re.IGNORECASE)
"""Of fields and objects of a customer's own, of relations, of events and of the like."""


def without_product_mark(name: str) -> str:
    """A name without the mark of Salesforce behind it.

    Examples
    --------
    >>> without_product_mark("Invoice_Line__c"), without_product_mark("PAID_ON__C"), without_product_mark("grade_c")
    ('Invoice_Line', 'PAID_ON', 'grade_c')
    """
    return _SALESFORCE.sub("", name)
