"""Proves that an instance is checked, copied, immutable, and the same after a round trip through JSON."""

from __future__ import annotations

import json
import math
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse
from formulation_problems import instances, objectives
from hypothesis import given, settings

from formulations import Instance, InvalidInstanceError, JarObjective, load_problem

RELEVANCE = [0.5, 0.4, 0.3]
COVERAGE = [[0.1, 0.2, 0.3], [0.6, 0.5, 0.4]]
JOINS = [[0.0, 0.7, 0.0], [0.7, 0.0, 0.2], [0.0, 0.2, 0.0]]
FIELDS = {"relevance": RELEVANCE, "coverage": COVERAGE, "compatibility": JOINS, "size": 2}


def test_the_data_is_copied_and_read_only() -> None:
    """Neither the caller's arrays nor the instance's own can change it."""
    relevance = np.array(RELEVANCE)
    instance = Instance(relevance, COVERAGE, JOINS, 2)
    relevance[0] = 9.0
    assert instance.relevance[0] == 0.5
    for array in (instance.relevance, instance.coverage, instance.compatibility, instance.weights):
        assert array.dtype == np.float64
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0.0


def test_a_sparse_matrix_is_as_good_as_a_dense_one() -> None:
    """scipy's sparse formats give the same compatibility."""
    for sparse in (scipy.sparse.csr_matrix(JOINS), scipy.sparse.coo_array(np.array(JOINS))):
        np.testing.assert_array_equal(Instance(RELEVANCE, COVERAGE, sparse, 2).compatibility, JOINS)


def test_the_diagonal_has_no_meaning() -> None:
    """Whatever stands on the diagonal is ignored, even what is not a number."""
    joins = np.array(JOINS)
    np.fill_diagonal(joins, [-1.0, math.nan, math.inf])
    np.testing.assert_array_equal(Instance(RELEVANCE, COVERAGE, joins, 2).compatibility, JOINS)


def test_rounding_is_no_asymmetry() -> None:
    """Entries that differ in the last digits are averaged."""
    joins = np.array(JOINS)
    joins[0, 1] += 1e-12
    instance = Instance(RELEVANCE, COVERAGE, joins, 2)
    assert instance.compatibility[0, 1] == instance.compatibility[1, 0] == pytest.approx(0.7)


@pytest.mark.parametrize("coverage", [[], np.zeros((0, 3)), np.zeros((0, 0))])
def test_there_may_be_no_sub_queries(coverage: object) -> None:
    """An empty list and an empty matrix mean m = 0."""
    assert Instance(RELEVANCE, coverage, JOINS, 2).coverage.shape == (0, 3)  # type: ignore[arg-type]


def test_tables_are_named_by_id_or_index() -> None:
    """Ids and indices mix, repeat and come in any order."""
    instance = Instance(
        RELEVANCE, COVERAGE, JOINS, 1, ["a", "b", "c"], require=[np.int64(1), "b"], forbid_joins=[("c", 1), (1, 2)]
    )
    assert instance.require == (1,)
    assert instance.exclude == ()
    assert instance.forbid_joins == ((1, 2),)


def test_forbidden_joins_leave_the_weights() -> None:
    """`weights` is the compatibility without the forbidden joins; `compatibility` keeps what it was given."""
    instance = Instance(RELEVANCE, COVERAGE, JOINS, 2, forbid_joins=[(1, 0)])
    assert instance.weights[0, 1] == instance.weights[1, 0] == 0.0
    assert instance.compatibility[0, 1] == 0.7


def test_replace_changes_what_it_is_told_and_checks_again() -> None:
    """The other fields stay; a wrong value is refused; so is a field that does not exist."""
    instance = Instance(RELEVANCE, COVERAGE, JOINS, 2, ["a", "b", "c"], require=["a"])
    changed = instance.replace(size=3)
    assert (changed.size, changed.ids, changed.require) == (3, ("a", "b", "c"), (0,))
    with pytest.raises(InvalidInstanceError, match="size"):
        instance.replace(size=4)
    with pytest.raises(InvalidInstanceError, match="is not a field"):
        instance.replace(k=1)


def test_another_size_takes_no_copy() -> None:
    """`resized` gives what `replace` gives, over the same arrays, and refuses what it refuses."""
    instance = Instance(RELEVANCE, COVERAGE, JOINS, 2, ["a", "b", "c"], exclude=["b"], forbid_joins=[("a", "c")])
    resized = instance.resized(1)
    assert resized.to_dict() == instance.replace(size=1).to_dict()
    assert instance.size == 2
    assert resized.compatibility is instance.compatibility
    assert resized.weights is instance.weights
    for wrong in (0, 3, 1.5):
        with pytest.raises(InvalidInstanceError, match=r"size|exclude"):
            instance.resized(wrong)  # type: ignore[arg-type]


