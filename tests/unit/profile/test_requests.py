"""Reading a profile: what it asks of DynamoDB, what it may not, and how Ctrl-C ends it."""

import html
import json
from contextlib import nullcontext
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import boto3
import pytest
from botocore.exceptions import ClientError

import skipscan
from skipscan.aws import clients
from skipscan.aws.table import describe_if_allowed
from skipscan.dynamodb.prices import MONTHLY_US_EAST_1, US_EAST_1
from skipscan.errors import DeniedError, InputError
from skipscan.library.profiling import profiling_of
from skipscan.pace.bill import bounded
from skipscan.profile.page import profile_page
from skipscan.profile.requests import (
    NO_DESCRIPTION,
    NO_EXPIRY,
    NO_KEY,
    NO_SCAN,
    Profiling,
    expiry_of,
)
from skipscan.sample.sampler import SegmentPage
from tests.refusal import refused
from tests.unit.cli.conftest import Told, told
from tests.unit.profile.tables import Items, Made, described_document

__all__ = ["told"]
ITEMS: Items = [
    {"pk": {"S": f"canary{n % 40}"}, "sk": {"S": f"canary{n:04}"}, "until": {"N": "1800000000000"}} for n in range(400)
]
LARGE: Any = {"ItemCount": 400_000, "TableSizeBytes": 20 << 20}
"""What DescribeTable says of a table that is read in 20 segments."""


class FakeDynamoDB:
    """A table behind boto3's client.

    `denied`: the operation without permission. `interrupt`: at which page.
    """

    def __init__(self, *, denied: str = "", interrupt: int = -1, **described: Any) -> None:
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
        if len(self.table.asked) == self.interrupt:
            raise KeyboardInterrupt
        page = self.table.page(SegmentPage(asked["TotalSegments"], asked["Segment"], asked.get("ExclusiveStartKey")))
        more = {} if page.last_evaluated_key is None else {"LastEvaluatedKey": page.last_evaluated_key}
        return {"Items": page.items, "ConsumedCapacity": {"CapacityUnits": page.read_units}, **more}


def of(client: Any, max_dollars: float = 0.01, **asked: Any) -> Profiling:
    return Profiling.of_table(
        client,
        "Made",
        describe_if_allowed(client, "Made"),
        bounded(None, None, max_dollars),
        prices=US_EAST_1,
        monthly=MONTHLY_US_EAST_1,
        rate=None,
        seed=1,
        **asked,
    )


def test_python_has_the_same_profile_without_values() -> None:
    """As boto3 has them, numbers may be decimals."""
    most: Any = {"client": FakeDynamoDB(), "max_dollars": Decimal("0.5"), "max_read_units_per_second": Decimal(500)}
    document = skipscan.profile_table("Made", seed=1, **most)
    assert document["collections"]["count"] == of(FakeDynamoDB()).read().to_json()["collections"]["count"]
    assert "canary" not in json.dumps(document)
    with refused(InputError, "max_dollars", 0):
        skipscan.profile_table("Made", client=FakeDynamoDB(), max_dollars=0)  # type: ignore[arg-type]


def test_the_budget_is_a_cent_unless_another_is_given() -> None:
    """A null was no budget at all."""
    client: Any = FakeDynamoDB()
    for given, dollars in ((None, 0.01), (0.5, 0.5)):
        bounds = {"max_dollars": given, "max_read_units_per_second": None}
        plan = profiling_of("Made", boto3.Session(), client, is_aws=False, seed=1, **bounds).plan
        assert plan.budget.dollars == dollars


def test_ctrl_c_ends_the_reading_and_what_was_read_is_shown_or_nothing_before_the_first_page() -> None:
    with pytest.raises(KeyboardInterrupt):
        of(FakeDynamoDB(interrupt=0)).read()
    assert of(FakeDynamoDB(interrupt=15, **LARGE)).read().figures.read.requests == 15


@pytest.mark.parametrize("code", ["AccessDeniedException", "ResourceNotFoundException", "ValidationException"])
def test_a_table_of_another_account_is_profiled_without_time_to_live(code: str) -> None:
    """AWS does not say which refusal it is; the table itself was described before."""
    refused: Any = ClientError({"Error": {"Code": code, "Message": "made up"}}, "DescribeTimeToLive")
    client: Any = SimpleNamespace(describe_time_to_live=Mock(side_effect=refused))
    assert expiry_of(client, "arn:aws:dynamodb:us-east-1:333333333333:table/Made") is None
    with nullcontext() if code == "AccessDeniedException" else pytest.raises(ClientError):
        assert expiry_of(client, "Made") is None, "a table of our own may be gone"


