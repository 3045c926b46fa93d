"""The lean client does the work that its targets allow, by exact counts of function calls.

The targets are of processor time: a short page's whole path at most 0.35 of a bare `client.scan`, an item of a job at
most half of the same over boto3. Processor time is noisy; the calls of functions, in Python and in C, are the same each
time. Measured side by side (2026-11), with parts of the lean client left to botocore:

| whole path of a short page | of the calls | of the processor time |
|---|---:|---:|
| as it is | 0.13 | 0.24 to 0.29 |
| an e-mail parser reads the head of an answer | 0.19 | 0.32 |
| botocore parses the answer | 0.23 | 0.30 |
| botocore signs, too | 0.27 | 0.38 |
| botocore builds the request and parses the answer | 0.57 | 0.80 |

So 0.35 of the time is about 0.2 of the calls, and half the time of an item more than 0.3 of its calls. The bounds are
lower, a little above today's counts, so that each line of the table but the first breaks them. Work inside one function
of C is not seen: `python -m benchmarks.client` measures that.
"""

import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from types import FrameType

import pytest

from benchmarks.canned import Clients, canned
from benchmarks.client import listed, plan_of_canned, ready, recorded, scan
from benchmarks.writers import JOBS, PAGE_ITEMS
from skipscan.scan.plan import WALKS

pytestmark = pytest.mark.engine

SHORT_PAGE_ITEMS = 8
PAGES = 300
"""Of the whole path. The batch's first plans cost the same for fewer pages: at 100, they are a third of all calls."""

BARE_PAGES = 2 * WALKS
"""A bare scan makes as many calls for each page."""


def calls(run: Callable[[], object]) -> int:
    """Return the calls of functions in this thread, and in the threads that start meanwhile."""
    seen: list[None] = []  # append is one step, whichever thread makes it

    def see(_frame: FrameType, event: str, _of: object) -> None:
        if event in ("call", "c_call"):
            seen.append(None)

    before, before_threads = sys.getprofile(), threading.getprofile()
    threading.setprofile(see)
    sys.setprofile(see)
    try:
        run()
    finally:
        sys.setprofile(before)
        threading.setprofile(before_threads)
    return len(seen)


@pytest.fixture(scope="module")
def of() -> Iterator[Clients]:
    with canned(SHORT_PAGE_ITEMS) as made:
        yield made


@pytest.mark.counts_calls
def test_a_short_page_takes_a_seventh_of_the_calls_of_a_bare_scan(of: Clients) -> None:
    """Today 0.133 for the whole path and 0.030 for the lean client alone, of 4,523 calls."""
    plan = plan_of_canned()
    requests = recorded(of.over_boto3, plan, BARE_PAGES)
    ready(of, requests)
    bare = calls(lambda: scan(of.bare, requests)) / len(requests)
    assert bare > 1_000, "the calls of other threads are not counted"
    again = requests * 8  # each new thread connects, which counts less for more requests
    assert calls(lambda: scan(of.lean, again)) / len(again) <= 0.033 * bare
    assert calls(lambda: listed(of.lean, plan, pages=PAGES)) / PAGES <= 0.15 * bare


@pytest.mark.counts_calls
@pytest.mark.parametrize("job", ["retrofit", "copy"])
def test_a_written_item_takes_a_seventh_of_the_calls_that_it_takes_over_boto3(job: str) -> None:
    """Today 0.123 of 3,410 calls when an item is retrofitted, 0.122 when it is copied."""
    with canned(PAGE_ITEMS) as of:
        JOBS[job](of.lean, PAGE_ITEMS)  # passes its trial
        ours, theirs = (calls(partial(JOBS[job], client, PAGE_ITEMS)) for client in (of.lean, of.over_boto3))
    assert theirs > 1_000 * PAGE_ITEMS, "the calls of other threads are not counted"
    assert ours <= 0.15 * theirs
