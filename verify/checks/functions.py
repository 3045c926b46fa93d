"""Lambda and Step Functions: refused invocations, waiting workers, names of errors, start-up."""

import base64
import json
import re
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from skipscan.aws import clients
from skipscan.listing.concurrency_requests import FreeFunctions
from skipscan.listing.estimate.cost import START_SECONDS
from verify import environment
from verify.check import check, hold
from verify.checks.skips import refusal
from verify.errors import NotTriedError
from verify.function import ended, execute, function, machine
from verify.kit import Kit
from verify.thing import Kind

LAMBDA = "https://docs.aws.amazon.com/lambda/latest/dg"
STATES = "https://docs.aws.amazon.com/step-functions/latest/dg"
NO_SLOT = "Lambda.TooManyRequestsException"
WORKERS = 8
REFUSALS = 2 * WORKERS
STARTS = 8


def deployed_retriers(kit: Kit) -> Any:
    """Return the retriers of the task that the environment's workers turn."""
    described = kit.client("stepfunctions").describe_state_machine(stateMachineArn=kit.deployment.machines["run"])
    states = json.loads(described["definition"])["States"]
    workers = next(state for state in states.values() if state["Type"] == "Map")
    inner = (workers.get("ItemProcessor") or workers.get("Iterator"))["States"]
    return next(state["Retry"] for state in inner.values() if state["Type"] == "Task")


@check(
    "concurrency-limit",
    "GetAccountSettings says how many functions may run at once.",
    source=f"{LAMBDA}/gettingstarted-limits.html",
    breaks="Plan takes Lambda's default of 1,000, and workers wait in a new account.",
)
def concurrency_limit(kit: Kit) -> str:
    kit.client("lambda").get_account_settings()
    slots = FreeFunctions.of(kit.client("lambda"), None)
    hold("could not be read" not in slots.source, slots.source)
    return f"{slots.free:,} ({slots.source}): {slots.most_workers:,} workers at most"


@check(
    "refused-invocation",
    "Lambda refuses an invocation without a free slot with 429 and TooManyRequestsException.",
    source=f"{LAMBDA}/lambda-concurrency.html",
    breaks="Workers that find no slot fail the run.",
    seconds=30.0,
)
def refused_invocation(kit: Kit) -> str:
    client, name = kit.client("lambda"), function(kit)
    client.put_function_concurrency(FunctionName=name, ReservedConcurrentExecutions=0)
    try:
        code = kit.until(
            "a refusal",
            lambda: refusal(_once(kit).invoke, FunctionName=name, Payload=b"{}") or None,
            seconds=60,
        )
    finally:
        client.delete_function_concurrency(FunctionName=name)
    hold(code == "TooManyRequestsException", f"answered {code}")
    return code


def _once(kit: Kit) -> Any:
    """Return a client of Lambda that tries nothing again."""
    return kit.once("impatient lambda", lambda: clients.lambda_(kit.session, 4))


def refused_workers(kit: Kit) -> list[float]:
    """Return when each of the refusals came that workers got which waited for a slot, and which all succeeded."""

    def make() -> list[float]:
        client, states = kit.client("lambda"), kit.client("stepfunctions")
        task = {"Type": "Task", "Resource": function(kit), "Retry": deployed_retriers(kit), "End": True}
        workers = {
            "Workers": {
                "Type": "Map",
                "ItemsPath": "$.workers",
                "ItemProcessor": {"StartAt": "Turn", "States": {"Turn": task}},
                "End": True,
            }
        }
        arn = machine(kit, "waiting", workers)
        client.put_function_concurrency(FunctionName=function(kit), ReservedConcurrentExecutions=0)
        try:
            asked = json.dumps({"workers": [{"worker": number} for number in range(WORKERS)]})
            execution = states.start_execution(stateMachineArn=arn, input=asked)["executionArn"]
            kit.record(Kind.EXECUTION, execution)

            def look() -> list[float] | None:
                found = _refusals(states, execution)
                status = states.describe_execution(executionArn=execution)["status"]
                return found if len(found) >= REFUSALS or status != "RUNNING" else None

            times = kit.until("refusals of the workers", look, seconds=120)
        finally:
            client.delete_function_concurrency(FunctionName=function(kit))
        end = ended(kit, execution)
        seen = f"{len(times)} refusals of {WORKERS} workers; the execution {end['status']} {end.get('error', '')}"
        hold(end["status"] == "SUCCEEDED" and len(times) >= WORKERS, seen)
        return times

    return kit.once("refused workers", make)


def _refusals(states: Any, execution: str) -> list[float]:
    pages = states.get_paginator("get_execution_history").paginate(executionArn=execution)
    return [
        event["timestamp"].timestamp()
        for page in pages
        for event in page["events"]
        for name, details in event.items()
        if name.endswith("FailedEventDetails") and details.get("error") == NO_SLOT
    ]


