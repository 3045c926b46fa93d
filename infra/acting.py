"""Jobs over finished runs, for the tables that an environment names under "writing", and only there."""

import json
import re
from collections.abc import Iterator

from aws_cdk import CfnOutput, Stack
from constructs import Construct

from skipscan.act.registry import ACTIONS

from .environment import Environment
from .functions import Functions
from .grant import allow, allow_prices
from .results_bucket import (
    FAILED,
    JOB_CHECKPOINTS,
    JOB_MANIFEST,
    JOB_PLAN,
    JOB_UNFINISHED,
    MANIFEST,
    PARTS,
    ResultsBucket,
)
from .state_machine import Loop, StateMachine
from .tables import Tables


class Acting(Construct):
    """The state machine Act. Its roles may write to the tables named, and hand keys to their targets; no others may."""

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
        targets = {
            f"arn:{stack.partition}:{environment.resource(writing.table)}": writing.targets
            for writing in environment.acting
        }
        arns = list(targets)
        acting = functions.add("act", ("Plan act", "Act", "Finish act"), SKIPSCAN_WRITING=json.dumps(targets))

        plan = acting.plan_role
        allow(plan, ["dynamodb:DescribeTable", "dynamodb:DescribeContinuousBackups"], arns)
        allow_prices(plan)
        results.allow_read(plan, MANIFEST, PARTS, JOB_PLAN)
        results.allow_put(plan, JOB_PLAN)
        results.allow_absence(plan)

        act = acting.turn_role
        named = sorted({target for of_table in targets.values() for target in of_table})
        for actions, resources in _grants(arns, named):
            allow(act, actions, resources)
        tables.grant_decrypt(act)
        results.allow_read(act, MANIFEST, PARTS, FAILED, JOB_CHECKPOINTS)
        results.allow_put(act, FAILED, JOB_CHECKPOINTS)
        results.allow_tagging(act, JOB_CHECKPOINTS)
        results.allow_absence(act)

        finish = acting.finish_role
        results.allow_read(finish, FAILED, JOB_CHECKPOINTS, JOB_MANIFEST)
        results.allow_put(finish, JOB_UNFINISHED, JOB_MANIFEST)
        results.allow_list(finish, FAILED)

        name = f"{environment.deployment}-act"
        loop = Loop.acting(acting.plan, acting.turn, acting.finish)
        machine = StateMachine(self, "StateMachine", name=name, loop=loop).machine
        CfnOutput(self, "Arn", key="ActStateMachineArn", value=machine.state_machine_arn)


def _grants(tables: list[str], targets: list[str]) -> Iterator[tuple[list[str], list[str]]]:
    """Return what the actions of jobs need, on the tables or on those of the targets that they can have."""
    needed: dict[str, set[str]] = {}
    for kind in ACTIONS.values():
        needed.setdefault(kind.targets.pattern if kind.targets else "", set()).update(kind.permissions)
    for pattern, permissions in needed.items():
        resources = [target for target in targets if re.fullmatch(pattern, target)] if pattern else tables
        if resources:
            yield sorted(permissions), resources
