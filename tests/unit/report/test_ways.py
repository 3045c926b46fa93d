"""The figures of a report for a program: the run first, then the ways that it is compared with."""

from pathlib import Path

import pytest

from skipscan.report.record import read_work
from skipscan.report.ways import report_figures
from tests.unit.report.local import local

pytestmark = [pytest.mark.xdist_group("report"), pytest.mark.slow]


def test_a_run_that_is_not_complete_is_compared_with_no_other_way(stopped: Path) -> None:
    found = report_figures(read_work(local(stopped)))
    assert [way["way"] for way in found["ways"]] == ["Skipscan"]
    assert found["ways"][0]["read_unit_dollars"] is None, "provisioned capacity is billed by the hour"
    assert (found["complete"], found["segments"]) == (False, 32)
    assert 0 < found["segments_left"] <= 32
