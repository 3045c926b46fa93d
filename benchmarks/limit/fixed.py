"""Ways that need no policy: one Limit for all pages, the best such Limit in hindsight, and a full scan."""

from typing import NamedTuple

import numpy as np

from benchmarks.limit.bill import Bill
from benchmarks.limit.table import PAGE_BYTES, Table, steps_of

LIMITS = sorted({*range(1, 65), *(round(64 * 1.04**power) for power in range(1, 250))})


class Fixed(NamedTuple):
    """What a Limit costs that all pages share."""

    limit: int
    bill: Bill


def fixed(table: Table, limit: int) -> Fixed:
    """Return the bill of a skip scan whose pages all have this Limit; the AWS blog's has 1."""
    steps, following = (array.tolist() for array in table.pages(limit))
    walked = [0]
    while (collection := following[walked[-1]]) <= table.collections:
        walked.append(collection)
    return Fixed(limit, Bill.of([steps[collection] for collection in walked]))


def every_fixed(table: Table) -> list[Fixed]:
    """Return what each Limit up to 64 costs, and Limits 4 % apart beyond, until they fill 1 MB or pass the end."""
    longest = int((table.full - table.starts).max())
    return [fixed(table, limit) for limit in [*(limit for limit in LIMITS if limit < longest), longest]]


def full_scan(table: Table) -> Bill:
    """Return the bill of reading everything in pages of 1 MB."""
    begin, steps = 0, []
    while begin <= table.items:
        stop = int(np.searchsorted(table.bytes, table.bytes[begin] + PAGE_BYTES))
        steps.append(steps_of(int(table.bytes[min(stop, table.items)] - table.bytes[begin])))
        begin = stop
    return Bill.of(steps)
