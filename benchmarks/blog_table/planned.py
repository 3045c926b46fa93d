"""The plan of a deployed run over the virtual table: Plan's own, with the sample that Plan takes of a large table."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from botocore.exceptions import ClientError

from benchmarks.blog_table.table import Shape, VirtualTable, answer, description
from benchmarks.blog_table.turns import SETTINGS
from skipscan.dynamodb.prices import US_EAST_1
from skipscan.dynamodb.source import Source
from skipscan.listing.concurrency_requests import DEFAULT, FreeFunctions
from skipscan.listing.execution_input import parse
from skipscan.listing.plan import plan_listing
from skipscan.listing.planning import RunPlanning
from skipscan.loop.allotment import PlanAttempt
from skipscan.loop.work import ExecutionId
from skipscan.scan.plan import Plan

EXECUTION = ExecutionId(
    "nightly", "arn:aws:states:us-east-1:111111111111:execution:skipscan-dev:nightly", "2026-01-01T00:00:00Z"
)


class Planned(NamedTuple):
    """A plan. `read_units`, `requests`: of its sample."""

    plan: Plan
    read_units: float
    requests: int


def planned(
    asked: Mapping[str, Any],
    collections: int,
    shape: Shape,
    table_of: Callable[[Source, Shape, int], VirtualTable] = VirtualTable,
) -> Planned:
    """Return the plan with which a worker of a run with this input begins."""
    document, described = parse({"table": "Blog", **asked}), description(collections)
    source = plan_listing(document, described).source
    client: Any = _Sampled(lambda segments: table_of(source, shape, segments))
    planning = RunPlanning(
        document,
        described,
        client,
        _NoPrices(),
        US_EAST_1.region,
        _no_results,
        lambda: FreeFunctions(DEFAULT, "the default"),
        SETTINGS,
    )
    results: Any = None  # the plan of a run declares nothing
    decided, _ = planning.planned(EXECUTION, PlanAttempt(results, "benchmark"))
    return Planned(decided, client.read_units, client.requests)


@dataclass
class _Sampled:
    """The virtual table, in so many segments, as Plan's client."""

    table: Callable[[int], VirtualTable]
    read_units: float = 0.0
    requests: int = 0

    def scan(self, **asked: Any) -> dict[str, Any]:
        found = answer(self.table(asked["TotalSegments"]), asked)
        self.read_units += found["ConsumedCapacity"]["CapacityUnits"]
        self.requests += 1
        return found


class _NoPrices:
    def get_products(self, **_: Any) -> dict[str, Any]:
        raise ClientError({"Error": {"Code": "AccessDeniedException", "Message": ""}}, "GetProducts")


def _no_results(table: str, name: str) -> Any:
    raise NotImplementedError
