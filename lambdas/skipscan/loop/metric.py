"""The CloudWatch metrics with their names, units and meanings: functions emit them, dashboards and alarms use them.

Their dimensions are environment and table, and nothing finer: CloudWatch charges for each combination, and the log line
of a metric holds the run's name. Metrics that one alarm watches for all tables also have the environment alone.

The values of each state are counts, never a key value.
"""

from collections.abc import Mapping
from enum import Enum
from typing import Any

from skipscan.pace.counts import Counts

NAMESPACE = "Skipscan"
ENVIRONMENT, TABLE = "environment", "table"
"""The dimensions. A table given by its ARN is listed by its name."""

Dimensions = tuple[str, ...]
BY_TABLE: Dimensions = (ENVIRONMENT, TABLE)
BY_ENVIRONMENT: Dimensions = (ENVIRONMENT,)
BOTH = (BY_TABLE, BY_ENVIRONMENT)


class Metric(Enum):
    """`title`: its name in CloudWatch. `unit`: one of CloudWatch's. `state`: whose function emits it.

    Turn is the state that a machine turns: Scan, Act, Retrofit or Copy page.
    """

    KEYS = "Keys", "Count", "Turn", "keys that a batch found or acted on"
    READ_UNITS = "ReadUnits", "Count", "Turn", "read units that a batch consumed"
    WRITE_UNITS = "WriteUnits", "Count", "Turn", "write units that a batch consumed"
    REQUESTS = "Requests", "Count", "Turn", "requests of a batch that were answered"
    THROTTLED_REQUESTS = (
        "ThrottledRequests",
        "Count",
        "Turn",
        "requests that DynamoDB throttled",
        BOTH,
    )
    BATCH_ERRORS = "BatchErrors", "Count", "Turn", "batches that an error ended early"
    BATCH_SECONDS = "BatchSeconds", "Seconds", "Turn", "how long a batch took"
    ESTIMATED_KEYS = "EstimatedKeys", "Count", "Plan", "keys that a sampled plan expects"
    ESTIMATED_READ_UNITS = "EstimatedReadUnits", "Count", "Plan", "read units that a sampled plan expects"
    PLANS_REFUSED = "PlansRefused", "Count", "Plan", "inputs that Plan refused", (BY_ENVIRONMENT,)
    RUNS_SKIPPED = "RunsSkipped", "Count", "Plan", "runs that did not start because an earlier run was still running"
    LEAN_CLIENT_UNUSED = (
        "LeanClientUnused",
        "Count",
        "a worker",
        "workers that use boto3 for all calls of DynamoDB instead of the lean client",
        (BY_ENVIRONMENT,),
    )
    RUNS_FINISHED = "RunsFinished", "Count", "Finish", "runs that are complete"
    RUNS_STOPPED = "RunsStopped", "Count", "Finish", "runs that stopped at their budget"
    RUNS_INCOMPLETE = "RunsIncomplete", "Count", "Finish", "runs whose results differ from their workers' reports"
    RUN_KEYS = "RunKeys", "Count", "Finish", "keys of a finished run"
    RUN_READ_UNITS = "RunReadUnits", "Count", "Finish", "read units of a finished run"
    RUN_DOLLARS = "RunDollars", "None", "Finish", "dollars of a finished run, the whole bill"
    RUN_SECONDS = "RunSeconds", "Seconds", "Finish", "a finished run's time from start to manifest"
    ESTIMATE_RATIO = (
        "EstimateRatio",
        "None",
        "Finish",
        "read units of a finished run divided by its plan's estimate",
        BOTH,
    )
    JOBS_FINISHED = "JobsFinished", "Count", "Finish of a job", "jobs that are complete"
    JOBS_STOPPED = "JobsStopped", "Count", "Finish of a job", "jobs that stopped at their budget"
    JOBS_INCOMPLETE = (
        "JobsIncomplete",
        "Count",
        "Finish of a job",
        "jobs whose results differ from their workers' reports",
    )
    JOB_WRITTEN_ITEMS = "JobWrittenItems", "Count", "Finish of a job", "items put, set, copied, deleted or sent"
    JOB_FAILED_ITEMS = (
        "JobFailedItems",
        "Count",
        "Finish of a job",
        "items that a finished job could not handle and listed with a reason",
    )
    JOB_ENDED_KEYS = "JobEndedKeys", "Count", "Finish of a job", "keys skipped because their collection had ended"
    JOB_WRITE_UNITS = "JobWriteUnits", "Count", "Finish of a job", "write units of a finished job"
    JOB_SECONDS = "JobSeconds", "Seconds", "Finish of a job", "a finished job's time from start to manifest"

    KEEPER_LAG = "KeeperLagSeconds", "Seconds", "Keeper", "age of the newest change that the marker keeper handled"
    ATTRIBUTE_KEEPER_LAG = (
        "AttributeKeeperLagSeconds",
        "Seconds",
        "Keep attribute",
        "age of the newest change that the attribute keeper handled",
    )
    REPLICATOR_LAG = "ReplicatorLagSeconds", "Seconds", "Replicator", "age of the newest change that a copy handled"

    def __init__(
        self, title: str, unit: str, state: str, meaning: str, dimensions: tuple[Dimensions, ...] = (BY_TABLE,)
    ) -> None:
        self.title = title
        self.unit = unit
        self.state = state
        self.meaning = meaning
        self.dimensions = dimensions
        """Its sets of dimensions. A refused input may name any table, or none, so its metric has no table."""


MetricValues = dict[Metric, float]

WRITTEN = ("put", "deleted", "sent", "written", "copied")
"""The counts of jobs that change an item."""


def of_batch(counts: Counts, *, seconds: float, is_cut_short: bool) -> MetricValues:
    """Return the values of one batch. `seconds`: its duration. `is_cut_short`: by an error."""
    consumed = {Metric.READ_UNITS: counts.read_units, Metric.WRITE_UNITS: counts.write_units}
    keys = vars(counts).get("keys")
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


def of_finished(
    manifest: Mapping[str, Any], plan: Mapping[str, Any], counts: Counts, *, lists_keys: bool
) -> MetricValues:
    """Return the values of a complete run or job. `plan`: plan.json; empty if it is gone."""
    if not lists_keys:
        return {
            Metric.JOBS_FINISHED: 1,
            Metric.JOB_WRITTEN_ITEMS: sum(manifest.get(figure, 0) for figure in WRITTEN),
            Metric.JOB_FAILED_ITEMS: counts.lines,
            **({Metric.JOB_ENDED_KEYS: manifest["ended"]} if "ended" in manifest else {}),
            Metric.JOB_WRITE_UNITS: manifest["write_units"],
            Metric.JOB_SECONDS: manifest["seconds"],
        }
    figures: MetricValues = {
        Metric.RUNS_FINISHED: 1,
        Metric.RUN_KEYS: manifest["keys"],
        Metric.RUN_READ_UNITS: manifest["read_units"],
        Metric.RUN_SECONDS: manifest["seconds"],
        Metric.RUN_DOLLARS: manifest["dollars"]["total"],
    }
    expected = _expected(plan)
    if expected and expected["read_units"]["estimate"]:
        figures[Metric.ESTIMATE_RATIO] = manifest["read_units"] / expected["read_units"]["estimate"]
    return figures


def _expected(plan: Mapping[str, Any]) -> Mapping[str, Any] | None:
    explanation = plan.get("explanation") or {}
    expected: Mapping[str, Any] | None = explanation.get("choice", {}).get("expected")
    return expected
