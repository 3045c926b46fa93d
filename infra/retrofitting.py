"""Retrofits, for the tables that an environment names under "writing" with "retrofit": true, and only there."""

import json

from aws_cdk import CfnOutput, Stack
from constructs import Construct

from .environment import Environment
from .functions import Functions
from .grant import allow, allow_prices
from .results_bucket import (
    RETROFIT_CHECKPOINTS,
    RETROFIT_FAILED,
    RETROFIT_MANIFEST,
    RETROFIT_PLAN,
    RETROFIT_UNFINISHED,
    ResultsBucket,
)
from .state_machine import Loop, StateMachine
from .tables import Tables


class Retrofitting(Construct):
    """The state machine Retrofit. Its role may update items of the tables named; it can neither put nor delete one."""

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
        arns = [f"arn:{stack.partition}:{environment.resource(writing.table)}" for writing in environment.retrofitting]
        states = ("Plan retrofit", "Retrofit", "Finish retrofit")
        retrofitting = functions.add("retrofit", states, SKIPSCAN_RETROFIT=json.dumps(arns))

        plan = retrofitting.plan_role
        allow(plan, ["dynamodb:DescribeTable", "dynamodb:DescribeContinuousBackups", "dynamodb:Scan"], arns)
        tables.grant_decrypt(plan)
        allow_prices(plan)
        results.allow_read(plan, RETROFIT_PLAN, RETROFIT_MANIFEST)
        results.allow_put(plan, RETROFIT_PLAN)
        results.allow_absence(plan)

        retrofit = retrofitting.turn_role
        allow(retrofit, ["dynamodb:Scan", "dynamodb:GetItem", "dynamodb:UpdateItem"], arns)
        tables.grant_decrypt(retrofit)
        results.allow_read(retrofit, RETROFIT_FAILED, RETROFIT_CHECKPOINTS)
        results.allow_put(retrofit, RETROFIT_FAILED, RETROFIT_CHECKPOINTS)
        results.allow_tagging(retrofit, RETROFIT_CHECKPOINTS)
        results.allow_absence(retrofit)

        finish = retrofitting.finish_role
        results.allow_read(finish, RETROFIT_FAILED, RETROFIT_CHECKPOINTS, RETROFIT_MANIFEST)
        results.allow_put(finish, RETROFIT_UNFINISHED, RETROFIT_MANIFEST)
        results.allow_list(finish, RETROFIT_FAILED)

        indexes = [f"{table}/index/*" for table in arns]
        allow(finish, "dynamodb:Scan", indexes, why_wildcard="The template says which index a retrofit makes complete.")
        tables.grant_decrypt(finish)

        name = f"{environment.deployment}-retrofit"
        loop = Loop.retrofitting(retrofitting.plan, retrofitting.turn, retrofitting.finish)
        machine = StateMachine(self, "StateMachine", name=name, loop=loop).machine
        CfnOutput(self, "Arn", key="RetrofitStateMachineArn", value=machine.state_machine_arn)
