"""Lambda and Step Functions: refused invocations, waiting workers, names of errors, start-up."""

import base64
import io
import json
import re
import zipfile
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from botocore.exceptions import ClientError

from skipscan.aws import clients
from skipscan.aws.concurrency import Slots
from skipscan.estimate.worker import START_SECONDS
from verify.check import NotTriedError, check, hold
from verify.checks.skips import refusal
from verify.kit import Kit
from verify.thing import TAG, Kind

LAMBDA = "https://docs.aws.amazon.com/lambda/latest/dg"
STATES = "https://docs.aws.amazon.com/step-functions/latest/dg"
NO_SLOT = "Lambda.TooManyRequestsException"
WORKERS = 8
REFUSALS = 2 * WORKERS
STARTS = 8
CODE = """
class MadeUpError(Exception):
    pass

def handler(event, context):
    if event.get("fail"):
        raise MadeUpError("made up")
    return event
"""


def role(kit: Kit) -> str:
    """Return the ARN of a role that may invoke the kit's function and write nothing anywhere."""

    def make() -> str:
        iam, name = kit.client("iam"), kit.record(Kind.ROLE, kit.name("role"))
        services = [f"{service}.amazonaws.com" for service in ("lambda", "states")]
        trust = {"Effect": "Allow", "Principal": {"Service": services}, "Action": "sts:AssumeRole"}
        arn: str = iam.create_role(RoleName=name, AssumeRolePolicyDocument=_policy(trust), Tags=kit.tags)["Role"]["Arn"]
        partition, account = arn.split(":")[1], arn.split(":")[4]
        function = f"arn:{partition}:lambda:{kit.region}:{account}:function:{kit.name('function')}"
        allowed = {"Effect": "Allow", "Action": "lambda:InvokeFunction", "Resource": function}
        iam.put_role_policy(RoleName=name, PolicyName="invoke", PolicyDocument=_policy(allowed))
        return arn

    return kit.once("role", make)


def _policy(statement: dict[str, Any]) -> str:
    return json.dumps({"Version": "2012-10-17", "Statement": [statement]})


def function(kit: Kit) -> str:
    """Return the ARN of a function of the kit's own, which returns its event or fails if told."""

    def make() -> str:
        client, name = kit.client("lambda"), kit.record(Kind.FUNCTION, kit.name("function"))
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            entry = zipfile.ZipInfo("made_up.py")
            entry.external_attr = 0o644 << 16  # or Lambda may not read it
            archive.writestr(entry, CODE)
        asked: dict[str, Any] = {
            "FunctionName": name,
            "Runtime": "python3.13",
            "Architectures": ["arm64"],
            "Handler": "made_up.handler",
            "Role": role(kit),
            "Code": {"ZipFile": packed.getvalue()},
            "Tags": {TAG: kit.deployment.environment},
        }

        def create() -> str | None:
            try:
                return str(client.create_function(**asked)["FunctionArn"])
            except ClientError as error:
                # A new role takes seconds until Lambda can assume it.
                if error.response["Error"]["Code"] != "InvalidParameterValueException":
                    raise
                return None

        arn = kit.until("a role that Lambda can assume", create, seconds=60)
        client.get_waiter("function_active_v2").wait(FunctionName=name, WaiterConfig={"Delay": 1, "MaxAttempts": 120})
        return arn

    return kit.once("function", make)


def machine(kit: Kit, name: str, states: dict[str, Any]) -> str:
    """Return the ARN of a state machine of the kit's own, that begins with the first of these states."""
    definition = json.dumps({"StartAt": next(iter(states)), "States": states})
    client, full_name = kit.client("stepfunctions"), kit.name(name)
    role_arn = role(kit)
    partition, account = role_arn.split(":")[1], role_arn.split(":")[4]
    # It is recorded by its ARN, which is what it is removed by.
    kit.record(Kind.STATE_MACHINE, f"arn:{partition}:states:{kit.region}:{account}:stateMachine:{full_name}")
    tags = [{"key": tag["Key"], "value": tag["Value"]} for tag in kit.tags]

    def create() -> str | None:
        try:
            made = client.create_state_machine(name=full_name, definition=definition, roleArn=role_arn, tags=tags)
        except ClientError as error:
            if error.response["Error"]["Code"] != "AccessDeniedException" or "role" not in str(error):
                raise
            return None
        return str(made["stateMachineArn"])

    return kit.until("a role that Step Functions can assume", create, seconds=60)


def execute(kit: Kit, arn: str) -> str:
    """Start an execution of one of the kit's machines; return its ARN."""
    return kit.record(Kind.EXECUTION, kit.client("stepfunctions").start_execution(stateMachineArn=arn)["executionArn"])


def ended(kit: Kit, execution: str) -> Any:
    def look() -> Any:
        found = kit.client("stepfunctions").describe_execution(executionArn=execution)
        return None if found["status"] == "RUNNING" else found

    return kit.until("the end of an execution", look)


def deployed_retriers(kit: Kit) -> Any:
    """Return the retriers of the task that the environment's workers turn."""
    described = kit.client("stepfunctions").describe_state_machine(stateMachineArn=kit.deployment.machines["run"])
    states = json.loads(described["definition"])["States"]
    workers = next(state for state in states.values() if state["Type"] == "Map")
    inner = (workers.get("ItemProcessor") or workers.get("Iterator"))["States"]
    return next(state["Retry"] for state in inner.values() if state["Type"] == "Task")


@check(
    "concurrency-limit",
    "GetAccountSettings tells how many functions may run at once.",
    source=f"{LAMBDA}/gettingstarted-limits.html",
    breaks="Plan takes Lambda's default of 1,000, and workers wait in a new account.",
)
def concurrency_limit(kit: Kit) -> str:
    kit.client("lambda").get_account_settings()
    slots = Slots.of(kit.client("lambda"), None)
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
    hold(len(times) >= REFUSALS, f"{len(times)} refusals are too few to tell")
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


@check(
    "start-up",
    f"The environment's function that scans starts within the {START_SECONDS:g} s that plans assume.",
    source=f"{LAMBDA}/lambda-runtime-environment.html",
    breaks="Minutes in plans are too few.",
    dollars=0.001,
    seconds=15.0,
)
def start_up(kit: Kit) -> str:
    name = kit.function(kit.states[1])["FunctionName"]

    def start(_: int) -> str:
        # An event that the function refuses before it reads or writes anything.
        answer = _once(kit).invoke(FunctionName=name, Payload=b"{}", LogType="Tail")
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
