"""The state machine of one kind of work; and the jobs that write, off unless an environment names a table for one."""

import json
import re
from collections.abc import Iterator
from typing import Any

from aws_cdk import Stack
from aws_cdk import aws_iam as iam
from aws_cdk import aws_lambda as lambda_
from constructs import Construct

from skipscan.act.input import ACTIONS
from skipscan.act.kind import ACT
from skipscan.copy.kind import COPY
from skipscan.loop.kind import Kind
from skipscan.retrofit.kind import RETROFIT

from .environment import Environment
from .functions import Functions
from .grant import allow, arn_here, via
from .names import output
from .replicator import Replicator
from .results_bucket import RUN_MANIFEST, RUN_PARTS, ResultsBucket, root_of
from .state_machine import StateMachine
from .tables import Tables


class Machine(Construct):
    """`plan_role`, `turn_role` and `finish_role` may use the kind's results; the caller grants the rest.

    `variables`: more environment variables of the function that plans. `compare`: the function that compares runs.
    """

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        kind: Kind[Any],
        environment: Environment,
        functions: Functions,
        results: ResultsBucket,
        compare: lambda_.Function | None = None,
        **variables: str,
    ) -> None:
        super().__init__(scope, id)
        roles = {step: functions.role(state) for step, state in kind.states.items()}
        made = functions.of(kind, roles, variables)
        self.plan_role, self.turn_role, self.finish_role = roles["plan"], roles["turn"], roles["finish"]
        root = root_of(kind)
        plan, manifest, parts = f"{root}/plan.json", f"{root}/manifest.json", f"{root}/{kind.lines}/*"
        checkpoints, allotments = f"{root}/checkpoints/*", f"{root}/allotments/*"

        why = "The price list has no resources that could be named."
        allow(self.plan_role, "pricing:GetProducts", ["*"], why_wildcard=why)
        results.allow_read(self.plan_role, plan, manifest)
        results.allow_put(self.plan_role, plan, f"{root}/resumes/*")
        results.allow_absence(self.plan_role)

        results.allow_read(self.turn_role, parts, checkpoints)
        results.allow_put(self.turn_role, parts, checkpoints, allotments, f"{root}/errors/*")
        results.allow_tagging(self.turn_role, checkpoints, allotments)
        results.allow_absence(self.turn_role)

        results.allow_read(self.finish_role, plan, parts, checkpoints, manifest)
        results.allow_put(self.finish_role, f"{root}/unfinished.json", manifest)
        results.allow_absence(self.finish_role)

        results.allow_read(roles["report"], plan, manifest, checkpoints)
        results.allow_put(roles["report"], f"{root}/report.html")
        results.allow_absence(roles["report"])

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
            topic_keys=environment.encryption.topics,
            key=environment.encryption.executions,
        ).machine
        if not kind.lists_keys:
            output(self, "Arn", key=kind.output, value=self.machine.state_machine_arn)

    def allow_overlaps(self, role: iam.IRole) -> None:
        """Grant a role the right to find the machine's executions. By name: the machine depends on the role."""
        allow(role, "states:ListExecutions", [arn_here(self, "states", f"stateMachine:{self._name}")])
        executions = [arn_here(self, "states", f"execution:{self._name}:*")]
        allow(role, "states:DescribeExecution", executions, why_wildcard="Executions get their names when they start.")
        if self._key:
            allow(role, "kms:Decrypt", [self._key], conditions=via(self, "states"))


WHY_WILDCARD = "The template says which index a retrofit makes complete."


