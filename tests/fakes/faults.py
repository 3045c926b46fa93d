"""Engines that misbehave: each wraps a client and gets one thing wrong. What a test writes down, `faulty` answers."""

from collections.abc import Callable, Sequence
from itertools import repeat
from typing import Any

from tests.fakes.attribute_value import Item
from tests.fakes.faulty import faulty
from tests.fakes.position import Position, segment_start

Client = Any
"""A client of boto3, or what a test puts in its place."""


class Wrapper:
    """A client that does as the wrapped one does."""

    def __init__(self, client: Client) -> None:
        self.client = client

    def __getattr__(self, name: str) -> Any:
        return getattr(self.client, name)


class SkipIgnored(Wrapper):
    """A start key that no item ever had begins its item collection again, so a skip makes no progress.

    `gone`: the places of deleted items. They are found all the same: without them no table could be paged at all.
    """

    def __init__(self, client: Client, gone: Sequence[Position] = ()) -> None:
        super().__init__(client)
        self._gone = gone

    def scan(self, **parameters: Any) -> Any:
        if start_key := parameters.get("ExclusiveStartKey"):
            parameters = {**parameters, "ExclusiveStartKey": self._honest_key(start_key, parameters)}
            if parameters["ExclusiveStartKey"] is None:
                del parameters["ExclusiveStartKey"]
        return self.client.scan(**parameters)

    def _honest_key(self, start_key: Item, parameters: dict[str, Any]) -> Item | None:
        """The start key if an item has or had it, else that of the last item before the collection in the segment."""
        view = self.client.table(parameters["TableName"]).views[parameters.get("IndexName")]
        after, position = view.first_after(start_key), view.order.position(start_key)
        if position in self._gone or (after and view.entries[after - 1].position == position):
            return start_key
        first = view.first_at(segment_start(parameters.get("Segment", 0), parameters.get("TotalSegments", 1)))
        before = view.first_at(view.order.collection(start_key))
        return view.key_of(view.entries[before - 1].item) if before > first else None


def described(client: Any, change: Callable[[dict[str, Any]], object]) -> Any:
    """Return a client whose table is described as it was or will be: `change` edits the `Table` document."""

    def step(describe: Callable[..., Any], asked: dict[str, Any]) -> Any:
        answer = describe(**asked)
        change(answer["Table"])
        return answer

    return faulty(client, {"describe_table": repeat(step)})
