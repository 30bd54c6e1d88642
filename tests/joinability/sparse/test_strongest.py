"""The strongest members of groups, looked up against plain loops."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from joinability.sparse.strongest import Layers, Strongest

strengths = st.dictionaries(st.tuples(st.integers(0, 5), st.integers(0, 5)), st.sampled_from([-1.0, 0.0, 2.0]))


@given(strengths, st.integers(0, 6))
def test_layers_are_looked_up_with_and_without_a_member(found: dict[tuple[int, int], float], cut: int) -> None:
    """The strongest of each group, and the strongest besides a member, whichever groups became known first."""
    layers = Layers(())
    for groups in (range(cut), range(cut, 6)):
        part = {pair: strength for pair, strength in found.items() if pair[0] in groups}
        group, member = (np.array([pair[side] for pair in part], dtype=np.int64) for side in (0, 1))
        layers = layers.with_more(Layers.of(group, member, np.array(list(part.values()), dtype=np.float64)))
    for asked in range(6):
        of_group = {member: strength for (group, member), strength in found.items() if group == asked}
        places = np.full(6, asked)
        assert layers.first(places[:1]).tolist() == [max(of_group.values(), default=-math.inf)]
        assert layers.besides(places, np.arange(6)).tolist() == [
            max((strength for member, strength in of_group.items() if member != left), default=-math.inf)
            for left in range(6)
        ]


def test_no_group_no_rival() -> None:
    """Nothing is stronger than nothing."""
    none = np.zeros(0, dtype=np.int64)
    nothing = Strongest.of(none, none, np.zeros(0))
    assert nothing.besides(np.array([0, 3]), np.array([1, 1])).tolist() == [-math.inf, -math.inf]
