"""Two tables of a few items in memory, which answer the requests of a copy's batch and of a reconciling."""

from typing import Any
from zlib import crc32

from skipscan.copy.batch import CopyAnswer, CopyRequest, HandedOver, HandKeyOver
from skipscan.copy.plan import CopyPlan
from skipscan.copy.reconciling import DeleteTarget, PutTarget, Side
from skipscan.copy.replica import Replica, late_look_messages
from skipscan.dynamodb.page import Page
from skipscan.dynamodb.source import Item
from skipscan.dynamodb.table_description import TableIdentity
from skipscan.dynamodb.write_units import Conflict
from skipscan.items.walk import LookAtItem, Looked, ReadPage, WriteItem, Written
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

    def answer(self, request: CopyRequest) -> CopyAnswer:
        match request:
            case ReadPage():
                return self._page(request)
            case LookAtItem(item=item, step=look):
                return Looked(self.look(look.side, item.key), 1.0)
            case WriteItem(step=put):
                return self.put_new(put.item)
            case HandKeyOver(item=item):
                self.handed += late_look_messages([item.key], STREAM)
                return HandedOver()

    def look(self, side: Side, key: Item) -> Item | None:
        return self.tables[side].get(key["id"]["S"])

    def put_new(self, item: Item) -> Written | Conflict:
        """Put an item of the copy, where none is."""
        existing = self.look(Side.TARGET, item)
        if existing is not None:
            return Conflict(existing if self.returns_item else None, 1.0)
        self.target[item["id"]["S"]] = item
        return Written(1.0)

    def write(self, key: Item, step: PutTarget | DeleteTarget) -> None:
        """Write for a replicator."""
        if isinstance(step, PutTarget):
            self.target[key["id"]["S"]] = step.item
        else:
            self.target.pop(key["id"]["S"], None)

    def _page(self, request: ReadPage) -> Page:
        items = self.tables[copy_plan().verified_side(request.number) or Side.SOURCE]
        after = request.start_key["id"]["S"] if request.start_key else ""
        ids = sorted(i for i in items if crc32(i.encode()) % self.segments == request.segment and i > after)
        page = ids[: min(self.page_items, request.limit)]
        more = len(ids) > len(page)
        return Page([items[i] for i in page], {"id": text(page[-1])} if more else None, 0.5)
