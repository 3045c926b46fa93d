"""`python -m infra.emptying ENV`: empties the bucket of an environment that does not keep its results. It asks first.

CloudFormation can only delete an empty bucket. Where results are kept, it says which bucket stays.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

import boto3
from botocore.exceptions import BotoCoreError, ClientError

from skipscan.aws.clients import CloudFormationClient
from skipscan.environment import executions
from skipscan.errors import InputError, NotFoundError

from .environment import Environment
from .section import CdkJsonError, ending
from .target import CDK_JSON, environment_named


def empty(environment: Environment, session: Any, ask: Callable[[str], str]) -> str:
    """Return what stays when the stack is removed, or how many objects of its bucket were removed; empty for none.

    Raises `InputError` if the stack is not the one to empty.
    """
    cloudformation: CloudFormationClient = session.client("cloudformation")
    try:
        deployed = executions.find_deployment(cloudformation, environment.name)
    except NotFoundError:
        return ""  # nothing is deployed; the CDK reports that
    if environment.keep_results:
        way = f"To remove them as well: aws s3 rb --force s3://{deployed.bucket}"
        return f"What stays: bucket {deployed.bucket} with all results. {way}"
    account = deployed.machines["run"].split(":")[4]
    if account != environment.account:
        raise InputError(
            "the credentials",
            rule=f"are for account {account}; environment {environment.name} is in account {environment.account}",
            remedy="use credentials of that account",
        )
    if not _goes_with_its_stack(cloudformation, environment.deployment):
        raise InputError(
            "keep_results",
            False,
            f"{environment.deployment} was deployed with keep_results true",
            f"deploy it again (make deploy ENV={environment.name}), or leave keep_results out",
        )
    question = (
        f"This deletes the stack and all results in bucket {deployed.bucket}, forever. Type {environment.name} to "
        "continue: "
    )
    try:
        answer = ask(question)
    except EOFError:  # nobody is there to answer
        answer = ""
    if answer.strip() != environment.name:
        raise InputError(
            "the name", rule="was not confirmed, so nothing was removed", remedy=f"type {environment.name} to remove it"
        )
    removed = _remove(session, deployed.bucket)
    return f"{removed:,} objects removed" if removed else ""


def _goes_with_its_stack(cloudformation: CloudFormationClient, stack: str) -> bool:
    body = cloudformation.get_template(StackName=stack)["TemplateBody"]
    template = json.loads(body) if isinstance(body, str) else body
    buckets = [each for each in template["Resources"].values() if each["Type"] == "AWS::S3::Bucket"]
    return [bucket.get("DeletionPolicy") for bucket in buckets] == ["Delete"]


def _remove(session: Any, bucket: str) -> int:
    s3, removed = session.client("s3"), 0
    for page in s3.get_paginator("list_objects_v2").paginate(Bucket=bucket):
        if objects := page.get("Contents", []):
            answer = s3.delete_objects(
                Bucket=bucket, Delete={"Objects": [{"Key": entry["Key"]} for entry in objects], "Quiet": True}
            )
            if errors := answer.get("Errors"):
                raise InputError(
                    f"{len(errors)} objects",
                    rule=f"could not be removed ({errors[0].get('Code')})",
                    remedy="check your permissions",
                )
            removed += len(objects)
    return removed


if __name__ == "__main__":
    with ending(CdkJsonError, InputError, BotoCoreError, ClientError):
        chosen = environment_named(sys.argv[1], CDK_JSON.read_bytes())
        if said := empty(chosen, boto3.Session(region_name=chosen.region), input):
            sys.stdout.write(f"{said}\n")
