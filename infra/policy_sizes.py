"""Refuses at synth policies that IAM would refuse at deployment.

https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html: the size of a managed policy, of all inline
policies of a role together, neither with white space, and the managed policies of a role.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import jsii
from aws_cdk import Stack
from aws_cdk import aws_iam as iam
from constructs import Construct, IValidation

from .section import CdkJsonError

MANAGED_CHARACTERS, INLINE_CHARACTERS, MANAGED_POLICIES = 6_144, 10_240, 10
PARTITION_CHARACTERS = len("aws-us-gov")
REFERENCE_CHARACTERS = len("arn:aws:s3:::") + 63
"""Of a value that is only known at deployment. Most are the ARN of a bucket, whose name has up to 63 characters."""


@contextmanager
def refused() -> Iterator[None]:
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
        return _characters(self._stack.resolve(document))


def _characters(document: Any) -> int:
    """Return how long a resolved policy is at most as JSON without white space."""
    return len(json.dumps(_spelled(document), separators=(",", ":")))


def _spelled(value: Any) -> Any:
    match value:
        case {"Ref": "AWS::Partition"}:
            return "x" * PARTITION_CHARACTERS
        case {"Fn::Join": [separator, [*parts]]}:
            return str(separator).join(map(_spelled, parts))
        case {"Ref": _} | {"Fn::GetAtt": _} | {"Fn::If": _}:
            return "x" * REFERENCE_CHARACTERS
        case dict():
            return {name: _spelled(each) for name, each in value.items()}
        case list():
            return [_spelled(each) for each in value]
    return value


def _name(role: Any) -> str:
    return str(role["Ref"]) if isinstance(role, dict) else str(role)


def _above(words: str, number: int, ceiling: int, what: str) -> Iterator[str]:
    if number > ceiling:
        yield f"{words}; IAM allows {ceiling:,} for {what}: move some of the tables to another environment"
