"""The metric values of each state: counts, never a key value."""

from collections.abc import Mapping
from typing import Any

from skipscan.metrics.metric import Metric
from skipscan.pace.counts import Counts

MetricValues = dict[Metric, float]

WRITTEN = ("put", "deleted", "sent", "written", "copied")
"""The counts of jobs that change an item."""


def of_batch(counts: Counts, *, seconds: float, is_cut_short: bool) -> MetricValues:
    """Return the values of one batch. `seconds`: its duration. `is_cut_short`: by an error."""
    consumed = {Metric.READ_UNITS: counts.read_units, Metric.WRITE_UNITS: counts.write_units}
    keys = counts.to_json().get("keys")
    return {
        **({} if keys is None else {Metric.KEYS: keys}),
        **{metric: units for metric, units in consumed.items() if units},
        Metric.REQUESTS: counts.requests,
        Metric.THROTTLED_REQUESTS: counts.throttles,
        Metric.BATCH_ERRORS: int(is_cut_short),
        Metric.BATCH_SECONDS: seconds,
    }


def of_plan(document: Mapping[str, Any]) -> MetricValues:
    """Return what a plan expects; nothing if it took no sample. `document`: plan.json."""
    expected = _expected(document)
    if expected is None:
        return {}
    estimated = {Metric.ESTIMATED_KEYS: expected["keys"], Metric.ESTIMATED_READ_UNITS: expected["read_units"]}
    return {metric: interval["estimate"] for metric, interval in estimated.items() if interval["estimate"] is not None}


def of_refused_plan() -> MetricValues:
    return {Metric.PLANS_REFUSED: 1}


def of_skipped() -> MetricValues:
    return {Metric.RUNS_SKIPPED: 1}


def of_stopped(*, lists_keys: bool) -> MetricValues:
    """Return the values of a run, or of a job, whose budget is used up."""
    return {Metric.RUNS_STOPPED if lists_keys else Metric.JOBS_STOPPED: 1}


def of_incomplete(*, lists_keys: bool) -> MetricValues:
    """Return the values of a run, or of a job, whose results differ from its workers' reports."""
    return {Metric.RUNS_INCOMPLETE if lists_keys else Metric.JOBS_INCOMPLETE: 1}


def of_finished(
    manifest: Mapping[str, Any], plan: Mapping[str, Any], counts: Counts, *, lists_keys: bool
) -> MetricValues:
    """Return the values of a complete run or job. `plan`: plan.json; empty if it is gone."""
    return _of_finished_run(manifest, plan) if lists_keys else _of_finished_job(manifest, counts.lines)


def _of_finished_run(manifest: Mapping[str, Any], plan: Mapping[str, Any]) -> MetricValues:
    figures: MetricValues = {
        Metric.RUNS_FINISHED: 1,
        Metric.RUN_KEYS: manifest["keys"],
        Metric.RUN_READ_UNITS: manifest["read_units"],
        Metric.RUN_SECONDS: manifest["seconds"],
    }
    figures[Metric.RUN_DOLLARS] = manifest["dollars"]["total"]
    expected = _expected(plan)
    if expected and expected["read_units"]["estimate"]:
        figures[Metric.ESTIMATE_RATIO] = manifest["read_units"] / expected["read_units"]["estimate"]
    return figures


def _of_finished_job(manifest: Mapping[str, Any], failed: int) -> MetricValues:
    """`failed`: the lines about items that could not be written."""
    return {
        Metric.JOBS_FINISHED: 1,
        Metric.JOB_WRITTEN_ITEMS: sum(manifest.get(figure, 0) for figure in WRITTEN),
        Metric.JOB_FAILED_ITEMS: failed,
        **({Metric.JOB_ENDED_KEYS: manifest["ended"]} if "ended" in manifest else {}),
        Metric.JOB_WRITE_UNITS: manifest["write_units"],
        Metric.JOB_SECONDS: manifest["seconds"],
    }


def _expected(plan: Mapping[str, Any]) -> Mapping[str, Any] | None:
    explanation = plan.get("explanation") or {}
    expected: Mapping[str, Any] | None = explanation.get("choice", {}).get("expected")
    return expected
