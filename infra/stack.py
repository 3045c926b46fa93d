"""The stack of one environment, as a picture: what there is, and who may do what to whom."""

import aws_cdk as cdk
from constructs import Construct

from infra.acting import Acting
from infra.attribute_keeper import AttributeKeeper
from infra.copying import Copying
from infra.environment import Environment
from infra.functions import Functions
from infra.grant import allow
from infra.keeper import Keeper
from infra.results_bucket import CHECKPOINTS, MANIFEST, PARTS, PLAN, PREFIX, UNFINISHED, ResultsBucket
from infra.retrofitting import Retrofitting
from infra.schedules import Schedules
from infra.state_machine import Loop, StateMachine
from infra.tables import Tables


class SkipscanStack(cdk.Stack):
    """The job in one environment. `keep_results`: the bucket outlives the stack."""

    def __init__(self, scope: Construct, id: str, *, environment: Environment, keep_results: bool) -> None:
        super().__init__(
            scope,
            id,
            description="Skipscan: the distinct partition keys of a DynamoDB table",
            env=cdk.Environment(account=environment.account, region=environment.region),
        )
        tables = Tables(self, "Tables", environment=environment)
        results = ResultsBucket(self, "Results", key=environment.encryption.results, keep=keep_results)
        functions = Functions(
            self,
            "Functions",
            limits=environment.limits,
            logs_key=environment.encryption.logs,
            variables={
                "SKIPSCAN_BUCKET": results.bucket_name,
                "SKIPSCAN_PREFIX": PREFIX,
                "SKIPSCAN_ENVIRONMENT": environment.name,
            },
        )

        plan = functions.plan_role
        tables.allow_describe(plan)
        tables.allow_scan(plan)
        allow(plan, "pricing:GetProducts", ["*"], why_wildcard="The price list has no resources that could be named.")
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
        results.allow_put(finish, UNFINISHED, MANIFEST)
        results.allow_list(finish, PARTS)

        machine = StateMachine(
            self, "StateMachine", name=id, loop=Loop.listing(functions.plan, functions.scan, functions.finish)
        ).machine
        if environment.acting:
            Acting(self, "Acting", environment=environment, functions=functions, results=results)
        if environment.retrofitting:
            Retrofitting(self, "Retrofitting", environment=environment, functions=functions, results=results)

        if environment.copying:
            Copying(self, "Copying", environment=environment, functions=functions, results=results, tables=tables)

        Schedules(self, "Schedules", schedules=environment.schedules, machine=machine)

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

        cdk.CfnOutput(self, "StateMachineArn", value=machine.state_machine_arn)
        cdk.CfnOutput(self, "BucketName", value=results.bucket_name)
        tables.tell_owners(plan=plan, scan=scan)
