"""What a further table would change, beside loops over all sets."""

from __future__ import annotations

import pytest

from jar.sizes.adding import adding
from tests.jar.sizes.made_candidates import made_candidates, made_model, made_odds


@pytest.mark.parametrize("seed", range(4))
def test_a_further_table_changes_what_loops_say(seed: int) -> None:
    n = 7
    distribution = made_model(seed).distribution(made_candidates(seed, n), made_odds(seed, n))
    assert distribution is not None
    sets = {distribution.items(row): chance for row, chance in enumerate(distribution.probability.tolist())}

    def f1(chosen: set[int]) -> float:
        return sum(chance * 2 * len(chosen & {*items}) / (len(chosen) + len(items)) for items, chance in sets.items())

    for chosen, item in (((0, 1), 2), ((3,), 0), ((), 4)):
        told = adding(distribution, chosen, item)
        inside = sum(chance for items, chance in sets.items() if item in items)
        assert told.needed == pytest.approx(inside + distribution.beyond * distribution.presence[item])
        assert told.f1 == pytest.approx(f1({*chosen}) if chosen else 0.0)
        assert told.f1_with == pytest.approx(f1({*chosen, item}))
        assert told.whole_with == pytest.approx(
            sum(chance for items, chance in sets.items() if items and {*items} <= {*chosen, item})
        )
        assert told.whole <= told.whole_with
        assert 0 <= told.needed <= 1