def test_derived_arrays_are_made_once_for_problems_of_the_same_scores() -> None:
    """Between a resized or restricted problem and those made from it; nothing is kept by a problem on its own."""
    calls = []

    def compute() -> int:
        calls.append(1)
        return len(calls)

    instance = Instance(RELEVANCE, COVERAGE, JOINS, 2)
    assert [instance.derived("key", compute), instance.derived("key", compute)] == [1, 2]
    first = instance.resized(1)
    family = [first, first.resized(2), first.restricted((0,), ()), first.resized(3).restricted((), (1,))]
    assert [problem.derived("key", compute) for problem in family] == [3, 3, 3, 3]
    assert first.derived("other", compute) == 4
    again = pickle.loads(pickle.dumps(first))
    assert [instance.derived("key", compute), instance.resized(1).derived("key", compute)] == [5, 6]
    assert [first.replace(size=2).derived("key", compute), again.derived("key", compute)] == [7, 8]


def test_checked_data_can_skip_the_checks() -> None:
    """`from_checked` gives the same instance as the constructor."""
    arrays = [np.array(RELEVANCE), np.array(COVERAGE), np.array(JOINS)]
    instance = Instance.from_checked(*arrays, size=2, ids=("0", "1", "2"), forbid_joins=((0, 1),))
    assert instance.to_dict() == Instance(RELEVANCE, COVERAGE, JOINS, 2, forbid_joins=[(0, 1)]).to_dict()
    np.testing.assert_array_equal(instance.weights[0], [0.0, 0.0, 0.0])


@settings(max_examples=60, deadline=None)
@given(instances(), objectives())
def test_json_keeps_everything(instance: Instance, objective: JarObjective) -> None:
    """Instance and objective come back from text as they were, impossible matches included."""
    text = instance.to_json(objective=objective)
    again, stored = load_problem(text)
    assert stored == objective
    assert again.to_dict() == instance.to_dict()
    np.testing.assert_array_equal(again.coverage, instance.coverage)
    np.testing.assert_array_equal(again.weights, instance.weights)
    assert "Infinity" not in text


def test_the_json_is_as_documented() -> None:
    """Triplets i < j of positive weight, null where nothing can match, indices, and the objective by its name."""
    coverage = [[0.1, -math.inf, 0.3]]
    instance = Instance(
        RELEVANCE, coverage, JOINS, 2, ["a", "b", "c"], require=["b"], exclude=["c"], forbid_joins=[("c", "b")]
    )
    objective = JarObjective(10, 2, 8, 1, connect="require")
    assert json.loads(instance.to_json(objective=objective)) == {
        "ids": ["a", "b", "c"],
        "relevance": [0.5, 0.4, 0.3],
        "coverage": [[0.1, None, 0.3]],
        "compatibility": [[0, 1, 0.7], [1, 2, 0.2]],
        "size": 2,
        "require": [1],
        "exclude": [2],
        "forbid_joins": [[1, 2]],
        "objective": {
            "name": "jar",
            "coarse": 10,
            "fine": 2,
            "coverage": 8,
            "join": 1,
            "connect": "require",
            "link": 0.0,
            "match_limit": 1.0,
        },
    }


def test_json_needs_no_more_than_the_scores() -> None:
    """Without ids, coverage, constraints and objective the defaults hold; tables are required by id as well."""
    text = '{"relevance": [1, 2], "compatibility": [[0, 1, 0.5]], "size": 1, "require": ["1"]}'
    instance, objective = load_problem(text)
    assert (instance.ids, instance.m, instance.require, instance.exclude) == (("0", "1"), 0, (1,), ())
    assert instance.compatibility.tolist() == [[0.0, 0.5], [0.5, 0.0]]
    assert objective == JarObjective()


def test_json_goes_through_a_file(tmp_path: Path) -> None:
    """What `to_json` writes to a path, `from_json` reads from it, as a string or a path."""
    path = tmp_path / "instance.json"
    instance = Instance(RELEVANCE, COVERAGE, JOINS, 2)
    assert json.loads(instance.to_json(path)) == instance.to_dict()
    assert Instance.from_json(path).to_dict() == Instance.from_json(str(path)).to_dict() == instance.to_dict()
    assert load_problem(path)[1] == JarObjective()


