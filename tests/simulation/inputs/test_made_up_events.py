"""A person starts a function by hand in the console: a clear error, nothing read and nothing written."""

import copy
import random
from collections import Counter
from typing import Any

import pytest

from skipscan.errors import InputError
from skipscan.loop.event import compared_of
from tests.fakes.faulty import Faulty
from tests.fakes.handlers.execution import CONTEXT, Machine
from tests.fakes.s3 import FakeS3
from tests.simulation.inputs.bent import EXTREME
from tests.simulation.inputs.refusal import GRAMMAR
from tests.simulation.inputs.test_cdk_json_environments import places

pytestmark = pytest.mark.slow

NO_EVENT = [*EXTREME, {"input": {"table": "Orders"}}, {"run": "run-1"}, {"key1": "value1"}, {"work": {}, "worker": 0}]


def is_clear(message: str) -> bool:
    return len(message) < 300 and message.isascii() and GRAMMAR.fullmatch(message) is not None


def test_made_up_events_are_refused(
    counted_listing: Machine, tables: Faulty, fake_bucket: FakeS3, unlogged: None
) -> None:
    for event in [*NO_EVENT, {"input": {"table": "Orders"}, "name": 5, "execution": "x", "started": "y"}]:
        refused = counted_listing.plan.handler(event, CONTEXT)
        assert refused["error"] == "InputError"
        assert is_clear(refused["cause"]), refused
        for handler in (counted_listing.worker.handler, counted_listing.finish.handler, lambda it, _: compared_of(it)):
            with pytest.raises(InputError) as caught:
                handler(event, CONTEXT)
            assert is_clear(str(caught.value))
    assert (tables.asked("scan"), fake_bucket.objects) == ([], {})


def test_an_event_that_scan_cannot_work_with_writes_nothing(
    counted_listing: Machine, tables: Faulty, fake_bucket: FakeS3, unlogged: None
) -> None:
    """Every value of a right event, replaced by every extreme one."""
    planned = counted_listing.planned({"table": "Orders", "segments": 4, "workers": 2})
    progress = counted_listing.turn(planned, 1, None)
    right = {"work": planned["work"], "worker": 1, "progress": progress}
    before = copy.deepcopy(fake_bucket.objects)
    seen: Counter[str] = Counter()
    draw = random.Random(5)
    for path in places(right):
        if not path:
            continue
        for value in draw.sample(EXTREME, 12):
            event = copy.deepcopy(right)
            parent: Any = event
            for step in path[:-1]:
                parent = parent[step]
            parent[path[-1]] = value
            fake_bucket.objects = dict(before)
            try:
                counted_listing.worker.handler(event, CONTEXT)
            except Exception as error:
                # Another name for an attribute or a table is found out by DynamoDB, or by S3.
                seen[type(error).__name__] += 1
                assert fake_bucket.objects == before, (path, value)
            else:
                seen["went on"] += 1
                assert all(name.startswith("skipscan/Orders/") for name in fake_bucket.objects)
    assert seen.total() >= 500
    assert seen["InputError"] + seen["StateError"] >= 200
