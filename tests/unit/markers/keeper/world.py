"""A table, its stream and its keepers in the smallest steps there are, so that a test can put them in any order."""

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from skipscan.dynamodb.attribute_value import AttributeValue
from skipscan.dynamodb.delivery import Change, from_stream
from skipscan.dynamodb.source import Item
from skipscan.dynamodb.step import First, Get, ItemSteps, Write
from skipscan.markers.keeper import MarkerOutcome
from skipscan.markers.marker import Marker
from tests.unit.markers import sample

MARKER = "#static"
Keep = Callable[..., ItemSteps]
Step = Get | First | Write


@dataclass
class World:
    """Items by sort key of every collection, and the stream's records; those of changed items are filtered out."""

    marker: Marker = field(default_factory=sample.marker)
    collections: dict[str, dict[str, Item]] = field(default_factory=dict)
    stream: list[dict[str, Any]] = field(default_factory=list)

    def put(self, item: Item) -> None:
        pk, sk = item["pk"]["S"], item["sk"]["S"]
        collection = self.collections.setdefault(pk, {})
        if sk not in collection:
            self._emit("INSERT", pk, sk)
        collection[sk] = item

    def delete(self, pk: str, sk: str) -> None:
        if self.collections.get(pk, {}).pop(sk, None):
            self._emit("REMOVE", pk, sk)

    def _emit(self, name: str, pk: str, sk: str) -> None:
        number = str(len(self.stream))
        keys = {"pk": {"S": pk}, "sk": {"S": sk}}
        self.stream.append({"eventName": name, "dynamodb": {"Keys": keys, "SequenceNumber": number}})

    def do(self, step: Step, partition_key: AttributeValue) -> Generator[None, None, Sequence[Item] | Item | None]:
        """Do a keeper's step; return what it reads. Yields where other writes may come between.

        No two items of a Query need be of one moment: DynamoDB promises that of single items alone.
        """
        pk = partition_key["S"]
        collection = self.collections.setdefault(pk, {})
        match step:
            case Get():
                return collection.get(MARKER)
            case First():
                found: list[Item] = []
                for place in range(2):
                    if place:
                        yield
                    last = found[-1]["sk"]["S"] if found else ""
                    found += [collection[sk] for sk in sorted(collection) if sk > last][:1]
                return found
            case Write(put=None, expects=seen):
                if agrees(seen, collection.get(MARKER)):
                    self.delete(pk, MARKER)
            case Write():
                if MARKER not in collection:
                    self.put(self.marker.item(partition_key))
        return None


def agrees(seen: Any, item: Item | None) -> bool:
    """Tell whether a condition on every attribute seen holds: it says nothing of attributes that were not there."""
    return item is not None and all(item.get(name) == value for name, value in seen.items())


class Invocation:
    """One delivery of some records: a keeper for each collection, all at work at once."""

    def __init__(self, world: World, records: Sequence[dict[str, Any]], keep: Keep) -> None:
        self._world = world
        delivery = from_stream(records, world.marker.key_names)
        assert not delivery.unreadable
        changed = delivery.changes((world.marker.partition_key.name,))
        self.undone = {record.identifier for change in changed for record in change.records}
        self.running = [self._running(change, keep) for change in changed]

    def _running(self, change: Change, keep: Keep) -> Iterator[None]:
        """Yield after every step, where others may come between it and the next."""
        marker, partition_key = self._world.marker, change.key["pk"]
        steps = keep(marker, partition_key, only_added=marker.only_added(change))
        answer: Any = None
        while True:
            try:
                step = steps.send(answer)
            except StopIteration as end:
                if end.value is not MarkerOutcome.UNSETTLED:
                    self.undone -= {record.identifier for record in change.records}
                return
            answer = yield from self._world.do(step, partition_key)
            yield

    def step(self, number: int) -> None:
        """Let one of the keepers do its next step."""
        place = number % len(self.running)
        if next(self.running[place], "done") == "done":
            del self.running[place]

    def lose(self, number: int) -> None:
        """Let one of the keepers meet an error: its records stay unhandled, the other keepers continue."""
        del self.running[number % len(self.running)]
