"""Ways without a policy: one Limit for all pages, the best such Limit in hindsight, and a full scan."""

from bisect import bisect_left
from typing import NamedTuple

import numpy as np

from benchmarks.limit.table import PAGE_BYTES, Bill, Table, steps_of

EXACT = 300
"""All Limits up to this one are tried: for collections of equal length a single Limit can be far better than those
beside it."""

COARSE, FINE = 1.16, 1.02
"""Above `EXACT`, first Limits that differ by a sixth, then Limits that differ by a fiftieth around the best three."""


class Fixed(NamedTuple):
    """A Limit that all pages share, and its bill."""

    limit: int
    bill: Bill


def fixed(table: Table, limit: int) -> Fixed:
    """Return the bill of a skip scan whose pages all have this Limit; the AWS blog's has 1."""
    steps, following = (array.tolist() for array in table.pages(limit))
    walked, collection, end = [], 0, table.collections
    while collection <= end:
        walked.append(steps[collection])
        collection = following[collection]
    return Fixed(limit, Bill.of(walked))


def best_fixed(table: Table, request_units: float) -> Fixed:
    """Return the Limit that is cheapest for all pages, of those that are tried."""
    longest = int((table.full - table.starts).max())
    grid = sorted({*range(1, EXACT + 1), *between(EXACT, longest, COARSE), longest})
    tried = {limit: fixed(table, limit) for limit in grid if limit <= longest}
    best = sorted(tried.values(), key=lambda each: each.bill.cost(request_units))[:3]
    for limit in (each.limit for each in best if each.limit > EXACT):
        place = bisect_left(grid, limit)
        least, most = grid[place - 1], grid[min(place + 1, len(grid) - 1)]
        tried |= {closer: fixed(table, closer) for closer in between(least, most, FINE)}
    return min(tried.values(), key=lambda each: each.bill.cost(request_units))


def between(least: int, most: int, ratio: float) -> list[int]:
    """Return numbers from above the least to the most, each that many times the one before it."""
    limit, limits = float(least), []
    while (limit := max(limit * ratio, limit + 1)) < most:
        limits.append(round(limit))
    return limits


def full_scan(table: Table) -> Bill:
    """Return the bill of reading everything in pages of 1 MB."""
    begin, steps = 0, []
    while begin <= table.items:
        stop = int(np.searchsorted(table.bytes, table.bytes[begin] + PAGE_BYTES))
        steps.append(steps_of(int(table.bytes[min(stop, table.items)] - table.bytes[begin])))
        begin = stop
    return Bill.of(steps)
