"""The deployed copy and its replicator without Lambda: the same core and threads, with a queue in memory."""

import random
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from local.audit_table import ATTRIBUTE, TEMPLATE
from skipscan.aws import table as described
from skipscan.aws.faults import fault
from skipscan.aws.follower import settle_all
from skipscan.copy.batch import CopyBatch, CopyRequest
from skipscan.copy.copying import CopyCounts
from skipscan.copy.input import CopyInput
from skipscan.copy.plan import copy_plan
from skipscan.copy.replica import PUT_SECONDS, Replica, keys_of
from skipscan.copy.requests import CopyTables, LateLooks, PairedItems, Replication
from skipscan.dynamodb.delivery import Change
from skipscan.dynamodb.prices import US_EAST_1
from skipscan.dynamodb.source import Item
from skipscan.items.walk import ItemProgress
from skipscan.loop.run_batch import Pump, run_batch
from skipscan.pace.bounds import Bounds, Clock

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

THREADS = 16


class Messages:
    """SQS, as far as a queue accepts messages. `bodies`: of all sent messages."""

    def __init__(self) -> None:
        self.bodies: list[str] = []

    def send_message_batch(self, *, QueueUrl: str, Entries: list[dict[str, Any]]) -> dict[str, Any]:  # noqa: N803 (theirs)
        self.bodies += [entry["MessageBody"] for entry in Entries]
        return {"Successful": [{"Id": entry["Id"]} for entry in Entries]}


class Ours:
    """Copies missing items, and follows by comparing both tables; the verification is measured separately."""

    def __init__(self, client: "DynamoDBClient", source: str, target: str) -> None:
        asked = CopyInput(table=source, to=target, workers=1, segments=16, verify=False)
        replica = Replica(source, target, "stream", "queue", {ATTRIBUTE: TEMPLATE})
        descriptions = described.describe(client, source), described.describe(client, target)
        self._messages = Messages()
        self._looks = LateLooks(self._messages, replica)
        self._plan = copy_plan(asked, replica, *descriptions, US_EAST_1)
        self._tables = CopyTables(client, self._plan, self._looks)
        items = PairedItems(client, replica, self._plan.key_names[0])
        key = self._plan.key_names
        self._follow, self._look_again = (
            Replication(replica.transform, items, key, is_late=is_late, check=lambda: None) for is_late in (False, True)
        )

    def copy(self) -> dict[str, float]:
        """Return one worker's results and consumption."""
        progress: ItemProgress[CopyCounts] = ItemProgress(0, CopyCounts())
        while not progress.done(self._plan):
            bounds = Bounds(seconds=PUT_SECONDS)
            batch = CopyBatch(
                self._plan, progress, bounds=bounds, clock=Clock(time.monotonic), random=random.random, write=len
            )
            pump: Pump[CopyRequest, object] = batch
            if error := run_batch(pump, self._tables.do, THREADS, fault=fault):
                raise error
            progress = replace(batch.progress, batch=progress.batch + 1)
        counted = ("items", "requests", "read_units", "write_units", "conflicts")
        return {name: getattr(progress.counts, name) for name in counted}

    def follow(self, key: Item, image: Item | None) -> None:
        """Handle a record of the stream; the replicator reads the item itself instead of trusting the record."""
        self._looks.promise([key])
        self._reconcile([key], self._follow)

    def come_to_rest(self) -> None:
        """Handle the queue's messages, including late looks, which are normally handled 15 minutes later."""
        while self._messages.bodies:
            body = self._messages.bodies.pop(0)
            self._reconcile(keys_of(body, self._plan.key_names, self._plan.replica.stream), self._look_again)

    def _reconcile(self, keys: list[Item], replication: Replication) -> None:
        settle_all([Change(key, ()) for key in keys], replication, until=time.monotonic() + 60)
