"""Applies what a company asks of every deployment: to every role, function and resource that there is."""

from collections.abc import Sequence
from typing import TypeVar

from aws_cdk import Aws, CfnCondition, Fn, IResolvable, Tags
from aws_cdk import aws_iam as iam
from aws_cdk import aws_lambda as lambda_
from constructs import Construct

from .environment import Company
from .grant import acknowledge_wildcards

T = TypeVar("T")

NETWORK = [
    *("ec2:CreateNetworkInterface", "ec2:DescribeNetworkInterfaces", "ec2:DescribeSubnets"),
    *("ec2:DeleteNetworkInterface", "ec2:AssignPrivateIpAddresses", "ec2:UnassignPrivateIpAddresses"),
]
"""What Lambda asks of a function's role in a VPC: Lambda developer guide, "Giving Lambda functions access to resources
in an Amazon VPC", https://docs.aws.amazon.com/lambda/latest/dg/configuration-vpc.html"""

WHY_WILDCARD = "Lambda makes its network interfaces itself; they have no names before."


def restrict(scope: Construct, company: Company) -> None:
    """Apply it to everything below `scope`, which must be complete."""
    for role in _every(scope, iam.CfnRole):
        role.permissions_boundary = company.permissions_boundary
        role.path = company.role_path
    for name, value in company.tags.items():
        Tags.of(scope).add(name, value)
    if company.vpc:
        connect(scope, company.vpc.subnets, company.vpc.security_groups)


def connect(
    scope: Construct, subnets: Sequence[str], security_groups: Sequence[str], *, condition: CfnCondition | None = None
) -> None:
    """Let every function run in these subnets, and its role let it; both only under the condition, if there is one."""
    network: lambda_.CfnFunction.VpcConfigProperty | IResolvable = lambda_.CfnFunction.VpcConfigProperty(
        subnet_ids=list(subnets), security_group_ids=list(security_groups)
    )
    if condition:
        given = {"SubnetIds": subnets, "SecurityGroupIds": security_groups}
        network = Fn.condition_if(condition.logical_id, given, Aws.NO_VALUE)
    for each in _every(scope, lambda_.CfnFunction):
        each.vpc_config = network
    roles = [function.role for function in _every(scope, lambda_.Function) if function.role]
    statement = iam.PolicyStatement(actions=NETWORK, resources=["*"])
    policy = iam.Policy(scope, "Network", roles=list(dict.fromkeys(roles)), statements=[statement])
    acknowledge_wildcards(policy, ["*"], WHY_WILDCARD)
    made = policy.node.default_child
    if condition and isinstance(made, iam.CfnPolicy):
        made.cfn_options.condition = condition
    for function in _every(scope, lambda_.Function):
        function.node.add_dependency(policy)  # or Lambda refuses to make the function


def _every(scope: Construct, kind: type[T]) -> list[T]:
    return [each for each in scope.node.find_all() if isinstance(each, kind)]
