"""Who may ask the server: browsers of this machine by its local names, and for changes those that know the token.

A page of somebody else that is open in the same browser can send requests here. It cannot read answers, as none carries
a header that allows it; with a name of its own that it points at this machine it could (DNS rebinding), so that every
`Host` but local ones is refused. Changes need a token that only pages of this server have, and an `Origin` that is it.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

LOCAL = frozenset({"localhost", "127.0.0.1", "::1"})
"""Names by which a machine calls itself."""
TOKEN = "x-jar-token"  # noqa: S105 - the name of a header
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}
"""What every answer carries."""


@dataclass(frozen=True)
class Guard:
    """What a request has to say of itself.

    Attributes
    ----------
    hosts : frozenset of str
        Names of the server that a request may use, beside local ones.
    token : str
        What a change has to carry; made anew at every start.
    """

    hosts: frozenset[str] = frozenset()
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))

    def refusal(self, headers: Mapping[str, str]) -> str | None:
        """Why a request is refused, by its headers in lower case; None where it is not."""
        host = _name(headers.get("host", ""))
        if host not in LOCAL | self.hosts:
            return f"this server answers to localhost, not to {host or 'a request without a host'!r}"
        origin = headers.get("origin")
        if origin is not None and urlsplit(origin).netloc.casefold() != headers["host"].casefold():
            return f"a page of {origin} may not ask this server"
        if headers.get("sec-fetch-site", "none") not in {"none", "same-origin"}:
            return "a page of another server may not ask this one"
        return None

    def refused_change(self, headers: Mapping[str, str]) -> str | None:
        """Why a change is refused; None where it is not."""
        if not secrets.compare_digest(headers.get(TOKEN, "").encode(), self.token.encode()):
            return f"a change needs the header {TOKEN} with the token that `jar serve --edit` printed"
        return None


def _name(host: str) -> str:
    """The name in a `Host` header, without its port, in lower case."""
    try:
        return (urlsplit(f"//{host}").hostname or "").rstrip(".")
    except ValueError:
        return ""
