"""Counting an item takes few calls of functions: the processor time of a profile, by a figure without noise."""

import sys
from random import Random
from typing import Any

import pytest

from skipscan.profile.tally import SegmentTally, TallyRules

RANDOM = Random(7)
ORDERS = [
    {
        "pk": {"S": f"CUSTOMER#{number // 5:05}"},
        "sk": {"S": f"LINE#2026-11-{number % 28:02}#{number}"},
        "status": {"S": RANDOM.choice(["open", "paid", "sent"])},
        "product": {"M": {"sku": {"S": f"sku-{number % 900}"}, "tags": {"L": [{"S": "new"}]}}},
        "quantity": {"N": "2"},
        "note": {"S": "n" * 120},
    }
    for number in range(2_000)
]
SESSIONS = [
    {
        "session": {"S": f"{RANDOM.getrandbits(64):016x}"},
        "expires": {"N": f"{1_790_000_000_000 + number}"},
        "data": {"S": "d" * RANDOM.randrange(200, 9_000)},
    }
    for number in range(2_000)
]


@pytest.mark.counts_calls
@pytest.mark.parametrize(
    ("items", "rules", "most"),
    [
        (ORDERS, TallyRules(("pk",), "sk", (), None, 1.8e9), 52),
        (SESSIONS, TallyRules(("session",), None, (), "expires", 1.8e9), 26),
    ],
    ids=["orders", "sessions"],
)
def test_counting_an_item_takes_few_calls(items: list[dict[str, Any]], rules: TallyRules, most: int) -> None:
    """A little more than today. One by one, they took twice as many."""
    tally, found = SegmentTally(rules), 0

    def see(_frame: Any, event: str, _of: object) -> None:
        nonlocal found
        found += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(see)
    try:
        tally.add(items)
    finally:
        sys.setprofile(before)
    assert found / len(items) < most
