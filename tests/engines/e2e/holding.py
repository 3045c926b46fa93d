"""Requests to S3 that are held on their way until a test releases them."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Condition, Event, Lock
from time import monotonic, sleep

from tests.engines.e2e.proxy import Call, Fault, Proxy, ProxyResponse, Raw

SECONDS = 600


class Held:
    """Keeps the puts of a name from S3 until it is released: those of the attempt that comes first.

    A put that waits for long is sent once more by its client.
    """

    def __init__(self, name: str, otherwise: Fault = Proxy.forward) -> None:
        self._name = name
        self._otherwise = otherwise
        self._lock = Lock()
        self._attempt: str | None = None
        self._waiting = 0
        self.reached, self.released = Event(), Event()
        self.answers: list[int] = []

    def __call__(self, call: Call) -> ProxyResponse | Raw | None:
        with self._lock:
            is_held = self._name in call.name and call.name.startswith("PUT ") and not self.released.is_set()
            if is_held and self._attempt is None:
                self._attempt = call.attempt
            is_held = is_held and self._attempt == call.attempt
            self._waiting += is_held
        if not is_held:
            return self._otherwise(call)
        self.reached.set()
        try:
            assert self.released.wait(SECONDS)
            answer = call.forward()
            self.answers.append(answer.status)
        finally:
            with self._lock:
                self._waiting -= 1
        return answer

    def release(self) -> None:
        """Release the puts and wait for their results."""
        self.released.set()
        wait_for(lambda: not self._waiting)


@contextmanager
def holding(proxy: Proxy, name: str, otherwise: Fault = Proxy.forward) -> Iterator[Held]:
    """Hold the first puts of a name, and release them at the end of the block."""
    held = Held(name, otherwise)
    with proxy.failing(held):
        try:
            yield held
        finally:
            held.release()


class Together:
    """Lets the puts of a name reach S3 when two different attempts have sent one; `answers`: by these attempts."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._changed = Condition()
        self._attempts: list[str] = []
        self.answers: dict[str, int] = {}

    def __call__(self, call: Call) -> ProxyResponse:
        if self._name not in call.name or not call.name.startswith("PUT "):
            return call.forward()
        with self._changed:
            if call.attempt not in self._attempts:
                self._attempts.append(call.attempt)
                self._changed.notify_all()
            is_first = call.attempt in self._attempts[:2]
            # Any third one comes after them.
            gate = (lambda: len(self._attempts) >= 2) if is_first else (lambda: len(self.answers) == 2)
            assert self._changed.wait_for(gate, SECONDS)
        answer = call.forward()
        with self._changed:
            if is_first:
                # Sent once more, it may meet what it has put itself.
                self.answers[call.attempt] = min(answer.status, self.answers.get(call.attempt, answer.status))
                self._changed.notify_all()
        return answer


def wait_for(condition: Callable[[], bool]) -> None:
    """Return when the condition holds, or after ten minutes."""
    deadline = monotonic() + SECONDS
    while not condition() and monotonic() < deadline:
        sleep(0.02)
