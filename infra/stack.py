"""The stack of one environment, as a picture: what there is, and who may do what to whom."""

import aws_cdk as cdk
from aws_cdk import aws_iam as iam
from constructs import Construct

from infra.environment import Environment
from infra.functions import Functions
from infra.results_bucket import PREFIX, ResultsBucket
from infra.schedules import Schedules
from infra.state_machine import StateMachine


class SkipscanStack(cdk.Stack):
    """The job in one environment. `keep_results`: the bucket outlives the stack."""

    def __init__(self, scope: Construct, id: str, *, environment: Environment, keep_results: bool) -> None:
        super().__init__(
            scope,
            id,
            description="Skipscan: the distinct partition keys of a DynamoDB table",
            env=cdk.Environment(account=environment.account, region=environment.region),
        )
        results = ResultsBucket(self, "Results", keep=keep_results)
        functions = Functions(
            self,
            "Functions",
            limits=environment.limits,
            variables={
                "SKIPSCAN_BUCKET": results.bucket_name,
                "SKIPSCAN_PREFIX": PREFIX,
                "SKIPSCAN_ENVIRONMENT": environment.name,
            },
        )
        plan, scan, finish = functions.plan, functions.scan, functions.finish
        tables = [f"arn:{self.partition}:{environment.resource(table)}" for table in environment.tables]
        indexes = [f"{table}/index/*" for table in tables]

        for function in (plan, scan):
            allow(function, "dynamodb:DescribeTable", tables)
            allow(function, "dynamodb:Scan", tables + indexes)
        allow(plan, "pricing:GetProducts", ["*"])  # the price list has no resources that could be named
        for function in (plan, scan, finish):
            results.grant_run(function)
        results.grant_tagging(scan)

        machine = StateMachine(self, "StateMachine", name=id, functions=functions).machine
        Schedules(self, "Schedules", schedules=environment.schedules, machine=machine)

        cdk.CfnOutput(self, "StateMachineArn", value=machine.state_machine_arn)
        cdk.CfnOutput(self, "BucketName", value=results.bucket_name)


def allow(function: iam.IGrantable, action: str, resources: list[str]) -> None:
    iam.Grant.add_to_principal(grantee=function, actions=[action], resource_arns=resources)
