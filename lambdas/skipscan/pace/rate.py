"""How fast a worker may consume units: read units of its pages, write units or keys of a job's requests.

No clock here: times are seconds of any monotonic clock.
"""

from typing import NamedTuple

PAGE_SECONDS = 0.4
"""The seconds of the rate that a page should consume at most: 4 % of any ten seconds. A page may turn out larger."""

BURST_SECONDS = 0.5
"""All open requests but the largest may consume at most what the whole rate allows in this time: 5 % of any ten."""


class SharedRate(NamedTuple):
    """The units a second of all workers together; `None` for no limit. `ceiling`: the maximum units of one request.

    `workers`: how many run at once.
    """

    units_per_second: float | None
    ceiling: float

    @property
    def most_workers(self) -> int:
        """How many workers keep a limit together if each has one request under way."""
        return 1 + int(BURST_SECONDS * (self.units_per_second or 0.0) / self.ceiling)  # 1: the largest request

    def share(self, workers: int) -> float | None:
        """Return one worker's units a second."""
        return self.units_per_second and self.units_per_second / workers

    def burst(self, workers: int) -> float | None:
        """Return the units that a worker may use beyond one request at a time: its part of what the workers leave."""
        rate = self.units_per_second
        return rate and max(0.0, BURST_SECONDS * rate - (workers - 1) * self.ceiling) / workers  # None stays None


UNLIMITED_RATE = SharedRate(None, 0.0)


def most_page_units_at(units_per_second: float) -> float:
    """Return the units that one page should consume at most."""
    return PAGE_SECONDS * units_per_second
