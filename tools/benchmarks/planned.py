"""The plan of a deployed run over a table in memory: Plan's own, with the sample that it takes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, ClassVar, NamedTuple, Protocol

from botocore.exceptions import ClientError

from skipscan.aws.function import Settings
from skipscan.dynamodb.page import Page
from skipscan.dynamodb.prices import US_EAST_1
from skipscan.dynamodb.source import Item
from skipscan.dynamodb.table_description import TableDescription
from skipscan.listing.concurrency_requests import DEFAULT, FreeFunctions
from skipscan.listing.execution_input import parse
from skipscan.listing.planning import RunPlanning
from skipscan.loop.allotment import PlanAttempt
from skipscan.loop.work import ExecutionId
from skipscan.scan.plan import Plan

SETTINGS = Settings.read({"SKIPSCAN_BUCKET": "", "SKIPSCAN_PREFIX": "", "SKIPSCAN_PLACE": ""})
MACHINE = "arn:aws:states:us-east-1:111111111111:execution:skipscan-dev"


class InSegments(Protocol):
    """A table in memory, divided into a number of segments."""

    def page(self, segment: int, start_key: Item | None, limit: int | None) -> Page: ...


class Planned(NamedTuple):
    """A plan. `read_units`, `requests`: of its sample. `explanation`: what `skipscan plan` prints as JSON."""

    plan: Plan
    read_units: float
    requests: int
    explanation: Mapping[str, Any]


def planned(
    requested: Mapping[str, Any],
    description: TableDescription,
    divided: Callable[[int], InSegments],
    name: str = "nightly",
) -> Planned:
    """Return the plan of a run with this input. `divided`: the table in so many segments. `name`: seeds the sample."""
    client: Any = _Client(divided)
    planning = RunPlanning(
        parse({"table": description.name, **requested}),
        description,
        client,
        _NoPrices(),
        _no_results,
        lambda: FreeFunctions(DEFAULT, "the default"),
        SETTINGS,
    )
    results: Any = None  # the plan of a run declares nothing
    execution = ExecutionId(name, f"{MACHINE}:{name}", "2026-01-01T00:00:00Z")
    plan, fields = planning.planned(execution, PlanAttempt(results, "benchmark"))
    return Planned(plan, client.read_units, client.requests, fields.get("explanation", {}))


@dataclass
class _Client:
    """Answers the sample's requests."""

    divided: Callable[[int], InSegments]
    read_units: float = 0.0
    requests: int = 0
    meta: ClassVar[Any] = SimpleNamespace(region_name=US_EAST_1.region)

    def scan(self, **requested: Any) -> dict[str, Any]:
        table = self.divided(requested["TotalSegments"])
        page = table.page(requested["Segment"], requested.get("ExclusiveStartKey"), requested.get("Limit"))
        self.read_units += page.read_units
        self.requests += 1
        last = {} if page.last_evaluated_key is None else {"LastEvaluatedKey": page.last_evaluated_key}
        return {
            "Items": page.items,
            "Count": len(page.items),
            "ScannedCount": len(page.items),
            "ConsumedCapacity": {"TableName": requested["TableName"], "CapacityUnits": page.read_units},
            **last,
        }


class _NoPrices:
    def get_products(self, **_: Any) -> dict[str, Any]:
        raise ClientError({"Error": {"Code": "AccessDeniedException", "Message": ""}}, "GetProducts")


def _no_results(table: str, name: str) -> Any:
    raise NotImplementedError
