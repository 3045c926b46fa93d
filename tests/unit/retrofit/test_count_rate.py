"""How long a count of an index waits for its rate."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import pytest

from skipscan.aws.answer import CutAnswerError
from skipscan.dynamodb.prices import US_EAST_1
from skipscan.pace.rate import PAGE_SECONDS
from skipscan.retrofit import count_requests
from skipscan.retrofit.count_requests import ENTRY_UNITS, IndexCount, account_of


@dataclass
class Clock:
    """Seconds that pass by sleeping."""

    now: float = 0.0

    def sleep(self, seconds: float) -> None:
        self.now += seconds


@dataclass
class Index:
    """An index of so many pages. `lost`: the requests whose answers are lost."""

    pages: int
    lost: Collection[int] = ()
    requests: int = 0

    def scan(self, **asked: Any) -> dict[str, Any]:
        self.requests += 1
        if self.requests in self.lost:
            raise CutAnswerError("cut")
        self.pages -= 1
        count = asked["Limit"]
        capacity = {"ConsumedCapacity": {"CapacityUnits": count * ENTRY_UNITS}}
        more = {"LastEvaluatedKey": {"id": {"S": f"{self.pages}"}}} if self.pages else {}
        return {"Count": count, "ScannedCount": count, **capacity, **more}


@pytest.mark.parametrize("lost", [(), range(2, 150, 3)])
def test_a_page_that_is_asked_for_again_keeps_no_part_of_the_rate(
    lost: Collection[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(count_requests, "THREADS", 1)
    monkeypatch.setattr(count_requests, "WAIT_SECONDS", 0.0)
    clock, index = Clock(), Index(100, lost)
    client: Any = index
    count = IndexCount(client, "T", "I", US_EAST_1, account_of(10.0), clock=lambda: clock.now, sleep=clock.sleep)
    assert count.take()["stopped_by"] is None
    assert index.requests == 100 + len(lost)
    assert clock.now == pytest.approx(99 * PAGE_SECONDS, rel=0.05)
    assert count.read_units / (clock.now + PAGE_SECONDS) <= 10.0 * 1.05
