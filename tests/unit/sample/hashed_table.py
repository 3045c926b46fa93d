"""A table of any size as a few arrays: keys spread over the hash space, and the pages that a scan of it brings.

The items of a collection have its size, or vary around it in a pattern that comes round again, so that a giant costs
no memory.
"""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from math import ceil, floor
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from skipscan.dynamodb.attribute_value import MAXIMUM
from skipscan.dynamodb.page import Page
from skipscan.dynamodb.table_description import TableDescription
from skipscan.listing.execution_input import parse
from skipscan.listing.plan import plan_listing
from skipscan.scan.batch import Request
from skipscan.scan.plan import Plan
from skipscan.scan.taken import Lookup

PAGE_BYTES = 1 << 20

Numbers = NDArray[np.int64] | NDArray[np.float64]


def _alike() -> NDArray[np.float64]:
    return np.ones(1)


@dataclass(frozen=True)
class HashedTable:
    """`places`: of each partition key in the hash space, 0 to 1, ascending. `pattern`: of sizes, around 1.

    `shows_sort_keys`: for runs with a range. The sort keys of a collection are 0, 1, 2 and so on.
    """

    places: NDArray[np.float64]
    lengths: NDArray[np.int64]
    item_bytes: NDArray[np.int64]
    pattern: NDArray[np.float64] = field(default_factory=_alike)
    shows_sort_keys: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "_sums", np.concatenate(([0.0], np.cumsum(self.pattern))))

    @classmethod
    def spread(cls, lengths: Numbers, item_bytes: Numbers, seed: int, pattern: Numbers | None = None) -> Self:
        places = np.random.default_rng(seed).random(len(lengths))
        places.sort()
        drawn = _alike() if pattern is None else pattern.astype(np.float64)
        return cls(places, lengths.astype(np.int64), item_bytes.astype(np.int64), drawn)

    @property
    def keys(self) -> int:
        return len(self.places)

    @property
    def items(self) -> int:
        return int(self.lengths.sum())

    @property
    def size_bytes(self) -> int:
        return round(float((self.item_bytes * self._sizes(self.lengths)).sum()))

    def plan(self, *, knows: bool = True, **asked: Any) -> Plan:
        description = {
            "TableStatus": "ACTIVE",
            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
            "AttributeDefinitions": [
                {"AttributeName": "pk", "AttributeType": "N"},
                {"AttributeName": "sk", "AttributeType": "N"},
            ],
            "ItemCount": self.items if knows else 0,
            "TableSizeBytes": self.size_bytes if knows else 0,
        }
        return plan_listing(parse({"table": "Hashed", **asked}), TableDescription.from_json(description))

    def scan(self, segments: int, request: Request) -> Page:
        """Return the page as DynamoDB would: cut at Limit or 1 MB, billed by 4 KB; or the answer to a Query."""
        if request.lookup is not None:
            return self._query(request.lookup)
        collection = bisect_left(self.places, request.segment / segments)
        end = bisect_left(self.places, (request.segment + 1) / segments)
        offset = 0
        if request.start_key is not None:
            collection = int(request.start_key["pk"]["N"])
            if request.start_key["sk"] == MAXIMUM["N"]:
                collection += 1
            else:
                offset = floor(Decimal(request.start_key["sk"]["N"])) + 1
        items: list[dict[str, Any]] = []
        limit = request.limit or 1 << 30
        last = None
        taken = size_bytes = 0.0
        for key, begin, count, bytes_ in self._evaluated(collection, offset, end, limit):
            if self.shows_sort_keys:
                items += [{"pk": {"N": str(key)}, "sk": {"N": str(begin + number)}} for number in range(count)]
            else:
                items += [{"pk": {"N": str(key)}}] * count
            last = {"pk": {"N": str(key)}, "sk": {"N": str(begin + count - 1)}}
            taken, size_bytes = taken + count, size_bytes + bytes_
        is_cut = taken == limit or size_bytes >= PAGE_BYTES
        return Page(items, last if is_cut else None, 0.5 * max(1, ceil(size_bytes / 4096)))

    def _query(self, lookup: Lookup) -> Page:
        """Count the items of a collection's range, from either end."""
        key, among = int(lookup.key[0]["N"]), lookup.among
        low, high = 0, int(self.lengths[key]) - 1
        if among is not None and among.since is not None:
            low = max(low, ceil(Decimal(among.since["N"])))
        if among is not None and among.until is not None:
            high = min(high, floor(Decimal(among.until["N"])))
        if lookup.start_key is not None:
            at = int(lookup.start_key["sk"]["N"])
            low, high = (low, min(high, at - 1)) if lookup.descends else (max(low, at + 1), high)
        left = max(0, high - low + 1)
        full = self._filling(key, low, PAGE_BYTES)
        count = min(left, full, lookup.limit or left)
        begin = high - count + 1 if lookup.descends else low
        end = {"pk": {"N": str(key)}, "sk": {"N": str(begin if lookup.descends else begin + count - 1)}}
        steps = max(1, ceil(self._bytes(key, begin, count) / 4096))
        return Page([], end if count < left or count == lookup.limit else None, 0.5 * steps, count)

    def full_scan(self, segments: int) -> tuple[float, int]:
        """Return the read units and requests of reading every item."""
        read_units, requests = 0.0, 0
        for segment in range(segments):
            collection, offset = cut = bisect_left(self.places, segment / segments), 0
            end = bisect_left(self.places, (segment + 1) / segments)
            size_bytes = float(PAGE_BYTES)
            while size_bytes >= PAGE_BYTES:
                size_bytes = 0.0
                for key, begin, count, bytes_ in self._evaluated(collection, offset, end, 1 << 62):
                    size_bytes += bytes_
                    cut = key, begin + count
                collection, offset = cut
                read_units += 0.5 * max(1, ceil(size_bytes / 4096))
                requests += 1
        return read_units, requests

    def _evaluated(self, collection: int, offset: int, end: int, limit: int) -> Iterator[tuple[int, int, int, float]]:
        """Return the stretches of a page: collection, offset, number of items, bytes."""
        room = float(PAGE_BYTES)
        while collection < end and limit > 0 and room > 0:
            count = min(int(self.lengths[collection]) - offset, limit)
            if count > 0:
                if self._bytes(collection, offset, count) >= room:
                    count = min(count, self._filling(collection, offset, room))
                bytes_ = self._bytes(collection, offset, count)
                yield collection, offset, count, bytes_
                limit, room = limit - count, room - bytes_
            collection, offset = collection + 1, 0

    def _sizes(self, counts: NDArray[np.int64] | int) -> NDArray[np.float64]:
        """Return the sum of the pattern over the first so many items of each collection."""
        begins = 31 * np.arange(self.keys)
        sums: NDArray[np.float64] = self._sums  # type: ignore[attr-defined]
        (rounds, rest), (before, begin) = (np.divmod(n, len(self.pattern)) for n in (begins + counts, begins))
        difference: NDArray[np.float64] = (rounds - before) * sums[-1] + sums[rest] - sums[begin]
        return difference

    def _bytes(self, collection: int, offset: int, count: int) -> float:
        begin = 31 * collection + offset
        return float(self.item_bytes[collection]) * (self._sum(begin + count) - self._sum(begin))

    def _filling(self, collection: int, offset: int, room: float) -> int:
        """Return how many items of a collection it takes to fill that many bytes."""
        begin = 31 * collection + offset
        wanted = self._sum(begin) + room / float(self.item_bytes[collection])
        sums: NDArray[np.float64] = self._sums  # type: ignore[attr-defined]
        rounds, rest = divmod(wanted, sums[-1])
        return max(1, int(rounds) * len(self.pattern) + int(np.searchsorted(sums, rest)) - begin)

    def _sum(self, count: int) -> float:
        sums: NDArray[np.float64] = self._sums  # type: ignore[attr-defined]
        rounds, rest = divmod(count, len(self.pattern))
        return float(rounds * sums[-1] + sums[rest])