@pytest.mark.parametrize(
    ("changes", "place", "said"),
    [
        ({"relevance": [0.5, math.nan, 0.3]}, "relevance[1]", "is nan"),
        ({"relevance": [0.5, 0.4, math.inf]}, "relevance[2]", "is inf"),
        ({"relevance": [[0.5]]}, "relevance", "shape (1, 1)"),
        ({"relevance": []}, "relevance", "shape (0,)"),
        ({"relevance": ["high", 1, 2]}, "relevance", "not an array of numbers"),
        ({"coverage": [[0.1, 0.2]]}, "coverage", "shape (1, 2)"),
        ({"coverage": [0.1, 0.2, 0.3]}, "coverage", "shape (3,)"),
        ({"coverage": [[0.1, 0.2, math.nan]]}, "coverage[0, 2]", "is nan"),
        ({"coverage": [[0.1, math.inf, 0.3]]}, "coverage[0, 1]", "is inf"),
        ({"compatibility": [[0.0, 1.0], [1.0, 0.0]]}, "compatibility", "shape (2, 2)"),
        ({"compatibility": [[0, -1.0, 0], [-1.0, 0, 0], [0, 0, 0]]}, "compatibility[0, 1]", "is -1.0"),
        ({"compatibility": [[0, 1.0, 0], [0.5, 0, 0], [0, 0, 0]]}, "compatibility[0, 1]", "[1, 0] is 0.5"),
        ({"compatibility": [[0, math.nan, 0], [0, 0, 0], [0, 0, 0]]}, "compatibility[0, 1]", "is nan"),
        ({"compatibility": [[0, 0, 0], [0, 0, math.inf], [0, math.inf, 0]]}, "compatibility[1, 2]", "is inf"),
        ({"size": 0}, "size", "is 0"),
        ({"size": -2}, "size", "is -2"),
        ({"size": 4}, "size", "is 4 with 3 tables"),
        ({"size": 1.5}, "size", "is 1.5"),
        ({"size": "2"}, "size", "is '2'"),
        ({"ids": 3}, "ids", "is 3"),
        ({"ids": "abc"}, "ids", "the string 'abc'"),
        ({"ids": ["a", "b"]}, "ids", "2 entries for 3 tables"),
        ({"ids": ["a", "b", "a"]}, "ids[2]", "repeats 'a'"),
        ({"ids": ["a", "b", 3]}, "ids[2]", "is 3"),
        ({"require": [3]}, "require[0]", "is 3 with 3 tables"),
        ({"require": [0, "d"]}, "require[1]", "unknown table 'd'"),
        ({"require": "0"}, "require", "the string '0'"),
        ({"require": 0}, "require", "is 0"),
        ({"require": [0.5]}, "require[0]", "is 0.5"),
        ({"exclude": [-1]}, "exclude[0]", "is -1"),
        ({"require": [1], "exclude": ["1"]}, "require", "'1', and so has exclude"),
        ({"require": [0, 1, 2]}, "require", "3 tables for a set of 2"),
        ({"exclude": [0, 1]}, "exclude", "leaves 1 tables for a set of 2"),
        ({"forbid_joins": [(0, 0)]}, "forbid_joins[0]", "with itself"),
        ({"forbid_joins": [(0, 1, 2)]}, "forbid_joins[0]", "is (0, 1, 2)"),
        ({"forbid_joins": ["01"]}, "forbid_joins[0]", "is '01'"),
        ({"forbid_joins": [0, 1]}, "forbid_joins[0]", "is 0"),
        ({"forbid_joins": 0}, "forbid_joins", "is 0"),
        ({"forbid_joins": [(0, 1), (0, 7)]}, "forbid_joins[1]", "is 7"),
        ({"groups": ["a", "b"]}, "groups", "has 2 entries for 3 items"),
        ({"groups": "abc"}, "groups", "the string 'abc'"),
        ({"groups": 3}, "groups", "is 3"),
        ({"groups": ["a", 1.5, "b"]}, "groups[1]", "is 1.5"),
    ],
)
def test_bad_input_is_named_with_its_place(changes: dict[str, object], place: str, said: str) -> None:
    """Each row of bad input raises an error with the field, the index, the fact and a remedy."""
    with pytest.raises(InvalidInstanceError) as caught:
        Instance(**(FIELDS | changes))  # type: ignore[arg-type]
    assert caught.value.field == place
    assert said in caught.value.fact
    assert caught.value.remedy
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("{", "json"),
        ('{"relevance": [1], "size": 1}', "compatibility"),
        ('{"compatibility": [], "size": 1}', "relevance"),
        ('{"relevance": [1, 2], "size": 1, "compatibility": [[0, 1]]}', "compatibility[0]"),
        ('{"relevance": [1, 2], "size": 1, "compatibility": [[0, 0, 1]]}', "compatibility[0]"),
        ('{"relevance": [1, 2], "size": 1, "compatibility": [[0, 5, 1]]}', "compatibility[0]"),
        ('{"relevance": [1, 2], "size": 1, "compatibility": [[0, 1, -1]]}', "compatibility[0]"),
        ('{"relevance": [1, 2], "size": 1, "compatibility": [[0, 1, 0]]}', "compatibility[0]"),
        ('{"relevance": [1, 2], "size": 1, "compatibility": [[0, 1, true]]}', "compatibility[0]"),
        ('{"relevance": [1, 2], "size": 1, "compatibility": [[1, 0, 1]]}', "compatibility[0]"),
        ('{"relevance": [1, "2"], "size": 1, "compatibility": []}', "relevance[1]"),
        ('{"relevance": [1, true], "size": 1, "compatibility": []}', "relevance[1]"),
        ('{"relevance": [1], "coverage": [["1"]], "size": 1, "compatibility": []}', "coverage[0][0]"),
        ('{"relevance": [1], "size": true, "compatibility": []}', "size"),
        ('{"relevance": [1], "size": 1, "compatibility": [], "exlude": [0]}', "exlude"),
        ("", "json"),
        ("[]", "json"),
        (None, "json"),
        ('{"relevance": [1, 2], "size": 1, "compatibility": [[0, 1, "x"]]}', "compatibility[0]"),
        ('{"relevance": 1, "size": 1, "compatibility": []}', "relevance"),
        ('{"relevance": [1], "coverage": [1], "size": 1, "compatibility": []}', "coverage[0]"),
        ('{"relevance": [NaN], "size": 1, "compatibility": []}', "relevance[0]"),
        pytest.param(f'{{"relevance": [{10**400}], "size": 1, "compatibility": []}}', "relevance", id="large-number"),
        ('{"relevance": [1, 2], "size": 1, "compatibility": [[0, 1, 1], [1, 0, 2]]}', "compatibility[1]"),
        ('{"relevance": [1, 2], "size": 1, "compatibility": {"0": 1}}', "compatibility"),
        ('{"relevance": [1], "size": 1, "compatibility": [], "ids": {"a": 1}}', "ids"),
        ('{"relevance": [1], "size": 1, "compatibility": [], "require": 0}', "require"),
        ('{"relevance": [1], "size": 1, "compatibility": [], "forbid_joins": [0]}', "forbid_joins[0]"),
        ('{"relevance": [1], "size": null, "compatibility": []}', "size"),
    ],
)
def test_bad_json_is_named_with_its_place(text: Any, place: str) -> None:
    """A file that is no instance gives the same kind of error, and no stack trace of its parser."""
    with pytest.raises(InvalidInstanceError) as caught:
        Instance.from_json(text)
    assert caught.value.field == place