@check(
    "waiting-workers",
    "Step Functions calls the refusal Lambda.TooManyRequestsException, and the environment's own retrier has workers "
    "wait until there is a slot.",
    source=f"{STATES}/concepts-error-handling.html",
    breaks="Workers that find no slot fail the run.",
    dollars=0.002,
    seconds=40.0,
)
def waiting_workers(kit: Kit) -> str:
    times = refused_workers(kit)
    return f"{WORKERS} workers were refused {len(times)} times, and all succeeded"


@check(
    "jitter",
    "The retrier's full jitter spreads the attempts of workers that were refused together.",
    source=f"{STATES}/concepts-error-handling.html",
    breaks="Workers that are refused together come back together.",
    seconds=1.0,
)
def jitter(kit: Kit) -> str:
    times = sorted(refused_workers(kit))
    hold(len(times) >= REFUSALS, f"{len(times)} refusals are too few to judge")
    seconds = times[REFUSALS - 1] - times[WORKERS]
    hold(seconds > 0.3, f"{WORKERS} second attempts within {seconds:.2f} s")
    return f"{WORKERS} second attempts within {seconds:.1f} s"


@check(
    "error-names",
    "Step Functions catches what a function raises by the name of its class.",
    source=f"{STATES}/concepts-error-handling.html",
    breaks="Errors that nothing can mend are tried again for minutes.",
    dollars=0.001,
    seconds=10.0,
)
def error_names(kit: Kit) -> str:
    def catch(error: str, then: str) -> dict[str, Any]:
        return {"ErrorEquals": [error], "ResultPath": "$.caught", "Next": then}

    states = {
        "Fail": {
            "Type": "Task",
            "Resource": function(kit),
            "Parameters": {"fail": True},
            "Catch": [catch("MadeUpError", "By name"), catch("States.ALL", "Otherwise")],
            "End": True,
        },
        "By name": {"Type": "Succeed"},
        "Otherwise": {"Type": "Fail", "ErrorPath": "$.caught.Error"},
    }
    # An input that is an object, or nothing can be added to it.
    end = ended(kit, execute(kit, machine(kit, "errors", states)))
    hold(end["status"] == "SUCCEEDED", f"it is reported as {end.get('error', 'nothing')}")
    return "caught as MadeUpError"


MODELLED = (
    ("ProvisionedThroughputExceededException", "ThrottlingReasons"),
    ("TableDescription", "WarmThroughput"),
    ("TableDescription", "VectorIndexes"),
)
"""What Skipscan reads of DynamoDB's answers, of the newest that botocore knows."""


@check(
    "runtime",
    "The botocore of the functions' runtime knows the newest fields of DynamoDB's answers that Skipscan reads.",
    source=f"{LAMBDA}/python-package.html",
    breaks="All workers slow down where one partition is hot, and a copy does not see that a table has vector indexes.",
    dollars=0.0001,
    seconds=5.0,
)
def runtime(kit: Kit) -> str:
    answer = kit.client("lambda").invoke(FunctionName=function(kit), Payload=json.dumps({"models": MODELLED}))
    found = json.loads(answer["Payload"].read())
    seen = f"botocore {found['botocore']} in {environment.runtime(kit)['Runtime']}"
    hold(not found["lacks"], f"{seen} lacks {', '.join('.'.join(pair) for pair in found['lacks'])}")
    return seen


@check(
    "start-up",
    f"The environment's function that scans starts within the {START_SECONDS:g} s that plans assume.",
    source=f"{LAMBDA}/lambda-runtime-environment.html",
    breaks="Minutes in plans are too few.",
    dollars=0.001,
    seconds=15.0,
)
def start_up(kit: Kit) -> str:
    name = environment.function(kit, environment.STATES[1])["FunctionName"]

    def start(_: int) -> str:
        # An event that the function refuses before it reads or writes anything.
        try:
            answer = _once(kit).invoke(FunctionName=name, Payload=b"{}", LogType="Tail")
        except _once(kit).exceptions.TooManyRequestsException:  # a small account
            return ""
        return base64.b64decode(answer.get("LogResult", "")).decode(errors="replace")

    with ThreadPoolExecutor(STARTS) as pool:
        logs = list(pool.map(start, range(STARTS)))
    took = [float(found) / 1000 for log in logs for found in re.findall(r"Init Duration: ([0-9.]+) ms", log)]
    memory = [int(found) for log in logs for found in re.findall(r"Max Memory Used: ([0-9]+) MB", log)]
    if not took:
        raise NotTriedError(f"none of {STARTS} invocations says that it started a function anew")
    seen = f"{max(took):.2f} s at most in {len(took)} cold starts, {max(memory, default=0)} MB"
    hold(max(took) <= START_SECONDS, seen)
    return seen
