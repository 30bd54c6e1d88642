"""What speaks for a join, as short lines that a reader without statistics understands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jar.answers.join import ERROR, unmeasured

if TYPE_CHECKING:
    from jar.answers.join import Join

SAID = {
    "pinned": "pinned by you",
    "declared": "declared key",
    "unverified": "names alone, not verified by values",
    "estimated": "estimated from samples",
}
MEASURES = {
    "containment_left": "values of {left} that {right} has, too",
    "containment_right": "values of {right} that {left} has, too",
    "jaccard": "values that both have, of all their values",
    "uniqueness_left": "different values by rows of {left}",
    "uniqueness_right": "different values by rows of {right}",
    "name_similarity": "how well the names belong together",
}
"""The shares that are told, in this order."""
PADDED = {"padded_left": "values of {left} with blanks around them", "padded_right": "the same of {right}"}
"""Those that are told where there are any."""


def join_facts(join: Join) -> dict[str, Any]:
    """`said`: what is known of it in words; `shares`: [what, share from 0 to 1, its standard error or 0]."""
    evidence, none = join.evidence, unmeasured(join.evidence)
    names = {"left": _column(join.left_table, join.left_column), "right": _column(join.right_table, join.right_column)}
    phrases = {**MEASURES, **{name: words for name, words in PADDED.items() if evidence.get(name)}}
    return {
        "said": [words for name, words in SAID.items() if evidence.get(name) and not (none and name == "estimated")]
        + none,
        "shares": [
            [words.format(**names), round(float(evidence[name]), 3), round(float(evidence.get(name + ERROR) or 0.0), 3)]
            for name, words in phrases.items()
            if isinstance(evidence.get(name), (int, float))
        ],
    }


def _column(table: str, column: str) -> str:
    return f"{table.rpartition('.')[2]}.{column}"
