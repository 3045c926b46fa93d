"""The benchmark of the profile reads a table whole, and counting an item takes few calls."""

import sys
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from benchmarks.profile.reading import reading
from benchmarks.profile.server import served
from local.profile_tables import EXPIRES, TABLES
from skipscan.profile.tally import SegmentTally, TallyRules

MOST_CALLS = {"Shop": 39, "Sensors": 42, "Sessions": 24}
"""Of functions, in Python and in C, an item; a little above today's. One by one, they took 95, 84 and 77."""

RULES = {
    "Shop": TallyRules(("pk",), "sk", (), None, 1.8e9),
    "Sensors": TallyRules(("sensor_identifier",), None, (), None, 1.8e9),
    "Sessions": TallyRules(("session",), None, (), EXPIRES, 1.8e9),
}


def calls(run: Callable[[], object]) -> int:
    found = 0

    def see(_frame: Any, event: str, _of: object) -> None:
        nonlocal found
        found += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(see)
    try:
        run()
    finally:
        sys.setprofile(before)
    return found


@pytest.mark.counts_calls
@pytest.mark.parametrize("shape", RULES)
def test_counting_an_item_takes_few_calls(shape: str) -> None:
    items = list(TABLES[shape](Random(7)))[:2000]
    tally = SegmentTally(RULES[shape])
    assert calls(lambda: tally.add(items)) / len(items) < MOST_CALLS[shape]


@pytest.mark.engine
@pytest.mark.long
def test_a_served_table_is_read_whole_and_billed() -> None:
    with served("Shop", 12_000_000) as url:
        found = reading(url)
    assert found.requests == 11
    assert found.read_bytes == pytest.approx(12_000_000, rel=0.1)
    assert 0 < found.parsing < found.whole
    assert 0 < found.counting < found.whole
    assert found.bill["total"] > found.bill["units"] > 0
