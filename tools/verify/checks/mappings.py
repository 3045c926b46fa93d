"""A mapping of a stream to a function, set as those of keepers and replicators are."""

import json
import time
from typing import Any

from verify.check import check, hold
from verify.checks.functions import LAMBDA
from verify.kit import Kit

ITEMS = ("good-1", "bad", "good-2")
"""The function fails for the second. They are in shards of their own, or in one."""


def mapping(kit: Kit) -> str:
    """Return the UUID of the stack's mapping."""
    found = kit.client("lambda").list_event_source_mappings(FunctionName=kit.named("mapped"))
    return str(found["EventSourceMappings"][0]["UUID"])


@check(
    "stream-failures",
    "A mapping of a stream hands over the events of its filter only, gives up from the record on that the function "
    "reports, and tells its place to the failure queue.",
    source=f"{LAMBDA}/services-ddb-batchfailurereporting.html",
    breaks="A change that cannot be followed stops the stream, or is dropped without a trace.",
    dollars=0.0001,
    seconds=60.0,
)
def stream_failures(kit: Kit) -> str:
    stream, url, table = str(kit.describe("mapped").stream), kit.queue("failures"), kit.named("mapped")
    for name in ITEMS:
        kit.dynamodb.put_item(TableName=table, Item={"p": {"S": name}, "s": {"S": "s"}})
    kit.dynamodb.delete_item(
        TableName=table, Key={"p": {"S": "bad"}, "s": {"S": "s"}}
    )  # filtered out, or it fails, too
    client = kit.client("sqs")

    def look() -> Any:
        return client.receive_message(QueueUrl=url, WaitTimeSeconds=5).get("Messages") or None

    [message] = kit.until("a message in the failure queue", look, seconds=min(300.0, kit.patience_seconds))
    batch = json.loads(message["Body"])["DDBStreamBatchInfo"]
    inserted = _inserted(kit, stream, batch["shardId"])
    hold(
        batch["startSequenceNumber"] == inserted,
        f"the message begins at {batch['startSequenceNumber']}, not at {inserted}",
    )
    hold(
        batch["batchSize"] <= 2, f"{batch['batchSize']} records were given up; the first and the deletion should not be"
    )
    return f"{batch['batchSize']} records were given up, from the one that failed on"


def _inserted(kit: Kit, stream: str, shard: str) -> str:
    """Return the sequence number of the record about the item that fails."""
    client = kit.client("dynamodbstreams")
    requested = {"StreamArn": stream, "ShardId": shard, "ShardIteratorType": "TRIM_HORIZON"}
    iterator = client.get_shard_iterator(**requested)["ShardIterator"]
    for _ in range(10):
        page = client.get_records(ShardIterator=iterator)
        for record in page["Records"]:
            if record["eventName"] == "INSERT" and record["dynamodb"]["Keys"]["p"]["S"] == "bad":
                return str(record["dynamodb"]["SequenceNumber"])
        iterator = page.get("NextShardIterator")
    return "a record that the stream does not have"


@check(
    "mapping-off",
    "A mapping that is switched off says Disabled within minutes.",
    source=f"{LAMBDA}/invocation-eventsourcemapping.html",
    breaks="A cut-over does not end, or a replicator writes after it.",
    seconds=30.0,
)
def mapping_off(kit: Kit) -> str:
    client, uuid = kit.client("lambda"), mapping(kit)
    kit.until("a mapping that can be changed", lambda: _state(kit, uuid) == "Enabled" or None, seconds=120)
    start = time.monotonic()
    client.update_event_source_mapping(UUID=uuid, Enabled=False)
    kit.until("Disabled", lambda: _state(kit, uuid) == "Disabled" or None)
    seconds = time.monotonic() - start
    client.update_event_source_mapping(UUID=uuid, Enabled=True)  # the other check may come later
    return f"Disabled after {seconds:.0f} s"


def _state(kit: Kit, uuid: str) -> str:
    return str(kit.client("lambda").get_event_source_mapping(UUID=uuid)["State"])
