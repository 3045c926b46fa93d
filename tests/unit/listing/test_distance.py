"""A table is far away if DescribeTable says so by its time, and never on this machine."""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from botocore.exceptions import ClientError

from skipscan.listing.sample_requests import useful_walks

AWS = "https://dynamodb.us-east-1.amazonaws.com"


class Client:
    """Answers DescribeTable after so many seconds each time. `clock`: what time it is."""

    def __init__(self, url: str, *seconds: float) -> None:
        self.meta = SimpleNamespace(endpoint_url=url)
        self._seconds: Iterator[float] = iter(seconds)
        self._now = 100.0
        self.asked = 0

    def describe_table(self, **_: Any) -> dict[str, Any]:
        self.asked += 1
        if (seconds := next(self._seconds)) < 0:
            raise ClientError({"Error": {"Code": "ThrottlingException"}}, "DescribeTable")
        self._now += seconds
        return {}

    def clock(self) -> float:
        return self._now


@pytest.mark.parametrize(
    ("seconds", "walks"), [((0.008,), 16), ((0.06, 0.01), 16), ((0.06, 0.05), 128), ((0.06, -1.0), 16), ((-1.0,), 16)]
)
def test_many_walks_may_pay_from_far_away(seconds: tuple[float, ...], walks: int) -> None:
    client: Any = Client(AWS, *seconds)
    assert useful_walks(client, "Orders", client.clock) == walks
    assert client.asked == len(seconds)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]"])
def test_an_endpoint_on_this_machine_is_near_however_busy_that_is(host: str) -> None:
    client: Any = Client(f"http://{host}:8000", 9.0, 9.0)
    assert useful_walks(client, "Orders", client.clock) == 16
    assert client.asked == 0
