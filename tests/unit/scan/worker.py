"""A worker's batches over no table at all, from the moment on when 16 pages may be under way."""

from collections.abc import Sequence
from typing import Any

import pytest

from skipscan.dynamodb.page import Page
from skipscan.dynamodb.source import PartitionKey
from skipscan.pace.bounds import Bounds, Clock
from skipscan.scan.batch import Batch, Request
from skipscan.scan.plan import WALKS
from skipscan.scan.progress import ScanProgress, first_progress
from skipscan.scan.width import Width
from tests.fakes.definition import KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.turns import planned

ORDERS = TableDefinition("Orders", KeySchema.of(("pk", "S"), ("sk", "S")))
KEY_BYTES = 10


@pytest.fixture(autouse=True)
def after_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let 16 pages be under way from the beginning to the end; tests/unit/scan/test_width.py has what the width is."""
    monkeypatch.setattr(Width, "after", lambda *_, **__: Width(WALKS, ceiling=WALKS))


class Worker:
    """A worker's batches over no table at all: the test answers. `keys`: what was written."""

    def __init__(self, **asked: Any) -> None:
        dynamodb = FakeDynamoDB(ORDERS)
        self.plan = planned(dynamodb, table="Orders", **{"segments": 40, "workers": 2, **asked})
        self.now = 100.0
        self.keys: list[PartitionKey] = []

    def batch(self, progress: ScanProgress | None = None, worker: int = 1, **bounds: Any) -> Batch:
        begin = progress or first_progress(self.plan, worker)
        return Batch(
            self.plan,
            begin,
            bounds=Bounds(**bounds),
            clock=Clock(lambda: self.now),
            random=lambda: 1.0,
            write=self._write,
        )

    def _write(self, keys: Sequence[PartitionKey]) -> int:
        self.keys += keys
        return KEY_BYTES * len(keys)


def taken(batch: Batch) -> Request:
    step = batch.take()
    assert isinstance(step, Request), step
    return step


def page(*names: str, last: str | None = None, read_units: float = 0.5) -> Page:
    items = [{"pk": {"S": name}, "sk": {"S": "1"}} for name in names]
    return Page(items, {"pk": {"S": last}, "sk": {"S": "1"}} if last else None, read_units)
