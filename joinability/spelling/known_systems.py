"""What well-known systems are for, of which a lake holds copies: `stripe_charge` is a charge of a payment provider."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

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
        web analytics: ga ga4 matomo
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
LAYERS = frozenset("raw source src staging stg".split())
"""Words in front of the name of a system."""
FEWEST = 3
"""Tables behind the name of a system, at least, for it to be one."""
OF_DATABASE = 4
"""Letters of such a name that a database has by itself, at least."""


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
    own = next((word for word in plain_words(database) if word in SYSTEMS and len(word) >= OF_DATABASE), "")
    first = [next((word for word in plain_words(title) if word not in LAYERS), "") for title in titles]
    named = [word if word in SYSTEMS else own for word in first]
    count = Counter(named)
    return [SYSTEMS.get(word, ()) if count[word] >= FEWEST else () for word in named]
