"""The jobs that write, and their table permissions. A job is off unless an environment names a table for it."""

import json
import re
from collections.abc import Iterator
from typing import Any

from aws_cdk import Stack
from aws_cdk import aws_iam as iam
from constructs import Construct

from skipscan.act.kind import ACT
from skipscan.act.registry import ACTIONS
from skipscan.copy.kind import COPY
from skipscan.loop.kind import Kind
from skipscan.retrofit.kind import RETROFIT

from .environment import Environment
from .functions import Functions
from .grant import allow, via
from .machine import Machine
from .replicator import Replicator
from .results_bucket import RUNS, Objects, ResultsBucket
from .tables import Tables

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
        results.allow_read(plan, RUNS.manifest, RUNS.parts)
        named = sorted({target for of_table in targets.values() for target in of_table})
        for permissions, resources in _needed(arns, named):
            allow(act, permissions, resources)
        allow(act, ["dynamodb:DescribeTable", "dynamodb:Query"], arns)
        allow(machine.finish_role, "dynamodb:DescribeTable", arns)
        self._tables.grant_decrypt(act)
        if keys := self._environment.encryption.queues:
            # SQS developer guide, "Key management": what a producer of an encrypted queue needs.
            allow(act, ["kms:GenerateDataKey", "kms:Decrypt"], keys, conditions=via(Stack.of(self), "sqs"))
        results.allow_read(act, RUNS.manifest, RUNS.parts)

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
            self._tables.grant_copy(machine.turn_role, source=table, target=copied.to)
        mappings = [each.event_source_mapping_arn for replicator in replicators for each in replicator.mappings]
        allow(machine.plan_role, "lambda:GetEventSourceMapping", mappings)
        allow(machine.turn_role, "sqs:SendMessage", [replicator.late_looks.queue_arn for replicator in replicators])
        replicators[0].allow_key(machine.turn_role)

    def _allow_allotments(self, role: iam.IRole, kind: Kind[Any, Any]) -> None:
        """Grant a role the right to declare what it may consume of a budget."""
        allotments = Objects(kind.folder, kind.lines).allotments
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
