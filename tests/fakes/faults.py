"""Engines that misbehave: each wraps a client and gets one thing wrong."""

from collections.abc import Callable, Iterator
from threading import Lock
from typing import Any, Protocol

from tests.fakes.attribute_value import Item
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.position import segment_start


class Client(Protocol):
    def scan(self, **parameters: Any) -> dict[str, Any]: ...
    def query(self, **parameters: Any) -> dict[str, Any]: ...
    def describe_table(self, **parameters: Any) -> dict[str, Any]: ...
    def describe_time_to_live(self, **parameters: Any) -> dict[str, Any]: ...
    def list_tables(self) -> dict[str, Any]: ...


class Wrapper:
    """A client that does as the wrapped one does."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.meta: Any = getattr(client, "meta", None)

    def scan(self, **parameters: Any) -> dict[str, Any]:
        return self.client.scan(**parameters)

    def query(self, **parameters: Any) -> dict[str, Any]:
        return self.client.query(**parameters)

    def describe_table(self, **parameters: Any) -> dict[str, Any]:
        return self.client.describe_table(**parameters)

    def list_tables(self) -> dict[str, Any]:
        return self.client.list_tables()

    def describe_time_to_live(self, **parameters: Any) -> dict[str, Any]:
        return self.client.describe_time_to_live(**parameters)


class Recorded(Wrapper):
    """Keeps every Scan request, with its answer, in the order of the answers; failed requests are left out."""

    def __init__(self, client: Client) -> None:
        super().__init__(client)
        self.pages: list[tuple[dict[str, Any], dict[str, Any]]] = []

    def scan(self, **parameters: Any) -> dict[str, Any]:
        answer = super().scan(**parameters)
        self.pages.append((parameters, answer))
        return answer


class SkipIgnored(Wrapper):
    """A start key that no item has begins its item collection again, so a skip makes no progress."""

    def __init__(self, client: FakeDynamoDB) -> None:
        super().__init__(client)
        self.fake = client

    def scan(self, **parameters: Any) -> dict[str, Any]:
        if start_key := parameters.get("ExclusiveStartKey"):
            parameters = {**parameters, "ExclusiveStartKey": self._honest_key(start_key, parameters)}
            if parameters["ExclusiveStartKey"] is None:
                del parameters["ExclusiveStartKey"]
        return super().scan(**parameters)

    def _honest_key(self, start_key: Item, parameters: dict[str, Any]) -> Item | None:
        """The start key if an item has it, else that of the last item before the collection in the segment."""
        view = self.fake.table(parameters["TableName"]).views[parameters.get("IndexName")]
        after = view.first_after(start_key)
        if after and view.entries[after - 1].position == view.order.position(start_key):
            return start_key
        first = view.first_at(segment_start(parameters.get("Segment", 0), parameters.get("TotalSegments", 1)))
        before = view.first_at(view.order.collection(start_key))
        return view.key_of(view.entries[before - 1].item) if before > first else None


class Interrupted(Wrapper):
    """Raises an exception in place of a Scan or Query whenever the next of `errors` is one; None lets it through."""

    def __init__(self, client: Client, errors: Iterator[Exception | None]) -> None:
        super().__init__(client)
        self._errors = errors
        self._lock = Lock()

    def scan(self, **parameters: Any) -> dict[str, Any]:
        self._interrupt()
        return super().scan(**parameters)

    def query(self, **parameters: Any) -> dict[str, Any]:
        self._interrupt()
        return super().query(**parameters)

    def _interrupt(self) -> None:
        with self._lock:
            error = next(self._errors, None)
        if error:
            raise error


class EmptyPages(Wrapper):
    """Every second page from a start key is empty and ends where it started, at the price of an empty page."""

    def __init__(self, client: Client) -> None:
        super().__init__(client)
        self._answered: set[str] = set()
        self._lock = Lock()

    def scan(self, **parameters: Any) -> dict[str, Any]:
        start_key = parameters.get("ExclusiveStartKey")
        with self._lock:
            is_empty = bool(start_key) and repr(parameters) not in self._answered
            self._answered.add(repr(parameters))
        if not is_empty:
            return super().scan(**parameters)
        capacity = {
            "TableName": parameters["TableName"],
            "CapacityUnits": 1.0 if parameters.get("ConsistentRead") else 0.5,
        }
        return {
            "Items": [],
            "Count": 0,
            "ScannedCount": 0,
            "LastEvaluatedKey": start_key,
            "ConsumedCapacity": capacity,
        }


class Described(Wrapper):
    """DescribeTable some hours later or earlier: `change` edits its `Table` document in place."""

    def __init__(self, client: Client, change: Callable[[dict[str, Any]], object]) -> None:
        super().__init__(client)
        self._change = change

    def describe_table(self, **parameters: Any) -> dict[str, Any]:
        answer = super().describe_table(**parameters)
        self._change(answer["Table"])
        return answer
