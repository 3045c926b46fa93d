"""Attempts at one request. Whoever retries says which errors pass, and how long to wait between attempts."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from skipscan.pace.backoff import FIRST_SECONDS

A = TypeVar("A")


def retrying(
    attempt: Callable[[], A],
    waits: Iterable[float],
    *,
    passes: Callable[[Exception], bool],
    sleep: Callable[[float], object],
) -> A:
    """Return the result of the first attempt that does not fail; raise the last attempt's error.

    `waits`: seconds between attempts, so that there is one attempt more than waits. `passes`: whether another attempt
    may succeed after this error; called once for every failed attempt.
    """
    left = iter(waits)
    while True:
        try:
            return attempt()
        except Exception as error:
            if not passes(error) or (wait_seconds := next(left, None)) is None:
                raise
        sleep(wait_seconds)


def jittered(waits: int, random: Callable[[], float]) -> Iterator[float]:
    """Yield waits that double from 0.1 seconds, each drawn at random from the whole span ("full jitter")."""
    return (random() * FIRST_SECONDS * 2**number for number in range(waits))
