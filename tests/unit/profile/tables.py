"""A table in memory for the profile's reader: pages of a few items, in the order of segments."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from zlib import crc32

from skipscan.dynamodb.page import Page
from skipscan.dynamodb.prices import MONTHLY_US_EAST_1, US_EAST_1, MonthlyPrices
from skipscan.dynamodb.table_description import TableDescription
from skipscan.dynamodb.write_units import item_bytes
from skipscan.pace.bill import UNLIMITED, Amounts
from skipscan.profile.circumstances import Circumstances, ExpirySetting
from skipscan.profile.profiling import TableProfile, profiled
from skipscan.profile.segments import ReadingPlan, SegmentReader
from skipscan.sample.sampler import SegmentPage, random_segments

PAGE_ITEMS = 50
NOW = 1_800_000_000.0
Items = list[dict[str, Any]]

FOUR: Items = [
    {"pk": {"S": "USER#1"}, "sk": {"S": "ORDER#1"}, "n": {"N": "12"}, "t": {"N": f"{int(NOW) + 86_400}"}},
    {"pk": {"S": "USER#1"}, "sk": {"S": "ORDER#2"}, "text": {"S": "x" * 5000}, "ik": {"S": "a"}},
    {"pk": {"S": "USER#2"}, "sk": {"S": "ORDER#3"}, "m": {"M": {"a": {"L": [{"S": "deep"}]}}}},
    {"pk": {"S": "USER#3"}, "sk": {"S": "P"}, "n": {"S": "7"}, "t": {"N": "5"}},
]
"""Three item collections, with what a profile counts: prefixes, nested values, several types, expiry times."""


def described_document(items: Items, **more: Any) -> dict[str, Any]:
    """Return DescribeTable's document of a table with keys pk and sk."""
    return {
        "TableName": "Made",
        "AttributeDefinitions": [
            {"AttributeName": name, "AttributeType": kind}
            for name, kind in (("pk", "S"), ("sk", "S"), ("ik", "S"), ("ttl", "N"))
        ],
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
        "ItemCount": len(items),
        "TableSizeBytes": sum(map(item_bytes, items)),
        "BillingModeSummary": {"BillingMode": "PAY_PER_REQUEST"},
        **more,
    }


def index(name: str, kind: str = "ALL", of: str = "ik") -> Mapping[str, Any]:
    """Return an index by an attribute."""
    return {
        "IndexName": name,
        "KeySchema": [{"AttributeName": of, "KeyType": "HASH"}],
        "Projection": {"ProjectionType": kind},
    }


def budget(read_units: float = 1e9) -> Amounts:
    """Return a budget in read units."""
    return replace(UNLIMITED, read_units=read_units)


class Made:
    """Items in segments by their partition key. `asked`: the pages that were read."""

    def __init__(self, items: Items) -> None:
        self._items = sorted(items, key=lambda one: (one["pk"]["S"], one["sk"]["S"]))
        self._segments: dict[int, list[Items]] = {}
        self.asked: list[SegmentPage] = []
        self.read_units = 0.0

    def page(self, ask: SegmentPage) -> Page:
        self.asked.append(ask)
        inside = self._divided(ask.segments)[ask.segment]
        begin = 0 if ask.start_key is None else inside.index(ask.start_key) + 1  # type: ignore[arg-type]
        found = inside[begin : begin + PAGE_ITEMS]
        last = found[-1] if begin + PAGE_ITEMS < len(inside) else None
        units = 0.5 * max(1, -(-sum(map(item_bytes, found)) // 4096))
        self.read_units += units
        return Page(found, last, units)

    def _divided(self, segments: int) -> list[Items]:
        if segments not in self._segments:
            self._segments[segments] = [[] for _ in range(segments)]
            for one in self._items:
                self._segments[segments][crc32(one["pk"]["S"].encode()) % segments].append(one)
        return self._segments[segments]


def figures(profile: TableProfile, section: str) -> Any:
    """Return the figures of a section, unrounded."""
    return profile.sections[section].figures


def read(
    items: Items,
    *,
    expiry: ExpirySetting | None = None,
    units: float = 1e9,
    plan: ReadingPlan | None = None,
    stop_after: int = 1 << 30,
    monthly: MonthlyPrices = MONTHLY_US_EAST_1,
    **description: Any,
) -> tuple[TableProfile, Made]:
    """Return the profile of made-up items, and the table that was read."""
    table, shown = Made(items), TableDescription.from_json(described_document(items, **description))
    made = "2027-01-15T08:00:00+00:00"
    of = Circumstances("Made", "us-east-1", made, NOW, 1, shown, expiry, US_EAST_1, monthly)
    planned = plan or ReadingPlan.of(shown.size_bytes, budget(units), US_EAST_1)
    reader = SegmentReader(planned, of)
    pages = random_segments(reader)
    try:
        ask = next(pages)
        while len(table.asked) < stop_after:
            ask = pages.send(table.page(ask))
    except StopIteration:
        pass
    return profiled(reader.finish(), of), table