def test_without_scan_what_describe_table_says_is_there() -> None:
    index = {"IndexName": "by", "KeySchema": [{"AttributeName": "ik", "KeyType": "HASH"}], "ItemCount": 40}
    client = FakeDynamoDB(denied="Scan", GlobalSecondaryIndexes=[{**index, "IndexSizeBytes": 4000}])
    profile = of(client).read()
    document = profile.to_json()
    assert (document["collections"], document["items"], document["attributes"]) == (None, None, [])
    assert document["missing"] == [NO_SCAN]
    assert document["described_items"] == len(ITEMS)
    [index_] = document["indexes"]
    assert (index_["items"]["estimate"], index_["mean_bytes"], index_["write_units"]) == (0.1, 100.0, None)
    assert document["money"]["storage"]["low"] > 0
    assert not document["reading"]["is_exact"]
    page = profile_page(profile)
    assert html.escape(NO_SCAN) in page
    assert "described, not read" in page
    assert f"Made has {len(ITEMS)} items, by DescribeTable." in page
    assert "Attribute until. No item was read." in page


def test_a_refused_key_of_the_table_is_named() -> None:
    refused: Any = ClientError({"Error": {"Code": "AccessDeniedException", "Message": "KMS key is disabled"}}, "Scan")
    client = FakeDynamoDB()
    client.scan = Mock(side_effect=refused)  # type: ignore[method-assign]
    assert of(client).read().of.missing == [NO_KEY]


def test_without_both_permissions_there_is_no_profile() -> None:
    client = FakeDynamoDB(denied="DescribeTable")
    profiling = of(client)
    client.denied = "Scan"
    with refused(DeniedError, "AWS", rule="Scan with AccessDeniedException", way="allow Scan"):
        profiling.read()


def test_a_permission_that_is_taken_away_while_reading_ends_it() -> None:
    client = FakeDynamoDB(**LARGE)
    profiling = of(client)

    def shown(*_: object) -> None:
        client.denied = "Scan"

    with refused(DeniedError, "AWS", rule="Scan with AccessDeniedException", way="allow Scan"):
        profiling.read(shown)


def test_time_that_is_billed_counts_against_the_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    billed, free = of(FakeDynamoDB(**LARGE), gigabytes=1.0), of(FakeDynamoDB(**LARGE))
    seconds = iter(range(0, 10**9, 60))  # a minute a look
    monkeypatch.setattr("skipscan.profile.requests.time", SimpleNamespace(monotonic=lambda: next(seconds)))
    assert billed.read().figures.read.requests <= 12  # a minute of a gigabyte costs $0.0008 of the cent
    assert free.read().figures.read.requests == 20


def test_reading_ends_when_time_is_up() -> None:
    client = FakeDynamoDB(**LARGE)
    profile = of(client).read(is_over=lambda: len(client.table.asked) >= 15)
    assert profile.figures.read.requests == len(client.table.asked) == 15


@pytest.mark.parametrize(
    ("denied", "reason"), [("DescribeTable", NO_DESCRIPTION), ("Scan", NO_SCAN), ("DescribeTimeToLive", NO_EXPIRY)]
)
def test_the_command_says_what_is_missing(
    told: Told, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, denied: str, reason: str
) -> None:
    monkeypatch.setattr(clients, "dynamodb", lambda *_, **__: FakeDynamoDB(denied=denied))
    page = tmp_path / "made.html"
    asked = ("profile", "Made", "--output", str(page), "--endpoint-url", "http://localhost:8000", "--json")
    done = told(*asked)
    assert done.status == 0
    assert json.loads(done.stdout)["missing"] == [reason]
    assert reason in " ".join(done.stderr.split())
    assert html.escape(reason) in page.read_text()


def test_a_name_in_the_advice_breaks_no_line(told: Told, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    client = FakeDynamoDB()
    mixed: list[Any] = [{"S": "red"}, {"N": "1"}]
    client.table = Made([{**item, "x\n\x1b[2J": mixed[n % 2]} for n, item in enumerate(ITEMS)])
    monkeypatch.setattr(clients, "dynamodb", lambda *_, **__: client)
    asked = ("profile", "Made", "--output", str(tmp_path / "made.html"), "--endpoint-url", "http://localhost:8000")
    assert "- Attribute x\\n\\u001b[2J has values of several types" in told(*asked).stdout
