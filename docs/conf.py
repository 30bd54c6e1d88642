"""How Sphinx builds the pages of this folder into a site: `make docs`, without a network and without a warning."""

from __future__ import annotations

import importlib
import importlib.metadata
import re
from pathlib import Path
from typing import Any

import click
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

HERE = Path(__file__).parent

project = "jar-rerank"
release = version = importlib.metadata.version("jar-rerank")
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
root_doc = "index"
exclude_patterns = ["figures"]
default_role = "code"
smartquotes = False
nitpicky = True
# Annotations name types of other packages and of the inside of this one, which have no entry; and short names of types,
# such as `path`, are names of attributes as well. All other references are checked.
nitpick_ignore_regex = [(r"py:.*", r".*")]
suppress_warnings = ["ref.python"]

myst_heading_anchors = 4

html_theme = "furo"
html_title = f"jar-rerank {release}"
html_copy_source = html_show_sourcelink = False
html_theme_options = {"navigation_with_keys": True}

autodoc_member_order = "groupwise"
autodoc_default_options = {"members": True, "inherited-members": "BaseException,str,tuple,Protocol"}
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 88

OTHER_PAGES = "<!-- all other pages -->"
"""In the lists of `index.md`: the pages of this folder that no list names, so that a new one needs no line there."""


class CommandHelp(SphinxDirective):
    """``{command-help} PROGRAM MODULE:NAME``: for each command of a group of click a section with its ``--help``."""

    required_arguments = 2

    def run(self) -> list[nodes.Node]:
        """The sections."""
        module, _, name = self.arguments[1].partition(":")
        group = getattr(importlib.import_module(module), name)
        context = click.Context(group, info_name=self.arguments[0], **group.context_settings)
        return [self.section(group.get_command(context, name), context) for name in group.list_commands(context)]

    def section(self, command: click.Command, parent: click.Context) -> nodes.Node:
        """Title and help of a command."""
        context = click.Context(command, info_name=command.name, parent=parent, terminal_width=88)
        title = f"{parent.info_name} {command.name}"
        section = nodes.section("", nodes.title(title, title), ids=[nodes.make_id(title)], names=[title])
        section += nodes.literal_block(text := command.get_help(context), text, language="none")
        return section


def fill_lists(app: Sphinx, page: str, source: list[str]) -> None:
    """Name the pages in `index.md` that it does not name."""
    if page == root_doc:
        named = set(re.findall(r"^[\w/.-]+$", source[0], re.MULTILINE))
        others = sorted(path.stem for path in HERE.glob("*.md") if path.stem not in named | {root_doc})
        source[0] = source[0].replace(OTHER_PAGES, "\n".join(others))


def plain_text(app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Make |A|, a size in docstrings, no substitution of reStructuredText, and paths of pages links."""
    if name == "jar":
        lines.clear()  # its page has an introduction of its own
    for number, line in enumerate(lines):
        parts = re.split(r"(`+[^`]*`+)", line)
        parts[::2] = [re.sub(r"\|(?=\w[^|]*\|)|(?<=\w)\|(?!\w)", r"\\|", part) for part in parts[::2]]
        lines[number] = re.sub(r"(?<![`\w])docs/([\w/-]+)\.md\b", r":doc:`docs/\1.md </\1>`", "".join(parts))


def setup(app: Sphinx) -> dict[str, bool]:
    """Register what this site has of its own."""
    app.add_directive("command-help", CommandHelp)
    app.connect("source-read", fill_lists)
    app.connect("autodoc-process-docstring", plain_text)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
