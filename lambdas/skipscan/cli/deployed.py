"""A deployed environment as the commands use it: its options, and the clients behind them."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import boto3
import click

from skipscan.aws import clients, deployment, executions
from skipscan.aws.archive import Archive, Finished
from skipscan.aws.deployment import PREFIX, Deployment
from skipscan.aws.executions import Executions
from skipscan.aws.watch import Watch
from skipscan.cli.connection import region_and_profile
from skipscan.errors import NotFoundError
from skipscan.inputs.names import table_name
from skipscan.inputs.quoted import quoted
from skipscan.listing.execution_input import parse
from skipscan.loop.status import Execution, State

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

Command = TypeVar("Command", bound=Callable[..., Any])


def deployed_options(command: Command) -> Command:
    """Return the command with --env, --region and --profile."""
    env = click.option("--env", envvar="SKIPSCAN_ENV", required=True, help="The deployed environment, as in cdk.json.")
    return env(region_and_profile(command))


def run_argument(command: Command) -> Command:
    """Return the command with TABLE and the run, which is the newest if left out."""
    return click.argument("table_name", metavar="TABLE")(click.argument("run", required=False)(command))


json_option = click.option("--json", "as_json", is_flag=True, help="Machine-readable: JSON on stdout.")


@dataclass(frozen=True)
class Deployed:
    """One table in a deployed environment. `table`: its bare name."""

    env: str
    table: str
    region: str | None
    profile: str | None

    @classmethod
    def of(cls, env: str, table: str, region: str | None, profile: str | None) -> "Deployed":
        """Return it unasked; raise `InputError` for what is no table's name."""
        return cls(env, table_name(parse({"table": table}).table), region, profile)

    @cached_property
    def _session(self) -> boto3.Session:
        return boto3.Session(region_name=self.region, profile_name=self.profile)

    @cached_property
    def _deployment(self) -> Deployment:
        return deployment.find(deployment.client(self._session), self.env)

    @cached_property
    def s3(self) -> "S3Client":
        return clients.s3(self._session)

    @property
    def bucket(self) -> str:
        return self._deployment.bucket

    @cached_property
    def executions(self) -> Executions:
        return Executions(executions.client(self._session), self._deployment.state_machine)

    @cached_property
    def jobs(self) -> dict[str, Executions]:
        """The jobs that write, as far as the environment enables them for any table, by what they do."""
        client = executions.client(self._session)
        return {does: Executions(client, machine) for does, machine in self._deployment.jobs.items()}

    def job(self, does: str) -> Executions:
        """Return the executions of a kind of job; raise `NotFoundError` where the environment does not enable it."""
        if does not in self.jobs:
            enabled = '{"to": "<the new table>", "stream": "<ARN>"}' if does == "copy" else "true"
            raise NotFoundError(
                f'env is "{self.env}"; it enables no {does} for any table: add "writing": {{"{self.table}": '
                f'{{"{does}": {enabled}}}}} to it in cdk.json, and deploy'
            )
        return self.jobs[does]

    @cached_property
    def archive(self) -> Archive:
        return Archive(self.s3, self.bucket, PREFIX, self.table)

    def running(self) -> dict[str, Execution]:
        """Return the executions that work on the table now, by run."""
        found = self.executions.running(self.table)
        return {execution.run: execution for execution in found if not execution.document.get("dry_run")}

    def watch(self, run: str | None) -> Watch:
        """Return a watch on a run, the newest if none is named; raise `NotFoundError` if there is none."""
        running = self.running()
        name = self._newest(running) if run is None else run
        layout = self.archive.layout(name)
        execution = running.get(name) or self.executions.named(name)
        if execution and execution.run != name:  # the name of an execution that resumed another run
            layout = self.archive.layout(execution.run)
        plan = self.archive.results(layout.run).plan()
        if execution and table_name(str(execution.document.get("table"))) != self.table and not plan:
            execution = None
        if plan is None and execution is None:
            raise NotFoundError(
                f'run is {quoted(name)}; table "{self.table}" has no run of that name in {self.env}: '
                f"`skipscan list {self.table} --env {self.env}` shows those there are"
            )
        execution = execution or (plan and self.executions.at(plan["execution"])) or None
        return Watch(self.s3, self.bucket, layout, self.executions, execution)

    def finished(self, run: str | None) -> Finished:
        """Return a finished run, the newest if none is named; raise `NotFoundError` if there is none."""
        if run is None:
            found = next(self.archive.finished(), None)
            if found is None:
                raise NotFoundError(
                    f'table "{self.table}" has no finished run in {self.env}: start one with '
                    f"`skipscan run {self.table} --env {self.env}`"
                )
            return found
        standing = self.watch(run).look()
        if standing.manifest is None:
            raise NotFoundError(
                f"run is {quoted(run)}; that run is {standing.state}, and only a finished one has all keys: "
                f"{'wait for it with' if standing.state.goes_on else 'look at it with'} "
                f"`skipscan status {self.table} {run} --env {self.env}{' --follow' if standing.state.goes_on else ''}`"
            )
        return Finished(standing.name, standing.manifest)

    def begun(self, run: str | None) -> str:
        """Return the name of a run that has read something, the newest if none is named, or raise `NotFoundError`."""
        if run is not None:
            standing = self.watch(run).look()
            if standing.plan is None or standing.state is State.PLANNED:
                raise NotFoundError(
                    f"run is {quoted(run)}; that run is {standing.state}, and has read nothing yet: "
                    f"`skipscan list {self.table} --env {self.env}` shows those there are"
                )
            return standing.name
        running = self.running()
        standings = (self.archive.standing(entry, running) for entry in self.archive.entries())
        found = next((standing.name for standing in standings if standing.state is not State.PLANNED), None)
        if found is None:
            raise NotFoundError(
                f'table "{self.table}" has no run in {self.env} that has read anything: start one with '
                f"`skipscan run {self.table} --env {self.env}`"
            )
        return found

    def _newest(self, running: dict[str, Execution]) -> str:
        by_start = [(execution.started, run) for run, execution in running.items() if execution.name == run]
        by_start += [(entry.started, entry.name) for entry in self.archive.entries()[:1]]
        if not by_start:
            raise NotFoundError(
                f'table "{self.table}" has no run in {self.env}: start one with '
                f"`skipscan run {self.table} --env {self.env}`"
            )
        return max(by_start)[1]
