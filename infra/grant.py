"""Grants one permission to one role, with the reason for every wildcard in it."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from aws_cdk import Acknowledgment, Stack, Validations
from aws_cdk import aws_iam as iam
from constructs import Construct

STATEMENT_CHARACTERS = 2_700
"""Of the resources in a statement. The CDK moves whole statements of a long policy into managed policies of up to
6,000 characters, so two fit into each. It does not merge statements that would be longer than 2,000 characters."""


def allow(
    role: iam.IRole,
    actions: str | Sequence[str],
    resources: Sequence[str],
    *,
    conditions: Mapping[str, Mapping[str, str | list[str]]] | None = None,
    why_wildcard: str = "",
) -> None:
    """Grant an action to a role. `why_wildcard`: why a resource with a `*` cannot be named."""
    for part in _cut(role, resources):
        role.add_to_principal_policy(
            iam.PolicyStatement(
                actions=[actions] if isinstance(actions, str) else list(actions),
                resources=part,
                conditions=conditions,
            )
        )
    if why_wildcard:
        acknowledge_wildcards(role, resources, why_wildcard)


def via(stack: Stack, service: str) -> dict[str, dict[str, str | list[str]]]:
    """Return the condition that a key is only used through a service, given by its name in endpoints.

    AWS documents `SERVICE.REGION.amazonaws.com` for every region (https://docs.aws.amazon.com/kms/latest/developerguide/
    conditions-kms.html, "kms:ViaService"). Endpoints in China have another domain, so both are allowed there.
    """
    name = f"{service}.{stack.region}.amazonaws.com"
    return {"StringEquals": {"kms:ViaService": [name, f"{name}.cn"] if stack.region.startswith("cn-") else name}}


def _cut(role: iam.IRole, resources: Sequence[str]) -> Iterator[list[str]]:
    """Return the resources in parts that fit into a statement of `STATEMENT_CHARACTERS`."""
    part: list[str] = []
    left = STATEMENT_CHARACTERS
    for resource in resources:
        left -= len(_written(role, resource)) + len('"",')
        if left < 0 and part:
            yield part
            part, left = [], STATEMENT_CHARACTERS
        part.append(resource)
    yield part


def allow_prices(role: iam.IRole) -> None:
    """Grant the right to read prices."""
    allow(role, "pricing:GetProducts", ["*"], why_wildcard="The price list has no resources that could be named.")


def allow_slots(role: iam.IRole) -> None:
    """Grant the right to read the account's Lambda concurrency."""
    allow(role, "lambda:GetAccountSettings", ["*"], why_wildcard="The settings of an account have no resource.")


def acknowledge_wildcards(scope: Construct | iam.IRole, resources: Sequence[str], reason: str) -> None:
    """Acknowledge to cdk-nag the wildcards in these resources; others in the same policy still count as findings."""
    for resource in resources:
        acknowledge(scope, f"AwsSolutions-IAM5[Resource::{_written(scope, resource)}]", reason)


def acknowledge(scope: Construct | iam.IRole, finding: str, reason: str) -> None:
    """Acknowledge to cdk-nag a finding on a construct, with the reason."""
    Validations.of(scope).acknowledge(Acknowledgment(id=f"AwsSolutions::{finding}", reason=reason))


def _written(scope: Construct | iam.IRole, resource: str) -> str:
    """Return a resource as cdk-nag writes it: `<Id.Arn>` where the template refers to another resource's ARN."""
    resolved = Stack.of(scope).resolve(resource)
    parts = resolved["Fn::Join"][1] if "Fn::Join" in resolved else [resolved]
    return "".join(part if isinstance(part, str) else _reference(part) for part in parts)


def _reference(part: Mapping[str, Any]) -> str:
    match part:
        case {"Ref": name}:
            return f"<{name}>"
        case {"Fn::GetAtt": [*names]}:
            return f"<{'.'.join(names)}>"
    return json.dumps(part, separators=(",", ":"))
