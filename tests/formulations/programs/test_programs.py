"""The arrays that engines are given say what they should, checked without any engine."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from engine_problems import random_instance, random_objective

from formulations import Instance, JarObjective, SolverError, Status, solve
from formulations.algorithms import local
from formulations.algorithms.cpsat import scaled
from formulations.programs.program import Program
from formulations.programs.reduced import ReducedProgram, merges
from formulations.programs.rounds import Claim, solve_in_rounds


def satisfies(program: Program, x: np.ndarray) -> bool:
    """Whether x keeps all bounds and rows."""
    rows = np.repeat(np.arange(len(program.rhs)), np.diff(program.start))
    left = np.bincount(rows, program.coefficient * x[program.index], minlength=len(program.rhs))
    kept = np.where(program.equal, np.abs(left - program.rhs) < 1e-9, left < program.rhs + 1e-9)
    return bool(kept.all() and (x >= program.lower).all() and (x <= program.upper).all())


def test_each_set_is_a_solution_of_the_reduced_program_at_its_value() -> None:
    """Encoding a feasible set satisfies every row, with the cuts of other sets too, and costs what the set is worth."""
    random = np.random.default_rng(5)
    for _ in range(60):
        instance, objective = random_instance(random), random_objective(random, ("require", "prefer", "ignore"))
        best = solve(instance, objective, "enumerate")
        if not best.items:
            continue
        reduced = ReducedProgram(instance, objective)
        free = [i for i in range(instance.n) if i not in {*instance.require, *instance.exclude}]
        others = random.permutation(free)[: instance.size - len(instance.require)].tolist()
        for items in (best.items, tuple(sorted([*instance.require, *others]))):
            reduced.cut_off(items)
        x, program = reduced.encode(best.items), reduced.program()
        assert satisfies(program, x)
        assert program.cost @ x == pytest.approx(best.value)
        assert reduced.decode(x) == best.items


def test_only_tables_are_integers(small: tuple[Instance, JarObjective]) -> None:
    """The reduced program has one integer column per table, unless the engine knows nothing else."""
    assert ReducedProgram(*small).program().integer.sum() == 4
    assert ReducedProgram(*small, integral=True).program().integer.all()


def test_a_set_is_cut_off_once(small: tuple[Instance, JarObjective]) -> None:
    """The second time its cuts are known, which is how the rounds end."""
    reduced = ReducedProgram(*small)
    assert reduced.cut_off((0, 1, 2))
    assert not reduced.cut_off((0, 1, 2))


def test_merges_follow_kruskal() -> None:
    """Each edge joins the groups that its ends are in by then."""
    assert merges([(2, 3), (0, 1), (1, 2)]) == [((2,), (3,)), ((0,), (1,)), ((0, 1), (2, 3))]


def test_rounding_hides_no_more_than_it_says() -> None:
    """For each set, scaled integer costs plus the error are at least the true costs; the error is that of one set."""
    random = np.random.default_rng(6)
    for _ in range(30):
        instance, objective = random_instance(random, 6), random_objective(random, ("require", "prefer", "ignore"))
        cutting = ReducedProgram(instance, objective, integral=True)
        program = cutting.program()
        rounded, scale, errors = scaled(program)
        assert (rounded.cost == np.rint(rounded.cost)).all()
        most = cutting.most(errors)
        assert most <= errors.sum() + 1e-15
        for items in combinations(sorted(set(range(instance.n)) - set(instance.exclude)), instance.size):
            if set(items) >= set(instance.require) and objective.value(instance, items) > -np.inf:
                x = cutting.encode(items)
                assert abs(program.cost @ x - rounded.cost @ x / scale) <= most + 1e-12


def test_the_rounding_of_a_solution_is_reported() -> None:
    """CP-SAT's bound contains the error, which a set of two among sixty tables has only twice."""
    random = np.random.default_rng(8)
    instance = Instance(random.random(60), [], np.zeros((60, 60)), 2)
    objective = JarObjective(coarse=1.0)
    errors = scaled(ReducedProgram(instance, objective, integral=True).program())[2]
    solution = solve(instance, objective, "cpsat", start=None)
    assert 0.0 < solution.details["scaling_error"] <= 2.0 * errors.max() < errors.sum()
    assert solution.to_dict()["details"] == solution.details
    assert "details" not in solve(instance, objective).to_dict()


def test_false_claims_are_refused(small: tuple[Instance, JarObjective]) -> None:
    """An engine that finds nothing feasible, or a bound below a known set, contradicts the start and raises."""
    for claim in (Claim(Status.INFEASIBLE, np.inf, None), Claim(Status.OPTIMAL, 5.0, None)):
        with pytest.raises(SolverError, match="claims"):
            solve_in_rounds(*small, lambda *_, claim=claim: claim, None, local.solve)
