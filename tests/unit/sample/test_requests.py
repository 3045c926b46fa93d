"""What a sample reads counts against the rate of the work that follows it, and a low rate ends it early."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import repeat
from typing import Any
from unittest.mock import patch

import pytest

from skipscan.dynamodb.page import STEP_BYTES
from skipscan.dynamodb.table_description import TableDescription
from skipscan.errors import BatchError
from skipscan.listing.execution_input import parse
from skipscan.listing.plan import plan_listing
from skipscan.sample.requests import take_sample
from skipscan.scan.plan import Plan
from tests.fakes.error import service_error
from tests.fakes.faulty import faulty
from tests.refusal import failed


@dataclass
class Large:
    """A table that has no end, whose items are all of one size, and the seconds that pass by sleeping."""

    item_bytes: int
    now: float = 0.0
    taken: list[tuple[float, float]] = field(default_factory=list)

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds

    def scan(self, **asked: Any) -> dict[str, Any]:
        items = min(asked.get("Limit", 1 << 20), (1 << 20) // self.item_bytes + 1)
        units = 0.5 * max(1, -(-items * self.item_bytes // STEP_BYTES))
        self.taken.append((self.now, units))
        start = int(asked.get("ExclusiveStartKey", {"pk": {"N": "0"}})["pk"]["N"])
        keys = [{"pk": {"N": str(start + place + 1)}, "sk": {"N": "1"}} for place in range(items)]
        consumed = {"ConsumedCapacity": {"CapacityUnits": units}}
        return {"Items": keys, "LastEvaluatedKey": keys[-1], "Count": items, "ScannedCount": items, **consumed}

    def worst_ten_seconds(self) -> float:
        """Return the most read units of any ten seconds."""
        worst = within = 0.0
        first = 0
        for at, units in self.taken:  # which are in order
            within += units
            while self.taken[first][0] <= at - 10:
                within -= self.taken[first][1]
                first += 1
            worst = max(worst, within)
        return worst


@pytest.fixture(params=[500, 40_000, 390_000])
def large(request: pytest.FixtureRequest) -> Iterator[Large]:
    made = Large(request.param)
    with patch("skipscan.sample.requests.time", made):
        yield made


def listing(rate: float) -> Plan:
    document = {
        "TableStatus": "ACTIVE",
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
        "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "N"} for name in ("pk", "sk")],
    }
    return plan_listing(
        parse({"table": "Orders", "max_read_units_per_second": rate}), TableDescription.from_json(document)
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("large", "rate"),
    [(500, 1.0), (500, 25.0), (40_000, 25.0), (40_000, 400.0), (390_000, 1.0), (390_000, 400.0)],
    indirect=["large"],
)
def test_a_run_begins_when_its_sample_is_paid_off(large: Large, rate: float) -> None:
    take_sample(large, listing(rate), items=0, seed=1, is_followed=True)  # type: ignore[arg-type]
    largest = max(units for _, units in large.taken)
    assert large.worst_ten_seconds() <= 10.5 * rate + largest
    at, units = large.taken[-1]
    assert large.now >= at + min(units / rate, 120.0) - 1e-6


def throttled(large: Large, refusals: int, answers: int = 0) -> Any:
    """Return the table behind a client that refuses so many requests first, and one more after so many answers."""

    def throttle(*_: object) -> Any:
        large.taken.append((large.now, 0.0))
        raise service_error("ThrottlingException", "made up", "Scan")

    more = [*repeat(None, answers), throttle] if answers else ()
    return faulty(large, {"scan": [*repeat(throttle, refusals), *more]})


@pytest.mark.parametrize("large", [500], indirect=True)
@pytest.mark.parametrize("refusals", [1, 6 - 1])
def test_a_refused_page_of_a_sample_is_asked_for_again_after_waits_that_an_answer_makes_short_again(
    large: Large, refusals: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("random.random", lambda: 1.0)
    assert take_sample(throttled(large, refusals, answers=1), listing(400.0), items=1_000_000, seed=1).requests > 1
    times = [at for at, _ in large.taken]
    assert times[: refusals + 1] == pytest.approx([0.1 * (2**number - 1) for number in range(refusals + 1)])
    assert times[refusals + 2] - times[refusals + 1] == pytest.approx(0.1)


@pytest.mark.parametrize("large", [40_000], indirect=True)
def test_a_sample_that_is_always_refused_ends_with_the_refusal(large: Large) -> None:
    client = throttled(large, 1000)
    with failed(BatchError, "Scan with ThrottlingException"):
        take_sample(client, listing(400.0), items=1_000_000, seed=1)
    assert len(client.calls) == 6
