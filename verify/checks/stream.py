"""A table's stream, which keepers and replicators follow."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from skipscan.dynamodb.attribute_value import to_json
from skipscan.dynamodb.delivery import from_stream
from verify.check import check, hold
from verify.checks.reading import GUIDE
from verify.kit import Kit

CHANGES = ("INSERT", "MODIFY", "REMOVE", "INSERT")
ITEMS = 5


@check(
    "stream-order",
    "A stream has a record for every change; those of one item come in the order of its changes, with Keys, "
    "SequenceNumber, eventName and ApproximateCreationDateTime.",
    source=f"{GUIDE}/Streams.html",
    breaks="Markers and replicas end in an old state.",
    tables=("streamed",),
    seconds=20.0,
)
def stream_order(kit: Kit) -> str:
    table = kit.table("streamed")
    keys = [{"p": {"B": b"\xff%d" % number}, "s": {"N": "-1.5"}} for number in range(ITEMS)]
    for change in CHANGES:
        for key in keys:
            if change == "REMOVE":
                kit.dynamodb.delete_item(TableName=table, Key=key)
            else:
                kit.dynamodb.put_item(TableName=table, Item={**key, "made": {"S": change}})
    stream = kit.describe("streamed").stream
    hold(stream is not None, "DescribeTable names no stream")
    records = kit.until("the stream's records", lambda: _all(kit, str(stream)), seconds=120)
    delivered = [
        {
            **record,
            "dynamodb": {
                **record["dynamodb"],
                "Keys": {name: to_json(value) for name, value in record["dynamodb"]["Keys"].items()},
                "ApproximateCreationDateTime": record["dynamodb"]["ApproximateCreationDateTime"].timestamp(),
            },
        }
        for record in records
    ]
    delivery = from_stream(delivered, ["p", "s"])
    hold(not delivery.unreadable, f"{len(delivery.unreadable)} records cannot be read")
    events, numbers = defaultdict(list), defaultdict(list)
    for read in delivery.records:
        events[read.key["p"]["B"]].append(read.event)
        numbers[read.key["p"]["B"]].append(int(read.identifier))
    hold(
        all(tuple(found) == CHANGES for found in events.values()), f"an item's events are {next(iter(events.values()))}"
    )
    hold(all(found == sorted(found) for found in numbers.values()), "an item's sequence numbers do not ascend")
    hold(len(events) == ITEMS, f"records of {len(events)} items out of {ITEMS}")
    return f"{len(delivery.records)} records of {ITEMS} items in order"


def _all(kit: Kit, stream: str) -> list[Any] | None:
    """Return all records of all shards; `None` while some are missing."""
    client, found = kit.client("dynamodbstreams"), []
    for shard in _shards(client, stream):
        iterator = client.get_shard_iterator(
            StreamArn=stream, ShardId=shard["ShardId"], ShardIteratorType="TRIM_HORIZON"
        )["ShardIterator"]
        for _ in range(10):
            page = client.get_records(ShardIterator=iterator, Limit=1000)
            found += page["Records"]
            iterator = page.get("NextShardIterator")
            if iterator is None or len(found) >= ITEMS * len(CHANGES):
                break
    return found if len(found) >= ITEMS * len(CHANGES) else None


def _shards(client: Any, stream: str) -> Iterator[Any]:
    asked = {"StreamArn": stream}
    while True:
        description = client.describe_stream(**asked)["StreamDescription"]
        yield from description["Shards"]
        if (last := description.get("LastEvaluatedShardId")) is None:
            return
        asked["ExclusiveStartShardId"] = last
