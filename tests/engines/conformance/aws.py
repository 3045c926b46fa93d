"""The service itself as an engine: `SKIPSCAN_CONFORMANCE_AWS=ACCOUNT/REGION`, with credentials for that account.

    SKIPSCAN_CONFORMANCE_AWS=111111111111/eu-central-1 .venv/bin/pytest tests/engines/conformance -n 0 -k aws

It says first what it will make and what that costs. Every table has a prefix, the name of the launch and a tag, and is
removed at the end, also after an error. The tests name tables as on every engine: the client adds the prefix to what it
sends and takes it from what it receives.
"""

import re
import secrets
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple

import boto3
import pytest
from botocore.config import Config
from botocore.exceptions import ClientError

from skipscan.dynamodb.prices import default_prices
from skipscan.dynamodb.table_description import TableDescription
from skipscan.dynamodb.write_units import WrittenTable
from tests.engines.conformance.engine import Engine
from tests.fakes.attribute_value import Item
from tests.fakes.definition import TableDefinition

VARIABLE = "SKIPSCAN_CONFORMANCE_AWS"
PREFIX, TAG = "skipscan-conformance-", "skipscan-conformance"

MOST_TABLES, MOST_DOLLARS = 150, 0.10
REQUEST_UNITS = 4.0
"""Read units that a request of the tests takes on average, at most: nearly all read a table of some KB."""

REMOVAL_SECONDS = 600.0
INDEX_SECONDS = 120.0
"""How long an index may take until it has all items of its table."""


class Place(NamedTuple):
    account: str
    region: str


def place(environment: Mapping[str, str]) -> Place | None:
    """Return the account and the region that the variable names; `None` if it is not set."""
    if (said := environment.get(VARIABLE)) is None:
        return None
    if not (match := re.fullmatch(r"(\d{12})/([a-z]{2}(?:-[a-z]+)+-\d)", said)):
        raise pytest.UsageError(
            f"{VARIABLE} is '{said}'; it needs an account and a region: {VARIABLE}=111111111111/eu-central-1"
        )
    return Place(*match.groups())


def statement(place: Place, launch: str) -> list[str]:
    """Return the lines that say what the tests will make, and what that costs."""
    return [
        f"The conformance tests run in account {place.account}, {place.region}.",
        f"They make up to {MOST_TABLES} small tables on demand, named {PREFIX}{launch}-…, with the tag {TAG}={launch}, "
        "and remove them at the end. They read no other table.",
        f"About 40 minutes and 5 cents, and never more than ${MOST_DOLLARS:.2f} (prices of us-east-1).",
    ]


@contextmanager
def aws(place: Place, say: Callable[[str], object], session: boto3.Session | None = None) -> Iterator["AwsEngine"]:
    """Yield the engine; remove every table that it has made."""
    session = session or boto3.Session(region_name=place.region)
    found = session.client("sts", region_name=place.region).get_caller_identity()["Account"]
    if found != place.account:
        raise pytest.UsageError(f"the credentials are for account {found}; {VARIABLE} names {place.account}")
    launch = secrets.token_hex(3)
    for line in statement(place, launch):
        say(line)
    config = Config(retries={"mode": "standard", "total_max_attempts": 8})
    engine = AwsEngine(session.client("dynamodb", region_name=place.region, config=config), launch)
    for name in engine.others():
        say(f"Table {name} is of an earlier launch that was killed: remove it by hand.")
    try:
        yield engine
    finally:
        if left := engine.remove():
            raise AssertionError("Could not be removed: " + "; ".join(left))


