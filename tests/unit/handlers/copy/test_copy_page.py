"""A batch of a copy is over long before a late look, whatever an environment says about batches."""

from typing import Any

import pytest

from skipscan.copy.kind import COPY
from skipscan.copy.replica import DELAY_SECONDS
from skipscan.errors import BatchError
from skipscan.loop.work import ExecutionId
from skipscan.pace.bounds import Bounds
from tests.fakes.handlers.execution import CONTEXT, through_json
from tests.fakes.handlers.loading import loaded
from tests.fakes.pair import copy_plan
from tests.fakes.s3 import FakeS3
from tests.refusal import failed

SIGNATURE_SECONDS = 300.0
"""AWS takes no request that was signed earlier."""


class OpenedError(Exception):
    """A batch was opened."""


def test_no_put_can_arrive_after_the_late_look(s3: FakeS3, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKIPSCAN_BATCH_SECONDS", "800")
    found: list[Bounds] = []

    def batch(*_: object, bounds: Bounds, **__: object) -> None:
        found.append(bounds)
        raise OpenedError

    module: Any = loaded("copy_page", s3)
    monkeypatch.setattr("skipscan.aws.table.check_tables", lambda *_: None)
    monkeypatch.setattr(module, "Engine", batch)
    # The first batches of a worker are short anyway.
    monkeypatch.setattr("skipscan.aws.function.FIRST_SECONDS", ())
    work = COPY.begun(ExecutionId("copy-1", "arn:copy-1", "2026-01-01T00:00:00+00:00"), copy_plan())
    with failed(BatchError, "OpenedError"):
        module.handler(through_json({"work": work.to_json(), "worker": 0}), CONTEXT)
    (bounds,) = found
    assert bounds.seconds is not None
    assert bounds.seconds + SIGNATURE_SECONDS < DELAY_SECONDS - 60
