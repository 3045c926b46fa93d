"""Time in the simulated world: it advances only when a function waits or makes a call."""

from threading import Lock


class Clock:
    """Stands in for the module `time`, in several threads too."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._lock = Lock()

    def monotonic(self) -> float:
        return self.seconds

    now = monotonic

    def sleep(self, seconds: float) -> None:
        with self._lock:
            self.seconds += seconds
