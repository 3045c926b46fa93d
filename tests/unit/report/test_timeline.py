"""What took a while is spread over it; what took no time is at its moment."""

from skipscan.report.timeline import Gathering


def test_what_took_no_time_counts_at_its_moment() -> None:
    gathering = Gathering(("keys",))
    gathering.add(10.0, 0.0, {"keys": [7]})
    gathering.add(10.0, 80.0, {"keys": [0]})
    totals = gathering.timeline().totals("keys")
    assert totals[0] == totals[-1] == 7
