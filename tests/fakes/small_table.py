"""A table of a few items in memory, which answers the requests of a retrofit's batch."""

from dataclasses import replace
from typing import Any
from zlib import crc32

from skipscan.dynamodb.attribute_value import AttributeValue
from skipscan.dynamodb.page import Page
from skipscan.dynamodb.source import Item
from skipscan.dynamodb.step import WRITTEN, Answer, Conflict, Get, Write
from skipscan.dynamodb.table_description import TableDescription
from skipscan.items.concatenation import Separator
from skipscan.items.engine import UnitRequest
from skipscan.items.sizes import ReadPage
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


class SmallTable:
    """Items by id. `returns_item`: whether a failed condition brings the item, as not every engine does."""

    def __init__(self, *items: Item, page_items: int = 3, segments: int = 3, returns_item: bool = True) -> None:
        self.items = {entry["id"]["S"]: dict(entry) for entry in items}
        self.page_items = page_items
        self.segments = segments
        self.returns_item = returns_item
        self.updates = 0

    def answer(self, request: UnitRequest) -> Page | Answer:
        step = request.step
        if isinstance(step, ReadPage):
            return self._page(step)
        return Answer(self._copy(step.key), read_units=1.0) if isinstance(step, Get) else self._update(step)

    def holds(self, update: Write) -> bool:
        """The condition of an update."""
        expects: Any = update.expects
        existing = self.items.get(update.key["id"]["S"])
        return existing is not None and all(existing.get(name) == value for name, value in expects.items())

    def _update(self, update: Write) -> Answer:
        if not self.holds(update):
            return Answer(Conflict(self._copy(update.key) if self.returns_item else None), write_units=1.0)
        existing = self.items[update.key["id"]["S"]]
        existing.update(update.sets or {})
        for name in update.removes:
            existing.pop(name, None)
        self.updates += 1
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
