"""How long one answer is waited for: attempts, waits between them, and the deadline that bounds all of it."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from random import random

from jar.errors import LanguageModelError

__all__ = ["CircuitBreaker", "Failure", "Patience", "Reply", "persist"]


@dataclass(frozen=True)
class Reply:
    """An answer, and the tokens that the server counted."""

    text: str
    prompt_tokens: int = 0
    completion_tokens: int = 0
    attempts: int = 1


@dataclass(frozen=True)
class Failure:
    """Why an attempt brought no answer.

    Attributes
    ----------
    reason : str
        In words, without any key.
    transient : bool
        Whether asking again may help.
    answered : bool
        Whether the server did answer, only unusably.
    retry_after : float or None
        Seconds after which the server wants to be asked again.
    attempts : int
        How many attempts ended so.
    """

    reason: str
    transient: bool = False
    answered: bool = False
    retry_after: float | None = None
    attempts: int = 1


@dataclass(frozen=True)
class Patience:
    """Limits of one answer.

    Parameters
    ----------
    attempts : int
        Requests at most.
    timeout : float
        Seconds for one request, from its start to the last byte of its answer.
    deadline : float
        Seconds for all requests and the waits between them.
    backoff, longest_wait : float
        Seconds of the first wait at most, doubled with each further one, and of any wait.
    """

    attempts: int = 3
    timeout: float = 30.0
    deadline: float = 60.0
    backoff: float = 0.5
    longest_wait: float = 10.0

    def __post_init__(self) -> None:
        if isinstance(self.attempts, bool) or not isinstance(self.attempts, int) or self.attempts < 1:
            raise LanguageModelError(f"attempts is {self.attempts!r}: give a whole number from 1")
        for name in ("timeout", "deadline", "backoff", "longest_wait"):
            seconds = getattr(self, name)
            if not isinstance(seconds, (int, float)) or not math.isfinite(seconds) or seconds <= 0:
                raise LanguageModelError(f"{name} is {seconds!r}: give a number of seconds above 0")

    def wait(self, failed: int, retry_after: float | None, chance: float) -> float | None:
        """Seconds before the next attempt, after so many that failed; None: do not ask again.

        The wait is min(longest_wait, backoff * 2^(failed - 1)) * (1 + chance) / 2, exponential backoff with "equal
        jitter" (Brooker, Exponential Backoff And Jitter, 2015), or what the server asks for where that is longer. A
        server that wants a longer rest than `longest_wait` is not asked again.

        Parameters
        ----------
        failed : int
            From 1.
        chance : float
            In [0, 1), drawn by the caller.
        """
        if retry_after is not None and retry_after > self.longest_wait:
            return None
        doubled = self.backoff * 2.0 ** min(failed - 1, 60)
        return max(min(self.longest_wait, doubled) * (1 + chance) / 2, retry_after or 0.0)


def persist(
    attempt: Callable[[float], Reply | Failure],
    patience: Patience,
    *,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
    chance: Callable[[], float] = random,
) -> Reply | Failure:
    """Attempt until there is an answer, a failure that will not pass, or no attempt or time left.

    Parameters
    ----------
    attempt : callable
        ``seconds -> Reply or Failure``; it keeps to its seconds.

    Returns
    -------
    Reply or Failure
        The answer or the last failure, with the number of attempts.
    """
    end = clock() + patience.deadline
    failed = 0
    while True:
        outcome = attempt(min(patience.timeout, max(end - clock(), 0.001)))
        if isinstance(outcome, Reply):
            return replace(outcome, attempts=failed + 1)
        failed += 1
        outcome = replace(outcome, attempts=failed)
        if not outcome.transient or failed >= patience.attempts:
            return outcome
        wait = patience.wait(failed, outcome.retry_after, chance())
        if wait is None or clock() + wait >= end:
            return outcome
        sleep(wait)


class CircuitBreaker:
    """Leaves a server alone for a while that failed several times in a row, so that a thousand questions wait once.

    Parameters
    ----------
    failures : int
        Calls in a row without an answer, after which no further one is made.
    rest : float
        Seconds without calls; then one is made, and a failure starts the rest again.
    """

    def __init__(self, failures: int = 3, rest: float = 30.0, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._failures = failures
        self._rest = rest
        self._clock = clock
        self._in_a_row = 0
        self._until = -math.inf
        self._lock = threading.Lock()

    def closed_for(self) -> float:
        """Seconds until the server may be asked again; 0 where it may be asked now."""
        with self._lock:
            left = self._until - self._clock()
            if left > 0:
                return left
            if self._in_a_row >= self._failures:
                self._until = self._clock() + self._rest  # one caller tries, the others rest on
            return 0.0

    def record(self, answered: bool) -> None:
        """Count a call: an answer opens the way again, a failure may close it."""
        with self._lock:
            self._in_a_row = 0 if answered else self._in_a_row + 1
            if answered:
                self._until = -math.inf
            elif self._in_a_row >= self._failures:
                self._until = self._clock() + self._rest
