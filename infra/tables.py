"""The tables that an environment may read: roles, KMS keys, and the policies for owners in other accounts."""

from collections.abc import Mapping

from aws_cdk import Stack
from aws_cdk import aws_iam as iam
from constructs import Construct

from .environment import Environment
from .grant import acknowledge, allow, arn_here, via
from .names import output, output_key

WHY_WILDCARD = "The execution input says which index is listed; an index holds nothing but its table's items."

WHY_ALIAS = "The key that an alias of AWS stands for has another id in each account; the condition names the alias."

WHY_ACTIONS = "DynamoDB's documentation names what CreateTable needs in this way."
CREATE_WITH_KEY = ("CreateGrant", "DescribeKey", "Encrypt", "Decrypt", "ReEncrypt*", "GenerateDataKey*")
"""The KMS actions of CreateTable with a customer managed key: DynamoDB developer guide, "DynamoDB encryption at rest
usage notes", https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/encryption.usagenotes.html"""


class Tables(Construct):
    """Existing tables, in the stack's account or another one."""

    def __init__(self, scope: Construct, id: str, *, environment: Environment) -> None:
        super().__init__(scope, id)
        self._environment = environment
        self._arns = [self.arn(table) for table in environment.tables]

    def allow_describe(self, role: iam.IRole, *more: str) -> None:
        """Grant a role the right to describe the tables. `more`: other actions, in the same statement."""
        allow(role, ["dynamodb:DescribeTable", *more], self._arns)

    def allow_scan(self, role: iam.IRole, *more: str) -> None:
        """Grant a role the right to read the tables and their indexes, and to use the keys that encrypt them.

        `more`: other actions on both. In one statement, because many tables fill the policies of a role.
        """
        actions, alone = ["dynamodb:Scan", *more], self._keys_alone
        allow(role, actions, self._arns, conditions=alone)
        indexes = [_indexes(table) for table in self._arns]
        allow(role, actions, indexes, conditions=alone, why_wildcard=WHY_WILDCARD)
        self.grant_decrypt(role)

    @property
    def _keys_alone(self) -> dict[str, dict[str, str | list[str]]]:
        """Return the conditions of an environment that takes keys alone; none for another.

        A request without a projection names no attribute, and `ForAllValues` is true of none. So `Select` must say,
        too, that it returns named attributes or a count:
        https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/specifying-conditions.html
        """
        names = list(self._environment.key_attributes)
        if not names:
            return {}
        return {
            "ForAllValues:StringEquals": {"dynamodb:Attributes": names},
            "StringEquals": {"dynamodb:Select": ["SPECIFIC_ATTRIBUTES", "COUNT"]},
        }

    def grant(self, role: iam.IRole, table: str, *actions: str) -> None:
        """Grant a role actions on the items of one table, and the use of the keys that encrypt it."""
        allow(role, [f"dynamodb:{action}" for action in actions], [self.arn(table)])
        self.grant_decrypt(role)

    def grant_plan_copy(self, role: iam.IRole, *, source: str, target: str) -> None:
        """Grant a role the right to describe a table and its copy's target, and to create the target."""
        allow(role, ["dynamodb:DescribeTable", "dynamodb:Scan"], [self.arn(source)])
        actions = ("DescribeTable", "DescribeContinuousBackups", "CreateTable", "UpdateContinuousBackups")
        tagging = ("TagResource", "ListTagsOfResource")
        allow(role, [f"dynamodb:{action}" for action in (*actions, *tagging)], [self.arn(target)])
        self._use_keys(role, [f"kms:{action}" for action in CREATE_WITH_KEY])
        for action in CREATE_WITH_KEY:
            if action.endswith("*"):
                acknowledge(role, f"AwsSolutions-IAM5[Action::kms:{action}]", WHY_ACTIONS)
        keys = arn_here(self, "kms", "key/*")
        default = {"StringEquals": {"kms:RequestAlias": "alias/aws/dynamodb"}}
        allow(role, "kms:DescribeKey", [keys], conditions=default, why_wildcard=WHY_ALIAS)

    def arn(self, table: str) -> str:
        if table in self._environment.named_by_arn:
            return table
        return f"arn:{Stack.of(self).partition}:{self._environment.resource(table)}"

    def grant_decrypt(self, role: iam.IRole) -> None:
        """Grant a role the use of the tables' customer managed keys. DynamoDB checks this for writes, too."""
        self._use_keys(role, ["kms:Decrypt"])

    def _use_keys(self, role: iam.IRole, actions: list[str]) -> None:
        if keys := self._environment.encryption.tables:
            allow(role, actions, keys, conditions=via(self, "dynamodb"))

    def add_owner_outputs(self, *, plan: iam.IRole, scan: iam.IRole, finish: iam.IRole) -> None:
        """Output, for each table of another account, the resource policy that its owner has to attach."""
        for table, arn in zip(self._environment.tables, self._arns, strict=True):
            owner, name = self._environment.resource(table).split(":")[2], arn.rpartition("/")[2]
            if owner == self._environment.account:
                continue
            # No DescribeTimeToLive: no policy can allow it over accounts (`skipscan.profile.requests`).
            statements = [
                _statement([plan, finish], "dynamodb:DescribeTable", [arn]),
                _statement([plan, scan], "dynamodb:Scan", [arn, _indexes(arn)], self._keys_alone),
                _statement([plan, scan], "dynamodb:Query", [arn, _indexes(arn)], self._keys_alone),
            ]
            output(
                self,
                f"Policy of {owner}-{name}",
                key=output_key(f"TablePolicy{owner}", name),
                description=f"The resource-based policy that account {owner} must attach to its table {name}. It "
                f"allows runs to read {'key attributes' if self._keys_alone else 'whole items'}",
                value=Stack.of(self).to_json_string({"Version": "2012-10-17", "Statement": statements}),
            )


def _indexes(table: str) -> str:
    return f"{table}/index/*"


def _statement(
    roles: list[iam.IRole], action: str, resources: list[str], conditions: Mapping[str, object] | None = None
) -> dict[str, object]:
    principal = {"AWS": [role.role_arn for role in roles]}
    more = {"Condition": conditions} if conditions else {}
    return {"Effect": "Allow", "Principal": principal, "Action": action, "Resource": resources, **more}
