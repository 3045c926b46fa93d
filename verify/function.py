"""A function and state machines of the kit's own, with a role that may invoke the function and nothing else."""

import io
import json
import zipfile
from typing import Any

from botocore.exceptions import ClientError

from verify import environment
from verify.kit import Kit
from verify.thing import TAG, Kind

CODE = """
class MadeUpError(Exception):
    pass

def handler(event, context):
    if event.get("fail"):
        raise MadeUpError("made up")
    if "Records" in event:  # of a stream: none whose key begins with "bad" succeeds
        bad = [each["dynamodb"] for each in event["Records"] if each["dynamodb"]["Keys"]["p"]["S"].startswith("bad")]
        return {"batchItemFailures": [{"itemIdentifier": each["SequenceNumber"]} for each in bad]}
    if event.get("models"):
        return models(event["models"])
    return event

def models(asked):
    import botocore.session
    model = botocore.session.get_session().get_service_model("dynamodb")
    lacks = [[shape, member] for shape, member in asked if member not in model.shape_for(shape).members]
    return {"botocore": botocore.__version__, "lacks": lacks}
"""


def role(kit: Kit) -> str:
    """Return the ARN of a role that may invoke the kit's function and write nothing anywhere."""

    def make() -> str:
        services = [f"{service}.amazonaws.com" for service in ("lambda", "states")]
        function = kit.arn("lambda", f"function:{kit.name('function')}")
        return make_role(
            kit,
            "role",
            {"Effect": "Allow", "Principal": {"Service": services}, "Action": "sts:AssumeRole"},
            {"Effect": "Allow", "Action": "lambda:InvokeFunction", "Resource": function},
        )

    return kit.once("role", make)


def make_role(kit: Kit, what: str, trust: dict[str, Any], *allowed: dict[str, Any]) -> str:
    """Create a role of the kit's own with these statements; return its ARN."""
    iam, name = kit.client("iam"), kit.record(Kind.ROLE, kit.name(what))
    made = iam.create_role(RoleName=name, AssumeRolePolicyDocument=_policy(trust), Tags=kit.tags)
    iam.put_role_policy(RoleName=name, PolicyName="allowed", PolicyDocument=_policy(*allowed))
    return str(made["Role"]["Arn"])


def _policy(*statements: dict[str, Any]) -> str:
    return json.dumps({"Version": "2012-10-17", "Statement": statements})


def function(kit: Kit) -> str:
    """Return the ARN of a function of the kit's own, which returns its event, or fails where the event says so."""
    return kit.once("function", lambda: make_function(kit, "function", role(kit)))


def make_function(kit: Kit, what: str, role: str) -> str:
    """Create a function of that code with a role; return its ARN."""
    client, name = kit.client("lambda"), kit.record(Kind.FUNCTION, kit.name(what))
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        entry = zipfile.ZipInfo("made_up.py")
        entry.external_attr = 0o644 << 16  # or Lambda may not read it
        archive.writestr(entry, CODE)
    asked: dict[str, Any] = {
        "FunctionName": name,
        **environment.runtime(kit),
        "Handler": "made_up.handler",
        "Role": role,
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


def machine(kit: Kit, name: str, states: dict[str, Any]) -> str:
    """Return the ARN of a state machine of the kit's own, that begins with the first of these states."""
    definition = json.dumps({"StartAt": next(iter(states)), "States": states})
    client, full_name = kit.client("stepfunctions"), kit.name(name)
    # It is recorded by its ARN, which is what it is removed by.
    kit.record(Kind.STATE_MACHINE, kit.arn("states", f"stateMachine:{full_name}"))
    role_arn = role(kit)
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


def execute(kit: Kit, arn: str, document: object = None) -> str:
    """Start an execution of one of the kit's machines; return its ARN."""
    started = kit.client("stepfunctions").start_execution(stateMachineArn=arn, input=json.dumps(document or {}))
    return kit.record(Kind.EXECUTION, started["executionArn"])


def ended(kit: Kit, execution: str) -> Any:
    def look() -> Any:
        found = kit.client("stepfunctions").describe_execution(executionArn=execution)
        return None if found["status"] == "RUNNING" else found

    return kit.until("the end of an execution", look)
