"""A listing, a retrofit, a copy and an act over tables that are made up, and how these tables answer."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from types import SimpleNamespace
from typing import Any, ClassVar, Self

from skipscan.act.kind import ACT
from skipscan.act.parts import cut
from skipscan.act.plan import ActPlan, digest_of
from skipscan.copy.kind import COPY
from skipscan.dynamodb.prices import US_EAST_1
from skipscan.dynamodb.table_description import TableDescription
from skipscan.dynamodb.write_units import WriteUnits
from skipscan.listing.execution_input import parse
from skipscan.listing.kind import LISTING
from skipscan.listing.plan import plan_listing, resumed
from skipscan.loop.kind import Kind
from skipscan.loop.storage import checksum
from skipscan.loop.work import stamped
from skipscan.retrofit.input import RetrofitInput
from skipscan.retrofit.kind import RETROFIT
from skipscan.scan.plan import Plan
from tests.fakes.acting import act_plan
from tests.fakes.s3 import StoredObject
from tests.fakes.small_table import DESCRIPTION, copy_plan, retrofit_plan
from tests.simulation.world.functions import PREFIX

KEY = {True: [("HASH", "pk"), ("RANGE", "sk")], False: [("HASH", "pk")]}
INDEXES = {
    "local": ("LocalSecondaryIndexes", [("HASH", "pk"), ("RANGE", "place")]),
    "global": ("GlobalSecondaryIndexes", [("HASH", "day"), ("RANGE", "place")]),
}
Document = dict[str, Any]

LARGE, SMALL = 390 * 1024, 1000
SIZES: list[Document] = [{"item_bytes": 200}, {"item_bytes": LARGE}, {"item_bytes": LARGE, "is_mixed": True}]


class Work:
    """One piece of work, and the client of its tables. The items of a segment are numbered from its million on.

    `item_bytes`: of every item, or of one in a hundred where others are small. `keys`: of each segment; more than any
    budget or time here suffices for. `objects`: what is on S3 before it begins.
    """

    kind: ClassVar[Kind[Any]]
    plan: Any
    item_bytes: int = 200
    is_mixed: bool = False
    keys: int = 1_000_000
    objects: Mapping[str, StoredObject] = {}
    meta = SimpleNamespace(region_name="us-east-1")
    exceptions = SimpleNamespace(ConditionalCheckFailedException=ZeroDivisionError)  # which nothing raises

    def __str__(self) -> str:
        """Return what is special about it."""
        given = {each.name: value for each in fields(self) if (value := vars(self)[each.name]) != each.default}  # type: ignore[arg-type]
        return f"{type(self).__name__}({given})"

    def with_plan(self, plan: Any) -> Self:
        """Return the work with another plan, as a resumed one has it."""
        other = replace(self)  # type: ignore[type-var]
        vars(other)["plan"] = plan
        return other

    def number(self, key: Mapping[str, Any]) -> int:
        """Return the number of the item that has a key, or is put."""
        return int(next(iter(key["id"].values())))

    def items(self, first: int, end: int) -> list[Document]:
        return [{"id": {"S": str(number)}, "a": {"S": "x"}, "b": {"S": "y"}} for number in range(first, end)]

    def size(self, number: int) -> int:
        return SMALL if self.is_mixed and (number * 7919) % 100 else self.item_bytes

    # The client.

    def describe_table(self, *, TableName: str) -> Document:  # noqa: N803 (boto3's)
        identity = self.plan.tables[TableName]
        return {"Table": {**DESCRIPTION, "TableArn": identity.arn, "TableId": identity.table_id}}

    def scan(self, **asked: Any) -> Document:
        begin, limit = asked["Segment"] * 1_000_000, asked.get("Limit", 1 << 20)
        start = self.number(asked["ExclusiveStartKey"]) if "ExclusiveStartKey" in asked else begin
        count = size = 0
        while count < limit and size < 1 << 20:
            count += 1
            size += self.size(start + count)
        items = self.items(start + 1, start + count + 1)
        last = {"LastEvaluatedKey": self.key(items[-1])} if start + count < begin + self.keys else {}
        return {"Items": items, "Count": len(items), "ScannedCount": len(items), **last, **_capacity(size, 4096, 0.5)}

    def key(self, item: Document) -> Document:
        return {"id": item["id"]}

    def get_item(self, *, Key: Document, **_: Any) -> Document:  # noqa: N803
        return _capacity(self.size(self.number(Key)), 4096, 1.0)

    def put_item(self, *, Item: Document, **_: Any) -> Document:  # noqa: N803
        return _capacity(self.size(self.number(Item)), 1024, 1.0)

    def update_item(self, *, Key: Document, **_: Any) -> Document:  # noqa: N803
        return self.put_item(Item=Key)


def _capacity(size: int, step: int, units: float) -> Document:
    return {"ConsumedCapacity": {"CapacityUnits": max(1, -(-size // step)) * units}}


@dataclass(frozen=True)
class Listing(Work):
    """`index`: local or global."""

    max_read_units: float | None = None
    rate: float | None = None
    workers: int = 1
    sort_key: bool = True
    item_bytes: int = 200
    is_mixed: bool = False
    max_dollars: float | None = None
    index: str | None = None
    keys: int = 1_000_000

    kind = LISTING

    @cached_property
    def plan(self) -> Plan:
        asked = {
            "table": "Orders",
            "index": self.index,
            "workers": self.workers,
            "segments": max(self.workers, 16),
            "max_read_units": self.max_read_units,
            "max_dollars": self.max_dollars,
            "max_read_units_per_second": self.rate,
        }
        return plan_listing(parse(asked), self.description)

    @property
    def description(self) -> TableDescription:
        def schema(key: Sequence[tuple[str, str]]) -> list[dict[str, str]]:
            return [{"AttributeName": name, "KeyType": kind} for kind, name in key]

        own = KEY[self.sort_key]
        names = ("pk", "sk", "day", "place") if self.index else [name for _, name in own]
        document: Document = {
            **DESCRIPTION,
            "KeySchema": schema(own),
            "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "N"} for name in names],
        }
        if self.index:
            member, key = INDEXES[self.index]
            document[member] = [{"IndexName": self.index, "IndexStatus": "ACTIVE", "KeySchema": schema(key)}]
        return TableDescription.from_json(document)

    def resumed(self, rate: float | None) -> Self:
        """Return the same work as continued by another execution."""
        asked = {"table": "Orders", "resume": "run", "max_read_units_per_second": rate}
        return self.with_plan(resumed(self.plan, parse(asked), self.description))

    def number(self, key: Mapping[str, Any]) -> int:
        return int(key[self.plan.source.partition_key[0].name]["N"])

    def items(self, first: int, end: int) -> list[Document]:
        """Return some of them: a page without a Limit may have thousands, and each has a key of its own."""
        names = [key.name for key in self.plan.source.key]
        partition = self.plan.source.partition_key[0].name
        shown = [*range(first, min(end - 1, first + 49)), end - 1]
        return [{name: {"N": str(number) if name == partition else "0"} for name in names} for number in shown]

    def key(self, item: Document) -> Document:
        return item


@dataclass(frozen=True)
class Items(Work):
    """Work over items. `decided`: the plan before its table is known. `sampled`: the read units of its sample."""

    bounds: tuple[tuple[str, float], ...] = ()
    workers: int = 1
    item_bytes: int = 200
    is_mixed: bool = False
    sampled: float = 0.0

    decided: ClassVar[Any]  # a static function

    @cached_property
    def plan(self) -> Any:
        asked = dict(self.bounds)
        most = max(1, -(-self.item_bytes // 1024))
        mean = most / 100 + 1 if self.is_mixed else most
        decided = self.decided(max(16, self.workers), self.workers)
        decided = replace(
            decided,
            reading=replace(
                decided.reading,
                max_read_units=asked.get("max_read_units"),
                max_read_units_per_second=asked.get("read_rate"),
                max_dollars=asked.get("max_dollars"),
            ),
            max_write_units=asked.get("max_write_units"),
            max_write_units_per_second=asked.get("write_rate"),
        )
        bytes_each = self.item_bytes / 100 + SMALL if self.is_mixed else self.item_bytes
        return decided.sampled(self.sampled, bytes_each, WriteUnits({"table": mean}, most))


@dataclass(frozen=True)
class Retrofit(Items):
    kind, decided = RETROFIT, staticmethod(retrofit_plan)

    def resumed(self, **asked: float) -> Self:
        """Return the same work as continued by another execution."""
        table = TableDescription.from_json(DESCRIPTION)
        document = RetrofitInput(table="Audit", templates={}, resume="begun", **asked)  # type: ignore[arg-type]
        return self.with_plan(self.plan.resumed(document, table, table, US_EAST_1))


@dataclass(frozen=True)
class Copy(Items):
    kind, decided = COPY, staticmethod(copy_plan)


PARTS = 32
"""Of the run whose keys an act has: as many as workers can share."""


@dataclass(frozen=True)
class Act(Work):
    """Puts for as many keys as any budget or time here suffices for. `units`: that each is expected to take.

    `large`: of so many keys one has an item of 390 KB, by which its put is billed.
    """

    bounds: tuple[tuple[str, float], ...] = ()
    workers: int = 1
    units: float = 1.0
    keys: int = 60_000
    looks: bool = False
    large: int = 0

    kind = ACT

    @cached_property
    def objects(self) -> Mapping[str, StoredObject]:  # type: ignore[override]
        run = LISTING.layout(PREFIX, "T-1", "r")
        parts = {f"r/{part}": b"".join(self._lines(part)) for part in range(PARTS)}
        listed = [{"name": name, "bytes": len(body), "sha256": checksum(body)} for name, body in parts.items()]
        parts[run.manifest] = json.dumps(stamped({"format": "jsonl", "parts": listed})).encode()
        return {name: StoredObject(body, "", {}, ()) for name, body in parts.items()}

    def _lines(self, part: int) -> list[bytes]:
        return [b'{"pk": "%07d"}\n' % number for number in range(part, self.keys, PARTS)]

    @cached_property
    def plan(self) -> ActPlan:
        asked = dict(self.bounds)
        *_, stored = self.objects.values()
        manifest = json.loads(stored.body)
        slices = len(cut(manifest))
        decided = act_plan(
            manifest_sha256=digest_of(manifest),
            keys=self.keys,
            slices=slices,
            workers=min(self.workers, slices),
            key_units=self.units,
            most_key_units=self.units,
            max_units_per_second=asked.get("write_rate"),
            max_write_units=asked.get("max_write_units"),
            max_dollars=asked.get("max_dollars"),
            skips_ended=self.looks,
        )
        return replace(decided, workers=decided.limits.fitting).checked()

    def number(self, key: Mapping[str, Any]) -> int:
        return int(key["pk"]["S"])

    def size(self, number: int) -> int:
        units = max(390.0, self.units) if self.large and number % self.large == 0 else self.units
        return int(1024 * units)

    def query(self, *, ExpressionAttributeValues: Document, **_: Any) -> Document:  # noqa: N803
        item = {"pk": ExpressionAttributeValues[":k"]}
        return {"Items": [item], "Count": 1, "ScannedCount": 1, **_capacity(1, 4096, 1.0)}
