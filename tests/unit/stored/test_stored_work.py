"""What is read of stored work, and what is not asked for again."""

from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from skipscan.listing.kind import LISTING
from skipscan.loop.kind import Failure
from skipscan.stored.stored_work import LONG_AGO, StoredWork
from tests.unit.environment.test_status import BEGUN, RUN, explained, reached


def test_failures_are_those_that_no_later_batch_has_overcome_the_newest_first() -> None:
    batches = {0: [0, 1], 1: [0, 1, 2], 2: [0]}  # workers 0 and 1 have committed one batch
    failed = [
        Failure(worker, batch, (BEGUN + timedelta(seconds=10 * batch + worker)).isoformat(), "BatchError", "cause")
        for worker, numbers in batches.items()
        for batch in numbers
    ]
    results: Any = SimpleNamespace(failures=lambda: failed)
    work = StoredWork(LISTING, results, _reached={worker: reached(worker, opened=1) for worker in (0, 1)})
    assert [(one.worker, one.batch) for one in work.failures()] == [(1, 2), (1, 1), (0, 1), (2, 0)]


@pytest.mark.parametrize(
    ("document", "started"),
    [({"started": BEGUN.isoformat()}, BEGUN), ({"started": "once"}, LONG_AGO), ({}, LONG_AGO), (None, LONG_AGO)],
)
def test_work_without_a_known_start_is_the_oldest(document: Any, started: Any) -> None:
    results: Any = None
    assert StoredWork(LISTING, results, document).started == started


@pytest.mark.parametrize(("document", "previous"), [(RUN.to_json(), 7.0), (explained(keys=400, minutes=9), None)])
def test_the_work_before_is_asked_only_where_the_plan_expects_nothing(document: Any, previous: float | None) -> None:
    results: Any = SimpleNamespace(manifest=lambda: None, batches=dict, resumes=int, named=lambda *_: results)
    found = StoredWork(LISTING, results, document, previous=lambda: 7.0).look(BEGUN)
    assert found
    assert found.previous == previous
