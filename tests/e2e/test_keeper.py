"""The deployed keeper on the streams of real tables, while several writers insert and remove what they like.

MiniStack hands over a stream's records in order, one batch at a time, and takes no notice of the ones that a function
wants again: so the records are also handed to the function directly, shuffled, repeated and at the same time.
"""

from __future__ import annotations

import base64
import json
import os
import random
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from local import cdk
from local.checkout import ACCOUNT, BUILD, REGION, ROOT
from local.embedded import CONFIG, SESSION, Embedded, embedded_with_streams
from tests.fakes.attribute_value import AttributeValue, Item, KeyType
from tests.fakes.definition import IndexDefinition, KeySchema, TableDefinition
from tests.iam.call import read_calls
from tests.iam.policy import grants_in, is_allowed
from tests.infra.template import Template

pytestmark = pytest.mark.xdist_group("streams")

COLLECTIONS, WRITERS, WRITES = 12, 3, 80
WAIT_SECONDS = 60.0
RECORDER = ROOT / "tests" / "iam" / "recorder"
BY_LAMBDA = ("logs:", "sqs:", "dynamodb:DescribeStream", "dynamodb:GetRecords", "dynamodb:GetShardIterator")
"""What a role allows to Lambda itself, which does it without the function's knowing."""


@dataclass(frozen=True)
class Kind:
    """A table with a keeper, by the types of its keys; what lies in it, and where its markers lie."""

    partition: KeyType
    sort: KeyType
    place: Any  # of the marker, as cdk.json writes it
    sort_keys: tuple[str, ...]

    @property
    def table(self) -> str:
        return f"Kept-{self.partition}.{self.sort}"

    @property
    def definition(self) -> TableDefinition:
        index = IndexDefinition("markers", KeySchema.of(("GSI-pk", self.partition)), projection="KEYS_ONLY")
        return TableDefinition(self.table, KeySchema.of(("p.k", self.partition), ("size", self.sort)), (index,))

    @property
    def template(self) -> dict[str, Any]:
        return {"size": self.place, "GSI-pk": "{p.k}"}

    def partition_key(self, name: str) -> AttributeValue:
        return {self.partition: name.encode() + b"\xff" if self.partition == "B" else f"{name} 🔑"}

    def key(self, name: str, sort_key: str) -> Item:
        return {"p.k": self.partition_key(name), "size": {self.sort: sort_key}}


KINDS = [Kind("S", "S", "#static", ("!", "a", "z")), Kind("B", "N", 0, ("-7", "1", "1.5"))]


@dataclass(frozen=True)
class Kept:
    """A table of a deployed environment that keeps its markers."""

    account: Embedded
    kind: Kind
    function: str
    stream: str

    def write(self, seed: int) -> None:
        """Insert and remove items at random, now and then a whole collection, or a marker by hand."""
        chance = random.Random(seed)
        for _ in range(WRITES):
            name = f"customer-{chance.randrange(COLLECTIONS)}"
            items = [self.kind.key(name, sort_key) for sort_key in self.kind.sort_keys]
            marker = self.kind.key(name, str(self.kind.place))
            match chance.randrange(10):
                case 0:
                    for item in items:
                        self._delete(item)
                case 1:
                    self._delete(marker)
                case 2:
                    self._put({**marker, "GSI-pk": self.kind.partition_key(name)})
                case 3 | 4 | 5:
                    self._delete(chance.choice(items))
                case _:
                    self._put(chance.choice(items))

    def _put(self, item: Item) -> None:
        self.account.dynamodb.put_item(TableName=self.kind.table, Item=item)

    def _delete(self, item: Item) -> None:
        self.account.dynamodb.delete_item(TableName=self.kind.table, Key=item)

    def drain(self, name: str) -> None:
        """Wait until the stream's records so far are handled: a last collection has its marker."""
        self._put(self.kind.key(name, self.kind.sort_keys[0]))
        marker = self.kind.key(name, str(self.kind.place))
        deadline = time.monotonic() + WAIT_SECONDS
        while "Item" not in self.account.dynamodb.get_item(TableName=self.kind.table, Key=marker):
            assert time.monotonic() < deadline, "the keeper does not come to the end of the stream"
            time.sleep(0.1)

    def records(self) -> list[dict[str, Any]]:
        """Return what the stream holds, as Lambda hands it over."""
        client: Any = SESSION.client("dynamodbstreams", endpoint_url=self.account.endpoint, config=CONFIG)
        (shard,) = client.describe_stream(StreamArn=self.stream)["StreamDescription"]["Shards"]
        iterator = client.get_shard_iterator(
            StreamArn=self.stream, ShardId=shard["ShardId"], ShardIteratorType="TRIM_HORIZON"
        )["ShardIterator"]
        found: list[dict[str, Any]] = []
        while records := client.get_records(ShardIterator=iterator, Limit=1000):
            found += [dict(record) for record in records["Records"]]
            if not records["Records"]:
                return found
            iterator = records["NextShardIterator"]
        return found

    def invoke(self, records: list[dict[str, Any]]) -> list[str]:
        """Hand records to the function; return the sequence numbers of those it wants again."""
        event = json.dumps({"Records": records}, default=_json)
        answer = self.account.awslambda.invoke(FunctionName=self.function, Payload=event)
        payload = json.loads(answer["Payload"].read())
        assert "FunctionError" not in answer, payload
        return [failure["itemIdentifier"] for failure in payload["batchItemFailures"]]

    def collections(self) -> list[AttributeValue]:
        return _keys(item for item in self._items() if item["size"] != {self.kind.sort: str(self.kind.place)})

    def listed(self) -> list[AttributeValue]:
        return _keys(self._items(IndexName="markers"))

    def _items(self, **parameters: Any) -> Iterator[Item]:
        pages = self.account.dynamodb.get_paginator("scan").paginate(TableName=self.kind.table, **parameters)
        return (item for page in pages for item in page["Items"])  # type: ignore[misc]


