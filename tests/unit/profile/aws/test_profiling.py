"""Reading a profile: what it asks of DynamoDB, what it may not, and how Ctrl-C ends it."""

import json
import logging
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest
from botocore.exceptions import ClientError

from skipscan.aws import clients
from skipscan.dynamodb.prices import default_prices
from skipscan.errors import DeniedError, TableError
from skipscan.profile.aws.profiling import NO_EXPIRY, WITHOUT_EXPIRY, Profiling
from skipscan.profile.segments import SegmentPage
from tests.simulation.inputs.clock import Clock
from tests.unit.cli.conftest import Told, told
from tests.unit.profile.tables import Items, Made, described_document

__all__ = ["told"]

ITEMS: Items = [
    {"pk": {"S": f"canary{n % 40}"}, "sk": {"S": f"canary{n:04}"}, "until": {"N": "1800000000000"}} for n in range(400)
]


class FakeDynamoDB:
    """A table behind boto3's client.

    `denied`: the operation without permission. `interrupt`: at which page. `refusals`: of the first page.
    """

    def __init__(self, *, denied: str = "", interrupt: int = -1, refusals: int = 0, **described: Any) -> None:
        self.refusals = refusals
        self.meta = SimpleNamespace(region_name="us-east-1", endpoint_url="http://localhost:8000")
        self.table, self.denied, self.interrupt = Made(ITEMS), denied, interrupt
        self.described = described_document(ITEMS, TableStatus="ACTIVE", **described)

    def _check(self, operation: str) -> None:
        if operation == self.denied:
            raise ClientError({"Error": {"Code": "AccessDeniedException", "Message": "no"}}, operation)

    def describe_table(self, **_: Any) -> Any:
        self._check("DescribeTable")
        return {"Table": self.described}

    def describe_time_to_live(self, **_: Any) -> Any:
        self._check("DescribeTimeToLive")
        return {"TimeToLiveDescription": {"TimeToLiveStatus": "ENABLED", "AttributeName": "until"}}

    def scan(self, **asked: Any) -> Any:
        self._check("Scan")
        if self.refusals:
            self.refusals -= 1
            raise ClientError({"Error": {"Code": "ThrottlingException", "Message": "made up"}}, "Scan")
        if len(self.table.asked) == self.interrupt:
            raise KeyboardInterrupt
        page = self.table.page(SegmentPage(asked["TotalSegments"], asked["Segment"], asked.get("ExclusiveStartKey")))
        more = {} if page.last_evaluated_key is None else {"LastEvaluatedKey": page.last_evaluated_key}
        return {"Items": page.items, "ConsumedCapacity": {"CapacityUnits": page.read_units}, **more}


def of(client: Any, max_dollars: float = 0.01) -> Profiling:
    return Profiling.of_table(
        client,
        "Made",
        lambda is_infrequent: default_prices(is_infrequent_access=is_infrequent),
        max_dollars=max_dollars,
        max_read_units_per_second=None,
        seed=1,
    )


@pytest.mark.second_page("skipscan.profile.aws.profiling:Profiling._page")
def test_a_table_that_the_budget_pays_for_is_read_whole() -> None:
    client = FakeDynamoDB()
    profile = of(client).read()
    assert profile.reading.is_exact
    assert profile.reading.read_units == client.table.read_units
    assert profile.time_to_live is not None
    assert profile.time_to_live.attribute == "until"
    assert profile.advice[0].rule == "expiry_never"


@pytest.mark.asked_again("skipscan.profile.aws.profiling:Profiling._page")
def test_a_page_that_is_refused_is_asked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("skipscan.listing.aws.sampling.time", Clock())
    client = FakeDynamoDB(refusals=2)
    profile = of(client).read()
    assert client.refusals == 0
    assert profile.items.count.estimate == len(ITEMS)
    assert profile.reading.requests == len(client.table.asked)


def test_ctrl_c_leaves_what_was_read() -> None:
    client = FakeDynamoDB(interrupt=12, ItemCount=400_000, TableSizeBytes=20 << 20)
    profile = of(client).read()
    assert not profile.reading.is_exact
    assert profile.reading.requests == len(client.table.asked) == 12


def test_ctrl_c_before_the_first_page_ends_the_command() -> None:
    with pytest.raises(KeyboardInterrupt):
        of(FakeDynamoDB(interrupt=0)).read()


def test_without_describe_time_to_live_only_that_section_is_missing() -> None:
    profile = of(FakeDynamoDB(denied="DescribeTimeToLive")).read()
    assert profile.time_to_live is None
    assert profile.missing == (NO_EXPIRY,)
    assert profile.items.count.estimate == len(ITEMS)


def test_an_engine_without_time_to_live_is_profiled_without_it() -> None:
    refused: Any = ClientError({"Error": {"Code": "UnknownOperationException", "Message": ""}}, "DescribeTimeToLive")
    client = FakeDynamoDB()
    client.describe_time_to_live = Mock(side_effect=refused)  # type: ignore[method-assign]
    profile = of(client).read()
    assert profile.time_to_live is None
    assert profile.missing == (WITHOUT_EXPIRY["UnknownOperationException"],)


@pytest.mark.parametrize("denied", ["DescribeTable", "Scan"])
def test_without_the_other_permissions_there_is_no_profile(denied: str) -> None:
    with pytest.raises((DeniedError, TableError), match=denied):
        of(FakeDynamoDB(denied=denied)).read()


def test_the_command_says_what_it_reads_and_writes_the_page(
    told: Told, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(clients, "dynamodb", lambda *_, **__: FakeDynamoDB())
    page = tmp_path / "made.html"
    asked = ("profile", "Made", "--output", str(page), "--endpoint-url", "http://localhost:8000")
    with caplog.at_level(logging.DEBUG):
        status, stdout, stderr = told(*asked)
    assert status == 0
    assert "reading the whole table: about" in stderr
    assert "at most $0.01" in stderr
    assert stdout.startswith("- until is in milliseconds in 100 % of the items")
    assert stdout.endswith(f"{page}\n")
    assert "canary" not in stdout + stderr + page.read_text() + caplog.text
    status, stdout, _ = told(*asked, "--json", "--seed", "5")
    assert json.loads(stdout)["reading"]["seed"] == 5


def test_a_budget_below_a_page_is_a_mistake(told: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clients, "dynamodb", lambda *_, **__: FakeDynamoDB())
    asked = ("profile", "Made", "--max-dollars", "0.00001", "--endpoint-url", "http://localhost:8000")
    status, _, stderr = told(*asked)
    assert status == 2
    assert "one page may take 178.5: raise --max-dollars" in stderr
