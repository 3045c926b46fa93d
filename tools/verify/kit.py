"""What the checks work with: clients, the environment, the stack, and executions."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from threading import Lock
from typing import Any, TypeVar

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

from skipscan.dynamodb.source import Item
from skipscan.dynamodb.table_description import TableDescription
from skipscan.environment.executions import PREFIX, Deployment
from verify import stack
from verify.errors import NotTriedError
from verify.stack import Template, prefix
from verify.tables import KEPT, TABLES

Made = TypeVar("Made")
BATCH_ITEMS = 25  # the most that one BatchWriteItem takes
UNKNOWN_OPERATION = {"UnknownOperationException", "UnknownOperation", "InvalidAction", "NotImplemented"}
"""How an embedded engine says that it does not have a call."""


@dataclass
class Kit:
    """`launch`: tells the executions of this use of the kit from others. `keys`: how many the table of runs has.

    `patience_seconds`: how long a check waits for what AWS does in its own time. `policy_seconds`: how long it waits
    until a table's policy has taken effect. `kms_key`: a key for the check of encrypted tables and objects.
    """

    session: boto3.Session
    deployment: Deployment
    launch: str
    keys: int = 2_000
    patience_seconds: float = 600.0
    policy_seconds: float = 10.0
    kms_key: str | None = None
    started: list[str] = field(default_factory=list)
    """The ARNs of executions, which are stopped at the end."""
    _once: dict[str, Any] = field(default_factory=dict)
    _clients: dict[str, Any] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def named(self, what: str) -> str:
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

    @property
    def region(self) -> str:
        return str(self.dynamodb.meta.region_name)

    @cached_property
    def template(self) -> Template:
        return Template(self.deployment.environment, self.deployment.machines["run"])

    def arn(self, service: str, kind: str, name: str) -> str:
        return self.template.arn(service, kind, name)

    def queue(self, name: str) -> str:
        """Return the URL of a queue of the stack."""
        return str(self.client("sqs").get_queue_url(QueueName=self.named(name))["QueueUrl"])

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

    def create(self, *, role: str | None = None) -> None:
        """Create the stack and load its tables. `role`: which CloudFormation assumes."""
        from verify import environment  # noqa: PLC0415 (it needs the kit)

        if stack.exists(self.client("cloudformation"), self.deployment.environment):
            raise NotTriedError("an earlier launch has left its stack: remove it with CLEAN=1 (docs/verify.md)")
        self.template.add_all(environment.runtime(self), environment.retriers(self), self.kms_key)
        stack.create(self.client("cloudformation"), self.template, self.deployment.environment, role=role)
        for name in TABLES:
            if name not in KEPT and (name != "encrypted" or self.kms_key):
                self.load(self.named(name), TABLES[name].items(self.keys))

    def keep(self, *, role: str | None = None) -> None:
        """Create the tables that stay after this launch, if they are not there."""
        client, environment = self.client("cloudformation"), self.deployment.environment
        if not stack.exists(client, environment, is_kept=True):
            template = Template(environment, self.deployment.machines["run"])
            template.add_tables(KEPT, None)
            stack.create(client, template, environment, role=role, is_kept=True)
            for name in KEPT:
                self.load(self.named(name), TABLES[name].items(self.keys))

    def remove(self, *, with_kept: bool = False) -> list[str]:
        """Remove what this launch, or an earlier one, has made; return a line about each thing that is left."""
        left = []
        for arn in self.started:
            self._stop(arn)
        try:
            self._remove_results()
        except (ClientError, BotoCoreError) as error:
            left.append(f"results in bucket {self.deployment.bucket}: {error}")
        client, environment = self.client("cloudformation"), self.deployment.environment
        for is_kept in (False, True) if with_kept else (False,):
            left += stack.delete(client, environment, is_kept=is_kept)
        return left

    def _stop(self, arn: str) -> None:
        with suppress(ClientError):  # it has ended, or AWS does not have it any more
            self.client("stepfunctions").stop_execution(executionArn=arn, error="Stopped", cause="by `make verify`")

    def _remove_results(self) -> None:
        """Remove what the environment's bucket has of the kit's tables."""
        s3 = self.client("s3")
        requested = {"Bucket": self.deployment.bucket, "Prefix": f"{PREFIX}/{self.named('')}"}
        for page in s3.get_paginator("list_objects_v2").paginate(**requested):
            if objects := [{"Key": entry["Key"]} for entry in page.get("Contents", ())]:
                answer = s3.delete_objects(Bucket=requested["Bucket"], Delete={"Objects": objects, "Quiet": True})
                for refusal in answer.get("Errors", ()):
                    raise ClientError({"Error": {"Code": refusal["Code"], "Message": refusal["Key"]}}, "DeleteObjects")

    def table(self, name: str) -> str:
        """Return the full name of a table of `verify.tables`; raise `NotTriedError` if there is none."""
        if name in KEPT:
            try:
                self.describe(name)
            except self.dynamodb.exceptions.ResourceNotFoundException:
                missing = f"there is no table {self.named(name)}: --prepare makes it (docs/verify.md)"
                raise NotTriedError(missing) from None
        return self.named(name)

    def describe(self, name: str) -> TableDescription:
        """Return what DescribeTable says of a table of `verify.tables`."""
        return TableDescription.from_json(self.dynamodb.describe_table(TableName=self.named(name))["Table"])

    def load(self, table: str, items: Any) -> None:
        """Put items into a table."""

        def put(batch: list[Item]) -> None:
            requested: Any = {table: [{"PutRequest": {"Item": item}} for item in batch]}
            for attempt in range(60):
                with suppress(self.dynamodb.exceptions.ProvisionedThroughputExceededException):
                    requested = self.dynamodb.batch_write_item(RequestItems=requested).get("UnprocessedItems")
                if not requested:
                    return
                time.sleep(min(2.0, 0.1 * 2**attempt))
            raise NotTriedError(f"table {table} could not be loaded: DynamoDB left items unprocessed for two minutes")

        rest = iter(items)
        with ThreadPoolExecutor(16) as pool:
            list(pool.map(put, iter(lambda: list(islice(rest, BATCH_ITEMS)), [])))

    def execute(self, machine: str, document: object) -> str:
        """Start an execution of one of the stack's machines; return its ARN."""
        arn = self.arn("states", "stateMachine:", machine)
        started = self.client("stepfunctions").start_execution(stateMachineArn=arn, input=json.dumps(document))
        self.started.append(started["executionArn"])
        return self.started[-1]

    def ended(self, execution: str) -> Any:
        """Return an execution when it has ended, however it did."""

        def look() -> Any:
            found = self.client("stepfunctions").describe_execution(executionArn=execution)
            return None if found["status"] == "RUNNING" else found

        return self.until("the end of an execution", look)

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
