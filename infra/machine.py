"""Builds the state machine of one kind of work, with the functions of its states, from the kind's declaration."""

from typing import Any

from aws_cdk import Stack
from aws_cdk import aws_iam as iam
from aws_cdk import aws_lambda as lambda_
from constructs import Construct

from skipscan.loop.kind import Kind

from .environment import Environment
from .functions import Functions
from .grant import allow, allow_prices, via
from .names import output
from .results_bucket import Objects, ResultsBucket
from .state_machine import StateMachine


class Machine(Construct):
    """`plan_role`, `turn_role` and `finish_role` may use the kind's results; the caller grants the rest.

    `variables`: more environment variables of the function that plans. `compare`: the function that compares runs.
    """

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        kind: Kind[Any, Any],
        environment: Environment,
        functions: Functions,
        results: ResultsBucket,
        compare: lambda_.Function | None = None,
        **variables: str,
    ) -> None:
        super().__init__(scope, id)
        made = functions.of(kind, **variables)
        self.plan_role, self.turn_role, self.finish_role = made.plan_role, made.turn_role, made.finish_role
        objects = Objects(kind.folder, kind.lines)

        allow_prices(self.plan_role)
        results.allow_read(self.plan_role, objects.plan, objects.manifest)
        results.allow_put(self.plan_role, objects.plan, objects.resumes)
        results.allow_absence(self.plan_role)

        results.allow_read(self.turn_role, objects.parts, objects.checkpoints)
        results.allow_put(self.turn_role, objects.parts, objects.checkpoints, objects.allotments, objects.errors)
        results.allow_tagging(self.turn_role, objects.checkpoints, objects.allotments)
        results.allow_absence(self.turn_role)

        results.allow_read(self.finish_role, objects.plan, objects.parts, objects.checkpoints, objects.manifest)
        results.allow_put(self.finish_role, objects.unfinished, objects.manifest)
        results.allow_absence(self.finish_role)

        results.allow_read(made.report_role, objects.plan, objects.manifest, objects.checkpoints)
        results.allow_put(made.report_role, objects.report)
        results.allow_absence(made.report_role)

        self._key = environment.encryption.executions
        self._name = environment.deployment if kind.lists_keys else f"{environment.deployment}-{kind.machine}"
        self.machine = StateMachine(
            self,
            "StateMachine",
            name=self._name,
            kind=kind,
            functions=made,
            compare=compare,
            announce=environment.announce if kind.lists_keys else None,
            key=environment.encryption.executions,
        ).machine
        if not kind.lists_keys:
            output(self, "Arn", key=kind.output, value=self.machine.state_machine_arn)

    def allow_overlaps(self, role: iam.IRole) -> None:
        """Grant a role the right to find the machine's executions. By name: the machine depends on the role."""
        stack = Stack.of(self)
        states = f"arn:{stack.partition}:states:{stack.region}:{stack.account}"
        allow(role, "states:ListExecutions", [f"{states}:stateMachine:{self._name}"])
        executions = [f"{states}:execution:{self._name}:*"]
        allow(role, "states:DescribeExecution", executions, why_wildcard="Executions get their names when they start.")
        if self._key:
            allow(role, "kms:Decrypt", [self._key], conditions=via(stack, "states"))
