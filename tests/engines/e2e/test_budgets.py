"""A budget and a rate on the deployed stack, checked by the pages that the engine served."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from threading import Lock
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
SCAN = "skipscan-e2e-scan"


@pytest.fixture(scope="module", autouse=True)
def budget_table(deployment: Deployment) -> None:
    """Items without a sort key, so that nothing is skipped."""
    items: Iterator[Item] = ({"pk": {"S": f"p{number}"}, "body": {"B": bytes(ITEM_BYTES)}} for number in range(ITEMS))
    deployment.load(TableDefinition(TABLE, KeySchema.of(("pk", "S"), None)), items)


@dataclass
class Recorded:
    """The units that the engine billed for each page."""

    pages: list[float] = field(default_factory=list)
    _lock: Lock = field(default_factory=Lock)

    def __call__(self, call: Call) -> ProxyResponse:
        answer = call.forward()
        if call.name == "Scan" and answer.status == 200:
            with self._lock:
                self.pages.append(json.loads(answer.body)["ConsumedCapacity"]["CapacityUnits"])
        return answer

    @property
    def read_units(self) -> float:
        return sum(self.pages)

    @property
    def largest(self) -> float:
        return max(self.pages)


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
