"""The policy that a deployment needs, for one account, region and environment."""

import json
from typing import Any

from skipscan.cli.partition import in_partition
from skipscan.cli.stack.packaged import Packaged
from skipscan.cli.stack.place import Place


def permissions(packaged: Packaged, place: Place, role: str | None, code_bucket: str | None) -> dict[str, Any]:
    """Return the policy for the person or program that runs `skipscan deploy` and `skipscan destroy`.

    `role`: what CloudFormation takes on; without one, it makes the stack with the permissions of its caller.
    """
    statements = packaged.policy("deploy-command")["Statement"]
    if role:
        statements.append(
            {
                "Sid": "HandCloudFormationItsRole",
                "Effect": "Allow",
                "Action": "iam:PassRole",
                "Resource": role,
                "Condition": {"StringEquals": {"iam:PassedToService": "cloudformation.amazonaws.com"}},
            }
        )
    else:
        statements += [each for each in packaged.policy("cloudformation")["Statement"] if each["Sid"] not in OF_THE_CDK]
    text = json.dumps(statements)
    bucket = code_bucket or place.code_bucket
    for before, after in (
        ("skipscan-code-ACCOUNT-REGION", bucket),
        ("ACCOUNT", place.account),
        ("REGION", place.region),
        ("ENVIRONMENT", place.environment),
    ):
        text = text.replace(before, after)
    return {"Version": "2012-10-17", "Statement": json.loads(in_partition(text, place.partition))}


OF_THE_CDK = {"WhatTheBootstrapKeeps", "TheZip"}
"""Statements about the CDK's bootstrap, which is not needed here."""
