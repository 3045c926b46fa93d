"""What the checks work with: clients, the deployed environment, tables of their own, and a list of all they make."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from threading import Lock
from typing import Any, TypeVar

import boto3
from botocore.config import Config

from skipscan.aws import clients
from skipscan.dynamodb.source import Item
from skipscan.dynamodb.table_description import TableDescription
from skipscan.environment.executions import Deployment
from verify.errors import NotTriedError
from verify.tables import TABLES
from verify.thing import TAG, Kind, Thing, prefix

Made = TypeVar("Made")
BATCH_ITEMS = 25  # the most that one BatchWriteItem takes
UNKNOWN_OPERATION = {"UnknownOperationException", "UnknownOperation", "InvalidAction", "NotImplemented"}
"""How an embedded engine says that it does not have a call."""


@dataclass
class Kit:
    """`launch`: tells this use of the kit from others. `keys`: how many the table of runs has.

    `patience_seconds`: how long a check waits for what AWS does in its own time. `policy_seconds`: how long it waits
    until a table's policy has taken effect. `kms_key`: a key for the check of encrypted objects, `None` for the
    account's key of S3.
    """

    session: boto3.Session
    deployment: Deployment
    launch: str
    keys: int = 2_000
    patience_seconds: float = 600.0
    policy_seconds: float = 10.0
    kms_key: str | None = None
    made: list[Thing] = field(default_factory=list)
    _tables: dict[str, str | Exception] = field(default_factory=dict)
    _once: dict[str, Any] = field(default_factory=dict)
    _clients: dict[str, Any] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def name(self, what: str) -> str:
        return f"{prefix(self.deployment.environment)}{self.launch}-{what}"

    def named(self, what: str) -> str:
        """Return a name that is the same in every launch."""
        return prefix(self.deployment.environment) + what

    def client(self, service: str) -> Any:
        """Return a client that tries again what may pass."""
        with self._lock:
            if service not in self._clients:
                config = Config(retries={"mode": "standard", "total_max_attempts": 8}, max_pool_connections=32)
                self._clients[service] = self.session.client(service, config=config)  # type: ignore[call-overload]
            return self._clients[service]

    @cached_property
    def dynamodb(self) -> Any:
        return self.client("dynamodb")

    @cached_property
    def impatient(self) -> Any:
        """A worker's client of DynamoDB: it tries nothing again."""
        return clients.dynamodb(self.session, 16)

    @property
    def region(self) -> str:
        return str(self.dynamodb.meta.region_name)

    def arn(self, service: str, resource: str) -> str:
        """Return the ARN of a resource in the environment's account and region."""
        _, partition, _, region, account = self.deployment.machines["run"].split(":")[:5]
        return f"arn:{partition}:{service}:{region}:{account}:{resource}"

    @property
    def tags(self) -> list[dict[str, str]]:
        return [{"Key": TAG, "Value": self.deployment.environment}]

    def record(self, kind: Kind, name: str) -> str:
        """Note what is to be removed, before it is made; return its name."""
        with self._lock:
            self.made.append(Thing(kind, name))
        return name

    def once(self, what: str, make: Callable[[], Made]) -> Made:
        """Return what several checks share, made by the first of them; raise what making it has raised."""
        if what not in self._once:
            try:
                self._once[what] = make()
            except Exception as error:
                self._once[what] = error
        found = self._once[what]
        if isinstance(found, Exception):
            raise found
        shared: Made = found
        return shared

    def prepare(self, *names: str) -> None:
        """Create tables side by side. A check that needs one that failed gets the error from `table`."""

        def create(name: str) -> None:
            try:
                self._tables[name] = self._created(name)
            except Exception as error:
                self._tables[name] = error

        missing = [name for name in dict.fromkeys(names) if name not in self._tables]
        if missing:
            with ThreadPoolExecutor(len(missing)) as pool:
                list(pool.map(create, missing))

    def table(self, name: str) -> str:
        """Return the full name of a table of `verify.tables`; create it if it is not there."""
        self.prepare(name)
        found = self._tables[name]
        if isinstance(found, Exception):
            raise found
        return found

    def describe(self, name: str) -> TableDescription:
        """Return what DescribeTable says of a table of `verify.tables`."""
        return TableDescription.from_json(self.dynamodb.describe_table(TableName=self.table(name))["Table"])

    def create_table(self, name: str, asked: Mapping[str, Any], *, is_named: bool = False) -> str:
        """Create a table with the kit's tag; return its full name when it is ACTIVE.

        `is_named`: without the launch in its name.
        """
        full_name = self.named(name) if is_named else self.name(name)
        self.record(Kind.TABLE, full_name)
        self.dynamodb.create_table(TableName=full_name, Tags=self.tags, **asked)
        self.dynamodb.get_waiter("table_exists").wait(
            TableName=full_name, WaiterConfig={"Delay": 1, "MaxAttempts": 600}
        )
        return full_name

    def keep(self, name: str) -> TableDescription:
        """Return a table that stays after this launch; create it if it is not there."""
        if self._kept(name) is None:
            made = TABLES[name]
            self.load(self.create_table(name, made.asked, is_named=True), made.items(self.keys))
            self.made.remove(Thing(Kind.TABLE, self.named(name)))  # not before: what is loaded in part must not stay
        found = self._kept(name)
        if found is None:
            raise NotTriedError(f"table {self.named(name)} was removed meanwhile")
        return found

    def _created(self, name: str) -> str:
        made = TABLES[name]
        if made.is_kept:
            if self._kept(name) is None:
                raise NotTriedError(f"there is no table {self.named(name)}: --prepare makes it (docs/verify.md)")
            return self.named(name)
        table = self.create_table(name, made.asked, is_named=made.is_named)
        self.load(table, made.items(self.keys))
        return table

    def _kept(self, name: str) -> TableDescription | None:
        with suppress(self.dynamodb.exceptions.ResourceNotFoundException):
            return TableDescription.from_json(self.dynamodb.describe_table(TableName=self.named(name))["Table"])
        return None

    def load(self, table: str, items: Any) -> None:
        """Put items into a table."""

        def put(batch: list[Item]) -> None:
            asked: Any = {table: [{"PutRequest": {"Item": item}} for item in batch]}
            for attempt in range(60):
                with suppress(self.dynamodb.exceptions.ProvisionedThroughputExceededException):
                    asked = self.dynamodb.batch_write_item(RequestItems=asked).get("UnprocessedItems")
                if not asked:
                    return
                time.sleep(min(2.0, 0.1 * 2**attempt))
            raise NotTriedError(f"table {table} could not be loaded: DynamoDB left items unprocessed for two minutes")

        rest = iter(items)
        with ThreadPoolExecutor(16) as pool:
            list(pool.map(put, iter(lambda: list(islice(rest, BATCH_ITEMS)), [])))

    def until(self, what: str, look: Callable[[], Made | None], *, seconds: float | None = None) -> Made:
        """Return what `look` finds; raise `NotTriedError` if it finds nothing for so long."""
        patience = self.patience_seconds if seconds is None else seconds
        deadline, pause = time.monotonic() + patience, 0.1
        while True:
            if (found := look()) is not None:
                return found
            if time.monotonic() > deadline:
                raise NotTriedError(f"{what} did not come within {patience:.0f} s")
            time.sleep(pause)
            pause = min(2.0, pause * 1.5)
