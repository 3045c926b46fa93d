"""What DynamoDB answers to the requests about one item."""

from dataclasses import dataclass

from skipscan.dynamodb.source import Item


@dataclass(frozen=True)
class Written:
    """A write was made."""

    write_units: float


@dataclass(frozen=True)
class Conflict:
    """A write's condition failed. `item`: as it is now, if the answer held it.

    `write_units`: computed from its size, for DynamoDB bills them and does not report them.
    """

    item: Item | None
    write_units: float


@dataclass(frozen=True)
class Looked:
    """What a look found; no `item`: it is gone."""

    item: Item | None
    read_units: float
