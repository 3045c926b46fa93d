"""The dated prices of a run's services: for estimates before it and for figures after it.

None of these prices was read from a bill. The defaults come from publications, each with its date and source, and are
used when the region's own prices cannot be read.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Self

from skipscan import form


@dataclass(frozen=True)
class Price:
    """Dollars for a million. `as_of`: the month for which `source` states the price."""

    dollars_per_million: float
    as_of: str
    source: str

    def of(self, count: float) -> float:
        """Return the price of this many, in dollars."""
        return self.dollars_per_million * count / 1e6


@dataclass(frozen=True)
class Prices:
    """One region's prices, without free tiers and discounts.

    `read_units`, `write_units`: request units on demand, of the table's class. `lambda_*`: on arm64.
    `transitions`: of a Standard state machine. `s3_puts`: PUT and LIST requests. `s3_gets`: GET and HEAD requests.
    `exported_gb`: of a table, to S3.
    """

    region: str
    read_units: Price
    write_units: Price
    lambda_gb_seconds: Price
    lambda_requests: Price
    transitions: Price
    s3_puts: Price
    s3_gets: Price
    exported_gb: Price

    @classmethod
    def of_any_version(cls, document: Mapping[str, Any]) -> Self:
        """Return the prices of a plan's explanation; a stack that is newer than a command may have more of them."""
        known = {field.name for field in fields(cls)}
        return form.read(cls, {name: value for name, value in document.items() if name in known})

    def provisioned(self, *, reads: bool, writes: bool) -> Self:
        """Return the prices for provisioned capacity, which is billed by the hour: its units cost nothing more."""
        return self._free(name for name, is_so in (("read_units", reads), ("write_units", writes)) if is_so)

    def units_alone(self) -> Self:
        """Return the prices of work on a laptop, where only units are billed."""
        return self._free(("lambda_gb_seconds", "lambda_requests", "transitions", "s3_puts", "s3_gets"))

    def _free(self, names: Iterable[str]) -> Self:
        return replace(self, **{name: replace(getattr(self, name), dollars_per_million=0.0) for name in names})

    @property
    def has_services(self) -> bool:
        """Whether anything besides units is billed."""
        return self.transitions.dollars_per_million > 0

    @property
    def origins(self) -> list[str]:
        """Return the dates and sources of these prices, each once."""
        prices = (getattr(self, field.name) for field in fields(self) if field.name != "region")
        return list(dict.fromkeys(f"{price.as_of}, {price.source}" for price in prices))


_LISTED = "AWS price list of us-east-1, not read from a bill"

US_EAST_1 = Prices(
    region="us-east-1",
    read_units=Price(0.125, "2024-11", _LISTED),
    write_units=Price(0.625, "2024-11", _LISTED),
    lambda_gb_seconds=Price(13.3334, "2024-11", _LISTED),
    lambda_requests=Price(0.2, "2024-11", _LISTED),
    transitions=Price(25.0, "2024-11", _LISTED),
    s3_puts=Price(5.0, "2024-11", _LISTED),
    s3_gets=Price(0.4, "2024-11", _LISTED),
    exported_gb=Price(100_000.0, "2024-11", _LISTED),
)

_INFREQUENT = "AWS price list of us-east-1 for the class Standard-IA, not read from a bill"

INFREQUENT_ACCESS = replace(
    US_EAST_1,
    read_units=Price(0.15625, "2024-11", _INFREQUENT),
    write_units=Price(0.78125, "2024-11", _INFREQUENT),
)


def default_prices(*, is_infrequent_access: bool) -> Prices:
    """Return the default prices for a table of that class."""
    return INFREQUENT_ACCESS if is_infrequent_access else US_EAST_1


OVERHEAD_BYTES = 100
"""What DynamoDB adds to each item for storage (developer guide, "DynamoDB item sizes and formats")."""

MONTH_HOURS = 730

INFREQUENT_TIMES = INFREQUENT_ACCESS.write_units.dollars_per_million / US_EAST_1.write_units.dollars_per_million
"""How many times as expensive reads, writes and capacity are in Standard-IA."""


@dataclass(frozen=True)
class MonthlyPrices:
    """What a table of one region costs a month besides requests. Not part of `Prices`: no run stores items.

    `stored_gb`, `infrequent_stored_gb`: gigabytes for a month. `read_capacity`, `write_capacity`: provisioned units for
    an hour, in the class Standard.
    """

    region: str
    stored_gb: Price
    infrequent_stored_gb: Price
    read_capacity: Price
    write_capacity: Price

    def stored(self, size_bytes: float, items: float, *, is_infrequent_access: bool) -> float:
        """Return the dollars a month for the storage of a table or index. `size_bytes`: of its items."""
        price = self.infrequent_stored_gb if is_infrequent_access else self.stored_gb
        return price.of((size_bytes + OVERHEAD_BYTES * items) / 1e9)

    def provisioned(self, read_units: float, write_units: float, *, is_infrequent_access: bool) -> float:
        """Return the dollars a month for provisioned capacity, in units a second."""
        hourly = self.read_capacity.of(read_units) + self.write_capacity.of(write_units)
        return hourly * MONTH_HOURS * (INFREQUENT_TIMES if is_infrequent_access else 1.0)

    @property
    def infrequent_access_pays_below(self) -> float:
        """Return how many dollars of units, for each dollar of storage, make Standard-IA as expensive as Standard.

        Standard-IA stores for less, and reads and writes for more. Below, it is cheaper.
        """
        saved = 1 - self.infrequent_stored_gb.dollars_per_million / self.stored_gb.dollars_per_million
        return saved / (INFREQUENT_TIMES - 1)


MONTHLY_US_EAST_1 = MonthlyPrices(
    region="us-east-1",
    stored_gb=Price(250_000.0, "2024-11", _LISTED),
    infrequent_stored_gb=Price(100_000.0, "2024-11", _INFREQUENT),
    read_capacity=Price(130.0, "2024-11", _LISTED),
    write_capacity=Price(650.0, "2024-11", _LISTED),
)
