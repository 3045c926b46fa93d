"""A deployed environment for the commands: its options and its clients."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache, cached_property
from hashlib import sha256
from typing import Any

import boto3
from botocore.exceptions import BotoCoreError, ClientError

from skipscan.aws import clients
from skipscan.aws.bucket import Bucket
from skipscan.environment import KINDS, executions
from skipscan.environment.execution import Execution, asks_dry_run
from skipscan.environment.status import State, Status
from skipscan.environment.watch import Archive, Watch, status_of
from skipscan.errors import IncompleteRunError, NotFoundError
from skipscan.inputs.names import is_run_name, is_table, similar, table_arn, table_name, table_owner
from skipscan.library.patience import near_table
from skipscan.listing.compare.finished_runs import FinishedRuns
from skipscan.listing.fields import ONLY_PREFIX
from skipscan.listing.scope import Scope
from skipscan.loop.reader import ResultsReader
from skipscan.stored.stored_work import StoredWork


@dataclass(frozen=True)
class Deployed:
    """One table in a deployed environment. `table_or_arn`: as given. Nothing calls AWS before it is needed."""

    env: str
    table_or_arn: str
    session: boto3.Session

    @property
    def table(self) -> str:
        """The table's name without its ARN."""
        return table_name(self.table_or_arn)

    @cached_property
    def arn(self) -> str:
        """The table's ARN; a table given by name is in the environment's account and region."""
        return table_arn(self.table_or_arn, self._deployment.machines["run"])

    @cached_property
    def _deployment(self) -> executions.Deployment:
        return executions.find_deployment(executions.cloudformation_client(self.session), self.env)

    @cached_property
    def storage(self) -> Bucket:
        return Bucket(clients.s3(self.session), self._deployment.bucket)

    @cached_property
    def machines(self) -> dict[str, executions.Executions]:
        """The executions of each kind of work that the environment enables for any table."""
        client = executions.sfn_client(self.session)
        return {label: executions.Executions(client, machine) for label, machine in self._deployment.machines.items()}

    def machine(self, label: str) -> executions.Executions:
        """Return the executions of a kind of work; raise `NotFoundError` if the environment does not enable it."""
        if label not in self.machines:
            enabled = '{"to": "<the new table>", "stream": "<ARN>"}' if label == "copy" else "true"
            raise NotFoundError(
                "env",
                self.env,
                f"it does not enable {label} for any table",
                f'add "writing": {{"{self.table}": {{"{label}": {enabled}}}}} to it in cdk.json, and make deploy '
                f"ENV={self.env}",
            )
        return self.machines[label]

    def archive(self, label: str = "run") -> Archive:
        place = ":".join(self._deployment.machines["run"].split(":")[3:5])  # its region and account
        kind, owner = KINDS[label], table_owner(self.arn, place)
        layout = kind.layout(executions.PREFIX, self.table, "any", owner)
        return Archive(kind, ResultsReader(self.storage, layout), self.arn)

    def start(self, label: str, name: str, document: Mapping[str, Any]) -> Execution:
        """Start an execution. A list of keys in its input is stored, and named there. Like a checkpoint, it expires."""
        if isinstance(body := document.get("only"), bytes):
            document = {**document, "only": f"uploads/{sha256(body).hexdigest()}"}
            self.storage.put_once(f"{ONLY_PREFIX}{document['only']}", body, expires=True)
        return self.machine(label).start(name, document)

    def running(self, label: str = "run") -> dict[str, Execution]:
        """Return the running executions of a kind for the table, by the work's name."""
        found = self.machine(label).running(self.arn)
        return {one.work: one for one in found if not asks_dry_run(KINDS[label], one)}

    def over(self, table: str) -> "Deployed":
        """Return the same environment with another table, and the same clients. `table`: its name or ARN."""
        other = replace(self, table_or_arn=table)
        shared = ("_deployment", "storage", "machines")
        other.__dict__.update({name: getattr(self, name) for name in shared})
        return other

    def status(self, label: str, execution: Execution) -> Status:
        """Return the status of an execution's work, without the workers, even if the execution has no plan."""
        kind, now = KINDS[label], datetime.now(UTC)
        nothing = Status(kind, self.table_or_arn, execution.work, State.REFUSED, now, execution)
        if not is_table(self.table_or_arn) or not is_run_name(execution.work):
            return nothing
        archive = self.archive(label)
        work = archive.work(execution.work)
        work.document = work.results.stored_plan()
        if work.document is not None and (has := archive.has(work)) is not False:
            return archive.status(work, {work.name: execution} if execution.is_running or has is None else {})
        return status_of(work, now, execution, None, has_parts=False)

    def watch(self, name: str | None, label: str | None = None) -> Watch:
        """Return a watch on a run or job; raise `NotFoundError` if there is none.

        `name`: default: the newest run, also one that ended before its plan. `label`: its kind; without one, all kinds
        are searched.
        """
        if name is None:
            label = label or "run"
            name = self._newest(label)
        labels = (label,) if label else tuple(self.machines)
        for one in labels:
            if watch := self._watched(one, name):
                return watch
        names = [found for one in labels for found in self.storage.folders(self.archive(one).any.layout.all)]
        near = next((f"; did you mean {found}?" for found in similar(name, names)), "")
        lists = f"`skipscan runs {self.table} --env {self.env}` lists them{near}"
        raise NotFoundError(
            label or "name",
            name,
            f'table "{self.table}" has no {label or "run or job"} with this name in {self.env}',
            lists if names else self.meant(lists),
        )

    def _watched(self, label: str, name: str) -> Watch | None:
        machine, archive = self.machine(label), self.archive(label)
        work = archive.work(name)  # refuses an invalid name
        execution = self.running(label).get(name) or machine.named(name)
        if execution and execution.work != name:  # the name of an execution that resumed another run or job
            work = archive.work(execution.work)
        plan = work.plan()
        if plan is not None and not archive.has(work):  # of a table of the same name in another account
            return None
        if execution and not executions.is_over(execution, self.arn) and not plan:
            execution = None
        if plan is None and execution is None:
            return None
        execution = execution or (plan and machine.at(plan["execution"])) or None
        return self._watch(work, execution)

    def started(self, label: str, execution: Execution) -> Watch:
        """Return a watch on the work of an execution that has just started: its own, or what it resumes."""
        return self._watch(self.archive(label).work(execution.work), execution)

    def seen(self, status: Status) -> Status:
        """Return the status with everything that is known about unfinished work."""
        if status.manifest or status.plan is None or status.is_dry_run:
            return status
        label = status.kind.label
        execution = status.execution or self.machine(label).named(status.name)
        with suppress(IncompleteRunError):  # expired, or removed: the other work of a list is shown all the same
            return self._watch(self.archive(label).work(status.name), execution).look()
        return status

    def _watch(self, work: StoredWork, execution: Execution | None) -> Watch:
        @cache
        def previous() -> float | None:
            scope = Scope.of(work.kind.work(work.plan() or {}).plan)
            manifest = FinishedRuns(work.results, scope.id).newest()
            return None if manifest is None else float(manifest["keys"])

        if work.kind.lists_keys:
            work.previous = previous
        machine = self.machine(work.kind.label)
        is_first = execution and execution.name == work.name
        if execution and is_first and not execution.is_running and work.results.manifest() is None:
            execution = machine.last(execution, self.arn)
        return Watch(work, machine, execution)

    def finished(self, run: str | None) -> Mapping[str, Any]:
        """Return the manifest of a finished run (default: the newest); raise `NotFoundError` if there is none."""
        if run is None:
            found = next(self.archive().finished(), None)
            if found is None:
                raise self._nothing(f"has no finished run in {self.env}", f"start one with `{self.starting('run')}`")
            return found
        if found := self.archive().manifest(run):
            return found
        status = self.watch(run, "run").look()
        if status.manifest is None:
            under_way = status.state.is_under_way
            command = f"skipscan status {self.table} {run} --env {self.env}"
            raise NotFoundError(
                "run",
                run,
                f"that run is {status.state}; only a finished run has all keys",
                f"wait for it with `{command} --follow`" if under_way else f"look at it with `{command}`",
            )
        return status.manifest

    def with_results(self, name: str | None, label: str | None) -> StoredWork:
        """Return a run or job with results (default: the newest run); raise `NotFoundError` if there is none.

        `label`: its kind; without one, all kinds are searched.
        """
        if name is not None:
            watch = self.watch(name, label)
            status, kind = watch.look(), watch.work.kind
            if status.profile:
                raise NotFoundError(
                    kind.label,
                    name,
                    "that is a profile of the table, which has no other report",
                    f"open its page, {status.page}",
                )
            if status.plan is None or status.state is State.PLANNED:
                raise NotFoundError(
                    kind.label,
                    name,
                    f"that {kind.label} is {status.state}, and has no results yet",
                    f"`skipscan runs {self.table} --env {self.env}` lists the others",
                )
            return watch.work
        label = label or "run"
        running, archive = self.running(label), self.archive(label)
        empty = {State.PLANNED, State.PROFILED}
        found = next((work for work in archive.entries() if archive.status(work, running).state not in empty), None)
        if found is None:
            starts = f"start one with `{self.starting(label)}`, or use another --kind"
            raise self._nothing(f"has no {label} in {self.env} with results", starts)
        return found

    def unfinished(self, label: str | None) -> Watch | None:
        """Return a watch on the newest work of a kind that can be resumed; `None` if there is none.

        `label`: its kind; without one, all kinds are searched. Of each kind, only the newest that is no dry run counts:
        what newer work has left behind is resumed by its name.
        """
        found: list[tuple[datetime, str, str]] = []
        for one in (label,) if label else tuple(self.machines):
            running, archive = self.running(one), self.archive(one)
            entry = next((work for work in archive.entries() if not (work.plan() or {}).get("dry_run")), None)
            if entry is None or any(execution.started > entry.started for execution in running.values()):
                continue
            if archive.status(entry, running).can_be_resumed:
                found.append((entry.started, one, entry.name))
        if not found:
            return None
        _, kind, name = max(found)
        return self._watched(kind, name)

    def starting(self, label: str) -> str:
        """Return the command that starts work of a kind."""
        step, to = ("copy start", " TO") if label == "copy" else (label, "")
        return f"skipscan {step} {self.table}{to} --env {self.env}"

    def _newest(self, label: str) -> str:
        running = self.running(label)
        by_start = [(execution.started, name) for name, execution in running.items() if execution.name == name]
        entries = self.archive(label).entries()
        by_start += [(entry.started, entry.name) for entry in entries[:1]]
        early = self.machine(label).ended_early(self.arn, {entry.name for entry in entries})
        # A refused resume is no work of its own, and often of a mistyped name.
        by_start += [(one.started, one.name) for one in early if one.work == one.name]
        if not by_start:
            shown = f"`skipscan runs {self.table} --env {self.env}` shows it"
            starts = f"start one with `{self.starting(label)}`, or name other work by NAME or --kind: {shown}"
            raise self._nothing(f"has no {label} in {self.env}", starts)
        return max(by_start)[1]

    def meant(self, otherwise: str = "") -> str:
        """Return what to do if no table has the name: it is that of a run or job, or misspelt; else the other way out.

        What the credentials may not ask gives no hint.
        """
        if self.table != self.table_or_arn:  # an ARN, and perhaps of another account
            return otherwise
        client = clients.dynamodb(self.session, connections=1)
        try:
            client.describe_table(TableName=self.table)
            return otherwise
        except (BotoCoreError, ClientError) as error:
            is_missing = isinstance(error, client.exceptions.ResourceNotFoundException)
        with suppress(BotoCoreError, ClientError):
            named = (machine.named(self.table) for machine in self.machines.values() if is_run_name(self.table))
            found = next(filter(None, named), None)
            if found and (table := table_name(executions.table_of(found))) != self.table:
                return f"{self.table} is the name of work over table {table}: name that first"
        if not is_missing:
            return otherwise
        near = near_table(client, self.table)
        there = "there is no such table: check the name, the region and the account" if otherwise else ""
        return f"did you mean {near}?" if near else there

    def _nothing(self, rule: str, remedy: str) -> NotFoundError:
        """Return the error for a table without such work."""
        return NotFoundError(f'table "{self.table}"', rule=rule, remedy=self.meant(remedy))
