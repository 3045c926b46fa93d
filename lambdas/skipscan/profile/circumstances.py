"""The inputs of a profile besides the counts."""

from collections.abc import Sequence
from dataclasses import dataclass

from skipscan.dynamodb.prices import MonthlyPrices, Prices
from skipscan.dynamodb.table_description import IndexDescription, TableDescription
from skipscan.pace.bill import amounts


@dataclass(frozen=True)
class ExpirySetting:
    """The table's time to live, as DescribeTimeToLive says. `attribute`: `None` if none is configured."""

    attribute: str | None
    status: str


@dataclass(frozen=True)
class Circumstances:
    """`description`, `expiry`: `None` if they could not be read.

    `prices`: of the table's class; the more expensive ones if it is not known. `missing`: the reasons for what is left
    out. `now`: seconds since 1970; `made`: the same as ISO 8601.
    """

    table: str
    region: str
    made: str
    now: float
    seed: int
    description: TableDescription | None
    expiry: ExpirySetting | None
    prices: Prices
    monthly: MonthlyPrices
    missing: Sequence[str] = ()

    @property
    def partition_key(self) -> Sequence[str]:
        return [key.name for key in self.description.partition_key] if self.description else ()

    @property
    def indexes(self) -> Sequence[IndexDescription]:
        return self.description.indexes if self.description else ()

    @property
    def is_infrequent_access(self) -> bool:
        return self.description is not None and self.description.is_infrequent_access

    def stored(self, size_bytes: float, items: float) -> float:
        """Return the dollars a month for storage, in the table's class."""
        return self.monthly.stored(size_bytes, items, is_infrequent_access=self.is_infrequent_access)

    def read(self, read_units: float) -> float:
        """Return the dollars for read units on demand."""
        return amounts(self.prices, read_units).dollars