def test_what_is_no_mapping_is_no_instance() -> None:
    """`from_dict` says so."""
    with pytest.raises(InvalidInstanceError, match="holds a NoneType; an instance is a JSON object"):
        Instance.from_dict(None)  # type: ignore[arg-type]


@pytest.mark.parametrize("stored", ["jar", None, [], 10])
def test_a_stored_objective_is_an_object(stored: object) -> None:
    """Anything else in its place is named, and not taken for the default objective."""
    data = {"relevance": [1], "compatibility": [], "size": 1, "objective": stored}
    with pytest.raises(InvalidInstanceError, match="objective: is"):
        load_problem(json.dumps(data))


@pytest.mark.parametrize(
    "content",
    [b"", b"\xff\xfe\x00", b"relevance: [1]", b"[" * 100_000],
    ids=["empty", "binary", "foreign", "bottomless"],
)
def test_a_file_that_is_no_json_is_refused(tmp_path: Path, content: bytes) -> None:
    """Empty, binary, foreign and bottomless files end in one kind of error."""
    path = tmp_path / "foreign.json"
    path.write_bytes(content)
    with pytest.raises(InvalidInstanceError, match=r"is not valid JSON|foreign\.json: is no text in UTF-8"):
        load_problem(path)


def test_json_that_is_no_object_is_refused(tmp_path: Path) -> None:
    """A list in a file is not an instance."""
    path = tmp_path / "list.json"
    path.write_text("[]")
    with pytest.raises(InvalidInstanceError, match="holds a list"):
        Instance.from_json(path)
