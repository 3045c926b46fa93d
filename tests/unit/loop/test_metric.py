"""The metrics at the end of each kind of job: items written, whatever the job calls that."""

from typing import Any

import pytest

from skipscan.act.kind import ACT
from skipscan.copy.kind import COPY
from skipscan.loop.kind import Kind
from skipscan.loop.metric import Metric, of_finished, of_incomplete, of_plan, of_stopped
from skipscan.retrofit.kind import RETROFIT
from skipscan.scan.progress import ScanCounts


@pytest.mark.parametrize("kind", [ACT, RETROFIT, COPY])
def test_a_job_that_stopped_or_is_incomplete_counts_as_no_run(kind: Kind[Any, Any]) -> None:
    assert of_stopped(lists_keys=kind.lists_keys) == {Metric.JOBS_STOPPED: 1}
    assert of_incomplete(lists_keys=kind.lists_keys) == {Metric.JOBS_INCOMPLETE: 1}


EXPECTED = {"keys": {"estimate": 900.0}, "read_units": {"estimate": 50.0}}


def test_a_plan_says_what_its_sample_expects() -> None:
    assert of_plan({"explanation": {"choice": {"expected": EXPECTED}}}) == {
        Metric.ESTIMATED_KEYS: 900.0,
        Metric.ESTIMATED_READ_UNITS: 50.0,
    }
    assert of_plan({"explanation": None}) == {}


def test_a_run_says_what_it_found_beside_what_was_expected() -> None:
    manifest = {"keys": 1000, "read_units": 75.0, "seconds": 8.0, "dollars": {"total": 0.5, "units": 0.25}}
    figures = {
        Metric.RUNS_FINISHED: 1,
        Metric.RUN_KEYS: 1000,
        Metric.RUN_READ_UNITS: 75.0,
        Metric.RUN_SECONDS: 8.0,
        Metric.RUN_DOLLARS: 0.5,
    }
    assert of_finished(manifest, {}, ScanCounts(), lists_keys=True) == figures
    explained = {"explanation": {"choice": {"expected": EXPECTED}}}
    assert of_finished(manifest, explained, ScanCounts(), lists_keys=True) == {**figures, Metric.ESTIMATE_RATIO: 1.5}
