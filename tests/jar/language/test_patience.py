"""Attempts, waits and the deadline, on a clock of the tests' own."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jar.language import LanguageModelError
from jar.language.exchange import retry_after
from jar.language.patience import CircuitBreaker, Failure, Patience, Reply, persist

SECONDS = st.floats(0.01, 100)
PATIENCE = st.builds(
    Patience,
    attempts=st.integers(1, 8),
    timeout=SECONDS,
    deadline=SECONDS,
    backoff=SECONDS,
    longest_wait=SECONDS,
)


class Clock:
    """A clock that moves only when somebody sleeps or works."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


class Server:
    """Each attempt takes its time, at most what it is given, and ends as scripted; the last entry repeats."""

    def __init__(self, clock: Clock, *script: tuple[float, Reply | Failure]) -> None:
        self.clock = clock
        self.script = list(script)
        self.given: list[float] = []

    def __call__(self, seconds: float) -> Reply | Failure:
        self.given.append(seconds)
        took, outcome = self.script.pop(0) if len(self.script) > 1 else self.script[0]
        self.clock.now += min(took, seconds)
        return outcome


def run(
    patience: Patience, *script: tuple[float, Reply | Failure], chance: float = 0.5
) -> tuple[object, Server, Clock]:
    clock = Clock()
    server = Server(clock, *script)
    outcome = persist(server, patience, clock=clock, sleep=clock.sleep, chance=lambda: chance)
    return outcome, server, clock


TIRED = Failure("tired", transient=True)


def test_an_answer_ends_the_asking() -> None:
    """The first reply counts, and says at which attempt it came."""
    outcome, server, clock = run(Patience(), (1, TIRED), (1, Reply("yes")))
    assert outcome == Reply("yes", attempts=2)
    assert len(server.given) == 2
    assert len(clock.slept) == 1


def test_a_failure_that_will_not_pass_is_not_repeated() -> None:
    """One attempt, no wait."""
    outcome, server, clock = run(Patience(), (1, Failure("no")))
    assert outcome == Failure("no", attempts=1)
    assert (len(server.given), clock.slept) == (1, [])


def test_waits_double_up_to_the_longest() -> None:
    """Without jitter's luck (chance 1) they are the backoff times 1, 2, 4, ..., then the longest wait."""
    patience = Patience(attempts=6, deadline=1000, backoff=0.5, longest_wait=3)
    _, _, clock = run(patience, (0, TIRED), chance=1.0)
    assert clock.slept == [0.5, 1.0, 2.0, 3.0, 3.0]
    _, _, clock = run(patience, (0, TIRED), chance=0.0)
    assert clock.slept == [0.25, 0.5, 1.0, 1.5, 1.5]


def test_the_server_s_wish_to_rest_is_kept() -> None:
    """A longer wait is taken over; one beyond the longest, or beyond the deadline, ends the asking."""
    asks = [Failure("later", transient=True, retry_after=wait) for wait in (7.0, 0.0, 11.0)]
    outcome, server, clock = run(Patience(attempts=9, deadline=1000), *((0, failure) for failure in asks), chance=0.0)
    assert clock.slept == [7.0, 0.5]
    assert outcome == Failure("later", transient=True, retry_after=11.0, attempts=3)
    assert len(server.given) == 3
    outcome, _, clock = run(Patience(deadline=5), (0, asks[0]))
    assert clock.slept == []


@given(PATIENCE, st.floats(0, 200), st.none() | st.floats(0, 200), st.floats(0, 1, exclude_max=True))
def test_time_and_attempts_are_bounded_whatever_happens(
    patience: Patience, took: float, wish: float | None, chance: float
) -> None:
    """A server that always fails is asked at most so often, and all is over at the deadline."""
    outcome, server, clock = run(patience, (took, Failure("no", transient=True, retry_after=wish)), chance=chance)
    assert isinstance(outcome, Failure)
    assert 1 <= outcome.attempts == len(server.given) <= patience.attempts
    assert len(clock.slept) == outcome.attempts - 1
    assert clock.now - 1000 <= patience.deadline + 0.002
    assert max(server.given) <= patience.timeout
    assert all(wait <= patience.longest_wait for wait in clock.slept)
    if wish is not None:
        assert all(wait >= wish for wait in clock.slept)


@given(PATIENCE, st.integers(1, 10_000), st.floats(0, 1, exclude_max=True))
def test_a_wait_is_the_formula_s(patience: Patience, failed: int, chance: float) -> None:
    """Doubling one failure after the other, capped, times (1 + chance) / 2, is the closed form of `wait`."""
    whole = patience.backoff
    for _ in range(failed - 1):
        whole = min(2 * whole, patience.longest_wait)
    whole = min(whole, patience.longest_wait)
    wait = patience.wait(failed, None, chance)
    assert wait is not None
    assert wait == pytest.approx(whole * (1 + chance) / 2)


@pytest.mark.parametrize("name", ["timeout", "deadline", "backoff", "longest_wait"])
@pytest.mark.parametrize("value", [0, -1, math.inf, math.nan, "1"])
def test_limits_are_numbers_above_zero(name: str, value: object) -> None:
    """No limit can be left open by infinity or NaN."""
    with pytest.raises(LanguageModelError, match=name):
        Patience(**{name: value})


NOON = 784_111_777.0  # Sun, 06 Nov 1994 08:49:37 GMT, the example of RFC 9110


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        (None, None),
        ("120", 120.0),
        ("0.5", 0.5),
        ("-3", 0.0),
        ("Sun, 06 Nov 1994 08:49:47 GMT", 10.0),
        ("Sun, 06 Nov 1994 08:49:27 GMT", 0.0),
        ("soon", None),
        ("nan", None),
        ("", None),
        ("inf", math.inf),
        ("99999999999999999999 Nov 1994", None),
    ],
)
def test_what_retry_after_says(value: str | None, seconds: float | None) -> None:
    """Seconds or a date; what is neither says nothing."""
    assert retry_after(value, NOON) == seconds


def test_a_breaker_opens_after_failures_in_a_row_and_tries_again_after_a_rest() -> None:
    """Two failures change nothing, the third stops calls for the rest; then one is let through, and decides."""
    clock = Clock()
    breaker = CircuitBreaker(failures=3, rest=30, clock=clock)
    for _ in range(3):
        assert breaker.closed_for() == 0
        breaker.record(answered=False)
    assert breaker.closed_for() == 30
    clock.now += 29
    assert breaker.closed_for() == 1
    clock.now += 1
    assert breaker.closed_for() == 0
    assert breaker.closed_for() == 30  # the others rest on while one tries
    breaker.record(answered=False)
    assert breaker.closed_for() == 30
    clock.now += 30
    assert breaker.closed_for() == 0
    breaker.record(answered=True)
    assert breaker.closed_for() == 0


def test_an_answer_in_between_keeps_the_breaker_from_opening() -> None:
    """Only failures in a row count."""
    breaker = CircuitBreaker(failures=2, rest=30, clock=Clock())
    for answered in (False, True, False, True, False):
        breaker.record(answered)
        assert breaker.closed_for() == 0
