"""How the weights for schemas without declared keys, and for wide ones, count in the model of sets."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from jar.learned.candidates_seen import JOINED
from jar.learned.width import BROAD, JOINED_UP, KNOWN, LOOSE, NARROW, SLIM, STRANGE, WIDE
from jar.sizes.set_model import TERMS
from tests.jar.sizes.made_candidates import chain, made_model


@pytest.mark.parametrize("connected", [NARROW, NARROW + 3, WIDE])
def test_all_weights_lie_between_those_of_narrow_and_of_wide_schemas(connected: int) -> None:
    """Equation (10) by hand; without weights for wide schemas the others count everywhere."""
    model, wide = made_model(1), replace(made_model(2), more=np.array([1.0, 2, 3, 4]), held=np.array([5.0, 6.0]))
    seen, odds = chain(26, connected), np.eye(26)[0]
    share = (connected - NARROW) / (WIDE - NARROW)
    found = replace(model, wide=wide).at(seen, odds)
    for group in TERMS:
        mixed = share * getattr(wide, group) + (1 - share) * getattr(model, group)
        np.testing.assert_allclose(getattr(found, group), mixed)
        np.testing.assert_array_equal(getattr(model.at(seen, odds), group), getattr(model, group))


@pytest.mark.parametrize(("kind", "connected"), [("wide", WIDE), ("undeclared", NARROW)])
def test_schemas_without_rows_have_weights_of_their_own(kind: str, connected: int) -> None:
    """Where there are any; else those of schemas with rows count."""
    model, other, bare = (made_model(seed) for seed in (1, 2, 3))
    seen, odds = chain(26, connected), np.eye(26)[0]
    nameless = replace(seen, has_rows=False)
    both = replace(model, **{kind: other, f"{kind}_without_rows": bare})
    for candidates, weights, expected in (
        (seen, both, other),
        (nameless, both, bare),
        (nameless, replace(both, **{f"{kind}_without_rows": None}), other),
    ):
        np.testing.assert_allclose(weights.at(candidates, odds).sets, expected.sets)


def test_in_wide_schemas_without_rows_declared_keys_have_weights_of_their_own() -> None:
    """By the share of the candidates whose best join is declared (7); with rows they do not count."""
    model, bare, keyed = (made_model(seed) for seed in (1, 2, 3))
    seen, odds = replace(chain(26, WIDE), has_rows=False), np.eye(26)[0]
    weights = replace(model, wide=made_model(4), wide_without_rows=bare, wide_declared_without_rows=keyed)
    guessed, declared, one = seen.joins, seen.joins / JOINED, seen.joins.copy()
    one[0, 1] = one[1, 0] = 1.0
    for joins, share in ((declared, 1.0), (guessed, 0.0), (one, 2 / WIDE)):
        found = weights.at(replace(seen, joins=joins), odds)
        np.testing.assert_allclose(found.sets, share * keyed.sets + (1 - share) * bare.sets)
    np.testing.assert_allclose(weights.at(replace(seen, has_rows=True), odds).sets, made_model(4).sets)


@pytest.mark.parametrize("named", [8, 4, 3, 2, 0])
def test_all_weights_lie_between_those_of_words_of_the_schema_and_of_other_words(named: int) -> None:
    """Equation (8) by hand, with so many of eight words in names; a value is no name. Broad tables have their own
    weights, however they are asked for (9)."""
    model, own, broad = (made_model(seed) for seed in (1, 2, 3))
    words = np.zeros((8, 26))
    words[:named, 0] = 1.0
    seen = replace(chain(26, NARROW), words=words, values=np.ones((1, 26)), length=8, people=np.zeros(26))
    odds = np.eye(26)[0]
    share = min(max((1 - named / 8 - KNOWN) / (STRANGE - KNOWN), 0), 1)
    both = replace(model, own_words=replace(own, held=np.array([5.0, 6.0])), broad=broad)
    found = both.at(seen, odds)
    for group in TERMS:
        mixed = share * getattr(both.own_words, group) + (1 - share) * getattr(model, group)
        np.testing.assert_allclose(getattr(found, group), mixed)
    np.testing.assert_allclose(both.at(replace(seen, breadth=np.full(26, BROAD)), odds).sets, broad.sets)


@pytest.mark.parametrize("columns", [SLIM, SLIM + 1, BROAD])
def test_all_weights_lie_between_those_of_slim_and_of_broad_tables(columns: int) -> None:
    """Equation (9) by hand; wide schemas have their own weights, whatever their tables (10)."""
    model, broad, wide = (made_model(seed) for seed in (1, 2, 3))
    seen, odds = replace(chain(26, NARROW), breadth=np.full(26, columns)), np.eye(26)[0]
    share = (columns - SLIM) / (BROAD - SLIM)
    both = replace(model, broad=replace(broad, held=np.array([5.0, 6.0])), wide=wide)
    found = both.at(seen, odds)
    for group in TERMS:
        mixed = share * getattr(both.broad, group) + (1 - share) * getattr(model, group)
        np.testing.assert_allclose(getattr(found, group), mixed)
    wider = both.at(replace(seen, joins=chain(26, WIDE).joins), odds)
    np.testing.assert_allclose(wider.sets, wide.sets)


@pytest.mark.parametrize("connected", [26, 20, 16, 10, 6, 1])
def test_where_hardly_any_join_is_known_other_weights_count(connected: int) -> None:
    """Equation (11) by hand, after those of broad tables and of wide schemas (10)."""
    model, wide, loose = (made_model(seed) for seed in (1, 2, 3))
    seen, odds = replace(chain(26, connected), breadth=np.full(26, BROAD)), np.eye(26)[0]
    share = min(max(((26 - connected) / 26 - JOINED_UP) / (LOOSE - JOINED_UP), 0), 1)
    before = replace(model, wide=wide)
    found = replace(before, loose=replace(loose, held=np.array([5.0, 6.0]))).at(seen, odds)
    np.testing.assert_allclose(found.held, share * np.array([5.0, 6.0]) + (1 - share) * before.at(seen, odds).held)
    np.testing.assert_allclose(found.sets, share * loose.sets + (1 - share) * before.at(seen, odds).sets)


def test_in_narrow_schemas_those_of_wide_ones_do_not_count() -> None:
    """Nor do those without rows."""
    model, other, bare = (made_model(seed) for seed in (1, 2, 3))
    seen = replace(chain(26, NARROW), has_rows=False)
    found = replace(model, wide=other, wide_without_rows=bare).at(seen, np.eye(26)[0])
    np.testing.assert_allclose(found.sets, model.sets)


def test_more_tables_are_chosen_from_a_wide_schema() -> None:
    """What lies beyond the sets, and what is held of it, goes by the mixed weights, too."""
    model, odds = made_model(1), np.linspace(2.0, -3.0, 26)
    seen = chain(26, 26)
    certain = replace(model, more=np.array([20.0, 0, 0, 0]), held=np.array([-0.25, 0.0]))
    found = replace(model, wide=certain).distribution(seen, odds)
    assert found is not None
    assert found.beyond == pytest.approx(1 - found.nothing)
    assert found.confidence(range(7)) == pytest.approx(found.beyond / (1 + np.exp(0.25)), abs=1e-6)
