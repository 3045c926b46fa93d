"""Two tables of a few items in memory, which answer the requests of a copy's batch and of a reconciling."""

from typing import Any
from zlib import crc32

from skipscan.copy.item import HandOver
from skipscan.copy.plan import CopyPlan
from skipscan.copy.replica import Replica, Side, late_look_messages
from skipscan.dynamodb.page import Page
from skipscan.dynamodb.source import Item
from skipscan.dynamodb.step import WRITTEN, Answer, Conflict, Get, Write
from skipscan.dynamodb.table_description import TableIdentity
from skipscan.items.engine import UnitRequest
from skipscan.items.sizes import ReadPage
from tests.fakes.small_table import STREAM, reading, text

Items = dict[str, Item]


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


class Pair:
    """`returns_item`: whether a failed condition brings the item (not everywhere). `handed`: bodies of messages."""

    def __init__(
        self, source: Items, target: Items, *, page_items: int, segments: int, returns_item: bool = True
    ) -> None:
        self.tables = {Side.SOURCE: source, Side.TARGET: target}
        self.page_items = page_items
        self.segments = segments
        self.returns_item = returns_item
        self.handed: list[str] = []

    @property
    def source(self) -> Items:
        return self.tables[Side.SOURCE]

    @property
    def target(self) -> Items:
        return self.tables[Side.TARGET]

    def answer(self, request: UnitRequest) -> Page | Answer:
        if isinstance(request.step, ReadPage):
            return self._page(request.step)
        return self.do(request.step)

    def do(self, step: Get | Write | HandOver) -> Answer:
        """Do a step of a copy or of a replicator."""
        if isinstance(step, HandOver):
            self.handed += late_look_messages([step.key], STREAM)
            return Answer(None)
        id_, items = step.key["id"]["S"], self.tables[Side.SOURCE if step.table == "arn:source" else Side.TARGET]
        existing = items.get(id_)
        if isinstance(step, Get):
            return Answer(existing, read_units=1.0)
        if step.expects and existing is not None:
            return Answer(Conflict(existing if self.returns_item else None), write_units=1.0)
        if step.put:
            items[id_] = step.put
        else:
            items.pop(id_, None)
        return Answer(WRITTEN, write_units=1.0)

    def _page(self, request: ReadPage) -> Page:
        items = self.tables[copy_plan().verified_side(request.number) or Side.SOURCE]
        after = request.start_key["id"]["S"] if request.start_key else ""
        ids = sorted(i for i in items if crc32(i.encode()) % self.segments == request.segment and i > after)
        page = ids[: min(self.page_items, request.limit)]
        more = len(ids) > len(page)
        return Page([items[i] for i in page], {"id": text(page[-1])} if more else None, 0.5)
