"""What took a while is spread over it; what took no time is at its moment."""

import pytest

from skipscan.report.timeline import Gathering


def test_what_took_no_time_counts_at_its_moment() -> None:
    gathering = Gathering(("keys",))
    gathering.add(10.0, 0.0, {"keys": [7]})
    gathering.add(10.0, 80.0, {"keys": [0]})
    totals = gathering.timeline().totals("keys")
    assert totals[0] == totals[-1] == 7


def test_figures_of_a_long_stretch_are_spread_evenly() -> None:
    gathering = Gathering(("keys",))
    gathering.add(3.0, 100.0, {"keys": [500]})
    rates = gathering.timeline().rates("keys")
    assert len(rates) > 5
    assert rates == pytest.approx([5.0] * len(rates))
