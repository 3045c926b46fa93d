"""Requests to S3 that are held on their way, until a test lets them go on."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from threading import Barrier, Event, Lock
from time import monotonic, sleep
from typing import TYPE_CHECKING

from tests.e2e.proxy import Call, Fault, Proxy, ProxyResponse, Raw

if TYPE_CHECKING:
    pass


SECONDS = 600


class Held:
    """Keeps the first put of a name from S3 until it is released."""

    def __init__(self, name: str, otherwise: Fault) -> None:
        self._name = name
        self._otherwise = otherwise
        self._lock = Lock()
        self._is_first = True
        self.reached, self.released = Event(), Event()
        self.answers: list[int] = []

    def __call__(self, call: Call) -> ProxyResponse | Raw | None:
        with self._lock:
            is_held = self._is_first and self._name in call.name and call.name.startswith("PUT ")
            self._is_first &= not is_held
        if not is_held:
            return self._otherwise(call)
        self.reached.set()
        assert self.released.wait(SECONDS)
        answer = call.forward()
        self.answers.append(answer.status)
        return answer


@contextmanager
def holding(proxy: Proxy, name: str, otherwise: Fault = Proxy.forward) -> Iterator[Held]:
    """Hold the first put of a name; release it at the end of the block and wait for what becomes of it."""
    held = Held(name, otherwise)
    with proxy.failing(held):
        try:
            yield held
        finally:
            held.released.set()
            wait_for(lambda: bool(held.answers) or not held.reached.is_set())


class Together:
    """Lets the first two puts of a name reach S3 at the same time, if they come from different attempts."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._both = Barrier(2)
        self._puts = count()
        self.answers: list[int] = []

    def __call__(self, call: Call) -> ProxyResponse | None:
        if self._name not in call.name or not call.name.startswith("PUT ") or next(self._puts) >= 2:
            return call.forward()
        self._both.wait(SECONDS)
        answer = call.forward()
        self.answers.append(answer.status)
        return answer


def wait_for(condition: Callable[[], bool]) -> None:
    """Return when the condition holds, or after ten minutes."""
    deadline = monotonic() + SECONDS
    while not condition() and monotonic() < deadline:
        sleep(0.02)
