"""What the check of a mapping's failures makes of the message, which the embedded engine does not send."""

import json
from types import SimpleNamespace
from typing import Any

import pytest

from verify.checks import mappings
from verify.errors import NotHeldError
from verify.kit import Kit

RECORDS = [("INSERT", "good-1"), ("INSERT", "bad"), ("INSERT", "good-2"), ("REMOVE", "bad")]


class Services:
    """The queue with one message, and the stream with the records above, which have the numbers 1, 2 and so on."""

    def __init__(self, start: str, size: int) -> None:
        self._batch = {"startSequenceNumber": start, "batchSize": size, "shardId": "shard"}

    def receive_message(self, **_: Any) -> Any:
        return {"Messages": [{"Body": json.dumps({"DDBStreamBatchInfo": self._batch})}]}

    def get_shard_iterator(self, *, ShardId: str, **_: Any) -> Any:  # noqa: N803 (theirs)
        assert ShardId == "shard"
        return {"ShardIterator": "0"}

    def get_records(self, *, ShardIterator: str) -> Any:  # noqa: N803 (theirs)
        number = int(ShardIterator)
        records = [
            {"eventName": event, "dynamodb": {"Keys": {"p": {"S": key}}, "SequenceNumber": str(number + 1)}}
            for event, key in RECORDS[number : number + 1]
        ]
        return {"Records": records, "NextShardIterator": str(number + 1)}

    def put_item(self, **_: Any) -> None: ...

    delete_item = put_item


@pytest.mark.parametrize(
    ("start", "size", "said"),
    [
        ("2", 1, "1 records were given up"),
        ("2", 2, "2 records were given up"),
        ("1", 2, "begins at 1, not at 2"),
        ("2", 3, "3 records were given up; the first"),
        ("4", 1, "begins at 4, not at 2"),
    ],
)
def test_records_are_given_up_from_the_one_that_failed(
    monkeypatch: pytest.MonkeyPatch, start: str, size: int, said: str
) -> None:
    services: Any = Services(start, size)
    monkeypatch.setattr(Kit, "describe", lambda kit, name: SimpleNamespace(stream="stream"))
    monkeypatch.setattr(Kit, "queue", lambda kit, name: "url")
    machine = {"run": "arn:aws:states:us-east-1:000000000000:stateMachine:skipscan-dev"}
    deployed: Any = SimpleNamespace(environment="dev", machines=machine)
    kit = Kit(SimpleNamespace(client=lambda *_, **__: services), deployed, "launch")  # type: ignore[arg-type]
    if "not at" in said or "the first" in said:
        with pytest.raises(NotHeldError, match=said):
            mappings.stream_failures(kit)
    else:
        assert mappings.stream_failures(kit).startswith(said)
