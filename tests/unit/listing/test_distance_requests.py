"""A table is far away if DescribeTable says so by its time, and never on this machine."""

from functools import partial
from typing import Any

import pytest

from skipscan.listing.distance_requests import useful_walks
from tests.fakes.faulty import faulty
from tests.simulation.inputs.clock import Clock


@pytest.mark.parametrize(
    ("answers", "walks"),
    [
        ((0.008,), 16),
        ((0.06, 0.01), 16),
        ((0.06, 0.05), 128),
        ((0.06, "ThrottlingException"), 16),
        (("ThrottlingException",), 16),
    ],
)
def test_many_walks_may_pay_from_far_away(answers: tuple[float | str, ...], walks: int) -> None:
    """Answers come after so many seconds, or are refusals."""
    clock = Clock()

    def after(seconds: float, *_: object) -> dict[str, Any]:
        clock.sleep(seconds)
        return {}

    steps = [answer if isinstance(answer, str) else partial(after, answer) for answer in answers]
    client = faulty(None, {"describe_table": steps})
    assert useful_walks(client, "Orders", clock.monotonic) == walks
    assert len(client.calls) == len(answers)
