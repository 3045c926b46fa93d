"""The planning of an act: read the finished run, check the action, preview its writes.

Plan refuses what DynamoDB would refuse later.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, cast

from skipscan.act.action import Action
from skipscan.act.actions.delete_listed import DeleteListed, PutBack, check_items
from skipscan.act.actions.put_item import PutItem, Undo, UndoOf
from skipscan.act.input import ActionInput, AnyAction, check_bounds, parse_action
from skipscan.act.parts import Parts
from skipscan.act.plan import ActPlan, DoneAct, check_run, plan_act, rate
from skipscan.act.preview import Preview, act_advice, reading_advice
from skipscan.aws import table
from skipscan.aws.clients import DynamoDBClient
from skipscan.aws.function import Function
from skipscan.dynamodb.capacity import gentle_read_rate
from skipscan.dynamodb.prices import Prices
from skipscan.dynamodb.source import Source, partition_key_of
from skipscan.dynamodb.table_description import (
    KeyAttribute,
    TableDescription,
    check_recovery,
    check_replicas,
    vector_warnings,
)
from skipscan.errors import OMITTED, InputError, TableError, leave_out, named
from skipscan.items import mark
from skipscan.items.estimate import job_warnings
from skipscan.listing import price_requests
from skipscan.listing.compare.finished_runs import finished_run
from skipscan.listing.kind import LISTING
from skipscan.loop.allotment import PlanAttempt
from skipscan.loop.begin import Planning
from skipscan.loop.work import ExecutionId
from skipscan.scan.take import has_item_lines


def check_target(
    action: Action,
    partition_key: Sequence[KeyAttribute],
    description: TableDescription,
    *,
    skips_ended: bool,
) -> None:
    """Raise `InputError` or `TableError` unless the action fits the run's keys and the table.

    `partition_key`: the partition key that the run listed, of an index or of the table. `skips_ended`: each collection
    is read first, by its key in the table.
    """
    if not action.writes and not skips_ended:
        return
    table = Source.described(description.name, description, None)
    if tuple(partition_key) != table.partition_key:
        names = ", ".join(attribute.name for attribute in table.partition_key)
        raise InputError(
            "the run",
            rule=f"listed keys of an index, or of an earlier table, which are not the table's keys ({names})",
            remedy=f"list the table itself, or use an action that does not write and {leave_out('skip_ended')}",
        )
    if not action.writes:
        return
    if not table.sort_key:
        raise TableError(
            f'table "{description.name}"',
            OMITTED,
            "has no sort key, so an item collection has exactly one item",
            "invoke a function or send to a queue instead",
        )
    action.check(table, description.key_attributes)


def check_enabled(action: Action, description: TableDescription, writing: Mapping[str, Sequence[str]]) -> None:
    """Raise `TableError` unless the environment allows jobs on the table. `writing`: allowed targets by table ARN."""
    name, targets = description.name, writing.get(description.arn)
    if targets is None:
        raise TableError(
            "table",
            name,
            "this environment does not allow acts on it",
            f'add "writing": {{"{name}": {{"act": true}}}} to the environment in cdk.json, and deploy',
        )
    target = action.target
    if target is not None and target not in targets:
        raise TableError(
            action.name,
            OMITTED,
            f'names "{target}"; the targets of table "{name}" in this environment are {", ".join(targets) or "none"}',
            "add it to the targets in cdk.json, and deploy",
        )


@dataclass(frozen=True)
class ActPlanning(Planning[ActPlan]):
    """One input with its table and its run, for a function. `home`: the first part of the marks on its items."""

    work_input: ActionInput
    manifest: Mapping[str, Any]
    client: DynamoDBClient
    pricing: Any
    function: Function[ActPlan]
    home: str

    @classmethod
    def open(
        cls, document: object, client: DynamoDBClient, pricing: Any, function: Function[ActPlan], arn: str
    ) -> "ActPlanning":
        """Return the planning; raise `InputError` or `TableError` for an act that must not start.

        `arn`: of the function, for the mark on items that the act puts, see `skipscan.items.mark.home`.
        """
        action_input = parse_action(document)
        description = table.describe(client, action_input.table)
        run = function.results(action_input.table, action_input.run, LISTING)
        manifest = finished_run("run", run, description.identity)
        home = mark.home(function.settings.environment, arn, description)
        return cls(action_input, description, manifest, client, pricing, function, home)

    def resumed(self, fixed: ActPlan) -> ActPlan:
        action_input, action = self.work_input, fixed.action
        if fixed.run != action_input.run:
            raise InputError(
                "run", action_input.run, f'act "{action_input.resume}" belongs to run "{fixed.run}"', "give that run"
            )
        check_run(fixed, self.manifest, f'act "{action_input.resume}"')
        check_bounds(action_input, action)
        self._check(action, skips_ended=fixed.skips_ended)
        return replace(
            fixed,
            max_units_per_second=rate(action_input, action, self.description, skips_ended=fixed.skips_ended),
            max_write_units=action_input.max_write_units,
            max_dollars=action_input.max_dollars,
            prices=self._prices(),
        ).checked(workers=fixed.workers)

    def planned(self, execution: ExecutionId, attempt: PlanAttempt) -> tuple[ActPlan, Mapping[str, Any]]:
        action = self._action()
        recovery = self._check(action, skips_ended=self.work_input.skips_ended)
        marked = mark.of_job(self.home, execution.name, execution.started)
        sample = Parts(self.function.storage).sample(self.manifest, takes_items=action.takes_items)
        preview = Preview.of(action, marked, sample, self.description)
        decided = plan_act(
            self.work_input,
            action,
            self.manifest,
            self.description,
            units=preview.units,
            prices=self._prices(),
            mark=marked,
        )
        age = datetime.fromisoformat(execution.started) - datetime.fromisoformat(self.manifest["started"])
        hours = max(0.0, age / timedelta(hours=1))
        explanation = preview.to_json(decided, recovery=recovery)
        general = job_warnings(
            decided.limits,
            decided.longest_batch_seconds,
            self.work_input.workers,
            decided.slices,
            explanation["minutes"],
        )
        vectors = vector_warnings(self.description) if action.writes else []
        deletes = action.warnings(self.description, has_recovery=recovery) if isinstance(action, DeleteListed) else ()
        reads = reading_advice(explanation, gentle_read_rate(self.description, None))
        said = [*self._unfinished(action), *act_advice(decided, hours), *reads, *deletes, *vectors, *general]
        explanation |= {"run_hours": round(hours, 1), "advice": said}
        return decided, {"explanation": explanation, "items": preview.first_items()}

    def explanation(self, document: Mapping[str, Any]) -> Mapping[str, Any]:
        # Items hold customers' data: they are stored, and returned only to an execution with `show_items`.
        return {**document["explanation"], **({"items": document["items"]} if self.work_input.show_items else {})}

    def _action(self) -> AnyAction:
        """Return the action; for an undo, find what the act did."""
        requested = self.work_input.action
        if not isinstance(requested, UndoOf):
            return cast("AnyAction", requested)
        document = self.function.results(self.work_input.table, requested.job).stored_plan()
        if document is None:
            raise InputError(
                "undo",
                requested.job,
                "the run has no act with this name",
                f"use one of its {named('put_item')} or {named('delete_listed')} acts",
            )
        if document.get("dry_run"):
            raise InputError("undo", requested.job, "that was a dry run, which wrote nothing", "give an act that wrote")
        undone = DoneAct.of_any_version(document)
        if undone.run != self.work_input.run:
            raise InputError(
                "run", self.work_input.run, f'act "{requested.job}" belongs to run "{undone.run}"', "give that run"
            )
        undone.identity.check(self.description.identity, f'undo is "{requested.job}"; that act')
        check_run(undone, self.manifest, f'act "{requested.job}"')
        put = undone.action
        if isinstance(put, DeleteListed):
            return PutBack(requested.job)
        if not isinstance(put, PutItem):
            raise InputError(
                "undo",
                requested.job,
                f"that act was {put.name}; only {named('put_item')} and {named('delete_listed')} can be undone",
                "give the name of such an act of this run",
            )
        return Undo(requested.job, put.item, undone.mark)

    def _unfinished(self, action: Action) -> list[str]:
        """Return a warning if the act to undo may still write."""
        if not isinstance(action, UndoOf):
            return []
        if self.function.results(self.work_input.table, action.job).manifest() is not None:
            return []
        return [
            f'act "{action.job}" is not complete: if it is still running, it writes after the undo. Stop its '
            "execution, and wait 15 minutes, before you undo it"
        ]

    def _check(self, action: Action, *, skips_ended: bool) -> bool | None:
        """Return whether the table has point-in-time recovery; raise for an act that must not start."""
        action_input, manifest = self.work_input, self.manifest
        check_enabled(action, self.description, self.function.settings.writing)
        check_target(action, partition_key_of(manifest), self.description, skips_ended=skips_ended)
        if action.takes_items:
            check_items(manifest, self.description, action_input.run)
        elif manifest.get("level"):
            rule = "its lines are groups within item collections, and the act works on whole item collections"
            way = f"use a run without {named('delimiter')} and {named('prefix_length')}"
            raise InputError("run", action_input.run, rule, way)
        elif has_item_lines(manifest):
            rule = "it has a line for each item, and the act works on whole item collections"
            raise InputError("run", action_input.run, rule, f"use a run without {named('take.items')}")
        if isinstance(action, DeleteListed):
            action.check_listed(manifest["keys"])
        if action.writes:
            check_replicas(self.description, no_writes_elsewhere=action_input.no_writes_elsewhere)
        recovery = table.has_recovery(self.client, action_input.table)
        if action.writes and not (action_input.dry_run or action_input.without_recovery):
            check_recovery(action_input.table, recovery)
        return recovery

    def _prices(self) -> Prices:
        """Return the prices of the table's requests; those to provisioned capacity cost nothing extra."""
        prices = price_requests.of_table(self.pricing, self.client, self.description)
        is_provisioned = self.description.throughput.write_units is not None
        return prices.provisioned(reads=is_provisioned, writes=is_provisioned)