def _keys(items: Iterator[Item]) -> list[AttributeValue]:
    return [dict(key) for key in sorted({tuple(item["p.k"].items()) for item in items})]


def _json(value: Any) -> str:
    return base64.b64encode(value).decode() if isinstance(value, bytes) else str(value)


@dataclass(frozen=True)
class Deployed:
    """The tables that are kept, what was deployed, and the file with every call that a function made."""

    tables: Mapping[Kind, Kept]
    template: Template
    calls: Path


@pytest.fixture(scope="module")
def kept() -> Iterator[Deployed]:
    """The environment `kept`, with a keeper on a table of each kind."""
    with (
        TemporaryDirectory(dir=BUILD, prefix="kept-") as folder,
        pytest.MonkeyPatch.context() as patched,
    ):
        patched.setenv("PYTHONPATH", str(RECORDER), prepend=os.pathsep)
        patched.setenv("SKIPSCAN_CALLS", str(Path(folder, "calls.jsonl")))
        with embedded_with_streams() as account:
            yield deployed(account, Path(folder))


def deployed(account: Embedded, folder: Path) -> Deployed:
    streams = {}
    for kind in KINDS:
        specification: Any = {"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"}
        created = account.dynamodb.create_table(**kind.definition.request(), StreamSpecification=specification)
        streams[kind] = created["TableDescription"]["LatestStreamArn"]
    environments = {
        "kept": {
            "account": ACCOUNT,
            "region": REGION,
            "tables": [kind.table for kind in KINDS],
            "writing": {kind.table: {"keeper": {"stream": streams[kind], "marker": kind.template}} for kind in KINDS},
        }
    }
    cdk.write_app(folder, environments)
    account.deploy("kept", folder=folder)
    template = Template(cdk.template(folder, "kept"))
    mappings = account.awslambda.list_event_source_mappings()["EventSourceMappings"]
    functions = {mapping["EventSourceArn"]: mapping["FunctionArn"] for mapping in mappings}
    tables = {kind: Kept(account, kind, functions[streams[kind]], streams[kind]) for kind in KINDS}
    return Deployed(tables, template, folder / "calls.jsonl")


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.table)
def test_markers_equal_collections_once_the_stream_is_handled(kept: Deployed, kind: Kind) -> None:
    table = kept.tables[kind]
    with ThreadPoolExecutor(WRITERS) as writers:
        list(writers.map(table.write, range(WRITERS)))
    table.drain("last-1")
    assert table.listed() == table.collections()
    assert len(table.listed()) > 3

    told = table.records()
    chance = random.Random(kind.table)
    batches = [chance.choices(told, k=60) for _ in range(4)]  # shuffled, some twice, all of them old
    with ThreadPoolExecutor(WRITERS + 3) as threads:
        writing = [threads.submit(table.write, WRITERS + seed) for seed in range(WRITERS)]
        assert list(threads.map(table.invoke, batches)) == [[]] * len(batches)
        for writer in writing:
            writer.result()
    table.drain("last-2")
    assert table.listed() == table.collections()


def test_a_record_it_cannot_follow_is_named_and_the_others_are_followed(kept: Deployed) -> None:
    table = kept.tables[KINDS[0]]
    poison = {"eventName": "INSERT", "dynamodb": {"SequenceNumber": "7", "Keys": {"id": {"S": "?"}}}}
    assert table.invoke([poison, *table.records()[:3]]) == ["7"]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.table)
def test_a_keeper_s_role_allows_every_call_it_made_and_no_other(kept: Deployed, kind: Kind) -> None:
    name = kept.tables[kind].function.rpartition(":")[2]
    calls = [call for call in read_calls(kept.calls) if call.caller == name]
    needed = {need for call in calls for need in call.needs(region=REGION, account=ACCOUNT)}
    role = kept.template.the("AWS::Lambda::Function", FunctionName=name)["Role"]
    allowed = {grant for document in kept.template.policies(role) for grant in grants_in(document)}
    assert [need for need in needed if not is_allowed(need, allowed)] == []
    unused = {grant.action for grant in allowed if not any(grant.covers(need) for need in needed)}
    assert {action for action in unused if not action.startswith(BY_LAMBDA)} == {"dynamodb:ListStreams"}
