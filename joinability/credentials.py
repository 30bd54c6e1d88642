"""Texts about databases without the credentials that stand in their addresses and options; columns that hold such."""

from __future__ import annotations

import re

from joinability.names import name_words

_USER = re.compile(r"://\S*@")
_OPTION = re.compile(
    r"""([\w.-]*(?:password|passwd|pwd|token|secret|credential|api_?key|access_?key)[\w.-]*\s*=\s*)"""
    r"""('[^']*'|"[^"]*"|[^\s&;,)'"]+)""",
    re.IGNORECASE,
)
SECRETS = frozenset("passphrase passwd password passwords pwd secret secrets".split())
"""Words in the names of columns that hold what nobody may see."""
SECRET_ENDINGS = frozenset("apikey credential credentials digest salt token".split())
SECRET_KEYS = frozenset([("api", "key"), ("access", "key"), ("private", "key")])
"""Last words of such names."""
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


def is_secret(column: str) -> bool:
    """Whether the name of a column says that it holds what nobody may see, or what stands for it.

    Examples
    --------
    >>> [is_secret(name) for name in ("password_digest", "PwdHash", "api_token", "salt", "apikey")]
    [True, True, True, True, True]
    >>> [is_secret(name) for name in ("email", "token_count", "passenger_id", "hash", "access_level", "%")]
    [False, False, False, False, False, False]
    """
    words = name_words(column)
    return not (SECRETS.isdisjoint(words) and SECRET_ENDINGS.isdisjoint(words[-1:])) or words[-2:] in SECRET_KEYS
