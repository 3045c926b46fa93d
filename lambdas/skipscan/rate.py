"""How fast a worker may consume read units.

No clock here: the time is told in seconds, of any clock that never goes back.
"""

from dataclasses import dataclass

PAGE_SECONDS = 0.4
"""A page should consume no more than the rate allows in so many seconds: 4 % of any ten, and it may turn out larger."""


@dataclass
class Rate:
    """Spaces pages out so that read units flow evenly: a page begins when those before it are paid off.

    What a page consumes is known only afterwards. So it is reserved at what it is expected to consume, and settled at
    what it did. Time in which nothing was asked for is not saved up for a burst.
    """

    read_units_per_second: float
    _paid_off: float = 0.0

    @property
    def page_read_units(self) -> float:
        """The most that one page should consume."""
        return PAGE_SECONDS * self.read_units_per_second

    def wait_seconds(self, now: float) -> float:
        """Return how long the next page has to wait; 0 if it may begin."""
        return max(0.0, self._paid_off - now)

    def reserve(self, now: float, read_units: float) -> None:
        """Count in a page that begins now and is expected to consume so much."""
        self._paid_off = max(self._paid_off, now) + read_units / self.read_units_per_second

    def settle(self, reserved: float, consumed: float) -> None:
        """Put right what a page was reserved at; `consumed` is 0 for a page that never came."""
        self._paid_off += (consumed - reserved) / self.read_units_per_second
