"""Grants one permission to one role, with the reason for every wildcard in it; refuses policies that are too large.

https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html: the size of a managed policy, of all inline
policies of a role together, neither with white space, and the managed policies of a role.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import jsii
from aws_cdk import Acknowledgment, Stack, Validations
from aws_cdk import aws_iam as iam
from constructs import Construct, IValidation

from .section import CdkJsonError

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
                conditions=conditions or None,
            )
        )
    if why_wildcard:
        acknowledge_wildcards(role, resources, why_wildcard)


def arn_here(scope: Construct | iam.IRole, service: str, resource: str) -> str:
    """Return the ARN of a resource of a service, in the scope's account and region."""
    stack = Stack.of(scope)
    return f"arn:{stack.partition}:{service}:{stack.region}:{stack.account}:{resource}"


def via(scope: Construct, service: str) -> dict[str, dict[str, str | list[str]]]:
    """Return the condition that a key is only used through a service, given by its name in endpoints.

    AWS documents `SERVICE.REGION.amazonaws.com` for every region (https://docs.aws.amazon.com/kms/latest/developerguide/
    conditions-kms.html, "kms:ViaService"). Endpoints in China have another domain, so both are allowed there.
    """
    region = Stack.of(scope).region
    name = f"{service}.{region}.amazonaws.com"
    return {"StringEquals": {"kms:ViaService": [name, f"{name}.cn"] if region.startswith("cn-") else name}}


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


def acknowledge_wildcards(scope: Construct | iam.IRole, resources: Sequence[str], reason: str) -> None:
    """Acknowledge to cdk-nag the wildcards in these resources; others in the same policy still count as findings."""
    for resource in resources:
        acknowledge(scope, f"AwsSolutions-IAM5[Resource::{_written(scope, resource)}]", reason)


def acknowledge(scope: Construct | iam.IRole, finding: str, reason: str) -> None:
    """Acknowledge to cdk-nag a finding on a construct, with the reason."""
    Validations.of(scope).acknowledge(Acknowledgment(id=f"AwsSolutions::{finding}", reason=reason))


def _written(scope: Construct | iam.IRole, resource: str) -> str:
    """Return a resource as cdk-nag writes it: `<Id.Arn>` where the template refers to another resource's ARN."""
    parts = parts_of(Stack.of(scope).resolve(resource))
    return "".join(part if isinstance(part, str) else _reference(part) for part in parts)


def parts_of(resolved: Any) -> list[Any]:
    """Return the texts and intrinsic functions that a resolved text consists of."""
    match resolved:
        case {"Fn::Join": ["", [*parts]]}:
            return parts
    return [resolved]


def _reference(part: Mapping[str, Any]) -> str:
    match part:
        case {"Ref": name}:
            return f"<{name}>"
        case {"Fn::GetAtt": [*names]}:
            return f"<{'.'.join(names)}>"
    return json.dumps(part, separators=(",", ":"))


MANAGED_CHARACTERS, INLINE_CHARACTERS, MANAGED_POLICIES = 6_144, 10_240, 10
PARTITION_CHARACTERS = len("aws-us-gov")
REFERENCE_CHARACTERS = len("arn:aws:s3:::") + 63
"""Of a value that is only known at deployment. Most are the ARN of a bucket, whose name has up to 63 characters."""


@contextmanager
def validation_refused() -> Iterator[None]:
    """Raise the CDK's error about what `validate` found as a `CdkJsonError`."""
    try:
        yield
    except RuntimeError as error:
        _, failed, found = str(error).partition("Validation failed with the following errors:")
        if not failed:
            raise
        raise CdkJsonError(f"cdk.json: {found.strip()}") from None


@jsii.implements(IValidation)
class PolicySizes:
    """Everything below `scope` is checked when the app is synthesised, after the CDK has split long policies."""

    def __init__(self, scope: Construct) -> None:
        self._scope, self._stack = scope, Stack.of(scope)

    def validate(self) -> list[str]:
        """Return the first thing that exceeds a quota, with the number, the quota and the way out."""
        inline: defaultdict[str, int] = defaultdict(int)
        managed: Counter[str] = Counter()
        said: list[str] = []
        for each in self._scope.node.find_all():
            if isinstance(each, iam.CfnPolicy):
                for role in self._stack.resolve(each.roles) or []:
                    inline[_name(role)] += self._size(each.policy_document)
            elif isinstance(each, iam.CfnManagedPolicy):
                managed.update(_name(role) for role in self._stack.resolve(each.roles) or [])
                size, where = self._size(each.policy_document), each.node.path
                said += _above(f"{where} has {size:,} characters", size, MANAGED_CHARACTERS, "a managed policy")
        for role, size in inline.items():
            words = f"the inline policies of {role} have {size:,} characters"
            said += _above(words, size, INLINE_CHARACTERS, "the inline policies of a role")
        for role, count in managed.items():
            said += _above(
                f"{role} has {count} managed policies", count, MANAGED_POLICIES, "the managed policies of a role"
            )
        return said[:1]  # with too many tables, a dozen policies exceed it

    def _size(self, document: Any) -> int:
        """Return how long a policy is at most as JSON without white space."""
        return len(json.dumps(_spelled(self._stack.resolve(document)), separators=(",", ":")))


def _spelled(value: Any) -> Any:
    match value:
        case {"Ref": "AWS::Partition"}:
            return "x" * PARTITION_CHARACTERS
        case {"Fn::Join": [separator, [*parts]]}:
            return str(separator).join(str(_spelled(part)) for part in parts)
        case dict() if len(value) == 1 and next(iter(value)).startswith(("Ref", "Fn::")):
            # Any function: Fn::ImportValue of another stack's table, Fn::Select of an imported ARN, and others.
            return "x" * REFERENCE_CHARACTERS
        case dict():
            return {name: _spelled(each) for name, each in value.items()}
        case list():
            return [_spelled(each) for each in value]
    return value


def _name(role: Any) -> str:
    return str(role.get("Ref") or _reference(role)) if isinstance(role, dict) else str(role)


def _above(words: str, number: int, ceiling: int, what: str) -> Iterator[str]:
    if number > ceiling:
        yield f"{words}; IAM allows {ceiling:,} for {what}: move some of the tables to another environment"
