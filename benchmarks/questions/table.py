"""The blog's table with sort keys: one item a day, or items of four types. Formulas, of which nothing is stored."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from benchmarks.blog_table.table import PAGE_BYTES, STEP_BYTES, STEP_UNITS, Shape, VirtualTable
from skipscan.dynamodb.page import Page
from skipscan.dynamodb.source import Item, Source
from skipscan.scan.batch import Request

LENGTH = Shape.table(0).length
DAYS = [(date(2024, 1, 1) + timedelta(number)).isoformat() for number in range(LENGTH)]
TYPES = [f"{name}#{number:04d}" for name in ("ADDRESS", "INVOICE", "ORDER", "TICKET") for number in range(LENGTH // 4)]


class SortedTable(VirtualTable):
    """A table whose collections all have these sort keys, in their order. It answers Query, too, from a sort key on."""

    def __init__(self, source: Source, shape: Shape, segments: int, sort_keys: Sequence[str], since: str = "") -> None:
        super().__init__(source, shape, segments)
        self._sort_keys = sort_keys
        self._since = bisect_right(sort_keys, since) - (since in sort_keys)

    def scan(self, request: Request) -> Page:
        """Return a page, or the answer to the Query for the items of a collection from `since` on."""
        lookup = request.lookup
        if lookup is None:
            return self.page(request.segment, request.start_key, request.limit)
        begin = self._since
        if lookup.start_key is not None:
            begin = max(begin, bisect_right(self._sort_keys, lookup.start_key["sk"]["S"]))
        full = -(-PAGE_BYTES // self._shape.item_bytes)
        count = min(len(self._sort_keys) - begin, full, lookup.limit or full)
        items = [{self._key: lookup.key[0], "sk": {"S": sk}} for sk in self._sort_keys[begin : begin + count]]
        steps = max(1, -(-count * self._shape.item_bytes // STEP_BYTES))
        last = items[-1] if items and count in (full, lookup.limit) else None
        return Page(items, last, STEP_UNITS * steps)

    def _items(self, begin: int, end: int) -> Iterator[Item]:
        return map(self._start_key, range(begin, end))

    def _behind(self, start_key: Item) -> int:
        collection = int(start_key[self._key]["S"][-10:])
        return collection * self._shape.length + bisect_right(self._sort_keys, start_key["sk"]["S"])

    def _start_key(self, place: int) -> Item:
        key = super()._start_key(place)
        return {**key, "sk": {"S": self._sort_keys[place % self._shape.length]}}
