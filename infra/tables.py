"""The tables an environment may read: by which roles, with which keys, and what their owners must allow."""

from aws_cdk import CfnOutput, Stack
from aws_cdk import aws_iam as iam
from constructs import Construct

from .environment import Environment
from .grant import acknowledge, allow

WHY_WILDCARD = "The execution input says which index is listed; an index holds nothing but its table's items."

WHY_ALIAS = "The key that an alias of AWS stands for has another id in each account; the condition names the alias."

WHY_ACTIONS = "DynamoDB's documentation names what CreateTable needs in this way."
CREATE_WITH_KEY = ("CreateGrant", "DescribeKey", "Encrypt", "Decrypt", "ReEncrypt*", "GenerateDataKey*")
"""What CreateTable takes with a customer managed key: DynamoDB developer guide, "DynamoDB encryption at rest usage
notes", https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/encryption.usagenotes.html"""


class Tables(Construct):
    """Tables that exist already, of the stack's account or of another."""

    def __init__(self, scope: Construct, id: str, *, environment: Environment) -> None:
        super().__init__(scope, id)
        self._environment = environment
        self._arns = [self.arn(table) for table in environment.tables]

    def allow_describe(self, role: iam.IRole) -> None:
        allow(role, "dynamodb:DescribeTable", self._arns)

    def allow_scan(self, role: iam.IRole) -> None:
        """Let a role read the tables and their indexes, and use the keys that encrypt them."""
        allow(role, "dynamodb:Scan", self._arns)
        allow(role, "dynamodb:Scan", [_indexes(table) for table in self._arns], why_wildcard=WHY_WILDCARD)
        self.grant_decrypt(role)

    def grant_keep(self, role: iam.IRole, table: str) -> None:
        """Let a role read, put and delete items of one table by their keys."""
        arn = self.arn(table)
        allow(role, ["dynamodb:DescribeTable", "dynamodb:GetItem", "dynamodb:Query"], [arn])
        allow(role, ["dynamodb:DeleteItem", "dynamodb:PutItem"], [arn])
        self.grant_decrypt(role)

    def grant_update(self, role: iam.IRole, table: str) -> None:
        """Let a role read and update items of one table by their keys; it can neither put nor delete one."""
        arn = self.arn(table)
        allow(role, ["dynamodb:DescribeTable", "dynamodb:GetItem", "dynamodb:UpdateItem"], [arn])
        self.grant_decrypt(role)

    def grant_plan_copy(self, role: iam.IRole, *, source: str, target: str) -> None:
        """Let a role look at a table and the one that it is copied to, and create that one."""
        allow(role, ["dynamodb:DescribeTable", "dynamodb:Scan"], [self.arn(source)])
        actions = ("DescribeTable", "DescribeContinuousBackups", "CreateTable", "UpdateContinuousBackups")
        tagging = ("TagResource", "ListTagsOfResource")
        allow(role, [f"dynamodb:{action}" for action in (*actions, *tagging)], [self.arn(target)])
        self._use_keys(role, [f"kms:{action}" for action in CREATE_WITH_KEY])
        for action in CREATE_WITH_KEY:
            if action.endswith("*"):
                acknowledge(role, f"AwsSolutions-IAM5[Action::kms:{action}]", WHY_ACTIONS)
        stack = Stack.of(self)
        keys = f"arn:{stack.partition}:kms:{self._environment.region}:{stack.account}:key/*"
        default = {"StringEquals": {"kms:RequestAlias": "alias/aws/dynamodb"}}
        allow(role, "kms:DescribeKey", [keys], conditions=default, why_wildcard=WHY_ALIAS)

    def grant_copy(self, role: iam.IRole, *, source: str, target: str) -> None:
        """Let a role read a table, and read and put items of the one that it is copied to; it can delete none."""
        reads = ["dynamodb:DescribeTable", "dynamodb:Scan", "dynamodb:GetItem"]
        allow(role, reads, [self.arn(source)])
        allow(role, [*reads, "dynamodb:PutItem"], [self.arn(target)])
        self.grant_decrypt(role)

    def grant_follow(self, role: iam.IRole, *, source: str, target: str) -> None:
        """Let a role read items of a table, and read, put and delete those of the one that follows it."""
        allow(role, ["dynamodb:DescribeTable", "dynamodb:GetItem"], [self.arn(source)])
        allow(role, ["dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:DeleteItem"], [self.arn(target)])
        self.grant_decrypt(role)

    def arn(self, table: str) -> str:
        return f"arn:{Stack.of(self).partition}:{self._environment.resource(table)}"

    def grant_decrypt(self, role: iam.IRole) -> None:
        """Let a role use the tables' keys, if they are customers' own; DynamoDB asks it when writing too."""
        self._use_keys(role, ["kms:Decrypt"])

    def _use_keys(self, role: iam.IRole, actions: list[str]) -> None:
        if keys := self._environment.encryption.tables:
            service = f"dynamodb.{self._environment.region}.amazonaws.com"
            allow(role, actions, keys, conditions={"StringEquals": {"kms:ViaService": service}})

    def add_owner_outputs(self, *, plan: iam.IRole, scan: iam.IRole, finish: iam.IRole) -> None:
        """Put out, for each table of another account, the resource policy that its owner has to attach to it."""
        for table, arn in zip(self._environment.tables, self._arns, strict=True):
            owner, name = self._environment.resource(table).split(":")[2], arn.rpartition("/")[2]
            if owner == self._environment.account:
                continue
            statements = [
                _statement([plan, finish], "dynamodb:DescribeTable", [arn]),
                _statement([plan, scan], "dynamodb:Scan", [arn, _indexes(arn)]),
            ]
            CfnOutput(
                self,
                f"Policy of {name}",
                key=f"TablePolicy{''.join(filter(str.isalnum, owner + name))}",
                description=f"What account {owner} has to attach to its table {name} as a resource-based policy",
                value=Stack.of(self).to_json_string({"Version": "2012-10-17", "Statement": statements}),
            )


def _indexes(table: str) -> str:
    return f"{table}/index/*"


def _statement(roles: list[iam.IRole], action: str, resources: list[str]) -> dict[str, object]:
    principal = {"AWS": [role.role_arn for role in roles]}
    return {"Effect": "Allow", "Principal": principal, "Action": action, "Resource": resources}