class AwsEngine(Engine):
    """`requests`: how many were sent, of which reads are the dearer ones. `made`: tables, also half-made ones."""

    def __init__(self, client: Any, launch: str) -> None:
        super().__init__(client)
        self.launch, self.prefix = launch, f"{PREFIX}{launch}-"
        self.made: list[str] = []
        self._written_units, self._requests = 0, 0
        events = client.meta.events
        events.register("provide-client-params.dynamodb.*", self._with_prefix)
        events.register("after-call.dynamodb.*", self._without_prefix)

    def create(self, definition: TableDefinition, items: Sequence[Item]) -> None:
        self._check_budget(definition, items)
        self.made.append(definition.name)
        self.client.create_table(**definition.request(), Tags=[{"Key": TAG, "Value": self.launch}])
        self.client.get_waiter("table_exists").wait(
            TableName=definition.name, WaiterConfig={"Delay": 2, "MaxAttempts": 150}
        )

    def settle(self, definition: TableDefinition, items: Sequence[Item]) -> None:
        """Wait until the table and every index answer an eventually consistent read with all their items."""
        for index in (None, *definition.indexes):
            names = {attribute.name for attribute in (index.key.attributes if index else ())}
            where = {"IndexName": index.name} if index else {}
            expected, deadline = sum(names <= item.keys() for item in items), time.monotonic() + INDEX_SECONDS
            while self._count(TableName=definition.name, **where) != expected:
                assert time.monotonic() < deadline, f"{definition.name} does not have {expected} items"
                time.sleep(1)

    def remove(self) -> list[str]:
        """Remove the tables of this launch; return a line about each that is left."""
        left = []
        for name in self.made:
            try:
                self._remove(name)
            except ClientError as error:
                left.append(f"{self.prefix}{name}: {error}")
        return left

    def others(self) -> list[str]:
        """Return the tables that other launches have left."""
        pages = self.client.get_paginator("list_tables").paginate()
        return [name for page in pages for name in page["TableNames"] if name.startswith(PREFIX)]

    def _remove(self, name: str) -> None:
        deadline = time.monotonic() + REMOVAL_SECONDS
        while True:
            try:
                with suppress(self.client.exceptions.ResourceNotFoundException):
                    self.client.delete_table(TableName=name)
            except self.client.exceptions.ResourceInUseException:  # it is being created, or removed already
                if time.monotonic() > deadline:
                    raise
                time.sleep(2)
            else:
                return

    def _check_budget(self, definition: TableDefinition, items: Sequence[Item]) -> None:
        """Refuse a table that would take the launch above its budget, before it is made."""
        table = WrittenTable.described(TableDescription.from_json(_described(definition)))
        self._written_units += sum(sum(table.units({}, item).values()) for item in items)
        prices = default_prices(is_infrequent_access=False)
        dollars = prices.write_units.of(self._written_units) + prices.read_units.of(self._requests * REQUEST_UNITS)
        assert len(self.made) < MOST_TABLES, f"{definition.name} is one table more than the {MOST_TABLES} announced"
        assert dollars <= MOST_DOLLARS, f"with {definition.name} the tests would cost more than ${MOST_DOLLARS:.2f}"

    def _count(self, **asked: Any) -> int:
        pages = self.client.get_paginator("scan").paginate(Select="COUNT", **asked)
        return sum(page["Count"] for page in pages)

    def _with_prefix(self, params: dict[str, Any], **_: object) -> dict[str, Any]:
        self._requests += 1
        changed = dict(params)
        if "TableName" in params and not params["TableName"].startswith("arn:"):
            changed["TableName"] = self.prefix + params["TableName"]
        if "RequestItems" in params:
            changed["RequestItems"] = {self.prefix + name: asked for name, asked in params["RequestItems"].items()}
        return changed

    def _without_prefix(self, parsed: dict[str, Any], **_: object) -> None:
        for part in (parsed.get("ConsumedCapacity"), parsed.get("Table")):
            if isinstance(part, dict) and "TableName" in part:
                part["TableName"] = part["TableName"].removeprefix(self.prefix)


def _described(definition: TableDefinition) -> dict[str, Any]:
    """Return what DescribeTable will say of a table, as far as its writes cost by it."""
    return {**definition.request(), "TableArn": definition.arn}
