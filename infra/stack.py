"""The stack of one environment, and what is in it, as a picture: what there is, and who may do what to whom."""

import aws_cdk as cdk
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_s3 as s3
from aws_cdk import aws_stepfunctions as sfn
from constructs import Construct

from . import bundle
from .acting import Acting
from .attribute_keeper import AttributeKeeper
from .copying import Copying
from .environment import Environment
from .functions import Functions
from .grant import allow_prices
from .keeper import Keeper
from .monitoring import Monitoring
from .results_bucket import (
    CHECKPOINTS,
    DIFF,
    DIFF_PARTS,
    FINISHED,
    MANIFEST,
    PARTS,
    PLAN,
    PREFIX,
    UNFINISHED,
    ResultsBucket,
)
from .retrofitting import Retrofitting
from .schedules import Schedules
from .state_machine import Loop, StateMachine
from .tables import Tables
from .tracing import trace

DESCRIPTION = "Skipscan: the distinct partition keys of a DynamoDB table"


class SkipscanStack(cdk.Stack):
    """The job in one environment. `keep_results`: the bucket outlives the stack."""

    def __init__(self, scope: Construct, id: str, *, environment: Environment, keep_results: bool) -> None:
        super().__init__(
            scope,
            id,
            description=DESCRIPTION,
            env=cdk.Environment(account=environment.account, region=environment.region),
        )
        # CDK leaves this name out of logical ids: they are what they would be without the construct.
        Deployment(
            self, "Default", environment=environment, keep_results=keep_results, code=bundle.code(self)
        ).put_out()


class Deployment(Construct):
    """Everything of one environment, in whatever stack. `code`: the Lambda zip."""

    def __init__(
        self, scope: Construct, id: str, *, environment: Environment, keep_results: bool, code: lambda_.Code
    ) -> None:
        super().__init__(scope, id)
        tables = Tables(self, "Tables", environment=environment)
        results = ResultsBucket(
            self,
            "Results",
            key=environment.encryption.results,
            keep=keep_results,
            results_days=environment.retention.results_days,
        )
        functions = Functions(
            self,
            "Functions",
            name=environment.deployment,
            code=code,
            limits=environment.limits,
            logs_key=environment.encryption.logs,
            logs_days=environment.retention.logs_days,
            variables={
                "SKIPSCAN_BUCKET": results.bucket_name,
                **({} if environment.client == "lean" else {"SKIPSCAN_CLIENT": environment.client}),
                "SKIPSCAN_PREFIX": PREFIX,
                "SKIPSCAN_ENVIRONMENT": environment.name,
            },
        )

        plan = functions.plan_role
        tables.allow_describe(plan)
        tables.allow_scan(plan)
        allow_prices(plan)
        results.allow_read(plan, PLAN, MANIFEST)
        results.allow_put(plan, PLAN)
        results.allow_absence(plan)

        scan = functions.scan_role
        tables.allow_scan(scan)
        results.allow_read(scan, PARTS, CHECKPOINTS)
        results.allow_put(scan, PARTS, CHECKPOINTS)
        results.allow_tagging(scan, CHECKPOINTS)
        results.allow_absence(scan)

        finish = functions.finish_role
        results.allow_read(finish, PLAN, PARTS, CHECKPOINTS, MANIFEST)
        results.allow_put(finish, UNFINISHED, MANIFEST, FINISHED)
        results.allow_list(finish, PARTS)

        compare = functions.compare_role
        results.allow_read(compare, MANIFEST, PARTS, DIFF, DIFF_PARTS)
        results.allow_put(compare, DIFF, DIFF_PARTS)
        results.allow_absence(compare)

        machine = StateMachine(
            self,
            "StateMachine",
            name=environment.deployment,
            loop=Loop.listing(functions.plan, functions.scan, functions.finish, functions.compare),
            announce=environment.announce,
        ).machine
        if environment.acting:
            Acting(self, "Acting", environment=environment, functions=functions, results=results, tables=tables)
        if environment.retrofitting:
            Retrofitting(
                self, "Retrofitting", environment=environment, functions=functions, results=results, tables=tables
            )
        if environment.copying:
            Copying(self, "Copying", environment=environment, functions=functions, results=results, tables=tables)

        schedules = Schedules(
            self, "Schedules", name=environment.deployment, schedules=environment.schedules, machine=machine
        )

        for writing in environment.writing:
            if writing.keeper:
                Keeper(
                    self,
                    f"Keeper-{writing.table.rpartition('/')[2]}",
                    table=writing.table,
                    kept=writing.keeper,
                    functions=functions,
                    tables=tables,
                )
            if writing.attribute_keeper:
                AttributeKeeper(
                    self,
                    f"Attribute-keeper-{writing.table.rpartition('/')[2]}",
                    table=writing.table,
                    kept=writing.attribute_keeper,
                    functions=functions,
                    tables=tables,
                )

        # Last, because they look at all there is.
        Monitoring(self, "Monitoring", environment=environment, watched=self, dead_letters=schedules.dead_letters)
        if environment.tracing:
            trace(self)

        tables.tell_owners(plan=plan, scan=scan)
        self.state_machine: sfn.StateMachine = machine
        self.bucket: s3.Bucket = results

    def put_out(self) -> None:
        """Make the stack's outputs, by which the command line finds the environment."""
        cdk.CfnOutput(self, "StateMachineArn", value=self.state_machine.state_machine_arn)
        cdk.CfnOutput(self, "BucketName", value=self.bucket.bucket_name)
