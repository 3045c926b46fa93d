"""A table of a few items in memory, which answers the requests of a batch over items, and plans of such batches."""

from dataclasses import replace
from typing import Any, cast
from zlib import crc32

from skipscan import form
from skipscan.aws.function import Settings
from skipscan.copy.plan import CopyPlan
from skipscan.copy.replica import Replica
from skipscan.dynamodb.attribute_value import AttributeValue
from skipscan.dynamodb.page import Page
from skipscan.dynamodb.source import Item
from skipscan.dynamodb.step import WRITTEN, Answer, Conflict, Get, Write
from skipscan.dynamodb.table_description import TableDescription, TableIdentity
from skipscan.items.concatenation import Separator
from skipscan.items.job import UnitRequest
from skipscan.items.lane import ReadPage
from skipscan.listing.execution_input import ExecutionInput
from skipscan.listing.plan import plan_listing
from skipscan.retrofit.plan import RetrofitPlan
from skipscan.scan.plan import Plan, Strategy
from tests.fakes.definition import KeySchema, TableDefinition

STREAM = "arn:stream"
AUDIT = TableDefinition("Audit", KeySchema.of(("id", "S")))
DESCRIPTION = {
    "TableArn": "arn:aws:dynamodb:us-east-1:123456789012:table/Audit",
    "TableId": "table-1",
    "TableStatus": "ACTIVE",
    "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
    "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}],
    "BillingModeSummary": {"BillingMode": "PAY_PER_REQUEST"},
    "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"},
    "LatestStreamArn": STREAM,
}


def text(content: str) -> dict[str, str]:
    return {"S": content}


def item(id_: str, **attributes: str) -> dict[str, AttributeValue]:
    return {"id": text(id_), **{name: text(content) for name, content in attributes.items()}}


def reading(segments: int = 3, workers: int = 1, max_dollars: float | None = None) -> Plan:
    asked = ExecutionInput("Audit", segments=segments, workers=workers, strategy=Strategy.PAGE)
    return replace(plan_listing(asked, TableDescription.from_json(DESCRIPTION)), max_dollars=max_dollars)


def retrofit_plan(segments: int = 3, workers: int = 1, *, verify: bool = False, **bounds: float | None) -> RetrofitPlan:
    """Return the plan of a retrofit of `made` from `a` and `b`."""
    return RetrofitPlan(
        reading=reading(segments, workers, bounds.pop("max_dollars", None)),
        templates={"made": "{a}-{b}"},
        removes=(),
        separator=Separator.REFUSE,
        roles={},
        counted={},
        verify=verify,
        units_per_write=1.0,
        most_units_per_write=1.0,
        sampled_units=0.0,
        max_write_units_per_second=bounds.get("max_write_units_per_second"),
        max_write_units=bounds.get("max_write_units"),
    )


def copy_plan(segments: int = 3, workers: int = 1, *, verify: bool = False, **changed: Any) -> CopyPlan:
    """Return the plan of a copy that makes `made` from `a` and `b`."""
    return CopyPlan(
        reading=reading(segments, workers, changed.pop("max_dollars", None)),
        replica=Replica("arn:source", "arn:target", STREAM, "https://queue", {"made": "{a}-{b}"}),
        target=TableIdentity("arn:target", "id"),
        verify=verify,
        units_per_write=1.0,
        most_units_per_write=1.0,
        sampled_units=0.0,
        **{
            "compared_share": 1.0,
            "max_write_units_per_second": None,
            "max_write_units": None,
            **changed,
        },
    )


class SmallTable:
    """Items by id. `returns_item`: whether a failed condition brings the item, as not every engine does."""

    def __init__(self, *items: Item, page_items: int = 3, segments: int = 3, returns_item: bool = True) -> None:
        self.items = {entry["id"]["S"]: dict(entry) for entry in items}
        self.page_items = page_items
        self.segments = segments
        self.returns_item = returns_item
        self.writes = 0

    def answer(self, request: UnitRequest) -> Page | Answer:
        step = request.step
        if isinstance(step, ReadPage):
            return self._page(step)
        return Answer(self._copy(step.key), read_units=1.0) if isinstance(step, Get) else self._write(step)

    def _write(self, write: Write) -> Answer:
        id_, expects = write.key["id"]["S"], cast("dict[str, Any]", write.expects or {})
        existing = self.items.get(id_, {})
        if any(existing.get(name) != value for name, value in expects.items()):
            return Answer(Conflict(self._copy(write.key) if self.returns_item else None), write_units=1.0)
        if write.put is not None:
            self.items[id_] = dict(write.put)
        elif write.sets is None:
            self.items.pop(id_, None)
        else:
            existing.update(write.sets)
            for name in write.removes:
                existing.pop(name, None)
        self.writes += 1
        return Answer(WRITTEN, write_units=1.0)

    def _copy(self, key: Item) -> Item | None:
        existing = self.items.get(key["id"]["S"])
        return None if existing is None else dict(existing)

    def _page(self, request: ReadPage) -> Page:
        after = request.start_key["id"]["S"] if request.start_key else ""
        ids = sorted(i for i in self.items if crc32(i.encode()) % self.segments == request.segment and i > after)
        page = ids[: min(self.page_items, request.limit)]
        more = len(ids) > len(page)
        return Page([dict(self.items[i]) for i in page], {"id": text(page[-1])} if more else None, 0.5)


def settings_with(replica: Replica) -> Settings:
    """Return the settings of a function whose environment names one pair of tables."""
    named = {f"SKIPSCAN_{name}": "" for name in ("BUCKET", "PREFIX", "PLACE")}
    return replace(Settings.read(named), replicas=(form.write(replica),))
