"""What an invocation uses besides units: its own time, and its requests to S3."""

from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock

from skipscan.pace.bill import COMMIT, Services
from skipscan.pace.bounds import WORKER_GB


@dataclass
class Meter:
    """Counts since the function's environment was created. `gigabytes`: the function's memory."""

    gigabytes: float = WORKER_GB
    s3_puts: int = 0
    s3_gets: int = 0
    _lock: Lock = field(default_factory=Lock, repr=False)

    def add(self, *, s3_puts: int = 0, s3_gets: int = 0) -> None:
        with self._lock:
            self.s3_puts += s3_puts
            self.s3_gets += s3_gets

    def lap(self, clock: Callable[[], float]) -> "Lap":
        """Begin to measure one invocation."""
        return Lap(self, clock, clock(), self.s3_puts, self.s3_gets)


@dataclass(frozen=True)
class Lap:
    """One invocation since its beginning."""

    meter: Meter
    clock: Callable[[], float]
    began: float
    s3_puts: int
    s3_gets: int

    @property
    def services(self) -> Services:
        """Return what the batch has used so far, plus what its commit will use."""
        meter = self.meter
        taken = Services(
            gb_seconds=(self.clock() - self.began) * meter.gigabytes,
            invocations=1,
            transitions=2,
            s3_puts=meter.s3_puts - self.s3_puts,
            s3_gets=meter.s3_gets - self.s3_gets,
        )
        return taken + COMMIT
