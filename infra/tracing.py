"""X-Ray tracing, for environments that enable it."""

from aws_cdk import aws_iam as iam
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_stepfunctions as sfn
from constructs import IConstruct

from .grant import allow

SEND = ["xray:PutTraceSegments", "xray:PutTelemetryRecords"]
SAMPLE = ["xray:GetSamplingRules", "xray:GetSamplingTargets"]
WHY_WILDCARD = "X-Ray has no resources that a trace could be sent to by name."


def trace(scope: IConstruct) -> None:
    """Let every function and state machine below `scope` send traces."""
    for each in scope.node.find_all():
        if isinstance(each, lambda_.CfnFunction):
            each.tracing_config = lambda_.CfnFunction.TracingConfigProperty(mode="Active")
        elif isinstance(each, sfn.CfnStateMachine):
            each.tracing_configuration = sfn.CfnStateMachine.TracingConfigurationProperty(enabled=True)
        elif isinstance(each, lambda_.Function) and each.role:
            allow(each.role, SEND, ["*"], why_wildcard=WHY_WILDCARD)
        elif isinstance(each, sfn.StateMachine) and each.node.scope:
            # The machine itself imports its role as an immutable one.
            role = each.node.scope.node.find_child("Role")
            if isinstance(role, iam.Role):
                allow(role, [*SEND, *SAMPLE], ["*"], why_wildcard=WHY_WILDCARD)
