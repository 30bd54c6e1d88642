"""What probabilities say in words."""

from __future__ import annotations

from jar.answers.alternative import Alternative
from jar.answers.confidence import confidence_lines


def test_what_an_answer_holds_is_told_apart_from_what_is_exactly_needed() -> None:
    """The answer holds a smaller set, too: chances of 63 and 37 per cent do not exclude each other."""
    others = [Alternative(("d.a",), 0.37), Alternative(("d.a", "d.b"), 0.18), Alternative((), 0.02)]
    assert confidence_lines(0.63, [*others, Alternative(("d.c",), 0.001)]) == [
        "more likely than not this answer holds all the tables that the question needs (63 %)",
        "the needed tables may also be exactly: d.a (37 %) | d.a, d.b (18 %) | nothing here (2 %)",
    ]
    assert confidence_lines(0.95, ()) == ["very likely this answer holds all the tables that the question needs (95 %)"]
    assert confidence_lines(None, ()) == []
