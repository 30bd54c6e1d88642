"""Proves the closed form of the objective: it equals the brute force over matchings and forests on random instances."""

from __future__ import annotations

import math

import networkx
import numpy as np
import pytest
from formulation_oracles import cover_by_matchings, join_by_forests, value_by_definition
from formulation_problems import instances, objectives, random_problem
from hypothesis import given, settings
from hypothesis import strategies as st

from formulations import Instance, InvalidInstanceError, JarObjective, objective_from_dict


@settings(max_examples=150, deadline=None)
@given(instances(most=5), objectives(), st.data())
def test_the_value_is_that_of_the_definition(instance: Instance, objective: JarObjective, data: st.DataObject) -> None:
    """Coarse relevance, the best matching and the best forest or tree add up to the value."""
    items = data.draw(st.lists(st.integers(0, instance.n - 1), unique=True, min_size=1, max_size=4))
    assert objective.value(instance, items) == pytest.approx(value_by_definition(instance, objective, items), abs=1e-9)


@settings(max_examples=150, deadline=None)
@given(instances(most=4), objectives(), st.data())
def test_fine_and_coverage_are_the_best_matching(
    instance: Instance, objective: JarObjective, data: st.DataObject
) -> None:
    """The largest gains, each sub-query's bonus on its best match, are worth what the best set of matches is."""
    items = data.draw(st.lists(st.integers(0, instance.n - 1), unique=True, min_size=1))
    terms = objective.terms(instance, items)
    expected = cover_by_matchings(instance, objective, items)
    assert terms.fine + terms.coverage == pytest.approx(expected, abs=1e-9)


@settings(max_examples=100, deadline=None)
@given(instances(most=5), objectives(connect="prefer"))
def test_the_join_term_is_the_best_forest(instance: Instance, objective: JarObjective) -> None:
    """No forest between the tables earns more than the one that is reported."""
    items = range(instance.n)
    expected = join_by_forests(instance, objective, items)
    assert objective.terms(instance, items).join == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_the_forest_is_that_of_networkx(seed: int) -> None:
    """On thirty tables the forest weighs what networkx finds."""
    instance, objective = random_problem(30, 2, 5, seed, density=0.1)
    graph = networkx.from_numpy_array(instance.weights)
    expected = sum(data["weight"] for _, _, data in networkx.maximum_spanning_edges(graph))
    edges = objective.edges(instance, range(30))
    assert sum(edge.weight for edge in edges) == pytest.approx(expected)
    assert len(edges) == 30 - networkx.number_connected_components(graph)


@given(instances(most=5), objectives(), st.data())
@settings(max_examples=100, deadline=None)
def test_matches_explain_the_terms(instance: Instance, objective: JarObjective, data: st.DataObject) -> None:
    """The matches are different, within the limit, first once per sub-query, and earn the two terms."""
    items = data.draw(st.lists(st.integers(0, instance.n - 1), unique=True, min_size=1))
    matches = objective.matches(instance, items)
    firsts = [match.subquery for match in matches if match.first]
    assert len({(match.subquery, match.table) for match in matches}) == len(matches)
    assert len(matches) <= objective.match_limit * instance.m + 1e-9
    assert sorted(set(firsts)) == sorted(firsts) == sorted({match.subquery for match in matches})
    assert all(match.score == instance.coverage[match.subquery, match.table] for match in matches)


def test_one_or_two_sub_queries_may_count_half() -> None:
    """The number of matches is the floor of match_limit times the sub-queries."""
    half = JarObjective(match_limit=0.5)
    assert [half.matches_allowed(m) for m in range(5)] == [0, 0, 1, 1, 2]
    assert JarObjective(match_limit=0.7).matches_allowed(10) == 7


def test_a_set_that_must_be_connected_and_is_not_is_worth_minus_infinity() -> None:
    """Under `require` a missing join rules the set out; under `prefer` it only earns nothing."""
    instance = Instance([1.0, 1.0], [], np.zeros((2, 2)), 2)
    assert JarObjective(connect="require").value(instance, (0, 1)) == -math.inf
    assert JarObjective(connect="prefer").value(instance, (0, 1)) == 20.0


def test_an_objective_survives_the_way_through_json_types() -> None:
    """`objective_from_dict` undoes `to_dict`."""
    objective = JarObjective(3.0, 3.0, 8.0, 1.0, "require", 0.5, 2.0)
    assert objective_from_dict(objective.to_dict()) == objective


@pytest.mark.parametrize(
    ("parameters", "place"),
    [
        ({"coarse": -1.0}, "objective.coarse"),
        ({"fine": math.nan}, "objective.fine"),
        ({"coverage": math.inf}, "objective.coverage"),
        ({"join": "much"}, "objective.join"),
        ({"link": -0.5}, "objective.link"),
        ({"match_limit": -1}, "objective.match_limit"),
        ({"connect": "perhaps"}, "objective.connect"),
    ],
)
def test_parameters_out_of_range_are_named(parameters: dict[str, object], place: str) -> None:
    """The error says which parameter is wrong."""
    with pytest.raises(InvalidInstanceError) as caught:
        JarObjective(**parameters)  # type: ignore[arg-type]
    assert caught.value.field == place


@pytest.mark.parametrize(
    ("data", "place"), [({"name": "crash"}, "objective.name"), ({"name": "jar", "corse": 1}, "objective.corse")]
)
def test_an_unknown_stored_objective_is_refused(data: dict[str, object], place: str) -> None:
    """A wrong name, or a parameter that does not exist, is an error and not a default."""
    with pytest.raises(InvalidInstanceError) as caught:
        objective_from_dict(data)
    assert caught.value.field == place
