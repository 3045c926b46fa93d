"""The policy that a deployment needs, for one account, region and environment."""

import json
from collections.abc import Iterator
from typing import Any

from skipscan.cli.stack.packaged import Packaged
from skipscan.cli.stack.place import StackPlace
from skipscan.cli.stack.wanted import DeployOptions
from skipscan.errors import InputError
from skipscan.inputs.names import in_partition, quoted

BOUND = (
    *("iam:AttachRolePolicy", "iam:CreateRole", "iam:DeleteRolePolicy", "iam:DetachRolePolicy"),
    *("iam:PutRolePermissionsBoundary", "iam:PutRolePolicy"),
)
"""The actions whose condition key `iam:PermissionsBoundary` keeps every role within its boundary: IAM user guide,
"Permissions boundaries for IAM entities", "Delegating responsibility to others using permissions boundaries"."""
UNBOUND = "iam:DeleteRolePermissionsBoundary"
OWN = "skipscan-"


def permissions(
    packaged: Packaged, place: StackPlace, role: str | None, code_bucket: str | None, wanted: DeployOptions
) -> dict[str, Any]:
    """Return the policy for the person or program that runs `skipscan deploy` and `skipscan destroy`.

    `role`: what CloudFormation takes on; without one, it makes the stack with the permissions of its caller. Raises
    `InputError` for a permissions boundary that bounds nothing.
    """
    boundary = wanted.permissions_boundary or ""
    if boundary.startswith(OWN):
        raise InputError(
            f"--permissions-boundary is {quoted(boundary)}; whoever deploys may change policies whose names begin with "
            f"{OWN}, so it would bound nothing: use a policy with another name"
        )
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
        made = [each for each in packaged.policy("cloudformation")["Statement"] if each["Sid"] not in OF_THE_CDK]
        statements += _bound(made, f"arn:aws:iam::ACCOUNT:policy/{boundary}") if boundary else made
    text = json.dumps(statements)
    bucket = code_bucket or place.code_bucket
    for before, after in (
        ("skipscan-code-ACCOUNT-REGION-an", bucket),
        (f":role/{OWN}", f":role{wanted.role_path or '/'}{OWN}"),
        ("ACCOUNT", place.account),
        ("REGION", place.region),
        ("ENVIRONMENT", place.environment),
    ):
        text = text.replace(before, after)
    return {"Version": "2012-10-17", "Statement": json.loads(in_partition(text, place.partition))}


def power(role: str | None, boundary: str | None) -> str:
    """Return what the holder of the policy can do in the end."""
    if role:
        return f"its holder can do whatever {role} may do, with a template of its own"
    if boundary:
        return f"its holder can do whatever {boundary} allows, as a role {OWN}* of its own"
    return (
        f"its holder is equal to an administrator, who can give a role {OWN}* any permission and run code as it. "
        "--permissions-boundary prints a policy for roles with that boundary only"
    )


def _bound(statements: list[dict[str, Any]], boundary: str) -> Iterator[dict[str, Any]]:
    """Return the statements so that they only make and change roles with this boundary, and take it from none."""
    for each in statements:
        actions = each["Action"] if isinstance(each["Action"], list) else [each["Action"]]
        if free := [action for action in actions if action not in (*BOUND, UNBOUND)]:
            yield {**each, "Action": free}
        if bound := [action for action in actions if action in BOUND]:
            condition = {**each.get("Condition", {}), "StringEquals": {"iam:PermissionsBoundary": boundary}}
            yield {**each, "Sid": f"{each['Sid']}Bound", "Action": bound, "Condition": condition}


OF_THE_CDK = {"WhatTheBootstrapKeeps", "TheZip"}
"""Statements about the CDK's bootstrap, which is not needed here."""
