"""Texts about databases without the credentials that stand in their addresses and options."""

from __future__ import annotations

import re

_USER = re.compile(r"://\S*@")
_OPTION = re.compile(
    r"""([\w.-]*(?:password|passwd|pwd|token|secret|credential|api_?key|access_?key)[\w.-]*\s*=\s*)"""
    r"""('[^']*'|"[^"]*"|[^\s&;,)'"]+)""",
    re.IGNORECASE,
)
_PATH = re.compile(r"((?:^|/)[a-z]+(?:\+\w+)?:).*", re.DOTALL)


def without_credentials(text: str) -> str:
    """The text with stars in place of users and passwords in URLs, and of the values of options named like secrets.

    All that stands before the last @ of a URL goes: a password may have one, or a slash, that nobody escaped.

    Examples
    --------
    >>> without_credentials("no answer from mysql://me:p@ss/word@host/shop")
    'no answer from mysql://***@host/shop'
    >>> without_credentials("no answer from mysql://me:pass@host/shop with host=a password='b c' md_token=d")
    'no answer from mysql://***@host/shop with host=a password=*** md_token=***'
    """
    return _OPTION.sub(r"\1***", _USER.sub("://***@", text))


def address_without_credentials(text: str) -> str:
    """The text to show for a path that does not exist: it may be an address, of which only the kind is kept.

    Examples
    --------
    >>> address_without_credentials("/home/md:shop?motherduck_token=abc"), address_without_credentials("a/b.csv")
    ('/home/md:***', 'a/b.csv')
    """
    return without_credentials(_PATH.sub(r"\1***", text))
