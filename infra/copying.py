"""Copies to new tables, for the tables that an environment names under "writing" with "copy", and only there."""

from aws_cdk import CfnOutput, Stack
from constructs import Construct

from .environment import Environment
from .functions import Functions
from .grant import allow, allow_prices
from .replicator import Replicator
from .results_bucket import (
    COPY_CHECKPOINTS,
    COPY_FAILED,
    COPY_MANIFEST,
    COPY_PLAN,
    COPY_UNFINISHED,
    ResultsBucket,
)
from .state_machine import Loop, StateMachine
from .tables import Tables


class Copying(Construct):
    """The state machine Copy, and a replicator for each table. Sources are read, targets written to, no other table."""

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        environment: Environment,
        functions: Functions,
        results: ResultsBucket,
        tables: Tables,
    ) -> None:
        super().__init__(scope, id)
        stack = Stack.of(self)
        pairs = [(writing.table, writing.copy) for writing in environment.copying if writing.copy]
        replicators = [
            Replicator(
                self,
                f"Replicator-{table.rpartition('/')[2]}",
                table=table,
                copied=copied,
                functions=functions,
                tables=tables,
            )
            for table, copied in pairs
        ]
        told = stack.to_json_string([replicator.replica for replicator in replicators])
        copying = functions.add("copy", ("Plan copy", "Copy page", "Finish copy"), SKIPSCAN_REPLICAS=told)

        plan, page = copying.plan_role, copying.turn_role
        for table, copied in pairs:
            tables.grant_plan_copy(plan, source=table, target=copied.to)
            tables.grant_copy(page, source=table, target=copied.to)
        allow_prices(plan)
        results.allow_read(plan, COPY_PLAN, COPY_MANIFEST)
        results.allow_put(plan, COPY_PLAN)
        results.allow_absence(plan)

        allow(page, "sqs:SendMessage", [replicator.late_looks.queue_arn for replicator in replicators])
        results.allow_read(page, COPY_FAILED, COPY_CHECKPOINTS)
        results.allow_put(page, COPY_FAILED, COPY_CHECKPOINTS)
        results.allow_tagging(page, COPY_CHECKPOINTS)
        results.allow_absence(page)

        finish = copying.finish_role
        results.allow_read(finish, COPY_FAILED, COPY_CHECKPOINTS, COPY_MANIFEST)
        results.allow_put(finish, COPY_UNFINISHED, COPY_MANIFEST)
        results.allow_list(finish, COPY_FAILED)

        name = f"{environment.deployment}-copy"
        loop = Loop.copying(copying.plan, copying.turn, copying.finish)
        machine = StateMachine(self, "StateMachine", name=name, loop=loop).machine
        CfnOutput(self, "Arn", key="CopyStateMachineArn", value=machine.state_machine_arn)
