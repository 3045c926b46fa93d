"""What a schedule begins with, and the small tables: every kind of source, a run takes a millisecond a page."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from skipscan.dynamodb.attribute_value import MAXIMUM
from tests.fakes.attribute_value import Item
from tests.fakes.definition import IndexDefinition, KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.simulation.world.world import LAMBDA_SECONDS

PAYLOAD = {"B": bytes(1500)}


@dataclass(frozen=True)
class Example:
    """A table, and the index by which it is listed. `new`: an item with a key that none of `items` has."""

    definition: TableDefinition
    index: str | None
    items: tuple[Item, ...]
    new: Item

    @property
    def name(self) -> str:
        return self.definition.name

    def loaded(self) -> FakeDynamoDB:
        """Return an engine of the schedule's own, that it may write to."""
        return FakeDynamoDB(self.definition, self.items)

    def shared(self) -> FakeDynamoDB:
        """Return an engine that denies all writes."""
        return _shared(self.name)


def _examples() -> Iterator[Example]:
    sorted_table = KeySchema.of(("pk", "S"), ("sk", "N"))
    plain = KeySchema.of(("pk", "S"))
    new: Item = {"pk": {"S": "new"}, "sk": {"N": "1"}, "status": {"S": "new"}, "place": {"S": "x"}}
    yield Example(
        TableDefinition("Mixed", sorted_table), None, tuple(_items([1, 7, 2, 1, 40, 3, 1, 1, 5, 2, 1, 1])), new
    )
    yield Example(TableDefinition("Many", sorted_table), None, tuple(_items([1, 1, 2] * 10)), new)
    yield Example(TableDefinition("Empty", sorted_table), None, (), new)
    yield Example(TableDefinition("Plain", plain), None, tuple(_items([1] * 14)), new)
    by_status = IndexDefinition("by-status", KeySchema.of(("status", "S"), ("place", "S")))
    yield Example(TableDefinition("Global", sorted_table, (by_status,)), "by-status", tuple(_items([3, 4, 5, 6])), new)
    by_status_alone = IndexDefinition("by-status", KeySchema.of(("status", "S")))
    yield Example(
        TableDefinition("Unskippable", sorted_table, (by_status_alone,)), "by-status", tuple(_items([3, 4, 5])), new
    )
    local = IndexDefinition("by-place", KeySchema.of(("pk", "S"), ("place", "S")), kind="local")
    yield Example(TableDefinition("Local", sorted_table, (local,)), "by-place", tuple(_items([2, 6, 1, 9, 1, 3])), new)


def _items(lengths: Iterable[int]) -> Iterator[Item]:
    """Return item collections of so many items; their statuses repeat, and some places are the greatest there is."""
    for number, length in enumerate(lengths):
        for place in range(length):
            yield {
                "pk": {"S": f"k{number}"},
                "sk": {"N": str(place)},
                "status": {"S": f"s{(number + place) % 7}"},
                "place": MAXIMUM["S"] if place == 2 else {"S": str(place % 2)},
                "payload": PAYLOAD,
            }


EXAMPLES = {example.name: example for example in _examples()}


@cache
def _shared(name: str) -> FakeDynamoDB:
    return EXAMPLES[name].loaded()


@dataclass(frozen=True)
class Setting:
    """What a schedule begins with.

    `honours_skips`: whether the engine does. `listing`: names on a page of S3's. `plan_calls`: how far Plan has come;
    `None`: to its end. `storage`: `bucket` or `folder`. `takes`: each line has the collection's first and last item;
    `within`: of the sort keys with a prefix, where they are texts. `counts`: instead of items, each line has the number
    of items up to this; 0: all. `collects`: instead, each item has a line, in this order. `groups`: all of this of the
    groups within collections, where sort keys are texts. `only`: of some given keys. `is_busy`: others write
    before each page.
    """

    table: str = "Mixed"
    segments: int = 3
    workers: int = 1
    batch_pages: int = 2
    max_read_units: float | None = None
    rate: float | None = None
    honours_skips: bool = True
    lambda_seconds: float = LAMBDA_SECONDS
    listing: int = 1000
    plan_calls: int | None = None
    takes: bool = False
    within: bool = False
    counts: int | None = None
    collects: str | None = None
    groups: bool = False
    only: bool = False
    is_busy: bool = False
    seed: int = 0
    storage: str = "bucket"
