"""What a way to list keys takes of a table."""

from dataclasses import dataclass

from skipscan.estimate.interval import Interval


@dataclass(frozen=True)
class Consumption:
    """Read units and requests, each with a 95 % interval."""

    read_units: Interval
    requests: Interval
