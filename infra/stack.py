"""The stack of one environment: its resources and their permissions."""

import json

import aws_cdk as cdk
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_s3 as s3
from aws_cdk import aws_stepfunctions as sfn
from constructs import Construct

from skipscan.listing.kind import LISTING

from . import bundle
from .alarms import add_monitoring
from .environment import FULL_VCPU_MB, Environment
from .follower import add_keepers
from .functions import Functions
from .grant import PolicySizes, allow
from .jobs import Jobs, Machine
from .names import Names
from .restricted import hold, restrict, trace
from .results_bucket import (
    DIFF,
    DIFF_PARTS,
    FINISHED,
    GIVEN_KEYS,
    LISTS,
    PREFIX,
    PROFILE,
    PROFILE_PAGE,
    RUN_ALLOTMENTS,
    RUN_MANIFEST,
    RUN_PARTS,
    ResultsBucket,
)
from .schedules import add_schedules
from .tables import Tables

DESCRIPTION = "Skipscan: the distinct partition keys of a DynamoDB table"


class SkipscanStack(cdk.Stack):
    """Skipscan in one environment."""

    def __init__(self, scope: Construct, id: str, *, environment: Environment) -> None:
        super().__init__(
            scope,
            id,
            description=DESCRIPTION,
            env=cdk.Environment(account=environment.account, region=environment.region),
        )
        # CDK leaves this name out of logical ids, so they are the same as without this construct.
        Deployment(self, "Default", environment=environment, code=bundle.code(self)).add_outputs()


class Deployment(Construct):
    """Everything of one environment, in any stack. `code`: the Lambda zip. `code_name`: see `Functions`."""

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        environment: Environment,
        code: lambda_.Code,
        code_name: str | None = None,
    ) -> None:
        super().__init__(scope, id)
        tables = Tables(self, "Tables", environment=environment)
        results = ResultsBucket(
            self,
            "Results",
            key=environment.encryption.results,
            keep=environment.keep_results,
            results_days=environment.results_days,
        )
        functions = Functions(
            self,
            "Functions",
            name=environment.deployment,
            code=code,
            code_name=code_name,
            limits=environment.limits,
            logs_key=environment.encryption.logs,
            logs_days=environment.logs_days,
            variables={
                "SKIPSCAN_BUCKET": results.bucket_name,
                **({} if environment.client == "lean" else {"SKIPSCAN_CLIENT": environment.client}),
                "SKIPSCAN_PREFIX": PREFIX,
                "SKIPSCAN_PLACE": f"{environment.region}:{environment.account}",
                "SKIPSCAN_ENVIRONMENT": environment.name,
            },
        )

        compare = functions.role("Compare")
        results.allow_read(compare, RUN_MANIFEST, RUN_PARTS, DIFF, DIFF_PARTS)
        results.allow_put(compare, DIFF, DIFF_PARTS)
        results.allow_absence(compare)
        comparing = functions.function(
            "Compare",
            compare,
            handler="listing.compare",
            memory_mb=FULL_VCPU_MB,
            timeout=cdk.Duration.minutes(15),
            variables={},
        )

        alone = (
            {"SKIPSCAN_KEY_ATTRIBUTES": json.dumps(environment.key_attributes)} if environment.key_attributes else {}
        )
        listing = Machine(
            self,
            "Listing",
            kind=LISTING,
            environment=environment,
            functions=functions,
            results=results,
            compare=comparing,
            **alone,
        )
        machine = listing.machine
        tables.allow_describe(listing.plan_role, "dynamodb:DescribeTimeToLive")
        tables.allow_describe(listing.finish_role)
        tables.allow_scan(listing.plan_role, "dynamodb:Query")
        tables.allow_scan(listing.turn_role, "dynamodb:Query")
        why = "The settings of an account have no resource."
        allow(listing.plan_role, "lambda:GetAccountSettings", ["*"], why_wildcard=why)
        listing.allow_overlaps(listing.plan_role)
        results.allow_put(listing.finish_role, FINISHED)
        results.allow_read(listing.plan_role, PROFILE, LISTS, RUN_PARTS)
        results.allow_put(listing.plan_role, PROFILE, PROFILE_PAGE, RUN_ALLOTMENTS, GIVEN_KEYS)
        results.allow_tagging(listing.plan_role, RUN_ALLOTMENTS, GIVEN_KEYS)
        results.allow_read(listing.turn_role, GIVEN_KEYS)

        Jobs(self, "Jobs", environment=environment, functions=functions, results=results, tables=tables)

        dead_letters = add_schedules(self, environment, machine)
        for writing in environment.writing:
            add_keepers(self, writing, functions, tables)

        # Last, because these apply to everything above.
        add_monitoring(self, environment, dead_letters)
        if environment.tracing:
            trace(self)

        restrict(self, environment.company)
        hold(self, environment)
        self.node.add_validation(PolicySizes(self))
        tables.add_owner_outputs(plan=listing.plan_role, scan=listing.turn_role, finish=listing.finish_role)
        self.names = Names(self, environment.name, environment.account, environment.region)
        for other in self.node.root.node.find_all():
            if isinstance(other, Deployment) and other is not self:
                self.names.check_beside(other.names)
        self.state_machine: sfn.StateMachine = machine
        self.bucket: s3.Bucket = results

    def add_outputs(self) -> None:
        """Add the stack's outputs, which the command line reads to find the environment."""
        cdk.CfnOutput(self, "StateMachineArn", value=self.state_machine.state_machine_arn)
        cdk.CfnOutput(self, "BucketName", value=self.bucket.bucket_name)
