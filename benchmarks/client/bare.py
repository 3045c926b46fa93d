"""Only `client.scan`: the same requests as ours, on as many threads, with the answers discarded."""

from collections.abc import Sequence
from threading import Thread
from typing import TYPE_CHECKING, Any

from benchmarks.client.ours import listed
from skipscan.scan.plan import WALKS, Plan

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


def asked(client: "DynamoDBClient", whole: Plan, pages: int | None = None) -> list[dict[str, Any]]:
    """Return the parameters of the requests that Skipscan makes."""
    requests: list[dict[str, Any]] = []

    class Recording:
        def scan(self, **parameters: Any) -> Any:
            requests.append(parameters)
            return client.scan(**parameters)

    recording: Any = Recording()
    listed(recording, whole, pages=pages)
    return requests


def scan(client: "DynamoDBClient", requests: Sequence[dict[str, Any]]) -> None:
    """Make the requests and discard the answers."""

    def some(first: int) -> None:
        for parameters in requests[first::WALKS]:
            client.scan(**parameters)

    threads = [Thread(target=some, args=(first,)) for first in range(WALKS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
