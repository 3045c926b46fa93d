"""What an invocation takes besides units: its own time, and its requests to S3."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from threading import Lock

from skipscan.loop.storage import Storage, Stored
from skipscan.pace.bill import COMMIT, Services
from skipscan.pace.bounds import WORKER_GB

LISTED = 1000
"""Names that a LIST request answers with."""


@dataclass
class Meter:
    """Counts since the environment of the function was made. `gigabytes`: of the function."""

    gigabytes: float = WORKER_GB
    s3_puts: int = 0
    s3_gets: int = 0
    _lock: Lock = field(default_factory=Lock, repr=False)

    def add(self, *, s3_puts: int = 0, s3_gets: int = 0) -> None:
        with self._lock:
            self.s3_puts += s3_puts
            self.s3_gets += s3_gets

    def lap(self, clock: Callable[[], float]) -> "Lap":
        """Begin to count one invocation."""
        return Lap(self, clock, clock(), self.s3_puts, self.s3_gets)


@dataclass(frozen=True)
class Lap:
    """One invocation, from its beginning."""

    meter: Meter
    clock: Callable[[], float]
    began: float
    s3_puts: int
    s3_gets: int

    @property
    def services(self) -> Services:
        """What the batch has taken by now, and what its commit is still going to take."""
        meter = self.meter
        taken = Services(
            gb_seconds=(self.clock() - self.began) * meter.gigabytes,
            invocations=1,
            transitions=2,
            s3_puts=meter.s3_puts - self.s3_puts,
            s3_gets=meter.s3_gets - self.s3_gets,
        )
        return taken + COMMIT


@dataclass(frozen=True)
class MeteredStorage:
    """Storage whose requests are counted."""

    inner: Storage
    meter: Meter

    def uri(self, name: str) -> str:
        return self.inner.uri(name)

    def get(self, name: str) -> bytes | None:
        self.meter.add(s3_gets=1)
        return self.inner.get(name)

    def get_range(self, name: str, start: int, end: int) -> tuple[bytes, int]:
        self.meter.add(s3_gets=1)
        return self.inner.get_range(name, start, end)

    def look(self, name: str) -> Stored | None:
        self.meter.add(s3_gets=1)
        return self.inner.look(name)

    def put(self, name: str, body: bytes) -> None:
        self.meter.add(s3_puts=1)
        self.inner.put(name, body)

    def put_once(
        self, name: str, body: bytes, metadata: Mapping[str, str] | None = None, *, expires: bool = False
    ) -> bool:
        self.meter.add(s3_puts=1)
        return self.inner.put_once(name, body, metadata, expires=expires)

    def names(self, prefix: str) -> Iterator[tuple[str, datetime]]:
        for place, named in enumerate(self.inner.names(prefix)):
            if place % LISTED == 0:
                self.meter.add(s3_puts=1)
            yield named

    def folders(self, prefix: str) -> Iterator[str]:
        self.meter.add(s3_puts=1)
        return self.inner.folders(prefix)
