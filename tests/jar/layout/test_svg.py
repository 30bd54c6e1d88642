"""Pictures as SVG: whatever names hold, nothing but boxes, lines and text comes out, readable on light and on dark."""

from __future__ import annotations

import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from jar import Index, Reranker, Selection
from jar.layout.drawing import AMBER, BLUE, GREEN, LOOKS, VIOLET
from jar.layout.svg import svg, svg_text
from joinability.lines import one_line
from tests.jar.pictures.made_answers import made_join, made_selection

HOSTILE = (
    "<script>alert(1)</script>",
    "</text></svg><img src=x onerror=alert(1)>",
    '" onload="alert(1)',
    "' onmouseover='alert(1)",
    "]]><!--",
    "--><b>",
    "&lt;b&gt; &amp; &#60;i>",
    "<!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/passwd'>]>&e;",
    "<?xml version='1.0'?>",
    "javascript:alert(1)",
    "url(https://example.org/x)",
    "<style>*{display:none}</style>",
    "<foreignObject><iframe src='//example.org'>",
    "<a href='https://example.org'>x</a>",
    "line\nbreak\ttab\x00null\x1b[31m",
    "\u202egnp.exe\u2066",
    "\ufffe\uffff",
    "\ud800 half",
    "データ <表>",
    "{{7*7}} ${x} $a^2$ \\frac",
)
ELEMENTS = {"svg", "title", "rect", "path", "text"}
ATTRIBUTES = {
    "viewBox", "width", "height", "role", "aria-label", "font-family", "style", "x", "y", "rx", "fill", "fill-opacity",
    "stroke", "stroke-opacity", "stroke-width", "d", "stroke-dasharray", "font-size", "font-weight", "text-anchor",
    "{http://www.w3.org/XML/1998/namespace}space",
}  # fmt: skip


def hostile_selection(name: str) -> Selection:
    """An answer whose every name holds a hostile text."""
    made = made_selection(2)
    tables = tuple(f"db.{name}{number}" for number in range(2))
    return replace(
        made,
        question=name,
        subqueries=(name, f"nobody {name}"),
        tables=tables,
        joins=(made_join(tables[0], tables[1], name, 0.5, unverified=True),),
        coverage=(replace(made.coverage[0], subquery=name, column=f"{tables[0]}.{name}", table=tables[0]),),
        left_out=tuple(replace(rest, table=name, joins_to=name) for rest in made.left_out),
        notes=(name,),
        families={tables[0]: (tables[0], name)},
    )


@pytest.mark.parametrize("name", HOSTILE)
def test_no_name_injects_markup(name: str) -> None:
    """The picture is well-formed, has only its own elements and attributes, and tells the name as text."""
    page = hostile_selection(name)._repr_html_()
    root = ElementTree.fromstring(page)
    assert root.tag == "div"
    (picture,) = root
    tags = [element.tag.removeprefix("{http://www.w3.org/2000/svg}") for element in picture.iter()]
    assert set(tags) <= ELEMENTS
    benign = ElementTree.fromstring(hostile_selection("name")._repr_html_())
    assert tags.count("rect") == sum(element.tag.endswith("rect") for element in benign.iter())
    for element in picture.iter():
        assert set(element.attrib) <= ATTRIBUTES
        for attribute, value in element.attrib.items():
            if attribute != "aria-label":
                assert "alert" not in value
                assert "example.org" not in value
    shown = svg_text(name)
    assert f"<title>{shown}</title>" in page
    assert "\x1b" not in page
    assert one_line(name).encode("utf-8")


def test_the_answer_of_an_index_is_a_picture_in_a_notebook(lake_index: Index) -> None:
    """With its tables, its sub-queries and the best candidates left out; nothing is loaded from anywhere."""
    result = Reranker(lake_index).rank("Which female clients of the bank have loans?", k=3)
    page = result._repr_html_()
    for name in (*result.tables, *(rest.table for rest in result.left_out[:3])):
        assert svg_text(name) in page
    assert result.to_svg() in page
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)|<script|<style|\son\w+=|href", page)
    assert f'aria-label="{result.question}"' in page


def test_columns_that_were_chosen_are_in_the_picture(lake_index: Index) -> None:
    """An answer of columns shows them in their tables."""
    result = Reranker(lake_index, objective="crush").columns("Which female clients have loans?", budget=4)
    told = {element.text for element in ElementTree.fromstring(result.to_svg()).iter() if element.tag.endswith("text")}
    assert {column.name for column in result.columns} <= told


def luminance(colour: str) -> float:
    """Relative luminance of a colour (WCAG 2.2)."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("colour", [BLUE, AMBER, GREEN, VIOLET])
@pytest.mark.parametrize("page", ["#ffffff", "#111111", "#1e1e1e", "#f7f7f7"])
def test_lines_stand_out_from_light_and_from_dark(colour: str, page: str) -> None:
    """By 3 to 1 at least (WCAG 2.2, 1.4.11)."""
    assert contrast(colour, page) >= 3


def test_text_and_grey_take_the_colour_of_the_page() -> None:
    """Every colour is one of the four, or that of the text around the picture."""
    used = {colour for look in LOOKS.values() for colour in (look.stroke, look.fill)}
    assert used <= {BLUE, AMBER, GREEN, VIOLET, "currentColor"}
    texts = re.findall(r"<text[^>]*>", svg_of_made())
    assert texts
    assert all('fill="currentColor"' in text for text in texts)


def svg_of_made() -> str:
    from jar.layout.selection_layout import lay_out_selection

    return svg(lay_out_selection(made_selection(5).plan()))
