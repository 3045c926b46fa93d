"""A table, its stream and its keepers in the smallest steps there are, so that a test can put them in any order."""

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from skipscan.dynamodb.maximum import AttributeValue
from skipscan.dynamodb.source import Item
from skipscan.markers.keeper import Keeping, Outcome, Step
from skipscan.markers.marker import Marker
from skipscan.stream.stream_record import Change, changes
from tests.markers import sample

MARKER = "#static"
Keep = Callable[..., Keeping]


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

    def do(self, step: Step, partition_key: AttributeValue) -> Generator[None, None, Sequence[Item]]:
        """Do a keeper's step; return what it reads. Yields where other writes may come between.

        No two items of a Query need be of one moment: DynamoDB promises that of single items alone.
        """
        pk = partition_key["S"]
        collection = self.collections.setdefault(pk, {})
        match step:
            case Step.READ_MARKER:
                return [collection[MARKER]] if MARKER in collection else []
            case Step.READ_ITEMS:
                found: list[Item] = []
                for place in range(2):
                    if place:
                        yield
                    last = found[-1]["sk"]["S"] if found else ""
                    found += [collection[sk] for sk in sorted(collection) if sk > last][:1]
                return found
            case Step.PUT_MARKER:
                if MARKER not in collection:
                    self.put(self.marker.item(partition_key))
            case Step.DELETE_MARKER:
                if self.marker.is_marker(collection.get(MARKER, {"pk": partition_key})):
                    self.delete(pk, MARKER)
        return []


class Invocation:
    """One delivery of some records: a keeper for each collection, all at work at once."""

    def __init__(self, world: World, records: Sequence[dict[str, Any]], keep: Keep) -> None:
        self._world = world
        changed, unreadable = changes(records, world.marker)
        assert not unreadable
        self.undone = {number for change in changed for number in change.records}
        self.running = [self._running(change, keep) for change in changed]

    def _running(self, change: Change, keep: Keep) -> Iterator[None]:
        """Yield after every step, where others may come between it and the next."""
        steps = keep(self._world.marker, change.partition_key, only_added=change.only_added)
        answer: Any = None
        while True:
            try:
                step = steps.send(answer)
            except StopIteration as end:
                if end.value is not Outcome.UNSETTLED:
                    self.undone -= set(change.records)
                return
            answer = yield from self._world.do(step, change.partition_key)
            yield

    def step(self, number: int) -> None:
        """Let one of the keepers do its next step."""
        place = number % len(self.running)
        if next(self.running[place], "done") == "done":
            del self.running[place]

    def lose(self, number: int) -> None:
        """Let one of the keepers meet an error: its records stay undone, the other keepers go on."""
        del self.running[number % len(self.running)]
