"""Questions without their values: what a prompt may show of somebody else's question."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from joinability.spelling.vocabulary import plain_words, singular

__all__ = ["masked_question"]

MASK = "_"

_QUOTED = re.compile(r"\"[^\"]*\"|“[^”]*”|`[^`]*`|(?<!\w)'[^']*'(?!\w)|‘[^’]*’")
_NUMBER = re.compile(r"\d[\w.,:/%-]*\w|\d")
_PROPER = re.compile(r"(?<=[^.?!\s:] )[A-Z][\w’'-]*")
_MASKS = re.compile(r"_(?:[\s,.'’-]*_)+(?!\w)")


def masked_question(question: str, values: Sequence[str], names: Iterable[str] = ()) -> str:
    """A question with ``_`` in place of its values.

    Values are those of its SQL, also in another case or with a plural's ending, what stands in quotes, numbers, and
    words with a capital letter inside a sentence that are in none of the names.

    Parameters
    ----------
    values : sequence of str
        Texts and numbers of the SQL.
    names : iterable of str
        Tables and columns that the SQL uses.

    Examples
    --------
    >>> masked_question("Which singers from France are older than 20?", ["France", "20"])
    'Which singers from _ are older than _?'
    """
    text = " ".join(question.split())
    forms = {form for value in values for form in _forms(value)}
    for form in sorted(forms, key=lambda form: (-len(form), form)):
        text = re.sub(_pattern(form), MASK, text, flags=re.IGNORECASE)
    text = _NUMBER.sub(MASK, _QUOTED.sub(MASK, text))
    known = {singular(word) for name in names for word in plain_words(name)}

    def proper(match: re.Match[str]) -> str:
        words = plain_words(match[0])
        return match[0] if words and all(singular(word) in known for word in words) else MASK

    return _MASKS.sub(MASK, _PROPER.sub(proper, text))


def _forms(value: str) -> list[str]:
    """A value as it may stand in a question: as a whole, and the parts of a pattern of LIKE."""
    whole = " ".join(value.split())
    parts = [" ".join(part.split()) for part in value.split("%")] if "%" in value else []
    return [form for form in (whole, *parts) if form.strip(MASK)]


def _pattern(value: str) -> str:
    before = r"(?<!\w)" if re.match(r"\w", value) else ""
    after = r"(?:s|es|['’]s)?(?!\w)" if re.search(r"\w$", value) else ""
    return before + re.escape(value).replace(r"\ ", r"\s+") + after
