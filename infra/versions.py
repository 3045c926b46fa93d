"""`python -m infra.versions ENV`: lists the functions' versions that are no longer used, and how to remove them.

A deployment publishes versions. It keeps earlier ones for running executions and for those that may be redriven: Step
Functions allows this for 14 days (https://docs.aws.amazon.com/step-functions/latest/dg/redrive-executions.html).
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta

import boto3
from botocore.exceptions import BotoCoreError, ClientError

from skipscan.aws.clients import LambdaClient, SFNClient
from skipscan.environment import executions
from skipscan.errors import InputError, NotFoundError

from .section import CdkJsonError, ending
from .target import CDK_JSON, environment_named

REDRIVABLE = timedelta(days=14)
VERSION = re.compile(r"arn:aws[a-z-]*:lambda:[a-z0-9-]+:[0-9]{12}:function:[A-Za-z0-9_-]+:[0-9]+")


def unused(lambda_: LambdaClient, sfn: SFNClient, machines: Iterable[str]) -> list[str]:
    """Return the ARNs of the versions that are neither deployed nor needed by an execution of these machines."""
    used: set[str] = set()
    functions: set[str] = set()
    for machine in machines:
        deployed = _versions(sfn.describe_state_machine(stateMachineArn=machine)["definition"])
        functions |= {arn.rpartition(":")[0] for arn in deployed}
        used |= deployed
        for execution in _open(sfn, machine):
            used |= _versions(sfn.describe_state_machine_for_execution(executionArn=execution)["definition"])
    found = (arn for function in sorted(functions) for arn in _published(lambda_, function))
    return [arn for arn in found if arn not in used]


def _versions(definition: str) -> set[str]:
    return set(VERSION.findall(definition))


def _open(sfn: SFNClient, machine: str) -> Iterator[str]:
    """Return the executions that are running or may be redriven."""
    since = datetime.now(UTC) - REDRIVABLE
    for page in sfn.get_paginator("list_executions").paginate(stateMachineArn=machine):
        for execution in page["executions"]:
            ended = execution.get("stopDate")
            if execution["status"] != "SUCCEEDED" and (ended is None or ended > since):
                yield execution["executionArn"]


def _published(lambda_: LambdaClient, function: str) -> Iterator[str]:
    for page in lambda_.get_paginator("list_versions_by_function").paginate(FunctionName=function):
        for version in page["Versions"]:
            if version["Version"] != "$LATEST":
                yield f"{function}:{version['Version']}"


if __name__ == "__main__":
    with ending(CdkJsonError, InputError, NotFoundError, BotoCoreError, ClientError):
        chosen = environment_named(sys.argv[1], CDK_JSON.read_bytes())
        session = boto3.Session(region_name=chosen.region)
        deployed_ = executions.find_deployment(session.client("cloudformation"), chosen.name)
        clients = session.client("lambda"), session.client("stepfunctions")
        if spare := unused(*clients, deployed_.machines.values()):
            sys.stdout.write("No execution uses these versions:\n")
        for arn in spare:
            function, _, version = arn.rpartition(":")
            sys.stdout.write(f"aws lambda delete-function --function-name {function} --qualifier {version}\n")
