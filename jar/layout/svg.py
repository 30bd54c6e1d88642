"""A drawing as SVG, for HTML pages and files: no script, no style sheet, no identifiers, every name escaped.

Text and frames take the colour of the text around them, so that it can be read on light and on dark pages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from jar.layout.drawing import LOOKS, Box, Drawing, Line, Text
from joinability.html_tables import html_text

FONT = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace"
_NO_XML = re.compile("[\ufffe\uffff\U0001fffe\U0001ffff]")


def svg(drawing: Drawing) -> str:
    """The drawing as one `svg` element, which shrinks to the width that there is."""
    width, height = _number(drawing.width), _number(drawing.height)
    title = svg_text(drawing.title)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" aria-label="{title}" font-family="{FONT}" style="max-width:100%;height:auto">'
    )
    return "".join([head, f"<title>{title}</title>", *_elements(drawing), "</svg>"])


def svg_text(text: str) -> str:
    """Text for SVG, also between quotes: as for HTML, without what XML cannot hold."""
    return _NO_XML.sub("\ufffd", html_text(text))


def _elements(drawing: Drawing) -> Iterator[str]:
    for shape in drawing.shapes:
        if isinstance(shape, Box):
            yield _box(shape)
        elif isinstance(shape, Line):
            yield _line(shape)
        else:
            yield _text(shape)


def _box(box: Box) -> str:
    look = LOOKS[box.look]
    place = " ".join(
        f'{name}="{_number(value)}"'
        for name, value in (("x", box.x), ("y", box.y), ("width", box.width), ("height", box.height))
    )
    stroke = f'stroke="{look.stroke}" stroke-opacity="{look.stroke_opacity:g}" stroke-width="{_number(look.width)}"'
    fill = f'fill="{look.fill}" fill-opacity="{look.fill_opacity:g}"'
    return f'<rect {place} rx="{_number(look.radius)}" {fill} {stroke if look.width else ""}>{_hint(box.hint)}</rect>'


def _line(line: Line) -> str:
    look = LOOKS[line.look]
    points = [f"{_number(x)} {_number(y)}" for x, y in line.points]
    path = f"M{points[0]}C{', '.join(points[1:])}" if line.curved else "M" + "L".join(points)
    dashes = ' stroke-dasharray="5 4"' if look.dashed else ""
    width = _number(look.width + line.extra)
    return (
        f'<path d="{path}" fill="none" stroke="{look.stroke}" stroke-opacity="{look.stroke_opacity:g}" '
        f'stroke-width="{width}"{dashes}/>'
    )


def _text(text: Text) -> str:
    weight = ' font-weight="600"' if text.bold else ""
    anchor = f' text-anchor="{text.anchor}"' if text.anchor != "start" else ""
    return (
        f'<text x="{_number(text.x)}" y="{_number(text.y)}" font-size="{_number(text.size)}" fill="currentColor" '
        f'fill-opacity="{text.opacity:g}" xml:space="preserve"{weight}{anchor}>'
        f"{svg_text(text.text)}{_hint(text.hint)}</text>"
    )


def _hint(text: str) -> str:
    return f"<title>{svg_text(text)}</title>" if text else ""


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
