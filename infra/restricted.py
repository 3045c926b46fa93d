"""Apply settings to everything below a scope: the rules of a company, and tracing; and hold what is set."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import jsii
from aws_cdk import Aspects, Aws, CfnCondition, CfnResource, Fn, IAspect, IResolvable, Stack, Tags, Token
from aws_cdk import aws_iam as iam
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_logs as logs
from aws_cdk import aws_s3 as s3
from aws_cdk import aws_sqs as sqs
from aws_cdk import aws_stepfunctions as sfn
from constructs import Construct, IConstruct

from .environment import DEFAULT_LOG_DAYS, Company, Environment
from .grant import allow, arn_here

T = TypeVar("T")

LAST = 900
"""After aspects that change something, which have 200 or 500, and before those that only read, which have 1,000 (CDK
developer guide, "Aspects", https://docs.aws.amazon.com/cdk/v2/guide/aspects.html)."""

NETWORK = [
    *("ec2:CreateNetworkInterface", "ec2:DescribeNetworkInterfaces", "ec2:DescribeSubnets"),
    *("ec2:DeleteNetworkInterface", "ec2:AssignPrivateIpAddresses", "ec2:UnassignPrivateIpAddresses"),
]
"""What Lambda requires of a function's role in a VPC: Lambda developer guide, "Giving Lambda functions access to
resources in an Amazon VPC", https://docs.aws.amazon.com/lambda/latest/dg/configuration-vpc.html"""

WHY_WILDCARD = "Lambda makes its network interfaces itself; they have no names before."


def restrict(scope: Construct, company: Company) -> None:
    """Apply the settings to everything below `scope`, which must be complete."""
    for role in _every(scope, iam.CfnRole):
        role.permissions_boundary = company.permissions_boundary
        role.path = company.role_path
    if company.role_path and company.role_path != "/" and not Token.is_unresolved(company.role_path):
        # Another path replaces the roles, and a version keeps the role that it was published with.
        for function in _every(scope, lambda_.Function):
            function.invalidate_version_based_on(company.role_path)
    for name, value in company.tags.items():
        # Dashboards have tags only since 2026; template checks do not know this yet.
        Tags.of(scope).add(name, value, exclude_resource_types=["AWS::CloudWatch::Dashboard"], priority=LAST)
    if company.vpc:
        connect(scope, company.vpc["subnets"], company.vpc["security_groups"])


@jsii.implements(IAspect)
class _Held:
    """Sets properties of a resource again after other aspects, and whether a bucket is removed."""

    def __init__(self, resource: CfnResource, properties: Mapping[str, Any]) -> None:
        options = resource.cfn_options
        self._properties, self._removal = properties, (options.deletion_policy, options.update_replace_policy)

    def visit(self, node: IConstruct) -> None:
        if isinstance(node, CfnResource):
            for name, value in self._properties.items():
                node.add_property_override(name, value)
        if isinstance(node, s3.CfnBucket):  # by keep_results
            node.cfn_options.deletion_policy, node.cfn_options.update_replace_policy = self._removal


def hold(scope: Construct, environment: Environment) -> None:
    """Keep what the environment sets from what a stage, the context or an aspect of the app sets for every resource.

    A permissions boundary of the context `@aws-cdk/core:permissionsBoundary`, of a stage or of a stack is such an
    aspect: it overrides the property. What the environment does not set is left to them.
    """
    company, encryption = environment.company, environment.encryption
    tracing, logs_days = environment.tracing, environment.logs_days != DEFAULT_LOG_DAYS
    set_by_it: Mapping[type[CfnResource], Mapping[str, object]] = {
        iam.CfnRole: {"PermissionsBoundary": company.permissions_boundary, "Path": company.role_path},
        lambda_.CfnFunction: {"VpcConfig": company.vpc, "TracingConfig": tracing},
        logs.CfnLogGroup: {"KmsKeyId": encryption.logs, "RetentionInDays": logs_days},
        s3.CfnBucket: {"BucketEncryption": encryption.results, "LifecycleConfiguration": environment.results_days},
        sfn.CfnStateMachine: {"EncryptionConfiguration": encryption.executions, "TracingConfiguration": tracing},
        sqs.CfnQueue: {"KmsMasterKeyId": encryption.late_looks},
    }
    for kind, settings in set_by_it.items():
        for resource in _every(scope, kind):
            given = resource._render_properties(Stack.of(scope).resolve(resource._cfn_properties))
            held = {name: given[name] for name, setting in settings.items() if setting and name in given}
            if held or kind is s3.CfnBucket:
                Aspects.of(resource).add(_Held(resource, held), priority=LAST)


def connect(
    scope: Construct, subnets: Sequence[str], security_groups: Sequence[str], *, condition: CfnCondition | None = None
) -> None:
    """Run every function in these subnets, with the permissions for that; both under the condition, if there is one."""
    network: lambda_.CfnFunction.VpcConfigProperty | IResolvable = lambda_.CfnFunction.VpcConfigProperty(
        subnet_ids=list(subnets), security_group_ids=list(security_groups)
    )
    interfaces = "*"
    if condition:
        given = {"SubnetIds": subnets, "SecurityGroupIds": security_groups}
        network = Fn.condition_if(condition.logical_id, given, Aws.NO_VALUE)
        # A function depends on its role's policy, and cannot depend on a resource that a condition may leave out.
        none = arn_here(scope, "ec2", "network-interface/none")
        interfaces = Fn.condition_if(condition.logical_id, "*", none).to_string()
    for function in _every(scope, lambda_.Function):
        made = function.node.default_child
        if function.role and isinstance(made, lambda_.CfnFunction):
            made.vpc_config = network
            allow(function.role, NETWORK, [interfaces], why_wildcard=WHY_WILDCARD)
            function.role.add_to_principal_policy(_deny_code(scope, str(made.function_name)))


def _deny_code(scope: Construct, name: str) -> iam.PolicyStatement:
    """Deny a function's own code what Lambda does for it, as the page above advises.

    By the function's name, because the function depends on this policy.
    """
    function = arn_here(scope, "lambda", f"function:{name}")
    return iam.PolicyStatement(
        effect=iam.Effect.DENY,
        actions=NETWORK,
        resources=["*"],
        conditions={"ArnEquals": {"lambda:SourceFunctionArn": function}},
    )


def describe(scope: Construct, settings: str) -> None:
    """Publish versions whenever this text is another one. `settings`: what a version keeps, of up to 256 characters.

    CloudFormation replaces a version whose description changes. Lambda only publishes a function that has changed, so
    the function has the same description (API reference, PublishVersion).
    """
    for version in _every(scope, lambda_.CfnVersion):
        version.description = settings
    for function in _every(scope, lambda_.CfnFunction):
        function.description = settings


def _every(scope: Construct, kind: type[T]) -> list[T]:
    return [each for each in scope.node.find_all() if isinstance(each, kind)]


SEND = ["xray:PutTraceSegments", "xray:PutTelemetryRecords"]
SAMPLE = ["xray:GetSamplingRules", "xray:GetSamplingTargets"]
WHY_TRACE_WILDCARD = "X-Ray has no resources that a trace could be sent to by name."


def trace(scope: IConstruct) -> None:
    """Let every function and state machine below `scope` send traces."""
    for each in scope.node.find_all():
        if isinstance(each, lambda_.CfnFunction):
            each.tracing_config = lambda_.CfnFunction.TracingConfigProperty(mode="Active")
        elif isinstance(each, sfn.CfnStateMachine):
            each.tracing_configuration = sfn.CfnStateMachine.TracingConfigurationProperty(enabled=True)
        elif isinstance(each, lambda_.Function) and each.role:
            allow(each.role, SEND, ["*"], why_wildcard=WHY_TRACE_WILDCARD)
        elif isinstance(each, sfn.StateMachine) and each.node.scope:
            # The machine itself imports its role as an immutable one.
            role = each.node.scope.node.find_child("Role")
            if isinstance(role, iam.Role):
                allow(role, [*SEND, *SAMPLE], ["*"], why_wildcard=WHY_TRACE_WILDCARD)
