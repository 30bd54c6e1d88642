"""Performance profiles, quantiles and summaries, each against a definition written out or a small case by hand."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.plots.performance_profile import performance_profile, performance_ratios
from benchmarks.solvers.races import Run
from benchmarks.solvers.solver_page import proof_times
from benchmarks.solvers.summaries import Time, duration, pairs, quantile, summarise, summary_grid, value_difference

SECONDS = st.floats(1e-6, 1e3) | st.just(math.inf)
TABLES = st.integers(1, 8).flatmap(
    lambda problems: st.lists(st.lists(SECONDS, min_size=problems, max_size=problems), min_size=1, max_size=4)
)

RUN = Run(
    study="s", dataset="d", kind="paper", label="q1", n=20, k=5, solver="exact", exact=True, limit=10.0, seconds=1.0,
    status="optimal", value=4.0, gap=0.0,
)  # fmt: skip


@given(TABLES, st.lists(st.floats(1.0, 1e6), min_size=1, max_size=5))
def test_a_profile_is_the_share_of_problems_within_a_factor(rows: list[list[float]], factors: list[float]) -> None:
    """The profile is what counting by its definition gives, problem by problem (Dolan and More 2002, 2.1 and 2.2)."""
    times = {str(number): row for number, row in enumerate(rows)}
    profile = performance_profile(times, factors)
    for name, row in times.items():
        for factor, share in zip(factors, profile[name], strict=True):
            count = 0
            for problem, seconds in enumerate(row):
                best = min(other[problem] for other in rows)
                count += seconds < math.inf and seconds / best <= factor
            assert share == count / len(row)


@given(TABLES)
def test_a_profile_ends_at_the_share_that_is_solved(rows: list[list[float]]) -> None:
    """Within a large factor each solver has all that it solves, and at factor 1 each solved problem has a winner."""
    times = {str(number): row for number, row in enumerate(rows)}
    at_one, at_most = (performance_profile(times, [factor]) for factor in (1.0, 1e12))
    for name, row in times.items():
        assert at_most[name][0] == np.isfinite(row).mean()
    solved = np.isfinite(np.array(rows)).any(axis=0).mean()
    assert sum(shares[0] for shares in at_one.values()) >= solved - 1e-9


def test_ratios_by_hand() -> None:
    """Times 1, 4 and 2, none: ratios 1, 2 and 2, inf; a problem that nobody solves has no finite ratio."""
    ratios = performance_ratios({"a": [1.0, 4.0, math.inf], "b": [2.0, 2.0, math.inf]})
    assert ratios["a"].tolist() == [1.0, 2.0, math.inf]
    assert ratios["b"].tolist() == [2.0, 1.0, math.inf]


@given(st.lists(st.tuples(st.floats(0.001, 10.0), st.booleans()), min_size=1, max_size=30), st.floats(0.01, 1.0))
def test_a_quantile_covers_its_share_and_no_smaller_time_does(pairs: list[tuple[float, bool]], share: float) -> None:
    """So many runs do not exceed it, fewer stay below it; it is a bound just where a stopped run may exceed it."""
    times = [Time(seconds, stopped) for seconds, stopped in pairs]
    found = quantile(times, share)
    count = math.ceil(share * len(times) - 1e-9)
    assert sum(time.seconds <= found.seconds for time in times) >= count
    assert sum(time.seconds < found.seconds for time in times) < count
    assert found.censored == any(time.censored and time.seconds <= found.seconds for time in times)


@given(st.lists(st.tuples(st.floats(0.001, 10.0), st.floats(0.0, 5.0), st.booleans()), min_size=1, max_size=20))
def test_a_quantile_without_mark_is_the_true_one(runs: list[tuple[float, float, bool]]) -> None:
    """Whatever stopped runs would have taken, a median that is not marked is the median, and a marked one is below."""
    seen = quantile([Time(seconds, stopped) for seconds, _, stopped in runs], 0.5)
    true = quantile([Time(seconds + (more if stopped else 0.0)) for seconds, more, stopped in runs], 0.5)
    assert seen.seconds <= true.seconds
    assert seen.censored or seen.seconds == true.seconds


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [(12.345, "12.3 s"), (0.0123, "12.3 ms"), (87e-6, "87.0 µs"), (1234.0, "1,234 s"), (0.0, "0 µs"), (math.inf, "-")],
)
def test_durations_have_three_digits(seconds: float, shown: str) -> None:
    """Each duration is written in the unit that keeps it readable."""
    assert duration(seconds) == shown


def test_a_summary_by_hand() -> None:
    """Of three cases the paper's program proves two: ratios, worst disagreement, shortfall, and what counts."""
    exact = [replace(RUN, label=f"q{case}", seconds=seconds) for case, seconds in enumerate((0.1, 0.2, 0.3))]
    paper = [
        replace(exact[0], solver="paper-mip:cbc", seconds=2.0),
        replace(exact[1], solver="paper-mip:cbc", seconds=13.0, status="feasible", value=3.0, gap=2 / 3),
        replace(exact[2], solver="paper-mip:cbc", seconds=3.0, value=4.0 + 4e-7),
    ]
    first, second = summarise([*paper, *exact], lambda run: (run.k,))
    assert (first.solver, first.ratio, first.disagreement) == ("exact", 1.0, 0.0)
    assert first.shortfall is None
    assert (second.solver, second.runs, second.proved, second.errors) == ("paper-mip:cbc", 3, 2, 0)
    assert second.median == Time(3.0)
    assert second.worst == Time(10.0, censored=True)
    assert second.ratio == pytest.approx(15.0)
    assert second.disagreement == pytest.approx(1e-7)
    assert second.shortfall == pytest.approx(0.25)


