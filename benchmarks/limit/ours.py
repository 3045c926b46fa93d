"""What Skipscan's own policy makes of a table, and the processor time its decisions take."""

from collections.abc import Sequence
from time import process_time

from benchmarks.limit.table import STEP_UNITS, Page, Table
from skipscan.scan.limit.policy import LimitPolicy


def ours(table: Table, policy: LimitPolicy) -> list[Page]:
    """Return the pages that a policy asks for, learning as it goes."""
    pages = []
    collection = 0
    while collection <= table.collections:
        page = table.page(collection, policy.limit())
        policy.observe(page.items, page.places, STEP_UNITS * page.steps)
        pages.append(page)
        collection = page.following
    return pages


def policy_seconds(pages: Sequence[Page], policy: LimitPolicy) -> float:
    """Return the processor time in which a fresh policy decides on all these pages and learns from them."""
    begun = process_time()
    for page in pages:
        policy.limit()
        policy.observe(page.items, page.places, STEP_UNITS * page.steps)
    return process_time() - begun
