"""What well-known systems are for, of which a lake holds copies: `stripe_charge` is a charge of a payment provider; and
what the names of SAP's tables and columns stand for: `MATNR` is a material number.

``sap_names.txt`` has a line for each of these.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from joinability.spelling.vocabulary import plain_words

SYSTEMS: Mapping[str, tuple[str, ...]] = {
    name: tuple(purpose.split())
    for purpose, _, names in (
        line.partition(":")
        for line in """
        payment provider: adyen braintree gocardless mollie paypal stripe
        subscription: chargebee recharge recurly zuora
        web shop: bigcommerce magento prestashop shopify woo woocommerce
        help desk: freshdesk gorgias helpscout zendesk
        support chat: crisp intercom
        crm sales: hs hubspot pipedrive salesforce sf sfdc
        email marketing: activecampaign braze iterable klaviyo mailchimp mailgun postmark sendgrid
        marketing: marketo pardot
        google ads: adwords gads googleads
        facebook ads: facebook fb
        web analytics: ga matomo
        product events: amplitude mixpanel posthog snowplow
        accounting: intacct netsuite qb quickbooks xero
        personnel: adp bamboohr gusto hibob hr personio workday
        project tasks: asana clickup jira trello
        source code: bitbucket github gitlab
        phone calls: aircall ringcentral twilio
        surveys: qualtrics surveymonkey typeform
        shipping: easypost shippo shipstation
        purchasing: ariba coupa
        expenses: concur expensify
        """.strip().splitlines()
    )
    for name in names.split()
}
"""Names of systems, each with what it is for; words that as often mean a thing, such as "segment", are left out."""
OF_SHORT: Mapping[str, frozenset[str]] = {
    name: frozenset(things.split())
    for name, _, things in (
        line.strip().partition(":")
        for line in """
        ga: event events page pages session sessions traffic visits
        hr: absence department departments emp employee employees job jobs leave person position time
        hs: companies company contact contacts deal deals engagement engagements owner owners ticket tickets
        intercom: admin admins contact contacts conversation conversations
        qb: account accounts bill bills customer customers invoice invoices vendor vendors
        recharge: address addresses charge charges customer customers subscription subscriptions
        sf: account accounts case cases contact contacts lead leads opportunity opportunities user users
        workday: employee employees worker workers organization position positions
        """.strip().splitlines()
    )
}
"""What two tables of a system hold at least whose name stands for other things as well."""
LAYERS = frozenset("base dbo public raw source src staging stg".split())
"""Words in front of the name of a system."""
FEWEST = 3
"""Tables behind the name of a system, at least, for it to be one: two may begin alike by chance."""
TELLING = 2
"""Those of them that hold what the system has, where its name stands for other things as well."""

FEWEST_OF_SAP = 2
"""Tables of SAP that a database has, at least, for it to be a copy of SAP's."""


def sap_names(titles: Iterable[str]) -> Mapping[str, tuple[str, ...]]:
    """The words of the names of SAP's tables and columns, where a database has some of these tables; else none.

    Parameters
    ----------
    titles : names of tables without their schemas, as `VBAK` or `stg_sap__vbak`

    Examples
    --------
    >>> sap_names(["VBAK", "KNA1"])["kunnr"], sap_names(["vbak", "customers"])
    (('customer', 'number'), {})
    """
    known = _names_of_sap()
    tables = {part for title in titles for part in title.lower().split("_")} & known["table"].keys()
    return {**known["table"], **known["column"]} if len(tables) >= FEWEST_OF_SAP else {}


@lru_cache(1)
def _names_of_sap() -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    """The words of each name of a "table" and of a "column"."""
    found: dict[str, dict[str, tuple[str, ...]]] = {"table": {}, "column": {}}
    for line in Path(__file__).with_name("sap_names.txt").read_text(encoding="ascii").splitlines():
        kind, name, words = line.split("\t")
        found[kind][name] = tuple(words.split())
    return found


def purposes(database: str, titles: Sequence[str]) -> list[tuple[str, ...]]:
    """What the system is for whose name stands in front of that of each table of a database, or is that of its schema
    or of the database; () for none.

    Examples
    --------
    >>> purposes("lake", ["stripe_charge", "stg_stripe__refund", "stripe.payout", "fb_likes"])
    [('payment', 'provider'), ('payment', 'provider'), ('payment', 'provider'), ()]
    >>> purposes("zendesk_raw", ["tickets", "users", "groups"])[0]
    ('help', 'desk')
    """
    own = next((word for word in plain_words(database) if word in SYSTEMS and word not in OF_SHORT), "")
    said = [[word for word in plain_words(title) if word not in LAYERS] for title in titles]
    named = [words[0] if words and words[0] in SYSTEMS else own for words in said]
    count = Counter(named)
    pairs = zip(named, said, strict=True)
    telling = Counter(name for name, words in pairs if name not in OF_SHORT or not OF_SHORT[name].isdisjoint(words))
    known = {name for name in count if name and count[name] >= FEWEST and telling[name] >= TELLING}
    return [SYSTEMS[name] if name in known else () for name in named]
