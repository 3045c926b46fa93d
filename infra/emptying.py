"""`python -m infra.emptying ENV`: empties the bucket of an environment that does not keep its results. It asks first.

CloudFormation can only delete an empty bucket. Where results are kept, the program says which bucket stays.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import boto3
from botocore.exceptions import BotoCoreError, ClientError

from skipscan.aws.clients import CloudFormationClient
from skipscan.environment.executions import Deployment, find_deployment
from skipscan.errors import InputError, NotFoundError

from .environment import Environment
from .section import CdkJsonError, ending
from .target import CDK_JSON, environment_named


def empty(environment: Environment, deployed: Deployment, session: Any, ask: Callable[[str], str]) -> int:
    """Return how many objects of its bucket were removed; raise `InputError` if the stack is not the one to empty."""
    account = deployed.machines["run"].split(":")[4]
    if account != environment.account:
        raise InputError(
            "the credentials",
            rule=f"are for account {account}; environment {environment.name} is in account {environment.account}",
            remedy="use credentials of that account",
        )
    if not _goes_with_its_stack(session.client("cloudformation"), environment.deployment):
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
    answers = session.resource("s3").Bucket(deployed.bucket).objects.delete()
    if errors := [error for answer in answers for error in answer.get("Errors", [])]:
        raise InputError(
            f"{len(errors)} objects",
            rule=f"could not be removed ({errors[0].get('Code')})",
            remedy="check your permissions",
        )
    return sum(len(answer["Deleted"]) for answer in answers)


def _goes_with_its_stack(cloudformation: CloudFormationClient, stack: str) -> bool:
    body = cloudformation.get_template(StackName=stack)["TemplateBody"]
    template = json.loads(body) if isinstance(body, str) else body
    buckets = [each for each in template["Resources"].values() if each["Type"] == "AWS::S3::Bucket"]
    return [bucket.get("DeletionPolicy") for bucket in buckets] == ["Delete"]


if __name__ == "__main__":
    with ending(CdkJsonError, InputError, BotoCoreError, ClientError):
        chosen = environment_named(sys.argv[1], CDK_JSON.read_bytes())
        session_ = boto3.Session(region_name=chosen.region)
        with suppress(NotFoundError):  # nothing is deployed; the CDK reports that
            found = find_deployment(session_.client("cloudformation"), chosen.name)
            if chosen.keep_results:
                sys.stdout.write(
                    f"What stays: bucket {found.bucket} with all results. To remove them as well: aws s3 rb --force "
                    f"s3://{found.bucket}\n"
                )
            else:
                sys.stdout.write(f"{empty(chosen, found, session_, input):,} objects removed\n")
