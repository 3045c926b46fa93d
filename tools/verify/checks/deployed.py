"""The environment as it is deployed: versions of functions, the width of its Map, its metrics."""

from datetime import UTC, datetime, timedelta

from skipscan.listing.kind import LISTING
from skipscan.loop.metric import BY_ENVIRONMENT, BY_TABLE, ENVIRONMENT, NAMESPACE, TABLE, Metric
from verify import environment
from verify.check import check, hold
from verify.checks.functions import STATES
from verify.checks.runs import finished
from verify.errors import NotTriedError
from verify.kit import Kit


@check(
    "map-concurrency",
    "A Map Run is as wide as its MaxConcurrencyPath says.",
    source=f"{STATES}/state-map-distributed.html",
    breaks="All workers start at once, and exceed the rate that the plan has shared out.",
    seconds=2.0,
)
def map_concurrency(kit: Kit) -> str:
    table, manifest = finished(kit)
    execution = environment.executions(kit).named(manifest["run"])
    if execution is None:
        raise NotTriedError("the finished run has no execution any more")
    client = kit.client("stepfunctions")
    runs = client.list_map_runs(executionArn=execution.arn).get("mapRuns")
    hold(bool(runs), "the execution has no Map Run")
    found = client.describe_map_run(mapRunArn=runs[0]["mapRunArn"])
    planned = LISTING.work(environment.result(kit, table, manifest["run"], "plan.json")).plan.limits.at_once
    seen = f"the plan has {planned} workers at once, the Map Run {found['maxConcurrency']}"
    hold(found["maxConcurrency"] == planned, seen)
    return seen


@check(
    "metrics",
    "CloudWatch has the metrics of a finished run, by environment and table, and by environment alone.",
    source="https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format.html",
    breaks="The dashboard is empty, and no alarm rings.",
    seconds=60.0,
)
def metrics(kit: Kit) -> str:
    table, _ = finished(kit)
    now = datetime.now(UTC)
    dimensions = {ENVIRONMENT: kit.deployment.environment, TABLE: table}
    # The first has one set of dimensions, the second both: that of the environment alone is one that alarms watch.
    requested = [
        (Metric.RUN_KEYS, BY_TABLE),
        (Metric.THROTTLED_REQUESTS, BY_TABLE),
        (Metric.THROTTLED_REQUESTS, BY_ENVIRONMENT),
    ]
    queries = [
        {
            "Id": f"m{number}",
            "MetricStat": {
                "Metric": {
                    "Namespace": NAMESPACE,
                    "MetricName": metric.title,
                    "Dimensions": [{"Name": name, "Value": dimensions[name]} for name in names],
                },
                "Period": 60,
                "Stat": "Sum",
            },
        }
        for number, (metric, names) in enumerate(requested)
    ]
    client = kit.client("cloudwatch")

    def look() -> list[float] | None:
        answer = client.get_metric_data(
            MetricDataQueries=queries, StartTime=now - timedelta(hours=1), EndTime=now + timedelta(hours=1)
        )
        values = {one["Id"]: one["Values"] for one in answer["MetricDataResults"]}
        return [sum(values[query["Id"]]) for query in queries] if all(values.values()) else None

    keys, *_ = kit.until("the metrics of the finished run", look, seconds=min(300.0, kit.patience_seconds))
    hold(keys == kit.keys, f"{Metric.RUN_KEYS.title} is {keys:g}; {kit.keys} were listed")
    return f"{Metric.RUN_KEYS.title} is {keys:g}, {len(queries)} metrics are there"
