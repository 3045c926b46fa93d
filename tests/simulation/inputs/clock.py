"""A clock without waiting: sleeping advances it."""

from threading import Lock


class Clock:
    """Stands in for the module `time`."""

    def __init__(self) -> None:
        self._now = 0.0
        self._lock = Lock()

    def monotonic(self) -> float:
        with self._lock:
            return self._now

    def sleep(self, seconds: float) -> None:
        with self._lock:
            self._now += seconds
