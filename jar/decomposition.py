"""From a question to sub-queries, without a language model.

What a question asks for stands in its content words: "Which *female clients* own *credit cards* and also have
*loans*?" Between them are stop words, and each run of words without one is a chunk. On text-to-SQL questions such
chunks choose tables about as well as the sub-queries that a language model writes. A caller with something better
passes its own: any `Decomposer`, or the sub-queries themselves.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Protocol

__all__ = ["MAXIMUM", "Decomposer", "decompose"]

MAXIMUM = 12
"""Most sub-queries of one question; later chunks are left out."""

# Function words, words that give an order ("show", "list") and words of arithmetic and arrangement ("number", "most",
# "ascending"), which say what to do with tables and not which ones. Words that are often names of tables or columns
# ("name", "date", "time", "type", "order") are absent.
STOP_WORDS = frozenset(
    """
    a an the this that these those it its they them their theirs he him his she her hers we us our you your i me my
    who whom whose which what when where why how
    and or nor but if then than as so not no neither either both
    of in on at by to from with without within for about into onto over under between among through during
    before after above below up down out off per via against across along toward towards upon
    is are was were be been being am do does did done doing have has had having
    can could will would shall should may might must
    all any each every some such other another others same only also too very just more most less least few many much
    there here again ever never please
    show list give find get return tell display count compute calculate determine identify provide state name names
    number total average mean sum maximum minimum max min amount times
    highest lowest largest smallest greatest biggest fewest top first last
    ascending descending alphabetical order ordered sort sorted
    least greater larger smaller higher lower fewer than equal exactly different distinct unique
    corresponding respective respectively together along one ones
    """.split()
)

_TOKEN = re.compile(
    r"""(?P<quoted>(?<!\w)(?:"[^"]+"|'[^']+'(?!\w)|“[^”]+”|‘[^’]+’(?!\w)|`[^`]+`))"""
    r"""|(?P<name>[^\W\d_a-z]\w*(?:\s+(?:of\s+|the\s+|de\s+)*[^\W\d_a-z]\w*)+)"""
    r"""|(?P<word>\w+(?:['’.\-/]\w+)*)"""
    r"""|(?P<mark>\S)"""
)
