"""The environment as it is deployed: versions of functions, the width of its Map, its metrics."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from botocore.config import Config

from skipscan.listing.kind import LISTING
from skipscan.loop.metric import BY_ENVIRONMENT, BY_TABLE, ENVIRONMENT, NAMESPACE, TABLE, Metric
from verify import environment
from verify.check import check, hold
from verify.checks.functions import LAMBDA, STATES
from verify.checks.runs import finished
from verify.errors import NotTriedError
from verify.kit import Kit

LOCKED = ("Role", "VpcConfig")
"""What a version keeps from the moment when it was published (API reference, UpdateFunctionConfiguration)."""


def definition(kit: Kit) -> Any:
    """Return the definition of the environment's state machine of runs."""
    described = kit.client("stepfunctions").describe_state_machine(stateMachineArn=kit.deployment.machines["run"])
    return json.loads(described["definition"])


def invoked(kit: Kit) -> list[str]:
    """Return the ARNs of the functions that the environment's runs invoke, with their versions."""
    return sorted(_functions(definition(kit)))


def _functions(part: Any) -> set[str]:
    if isinstance(part, dict):
        own = {part["Resource"]} if ":function:" in str(part.get("Resource")) else set()
        return own.union(*map(_functions, part.values()))
    return set().union(*map(_functions, part)) if isinstance(part, list) else set()


@check(
    "versions",
    "The versions of functions that runs invoke have the role and the network of the functions now.",
    source=f"{LAMBDA}/configuration-versions.html",
    breaks="After a change of the role path or the network, runs use a role that is gone, or another network.",
    seconds=3.0,
)
def versions(kit: Kit) -> str:
    client, arns = kit.client("lambda"), invoked(kit)
    if not arns:
        raise NotTriedError("the state machine's definition names no function by its version")
    for arn in arns:
        name, version = arn.split(":")[6], arn.split(":")[-1]
        one, now = (client.get_function_configuration(FunctionName=each) for each in (arn, name))
        for what in LOCKED:
            hold(_of(one, what) == _of(now, what), f"version {version} of {name} has another {what} than the function")
    return f"{len(arns)} versions"


def _of(configuration: Any, what: str) -> Any:
    found = configuration.get(what) or {}
    return (
        found
        if isinstance(found, str)
        else [sorted(found.get(name) or ()) for name in ("SubnetIds", "SecurityGroupIds")]
    )


@check(
    "map-concurrency",
    "A Map Run is as wide as its MaxConcurrencyPath says.",
    source=f"{STATES}/state-map-distributed.html",
    breaks="All workers start at once, and exceed the rate that the plan has shared out.",
    tables=("run",),
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
    planned = LISTING.work(environment.result(kit, table, manifest["run"], "plan.json")).plan.workers_at_once
    seen = f"the plan has {planned} workers at once, the Map Run {found['maxConcurrency']}"
    hold(found["maxConcurrency"] == planned, seen)
    return seen


@check(
    "metrics",
    "CloudWatch has the metrics of a finished run, by environment and table, and by environment alone.",
    source="https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format.html",
    breaks="The dashboard is empty, and no alarm rings.",
    tables=("run",),
    seconds=60.0,
)
def metrics(kit: Kit) -> str:
    table, _ = finished(kit)
    now = datetime.now(UTC)
    dimensions = {ENVIRONMENT: kit.deployment.environment, TABLE: table}
    # The first has one set of dimensions, the second both: that of the environment alone is one that alarms watch.
    asked = [
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
        for number, (metric, names) in enumerate(asked)
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


@check(
    "retriers",
    "Each retrier of the tasks on which runs rest retries its errors as often as it says, and hopeless errors never.",
    source=f"{STATES}/test-state-isolation.html",
    breaks="A run fails at a passing error, or tries a hopeless one again for minutes.",
    seconds=20.0,
)
def retriers(kit: Kit) -> str:
    walked = 0
    for name, task in _tasks(definition(kit)["States"]):
        for retrier in task.get("Retry", ()):
            most = retrier.get("MaxAttempts", 3)
            for error in retrier["ErrorEquals"]:
                for tried, status in (
                    [(0, "RETRIABLE"), (most - 1, "RETRIABLE"), (most, "FAILED")] if most else [(0, "FAILED")]
                ):
                    found = _tested(kit, task, "MadeUpError" if error == "States.ALL" else error, tried)
                    hold(
                        found == status,
                        f"{error} of {name}, tried again {tried} times, is {found}; {status} was expected",
                    )
                    walked += 1
    hold(walked > 0, "no task of the state machine has a retrier")
    return f"{walked} errors ended as expected"


def _tasks(states: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Return the tasks, also those of the Map's workers, without those whose errors are caught."""
    for name, state in states.items():
        if state["Type"] == "Task" and "Catch" not in state:
            yield name, state
        yield from _tasks((state.get("ItemProcessor") or state.get("Iterator") or {}).get("States", {}))


def _sync(kit: Kit) -> Any:
    """Return a client of TestState, which AWS has at a name of its own and an engine has not."""

    def make() -> Any:
        is_aws = ".amazonaws.com" in kit.client("stepfunctions").meta.endpoint_url
        config = Config(retries={"mode": "standard", "total_max_attempts": 8}, inject_host_prefix=is_aws)
        return kit.session.client("stepfunctions", config=config)

    return kit.once("client of TestState", make)


def _tested(kit: Kit, task: dict[str, Any], error: str, tried: int) -> str:
    """Return how a task ends that fails with an error, which was tried again so often before."""
    alone = {name: value for name, value in task.items() if name not in ("Next", "Parameters")} | {"End": True}
    answer = _sync(kit).test_state(
        definition=json.dumps(alone),
        input="{}",
        mock={"errorOutput": {"error": error, "cause": "made up"}},
        stateConfiguration={"retrierRetryCount": tried},
    )
    return str(answer["status"])
