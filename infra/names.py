"""The names of a deployment's resources and outputs. One that is used twice is refused before AWS refuses it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from aws_cdk import CfnCondition, CfnOutput, CfnParameter, CfnResource, Fn, Stack, Token
from aws_cdk import aws_cloudwatch as cloudwatch
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_scheduler as scheduler
from aws_cdk import aws_stepfunctions as sfn
from constructs import Construct, IConstruct

from .section import CdkJsonError

MOST_RESOURCES, MOST_OUTPUTS = 500, 200
"""Of a stack: CloudFormation user guide, "CloudFormation quotas"."""

MOST_OF_A_TABLE = 200
"""Characters of a table's name in the key of an output, which has up to 255 (CloudFormation user guide, "CloudFormation
quotas"). The longest text before it is `TablePolicy` with an account."""

DIGEST = 8
UNIQUE = "each must be unique: rename a schedule, or use another environment for a table"


def digest(table: str) -> str:
    """Return what keeps a name unique that cannot hold all of a table's name."""
    return hashlib.sha256(table.encode()).hexdigest()[:DIGEST]


def output_key(first: str, table: str) -> str:
    """Return the key of an output about a table: letters and digits, and a hash for what is left out of the name."""
    plain = "".join(filter(str.isalnum, table))
    if plain == table and len(table) <= MOST_OF_A_TABLE:
        return f"{first}{table}"
    return f"{first}{plain[: MOST_OF_A_TABLE - DIGEST]}{digest(table)}"


def output(scope: Construct, id: str, *, key: str, value: str, description: str | None = None) -> None:
    """Add an output whose key is known to `Names`; CfnOutput's own `key` is not."""
    CfnOutput(scope, id, value=value, description=description).override_logical_id(key)


def free(scope: Construct, id: str) -> str:
    """Return the id of a new construct; raise `CdkJsonError` if the scope has one of that id."""
    if scope.node.try_find_child(id):
        raise CdkJsonError(f'cdk.json: "{id}" is the name of two resources of an environment; {UNIQUE}')
    return id


class Names:
    """The names that a deployment gives its resources and outputs, each with what has it.

    `environment`: its name in cdk.json. `place`: the account and region, in which names of resources are unique.
    """

    def __init__(self, scope: Construct, environment: str, account: str, region: str) -> None:
        stack = Stack.of(scope)
        is_known = not (Token.is_unresolved(account) or Token.is_unresolved(region))
        self._environment, self._stack = environment, stack.node.path
        self._place = f"{account} {region}" if is_known else self._stack
        everything = scope.node.find_all()
        self._check_numbers(everything)
        self._named: dict[tuple[str, str, str], None] = {}
        for kind, name in _named(everything):
            resolved = stack.resolve(name)
            if not isinstance(resolved, str):
                continue  # known at deployment only
            entry = (self._stack if kind == OUTPUT else self._place, kind, resolved)
            if entry in self._named:
                raise CdkJsonError(f'cdk.json: "{resolved}" is the name of two resources of an environment; {UNIQUE}')
            self._named[entry] = None

    def check_beside(self, other: Names) -> None:
        """Raise `CdkJsonError` if another deployment of the app has one of these names."""
        for entry in self._named:
            if entry in other._named:
                _, kind, name = entry
                raise CdkJsonError(
                    f'cdk.json: "{name}" is the name of {kind} in both {other._environment} and {self._environment}, '
                    "which share an account and a region; each must be unique: rename one of the environments"
                )

    def _check_numbers(self, everything: list[IConstruct]) -> None:
        for kind, most in ((CfnResource, MOST_RESOURCES), (CfnOutput, MOST_OUTPUTS)):
            count = sum(isinstance(each, kind) for each in everything)
            if count > most:
                what = kind.__name__.removeprefix("Cfn").lower()
                raise CdkJsonError(
                    f"cdk.json: environment {self._environment} has {count} {what}s; a stack may have {most}: use "
                    "another environment for some of the tables"
                )


OUTPUT = "an output"


NAMED = {
    lambda_.CfnFunction: ("a function", "function_name"),
    sfn.CfnStateMachine: ("a state machine", "state_machine_name"),
    cloudwatch.CfnAlarm: ("an alarm", "alarm_name"),
    cloudwatch.CfnCompositeAlarm: ("an alarm", "alarm_name"),
    cloudwatch.CfnDashboard: ("a dashboard", "dashboard_name"),
    scheduler.CfnSchedule: ("a schedule", "name"),
    CfnOutput: (OUTPUT, "logical_id"),
}
"""What has a name in the template, and its attribute. A log group has its function's name."""


def _named(everything: list[IConstruct]) -> Iterator[tuple[str, str | None]]:
    """Return every name that the template gives, after what it names."""
    for each in everything:
        for kind, (what, attribute) in NAMED.items():
            if isinstance(each, kind):
                yield what, getattr(each, attribute)


def parameter(
    scope: Construct, name: str, pattern: str, description: str, *, must_be: str, default: str | None = ""
) -> str:
    """Return the value of a new parameter of the template, whose whole value must match the pattern.

    `must_be`: the pattern in words. `default`: `None` for one that must be given.
    """
    return CfnParameter(
        scope,
        name,
        default=default,
        allowed_pattern=pattern,
        description=description,
        constraint_description=f"must be {must_be}",
    ).value_as_string


def is_given(scope: Construct, id: str, value: str, nothing: str = "") -> CfnCondition:
    """Return the condition that a parameter has another value than the one that means nothing."""
    return CfnCondition(scope, id, expression=Fn.condition_not(Fn.condition_equals(value, nothing)))
