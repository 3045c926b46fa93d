"""One way to get the last items of all keys, and its consumption."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from skipscan.dynamodb.prices import US_EAST_1
from skipscan.listing.estimate.cost import expected_services
from skipscan.pace.bill import Bill, amounts

KEYS = "the keys alone, or with first items"
LAST = "**the keys with last items**"
KNOWN = "a Query for each key, keys known"
THEN = "the keys, then a Query for each"
WHOLE = "a full scan, grouped by key"
EXPORT = "export to S3 and Athena"

ATHENA_DOLLARS, ATHENA_LEAST = 5e-12, 10e6
"""Dollars a byte, and the minimum bytes that a query is billed for (Athena's price page, 2026; not read from a bill).
"""


@dataclass(frozen=True)
class Way:
    """The consumption of a way.

    `seconds`: `None` if not measured. `workers`: of the deployed job; 0 for a script, which pays only for units.
    `paid_seconds`: of each worker in Lambda, if different from `seconds`. `more_dollars`: charges of other services.
    """

    name: str
    read_units: float
    requests: int
    seconds: float | None
    workers: int = 0
    paid_seconds: float | None = None
    more_dollars: float = 0.0

    @property
    def dollars(self) -> float:
        """The whole bill."""
        if not self.workers:
            return amounts(US_EAST_1, self.read_units).dollars + self.more_dollars
        services = expected_services(self.workers, self.paid_seconds or self.seconds or 0.0)
        return Bill.of(US_EAST_1, self.read_units, 0.0, services).total + self.more_dollars

    def then(self, other: "Way", name: str) -> "Way":
        """Return this way followed by another one."""
        both = None if self.seconds is None or other.seconds is None else self.seconds + other.seconds
        return Way(
            name,
            self.read_units + other.read_units,
            self.requests + other.requests,
            both,
            more_dollars=self.dollars + other.dollars - amounts(US_EAST_1, self.read_units + other.read_units).dollars,
        )

    @classmethod
    def exported(cls, table_bytes: float) -> Self:
        """Return the export of a table and one query over all of it."""
        dollars = US_EAST_1.exported_gb.of(table_bytes / 1e9) + ATHENA_DOLLARS * max(table_bytes, ATHENA_LEAST)
        return cls(EXPORT, 0.0, 0, None, more_dollars=dollars)

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Self:
        return cls(**document)
