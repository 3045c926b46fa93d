"""Lambda and Step Functions: refused invocations, waiting workers, names of errors, start-up."""

import json
from collections.abc import Callable
from typing import Any

from botocore.exceptions import ClientError

from skipscan.aws import clients
from verify import environment
from verify.check import check, hold
from verify.kit import Kit

LAMBDA = "https://docs.aws.amazon.com/lambda/latest/dg"
STATES = "https://docs.aws.amazon.com/step-functions/latest/dg"
NO_SLOT = "Lambda.TooManyRequestsException"
WORKERS = 8
REFUSALS = 2 * WORKERS
STARTS = 8


def refusal(call: Callable[..., object], **requested: object) -> str:
    """Return the code of the error that a call is refused with; an empty one if it is not."""
    try:
        call(**requested)
    except ClientError as error:
        return str(error.response["Error"]["Code"])
    return ""


@check(
    "refused-invocation",
    "Lambda refuses an invocation without a free slot with 429 and TooManyRequestsException.",
    source=f"{LAMBDA}/lambda-concurrency.html",
    breaks="Workers that find no slot fail the run.",
    seconds=30.0,
)
def refused_invocation(kit: Kit) -> str:
    client, name = kit.client("lambda"), kit.named("function")
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
        client.put_function_concurrency(FunctionName=kit.named("function"), ReservedConcurrentExecutions=0)
        try:
            execution = kit.execute("waiting", {"workers": [{"worker": number} for number in range(WORKERS)]})

            def look() -> list[float] | None:
                found = _refusals(states, execution)
                status = states.describe_execution(executionArn=execution)["status"]
                return found if len(found) >= REFUSALS or status != "RUNNING" else None

            times = kit.until("refusals of the workers", look, seconds=120)
        finally:
            client.delete_function_concurrency(FunctionName=kit.named("function"))
        end = kit.ended(execution)
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
    "error-names",
    "Step Functions catches what a function raises by the name of its class.",
    source=f"{STATES}/concepts-error-handling.html",
    breaks="Errors that nothing can mend are tried again for minutes.",
    dollars=0.001,
    seconds=10.0,
)
def error_names(kit: Kit) -> str:
    # An input that is an object, or nothing can be added to it.
    end = kit.ended(kit.execute("failing", {}))
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
    answer = kit.client("lambda").invoke(FunctionName=kit.named("function"), Payload=json.dumps({"models": MODELLED}))
    found = json.loads(answer["Payload"].read())
    seen = f"botocore {found['botocore']} in {environment.runtime(kit)['Runtime']}"
    hold(not found["lacks"], f"{seen} lacks {', '.join('.'.join(pair) for pair in found['lacks'])}")
    return seen
