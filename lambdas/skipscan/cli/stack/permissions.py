"""The files that the wheel contains for a deployment, and the policy that it needs in an account and region."""

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

from skipscan.cli.commands.policy import filled
from skipscan.cli.stack.deploy_options import DeployOptions, check_pattern
from skipscan.cli.stack.place import StackPlace
from skipscan.errors import InputError, NotFoundError

FOLDER = Path(__file__).parent / "packaged"
TEMPLATE = "skipscan.template.json"


@dataclass(frozen=True)
class Packaged:
    """The files of a folder that `make package` or `make wheel` has written."""

    folder: Path

    @classmethod
    def installed(cls) -> "Packaged":
        """Return the files of this installation or of SKIPSCAN_PACKAGE; raise `NotFoundError` if there are none."""
        folder = Path(os.environ.get("SKIPSCAN_PACKAGE") or FOLDER)
        if not (folder / TEMPLATE).exists():
            raise NotFoundError(
                "this installation",
                rule="has no packaged template",
                remedy="install the wheel that `make wheel` builds, or deploy from the checkout with make deploy "
                "ENV=NAME",
            )
        return cls(folder)

    @cached_property
    def template(self) -> bytes:
        return (self.folder / TEMPLATE).read_bytes()

    @cached_property
    def declared(self) -> Mapping[str, Any]:
        """The template's parameters."""
        found: Mapping[str, Any] = json.loads(self.template)["Parameters"]
        return found

    @property
    def version(self) -> str:
        return str(json.loads(self.template)["Outputs"]["Version"]["Value"])

    @property
    def template_name(self) -> str:
        return f"skipscan-{sha256(self.template).hexdigest()[:16]}.template.json"

    @property
    def zip_name(self) -> str:
        return str(self.declared["CodeKey"]["Default"])

    @cached_property
    def zip(self) -> bytes:
        return (self.folder / self.zip_name).read_bytes()

    def policy(self, name: str) -> dict[str, Any]:
        """Return a packaged policy with its placeholders."""
        found: dict[str, Any] = json.loads((self.folder / "policies" / f"{name}.json").read_text(encoding="utf-8"))
        return found


BOUND = (
    *("iam:AttachRolePolicy", "iam:CreateRole", "iam:DeleteRolePolicy", "iam:DetachRolePolicy"),
    *("iam:PutRolePermissionsBoundary", "iam:PutRolePolicy"),
)
"""The actions whose condition key `iam:PermissionsBoundary` keeps every role within its boundary: IAM user guide,
"Permissions boundaries for IAM entities", "Delegating responsibility to others using permissions boundaries"."""
UNBOUND = "iam:DeleteRolePermissionsBoundary"
OWN = "skipscan-"


def permissions(
    packaged: Packaged, place: StackPlace, role: str | None, code_bucket: str | None, options: DeployOptions
) -> dict[str, Any]:
    """Return the policy for the person or program that runs `skipscan deploy` and `skipscan destroy`.

    `role`: what CloudFormation takes on; without one, it makes the stack with the permissions of its caller. Raises
    `InputError` for a permissions boundary that bounds nothing, and for a name that the template does not take.
    """
    boundary, path = options.permissions_boundary or "", options.role_path or "/"
    check_pattern(packaged.declared, "PermissionsBoundary", boundary)
    check_pattern(packaged.declared, "RolePath", path)
    if boundary.startswith(OWN):
        raise InputError(
            "--permissions-boundary",
            boundary,
            f"whoever deploys may change policies whose names begin with {OWN}, so it would bound nothing",
            "use a policy with another name",
        )
    statements = packaged.policy("deploy-command")["Statement"]
    if role:
        statements.append(
            {
                "Sid": "HandCloudFormationItsRole",
                "Effect": "Allow",
                "Action": "iam:PassRole",
                "Resource": "ROLE",
                "Condition": {"StringEquals": {"iam:PassedToService": "cloudformation.amazonaws.com"}},
            }
        )
    else:
        made = [each for each in packaged.policy("cloudformation")["Statement"] if each["Sid"] not in OF_THE_CDK]
        statements += _bound(made, "arn:aws:iam::ACCOUNT:policy/BOUNDARY") if boundary else made
    values = {
        "skipscan-code-ACCOUNT-REGION-an": code_bucket or place.code_bucket,
        f":role/{OWN}": f":role{path}{OWN}",
        "ACCOUNT": place.account,
        "REGION": place.region,
        "ENVIRONMENT": place.environment,
        "BOUNDARY": boundary,
        "ROLE": role or "",
    }
    return {"Version": "2012-10-17", "Statement": filled(statements, values, place.partition)}


def power(role: str | None, boundary: str | None) -> str:
    """Return a sentence about the power that the policy gives."""
    if role:
        return f"its holder can do whatever {role} may do, with a template of its own"
    if boundary:
        return f"its holder can do whatever {boundary} allows, as a role {OWN}* of its own"
    return (
        f"its holder is equal to an administrator, who can give a role {OWN}* any permission and run code as it. "
        "--permissions-boundary prints a policy for roles with that boundary only"
    )


def _bound(statements: list[dict[str, Any]], boundary: str) -> Iterator[dict[str, Any]]:
    """Return the statements limited to roles with this permissions boundary, which they cannot remove."""
    for each in statements:
        actions = each["Action"] if isinstance(each["Action"], list) else [each["Action"]]
        if free := [action for action in actions if action not in (*BOUND, UNBOUND)]:
            yield {**each, "Action": free}
        if bound := [action for action in actions if action in BOUND]:
            condition = {**each.get("Condition", {}), "StringEquals": {"iam:PermissionsBoundary": boundary}}
            yield {**each, "Sid": f"{each['Sid']}Bound", "Action": bound, "Condition": condition}


OF_THE_CDK = {"WhatTheBootstrapKeeps", "TheZip"}
"""Statements about the CDK's bootstrap, which is not needed here."""
