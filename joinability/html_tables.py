"""Tables in HTML, for notebooks: all that stands in them is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from joinability.lines import one_line


def html_text(text: object) -> str:
    """Text for HTML, also between quotes.

    Examples
    --------
    >>> html_text("<b>'a' & b")
    '&lt;b&gt;&#x27;a&#x27; &amp; b'
    """
    return escape(one_line(str(text)))


def html_table(
    columns: Sequence[str], rows: Iterable[Sequence[object]], *, title: str, notes: Iterable[str] = ()
) -> str:
    """A title, a table with a row of names, and notes below it."""
    head = "".join(f"<th>{html_text(name)}</th>" for name in columns)
    body = "".join(f"<tr>{''.join(f'<td>{html_text(cell)}</td>' for cell in row)}</tr>" for row in rows)
    below = "".join(f"<div>{html_text(note)}</div>" for note in notes)
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>" if body else ""
    return f"<div><strong>{html_text(title)}</strong>{table}{below}</div>"