class Jobs(Construct):
    """A role may only write to tables that the environment names for the same job."""

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
        self._environment, self._functions, self._results, self._tables = environment, functions, results, tables
        if environment.allowing("act"):
            self._act()
        if environment.allowing("retrofit"):
            self._retrofit()
        if environment.copies:
            self._copy()

    def _act(self) -> None:
        """Grant acts the right to put and delete items, and to send keys to the targets of their table."""
        results = self._results
        targets = {self._tables.arn(writing.table): writing.targets for writing in self._environment.allowing("act")}
        arns = list(targets)
        machine = Machine(
            self,
            "Act",
            kind=ACT,
            environment=self._environment,
            functions=self._functions,
            results=results,
            SKIPSCAN_WRITING=json.dumps(targets),
        )
        plan, act = machine.plan_role, machine.turn_role
        allow(plan, ["dynamodb:DescribeTable", "dynamodb:DescribeContinuousBackups"], arns)
        results.allow_read(plan, RUN_MANIFEST, RUN_PARTS)
        named = sorted({target for of_table in targets.values() for target in of_table})
        for permissions, resources in _needed(arns, named):
            allow(act, permissions, resources)
        allow(act, ["dynamodb:DescribeTable", "dynamodb:Query"], arns)
        why = "The run of an act says which index it listed, and what it left out of that is looked at again."
        allow(act, "dynamodb:Query", [f"{arn}/index/*" for arn in arns], why_wildcard=why)
        allow(machine.finish_role, "dynamodb:DescribeTable", arns)
        self._tables.grant_decrypt(act)
        if keys := self._environment.encryption.queues:
            # SQS developer guide, "Key management": what a producer of an encrypted queue needs.
            allow(act, ["kms:GenerateDataKey", "kms:Decrypt"], keys, conditions=via(self, "sqs"))
        results.allow_read(act, RUN_MANIFEST, RUN_PARTS)

    def _retrofit(self) -> None:
        """Grant retrofits the right to update items. They can neither put nor delete."""
        arns = [self._tables.arn(writing.table) for writing in self._environment.allowing("retrofit")]
        machine = Machine(
            self,
            "Retrofit",
            kind=RETROFIT,
            environment=self._environment,
            functions=self._functions,
            results=self._results,
            SKIPSCAN_RETROFIT=json.dumps(arns),
            SKIPSCAN_FOLLOWERS=json.dumps(self._environment.followers),
        )
        plan, retrofit, finish = machine.plan_role, machine.turn_role, machine.finish_role
        allow(plan, ["dynamodb:DescribeTable", "dynamodb:DescribeContinuousBackups", "dynamodb:Scan"], arns)
        actions = ("DescribeTable", "Scan", "GetItem", "UpdateItem")
        allow(retrofit, [f"dynamodb:{action}" for action in actions], arns)
        allow(finish, "dynamodb:DescribeTable", arns)
        for role in (plan, finish):
            self._allow_allotments(role, RETROFIT)
        allow(finish, "dynamodb:Scan", [f"{arn}/index/*" for arn in arns], why_wildcard=WHY_WILDCARD)
        for role in (plan, retrofit, finish):
            self._tables.grant_decrypt(role)

    def _copy(self) -> None:
        """Grant copies the right to read sources and put into targets, and add a replicator for each source."""
        pairs = self._environment.copies
        retrofitted = [writing.table.rpartition("/")[2] for writing in self._environment.allowing("retrofit")]
        replicators = [
            Replicator(
                self,
                f"Replicator-{table.rpartition('/')[2]}",
                table=table,
                copied=copied,
                functions=self._functions,
                tables=self._tables,
                key=self._environment.encryption.late_looks,
            )
            for table, copied in pairs
        ]
        machine = Machine(
            self,
            "Copy",
            kind=COPY,
            environment=self._environment,
            functions=self._functions,
            results=self._results,
            SKIPSCAN_FOLLOWERS=json.dumps(self._environment.followers),
            SKIPSCAN_RETROFIT=json.dumps(retrofitted),
            SKIPSCAN_REPLICAS=Stack.of(self).to_json_string([replicator.replica for replicator in replicators]),
            SKIPSCAN_MAPPINGS=Stack.of(self).to_json_string(
                [[each.event_source_mapping_id for each in replicator.mappings] for replicator in replicators]
            ),
        )
        described = [self._tables.arn(table) for pair in pairs for table in (pair[0], pair[1].to)]
        allow(machine.finish_role, "dynamodb:DescribeTable", described)
        self._allow_allotments(machine.plan_role, COPY)
        for table, copied in pairs:
            self._tables.grant_plan_copy(machine.plan_role, source=table, target=copied.to)
            self._tables.grant(machine.turn_role, table, "DescribeTable", "Scan", "GetItem")
            self._tables.grant(machine.turn_role, copied.to, "DescribeTable", "Scan", "GetItem", "PutItem")
        mappings = [each.event_source_mapping_arn for replicator in replicators for each in replicator.mappings]
        allow(machine.plan_role, "lambda:GetEventSourceMapping", mappings)
        allow(machine.turn_role, "sqs:SendMessage", [replicator.late_looks.queue_arn for replicator in replicators])
        replicators[0].allow_key(machine.turn_role)

    def _allow_allotments(self, role: iam.IRole, kind: Kind[Any]) -> None:
        """Grant a role the right to declare what it may consume of a budget."""
        allotments = f"{root_of(kind)}/allotments/*"
        self._results.allow_put(role, allotments)
        self._results.allow_tagging(role, allotments)


def _needed(tables: list[str], targets: list[str]) -> Iterator[tuple[list[str], list[str]]]:
    """Return the permissions that actions declare, on the tables or on their targets."""
    needed: dict[str, set[str]] = {}
    for kind in ACTIONS.values():
        needed.setdefault(kind.targets.pattern if kind.targets else "", set()).update(kind.permissions)
    for pattern, permissions in needed.items():
        resources = [target for target in targets if re.fullmatch(pattern, target)] if pattern else tables
        if resources:
            yield sorted(permissions), resources
