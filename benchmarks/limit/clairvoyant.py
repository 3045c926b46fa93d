"""The lowest possible cost of a table, for someone who knows all lengths and sizes beforehand."""

import numpy as np

from benchmarks.limit.bill import Bill
from benchmarks.limit.table import PAGE_BYTES, STEP_BYTES, STEP_UNITS, Table, steps_of


def clairvoyant(table: Table, request_units: float) -> Bill:
    """Return the cheapest possible bill, by dynamic programming from the table's end.

    The best end of a page is the first item of a collection, because the collection's other items bring no key and are
    skipped. Only the last page can do better: if it runs past the end, the table needs no empty page.
    """
    end = table.collections
    least = np.zeros(end + 1)  # what it costs to list this collection and all after it
    least[end] = STEP_UNITS + request_units
    steps = [1] * (end + 1)
    following = [end + 1] * (end + 1)
    before, through = table.bytes[table.starts[:-1]], table.bytes[table.starts[:-1] + 1]
    reach = np.searchsorted(before, before + PAGE_BYTES).tolist()  # behind the collections that begin within 1 MB
    for first in range(end - 1, -1, -1):
        needed = -((before[first] - through[first : reach[first]]) // STEP_BYTES)
        costs = STEP_UNITS * needed + least[first + 1 : reach[first] + 1]
        best = int(costs.argmin())
        least[first], steps[first], following[first] = costs[best], int(needed[best]), first + 1 + best
        left = int(table.bytes[-1] - before[first])
        if left < PAGE_BYTES and STEP_UNITS * steps_of(left) < least[first]:
            least[first], steps[first], following[first] = STEP_UNITS * steps_of(left), steps_of(left), end + 1
        least[first] += request_units
    walked = [0]
    while (collection := following[walked[-1]]) <= end:
        walked.append(collection)
    return Bill.of([steps[collection] for collection in walked])
