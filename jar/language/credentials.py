"""What must never be seen: the key, and addresses that hold one."""

from __future__ import annotations

from typing import NoReturn
from urllib.parse import urlsplit

from jar.errors import LanguageModelError

__all__ = ["Secret", "check_base_url"]

MASK = "***"

SHORTEST = 4
"""A key with fewer characters guards nothing, and masking it would spoil texts that happen to hold them."""


class Secret:
    """A key that is written nowhere: `repr` and `str` hide it, and it can be neither copied to a file nor compared.

    Parameters
    ----------
    text : str
        The key; blanks around it go. Empty: there is none.

    Raises
    ------
    LanguageModelError
        When the key cannot stand in a header; the message does not show it.
    """

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        stripped = text.strip()
        if not all("!" <= character <= "~" for character in stripped):
            raise LanguageModelError(
                "the key of the language model holds a blank or a character that is not ASCII: copy it again"
            )
        self._text = stripped

    def reveal(self) -> str:
        """The key itself, for the one header that carries it."""
        return self._text

    def mask(self, text: str) -> str:
        """The text with the key replaced by stars; servers repeat what they were sent."""
        return text.replace(self._text, MASK) if len(self._text) >= SHORTEST else text

    def __bool__(self) -> bool:
        return bool(self._text)

    def __repr__(self) -> str:
        return f"Secret({MASK if self else ''})"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a key is not written to files: give it again where it is needed")


def check_base_url(url: str) -> str:
    """The address of a server, without a slash at its end.

    Addresses are printed, logged and part of a cache's key, so one that holds a key or a password is refused.

    Raises
    ------
    LanguageModelError
        When it is no http(s) address, or has a user, a query or a fragment; the message does not show these.
    """
    try:
        parts = urlsplit(url.strip())
        host, port = parts.hostname, parts.port
    except ValueError:
        host = port = None
    if not host or parts.scheme not in {"http", "https"}:
        raise LanguageModelError(
            'the address of the language model is no http or https address, such as "http://localhost:8000/v1"'
        )
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        raise LanguageModelError(
            f"the address of the language model at {host!r} holds a user, a query or a fragment: give the bare "
            "address, and the key as api_key= or in OPENAI_API_KEY"
        )
    shown = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{shown}{'' if port is None else f':{port}'}{parts.path.rstrip('/')}"
