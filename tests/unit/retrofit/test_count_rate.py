"""How long a count of an index waits for its rate."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

import pytest

from skipscan.aws.answer import CutAnswerError
from skipscan.dynamodb.prices import US_EAST_1
from skipscan.pace.rate import PAGE_SECONDS
from skipscan.retrofit import count_requests
from skipscan.retrofit.count_requests import ENTRY_UNITS, IndexCount, account_of
from tests.fakes.faulty import Step, faulty


@dataclass
class Clock:
    """Seconds that pass by sleeping."""

    now: float = 0.0

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def page(left: int) -> Callable[..., dict[str, Any]]:
    """Return the step that answers with a page before so many others."""

    def answer(_: object, asked: dict[str, Any]) -> dict[str, Any]:
        count = asked["Limit"]
        capacity = {"ConsumedCapacity": {"CapacityUnits": count * ENTRY_UNITS}}
        more = {"LastEvaluatedKey": {"id": {"S": f"{left}"}}} if left else {}
        return {"Count": count, "ScannedCount": count, **capacity, **more}

    return answer


@pytest.mark.parametrize("lost", [(), range(2, 150, 3)])
def test_a_page_that_is_asked_for_again_keeps_no_part_of_the_rate(
    lost: Collection[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(count_requests, "THREADS", 1)
    monkeypatch.setattr(count_requests, "WAIT_SECONDS", 0.0)
    pages: list[Step] = [page(left) for left in reversed(range(100))]
    for request in lost:
        pages.insert(request - 1, CutAnswerError("cut"))
    clock, client = Clock(), faulty(None, {"scan": pages})
    count = IndexCount(
        client, "Audit", "by-all", US_EAST_1, account_of(10.0), clock=lambda: clock.now, sleep=clock.sleep
    )
    assert count.take()["stopped_by"] is None
    assert len(client.calls) == 100 + len(lost)
    assert clock.now == pytest.approx(99 * PAGE_SECONDS, rel=0.05)
    assert count.read_units / (clock.now + PAGE_SECONDS) <= 10.0 * 1.05
