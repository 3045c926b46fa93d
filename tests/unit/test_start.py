"""A worker begins with one page under way, and has more as it learns: a wrong Limit is paid for by each of them."""

from typing import Any

import pytest

from skipscan.pace.backoff import Fault
from skipscan.pace.bounds import Pause
from skipscan.scan.batch import START_PAGES, Batch, Request
from skipscan.scan.progress import Progress
from tests.unit.test_batch import Worker, page, taken


def under_way(batch: Batch) -> list[Request]:
    """Take as many pages as may be under way."""
    requests = []
    while isinstance(step := batch.take(), Request):
        requests.append(step)
    return requests


def test_one_more_page_is_under_way_after_every_few() -> None:
    batch = Worker().batch()
    received, requests = 0, under_way(batch)
    while received < 12 * START_PAGES:
        assert len(requests) == 1 + received // START_PAGES
        assert isinstance(batch.take(), Pause)
        batch.give(requests.pop(), page("a", last="a"))
        received += 1
        requests += under_way(batch)
    assert len(requests) == 13


def test_a_page_that_failed_is_no_longer_under_way() -> None:
    batch = Worker().batch()
    (request,) = under_way(batch)
    batch.fail(request, Fault.PASSING)
    assert len([*under_way(batch)]) == 1


def test_a_later_batch_does_not_begin_anew() -> None:
    worker = Worker(workers=1)
    batch = worker.batch(worker=0)
    for _ in range(5 * START_PAGES):
        batch.give(taken(batch), page("a", last="a"))
    assert len(under_way(worker.batch(batch.progress))) == 6


@pytest.mark.parametrize("asked", [{"strategy": "page"}])
def test_pages_without_a_limit_have_nothing_to_learn(asked: dict[str, Any]) -> None:
    worker = Worker(workers=1, **asked)
    assert len(under_way(worker.batch(Progress.start(worker.plan, 0)))) == worker.plan.walks
