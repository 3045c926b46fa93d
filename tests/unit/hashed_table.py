"""A table of any size as a few arrays: keys spread over the hash space, and the pages that a scan of it brings.

Every item of a collection has the size of its collection, so a giant costs no memory.
"""

from bisect import bisect_left
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from skipscan.batch import Request
from skipscan.execution_input import parse
from skipscan.maximum import MAXIMUM
from skipscan.page import Page
from skipscan.plan import Plan, plan

PAGE_BYTES = 1 << 20

Numbers = NDArray[np.int64] | NDArray[np.float64]


@dataclass(frozen=True)
class HashedTable:
    """`places`: of each partition key in the hash space, 0 to 1, ascending."""

    places: NDArray[np.float64]
    lengths: NDArray[np.int64]
    item_bytes: NDArray[np.int64]

    @classmethod
    def spread(cls, lengths: Numbers, item_bytes: Numbers, seed: int) -> Self:
        places = np.random.default_rng(seed).random(len(lengths))
        places.sort()
        return cls(places, lengths.astype(np.int64), item_bytes.astype(np.int64))

    @property
    def keys(self) -> int:
        return len(self.places)

    @property
    def items(self) -> int:
        return int(self.lengths.sum())

    @property
    def size_bytes(self) -> int:
        return int((self.lengths * self.item_bytes).sum())

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
        return plan(parse({"table": "Hashed", **asked}), description)

    def scan(self, segments: int, request: Request) -> Page:
        """Return the page as DynamoDB would: cut at Limit or 1 MB, billed by 4 KB."""
        collection = bisect_left(self.places, request.segment / segments)
        end = bisect_left(self.places, (request.segment + 1) / segments)
        offset = 0
        if request.start_key is not None:
            collection = int(request.start_key["pk"]["N"])
            if request.start_key["sk"] == MAXIMUM["N"]:
                collection += 1
            else:
                offset = int(request.start_key["sk"]["N"]) + 1
        items: list[dict[str, Any]] = []
        size_bytes = 0
        limit = request.limit or 1 << 30
        last = None
        while collection < end and len(items) < limit and size_bytes < PAGE_BYTES:
            item_bytes = int(self.item_bytes[collection])
            room = min(limit - len(items), -(-(PAGE_BYTES - size_bytes) // item_bytes))
            taken = min(int(self.lengths[collection]) - offset, room)
            if taken > 0:
                items += [{"pk": {"N": str(collection)}}] * taken
                size_bytes += taken * item_bytes
                last = {"pk": {"N": str(collection)}, "sk": {"N": str(offset + taken - 1)}}
            if offset + taken >= self.lengths[collection]:
                collection, offset = collection + 1, 0
            else:
                offset += taken
        is_cut = len(items) == limit or size_bytes >= PAGE_BYTES
        return Page(items, last if is_cut else None, 0.5 * max(1, -(-size_bytes // 4096)))
