"""The weights of the set model on its page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from benchmarks.pages.markdown import between
from jar.sizes.set_terms import SET_TERMS

PAGE = Path(__file__).resolve().parents[2] / "docs" / "set-model.md"
WEIGHTS = ("<!-- weights: written by `python -m benchmarks fit-relevance` -->", "<!-- /weights -->")
LABELS = {
    "undeclared": "no key declared",
    "undeclared_without_rows": "no key, no rows",
    "own_words": "own words",
    "broad": "broad",
    "wide": "wide",
    "wide_without_rows": "wide, no rows",
    "wide_declared_without_rows": "wide, keys, no rows",
    "loose": "loose",
}
"""Columns and rows of weights in the tables."""


def weights_text(document: Mapping[str, Any]) -> str:
    """All weights that the equations of the page speak of, as the data file of the package has them."""
    broad, wide, without, loose, own_words = (
        document[name] for name in ("broad", "wide", "wide_without_rows", "loose", "own_words")
    )
    keyed = document["wide_declared_without_rows"]
    bare = document["undeclared"], document["undeclared_without_rows"]
    kinds = {"": document} | {f", {label}": document[kind] for kind, label in LABELS.items()}
    rows = [
        f"{_row(name, [weights['sets'][name] for weights in kinds.values()])} {meaning} |"
        for name, meaning in SET_TERMS.items()
    ]
    return "\n".join(
        [
            f"| term of a set | weight | {' | '.join(kind.removeprefix(', ') for kind in kinds if kind)} | meaning |",
            f"| --- | {'---: | ' * len(kinds)}--- |",
            *rows,
            "",
            "| | constant | log-odds | unknown | unknown times log-odds |",
            "| --- | ---: | ---: | ---: | ---: |",
            *(_row(f"(3){name}: c, s, c', s'", kind["tables"].values()) for name, kind in kinds.items()),
            "",
            "| | constant | expected | unknown | likeliest |",
            "| --- | ---: | ---: | ---: | ---: |",
            *(_row(f"(4){name}: b_0, b_1, b_2, b_3", kind["beyond"].values()) for name, kind in kinds.items()),
            "",
            "| | (5): d_0 | d_1 | d_2 | d_3 | (6): h_0 | h_1 |",
            "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
            *(
                _row(name.removeprefix(", ") or "else", [*kind["more"].values(), *kind["held"].values()])
                for name, kind in kinds.items()
                if "more" in kind
            ),
            "",
            f"All are fitted to {_questions(document):,} pools where a key is declared "
            f"and, where none is, to {_pools(bare)} with rows and without;",
            f"{_questions(document, 'reworded'):,}, {_pools(bare, 'reworded')} of these are in other words, "
            f"{_questions(document, 'companies'):,}, {_pools(bare, 'companies')} of companies.",
            f"Those for broad tables are fitted to {_questions(broad):,} pools of parts of companies, "
            f"{_questions(broad, 'plain'):,} of them in plain words.",
            f"Those for wide schemas are fitted to {_questions(wide):,} pools of companies with rows, "
            f"{_questions(without):,} without rows and keys ({_questions(without, 'terse'):,} of terse schemas), and "
            f"{_questions(keyed):,} without rows but with declared keys; "
            f"{_pools((wide, without, keyed), 'plain')} of these are in plain words.",
            f"Those where hardly any join is known are fitted to {_questions(loose):,} pools of warehouses.",
            f"Those for questions in words of their own are fitted to {_questions(own_words):,} pools, "
            f"{_questions(own_words, 'small'):,} of them of small databases.",
        ]
    )


def write_weights(document: Mapping[str, Any], page: Path = PAGE) -> None:
    """Write the weights between their marks."""
    page.write_text(between(page.read_text("utf-8"), WEIGHTS, weights_text(document)), encoding="utf-8")


def _row(name: str, weights: Iterable[float]) -> str:
    return f"| {name} | {' | '.join(f'{weight:.2f}' for weight in weights)} |"


def _pools(parts: Iterable[Mapping[str, Any]], word: str = "") -> str:
    return " and ".join(f"{_questions(part, word):,}" for part in parts)


def _questions(part: Mapping[str, Any], word: str = "") -> int:
    """Pools of the settings whose names have a word; the number of those without an answer stands beside them."""
    return sum(count for setting, count in part["fitted_on"].items() if word in setting and setting != "unanswered")
