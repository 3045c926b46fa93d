"""A budget and a rate on the deployed stack, checked by the pages that the engine served."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from threading import Lock
from time import time
from typing import Any

import pytest

from local.execution import ExecutionError
from tests.engines.e2e import lambda_processes
from tests.engines.e2e.conftest import Deployment, Surroundings
from tests.engines.e2e.proxy import Call, ProxyResponse
from tests.fakes.attribute_value import Item
from tests.fakes.definition import KeySchema, TableDefinition

pytestmark = pytest.mark.xdist_group("embedded")

TABLE = "Heavy"
ITEMS, ITEM_BYTES = 80, 30_000
"""Read whole some 290 read units: more than the budget and all that it may be exceeded by."""

BUDGET = 20.0
RATE, WORKERS = 25.0, 3
SCAN = "skipscan-e2e-scan"


@pytest.fixture(scope="module", autouse=True)
def budget_table(deployment: Deployment) -> None:
    """Items without a sort key, so that nothing is skipped."""
    items: Iterator[Item] = ({"pk": {"S": f"p{number}"}, "body": {"B": bytes(ITEM_BYTES)}} for number in range(ITEMS))
    deployment.load(TableDefinition(TABLE, KeySchema.of(("pk", "S"), None)), items)


@dataclass
class Recorded:
    """Every page with the second of its request and the units that the engine billed for it.

    When it came here says nothing of the rate on a machine that has much else to do.
    """

    pages: list[tuple[float, float]] = field(default_factory=list)
    _lock: Lock = field(default_factory=Lock)

    def __call__(self, call: Call) -> ProxyResponse:
        answer = call.forward()
        if call.name == "Scan" and answer.status == 200:
            assert call.signed
            with self._lock:
                self.pages.append(
                    (call.signed.timestamp(), json.loads(answer.body)["ConsumedCapacity"]["CapacityUnits"])
                )
        return answer

    @property
    def read_units(self) -> float:
        return sum(units for _, units in self.pages)

    @property
    def largest(self) -> float:
        return max(units for _, units in self.pages)

    def ahead(self, begun: float, rate: float) -> float:
        """Return by how much any page was ahead of a rate that holds from then on; a page that is late never is."""
        until = {then: sum(units for at, units in self.pages if at <= then) for then, _ in self.pages}
        return max(units - rate * (then + 1 - begun) for then, units in until.items())


class Killing:
    """Kills the worker's process before its first commits, so that what they read is in no count."""

    def __init__(self, endpoint: str, attempts: int) -> None:
        self._endpoint = endpoint
        self._lock = Lock()
        self.left = attempts

    def __call__(self, call: Call) -> ProxyResponse | None:
        with self._lock:
            is_lost = self.left > 0 and call.name.startswith("PUT ") and "/part-" in call.name
            self.left -= is_lost
        if not is_lost:
            return call.forward()
        lambda_processes.kill(self._endpoint, SCAN)
        assert call.is_abandoned()
        return None


@pytest.mark.parametrize(
    "lost", [pytest.param(0, marks=pytest.mark.long), 2], ids=["every attempt commits", "two attempts are lost"]
)
def test_a_budget_is_exceeded_by_no_more_than_the_plan_states(
    deployment: Deployment, surroundings: Surroundings, lost: int
) -> None:
    asked: dict[str, Any] = {"table": TABLE, "segments": 8, "workers": 4, "max_read_units": BUDGET}
    stated = deployment.run(**asked, dry_run=True)["choice"]["overrun"]["read_units"]
    recorded, killing = Recorded(), Killing(deployment.account.endpoint, lost)
    name = f"bounded-{lost}"
    with (
        surroundings.dynamodb.failing(recorded),
        surroundings.s3.failing(killing),
        pytest.raises(ExecutionError, match="BudgetError"),
    ):
        deployment.run(name, **asked)
    assert killing.left == 0
    assert recorded.read_units <= BUDGET + stated
    assert recorded.read_units <= BUDGET + (1 + lost) * recorded.largest  # pages are small where little is left
    # On resume a budget is the run's total: what is consumed is consumed.
    again = Recorded()
    with surroundings.dynamodb.failing(again), pytest.raises(ExecutionError, match="BudgetError"):
        deployment.run(table=TABLE, resume=name, max_read_units=BUDGET + 10)
    assert recorded.read_units + again.read_units <= BUDGET + 10 + stated
    assert (
        again.pages or lost or recorded.read_units >= BUDGET
    )  # a page that exceeded it may have taken the ten as well


def denied(call: Call) -> ProxyResponse:
    if call.name != "Scan":
        return call.forward()
    error = {"__type": "com.amazon.coral.service#AccessDeniedException", "Message": "not authorized"}
    return ProxyResponse(400, json.dumps(error).encode(), (("Content-Type", "application/x-amz-json-1.0"),))


@pytest.mark.long
@pytest.mark.parametrize("is_resumed", [False, True], ids=["new", "resumed"])
def test_a_rate_holds_from_the_first_second(
    deployment: Deployment, surroundings: Surroundings, is_resumed: bool
) -> None:
    """A run that began without a rate has more workers than keep a low one: they run one after the other."""
    asked: dict[str, Any] = {"segments": 4, "workers": WORKERS}
    if is_resumed:
        with surroundings.dynamodb.failing(denied), pytest.raises(ExecutionError, match="FAILED"):
            deployment.run("denied", table=TABLE, **asked)
        asked = {"resume": "denied"}
    recorded, begun = Recorded(), time()
    with surroundings.dynamodb.failing(recorded):
        output = deployment.run(table=TABLE, **asked, max_read_units_per_second=RATE)
    assert output["keys"] == ITEMS
    assert recorded.ahead(begun, 1.05 * RATE) <= WORKERS * recorded.largest
    assert recorded.read_units > 10 * RATE  # without a rate it takes two seconds or three