def test_processor_time_is_summed_up_where_it_is_known() -> None:
    """Medians of the known times, their ratio, and no column where nothing is known."""
    exact = [replace(RUN, label=f"q{case}", processor_seconds=seconds) for case, seconds in enumerate((0.1, 0.2, 0.3))]
    other = [replace(RUN, solver="cpsat", label="q0"), replace(RUN, solver="cpsat", label="q1", processor_seconds=4.0)]
    first, second = summarise([*exact, *other], lambda run: ())
    assert (first.processor, first.processor_ratio) == (0.2, 1.0)
    assert (second.processor, second.processor_ratio) == (4.0, pytest.approx(20.0))
    grid = summary_grid("", (), [first, second])
    assert [row[grid.header.index("CPU")] for row in grid.rows] == ["200 ms", "4.00 s"]
    assert "CPU" not in summary_grid("", (), summarise(other[:1], lambda run: ())).header


def test_one_infeasible_is_no_agreement() -> None:
    """A proof that there is no set disagrees with any set; two such proofs agree."""
    none = replace(RUN, status="infeasible", value=-math.inf)
    runs = [RUN, replace(none, solver="a"), replace(RUN, label="q2", status="infeasible"), replace(none, label="q2")]
    by_solver = {summary.solver: summary for summary in summarise(runs[:2], lambda run: ())}
    assert by_solver["a"].disagreement == math.inf
    (same,) = summarise([replace(none, solver="exact")], lambda run: ())
    assert same.disagreement == 0.0


def test_a_proof_at_the_limit_is_none() -> None:
    """What comes after the limit rests on another solver's bound: not proved, and counted at the limit."""
    late = replace(RUN, seconds=10.01)
    assert (late.proved, late.counted_seconds) == (False, 10.0)
    assert RUN.proved


def test_values_differ_by_their_size() -> None:
    """Relative to the reference, in both directions; a set and no set differ without bound, two of none do not."""
    better, worse, none = (replace(RUN, solver="a", value=value) for value in (4.4, 3.6, -math.inf))
    found = [value_difference(run, other) for run, other in pairs([RUN, better, worse, none], [RUN])]
    assert found == pytest.approx([0.0, 0.1, 0.1, math.inf])
    assert value_difference(none, none) == 0.0


def test_failures_and_heuristics_count_as_they_are() -> None:
    """An error counts at the limit, a heuristic without proof at its own time, neither is solved in a profile."""
    error = replace(RUN, status="error", seconds=0.1, exact=False)
    heuristic = replace(RUN, status="feasible", seconds=0.1, exact=False, solver="local")
    assert (error.counted_seconds, heuristic.counted_seconds) == (10.0, 0.1)
    times = proof_times([RUN, heuristic, replace(RUN, label="q2", solver="local", seconds=3.0)])
    assert times == {"exact": [1.0, math.inf], "local": [math.inf, 3.0]}
