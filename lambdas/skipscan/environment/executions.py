"""A deployed environment, found by its stack, and the executions of its state machines: start, find, stop."""

import json
from collections.abc import Callable, Container, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

from skipscan.aws import clients
from skipscan.environment import KINDS
from skipscan.environment.execution import Execution
from skipscan.errors import InputError, NotFoundError, SkipscanError
from skipscan.inputs.field import meant
from skipscan.inputs.names import ENVIRONMENT_NAME, VERIFIED, is_table, table_arn
from skipscan.listing.kind import LISTING

if TYPE_CHECKING:
    from mypy_boto3_cloudformation import CloudFormationClient
    from mypy_boto3_cloudformation.literals import StackStatusType


LOOKS = 8
"""How many executions are described at once: an account has 15 such requests a second (Step Functions developer guide,
"Quotas")."""


def sfn_client(session: boto3.Session) -> clients.SFNClient:
    config = Config(connect_timeout=5, read_timeout=20, retries={"mode": "standard", "total_max_attempts": 6})
    made: clients.SFNClient = clients.make(session, "stepfunctions", config)
    return made


class Executions:
    """The executions of one state machine. A run has the name of the execution that started it."""

    def __init__(self, sfn: clients.SFNClient, state_machine: str) -> None:
        self._client = sfn
        self._machine = state_machine

    def start(self, name: str, document: Mapping[str, Any]) -> Execution:
        """Start an execution; raise `InputError` if one of that name had another input."""
        try:
            answer = self._client.start_execution(
                stateMachineArn=self._machine, name=name, input=json.dumps(document, ensure_ascii=False)
            )
        except self._client.exceptions.ExecutionAlreadyExists:
            raise InputError("the name", name, "an execution with this name exists", "use another name") from None
        return Execution(name, answer["executionArn"], "RUNNING", answer["startDate"], document)

    def error(self, execution: Execution) -> SkipscanError | None:
        """Return the error that ended an execution, if it is one that a person can correct; `None` for other ends.

        Only such errors have causes that never contain key values; other causes may quote a state.
        """
        found = {error.__name__: error for error in SkipscanError.__subclasses__()}.get(execution.error or "")
        if found is None:
            return None
        said = {"fact": [execution.cause or ""], "remedy": [], "page": None}
        return found.from_json(self.refusal(execution) or said)

    def refusal(self, execution: Execution) -> Mapping[str, Any] | None:
        """Return the error of a failed execution as data, from the input of its state Fail.

        Returns `None` for other ends, and where the history cannot be read: the cause says the same in fields.
        """
        # The history ends with the entry of the state Fail and the failure (API reference, "HistoryEvent").
        try:
            found = self._client.get_execution_history(executionArn=execution.arn, reverseOrder=True, maxResults=2)
        except ClientError:
            return None
        entered = (event.get("stateEnteredEventDetails", {}).get("input") for event in found["events"])
        refusals = (_document(text).get("refusal") for text in entered)
        return next((refusal for refusal in refusals if refusal), None)

    def named(self, name: str) -> Execution | None:
        """Return an execution; `None` if none had that name in the last 90 days."""
        return self.at(f"{self._machine.replace(':stateMachine:', ':execution:')}:{name}")

    def at(self, arn: str) -> Execution | None:
        """Return the execution with that ARN; `None` if Step Functions does not have it."""
        try:
            found = self._client.describe_execution(executionArn=arn)
        except self._client.exceptions.ExecutionDoesNotExist:
            return None
        return Execution(
            found["name"],
            found["executionArn"],
            found["status"],
            found["startDate"],
            _document(found.get("input")),
            found.get("error"),
            found.get("cause"),
            # The embedded AWS puts a failure into the output, too.
            json.loads(found["output"]) if found["status"] == "SUCCEEDED" and found.get("output") else None,
        )

    def running(self, table: str) -> list[Execution]:
        """Return the running executions for a table, given by its ARN."""
        pages = self._client.get_paginator("list_executions").paginate(
            stateMachineArn=self._machine, statusFilter="RUNNING"
        )
        found = (self.at(entry["executionArn"]) for page in pages for entry in page["executions"])
        return [one for one in found if one and one.is_running and is_over(one, table)]

    def latest(self, ceiling: int) -> list[Execution]:
        """Return the newest executions over any table but those of `make verify`."""
        pages = self._client.get_paginator("list_executions").paginate(
            stateMachineArn=self._machine, PaginationConfig={"MaxItems": ceiling, "PageSize": min(ceiling, 1000)}
        )
        arns = [entry["executionArn"] for page in pages for entry in page["executions"]]
        with ThreadPoolExecutor(LOOKS) as pool:
            return [one for one in pool.map(self.at, arns) if one and not table_of(one).startswith(VERIFIED)]

    def ended_early(self, table: str, known: Container[str]) -> list[Execution]:
        """Return the executions over a table that ended without success, of the newest hundred. `table`: its ARN.

        `known`: names to pass over. Makes one request for each other name.
        """
        newest = self._client.list_executions(stateMachineArn=self._machine, maxResults=100)["executions"]
        ended = [one for one in newest if one["status"] not in {"RUNNING", "SUCCEEDED"} and one["name"] not in known]
        with ThreadPoolExecutor(LOOKS) as pool:
            found = list(pool.map(self.at, [one["executionArn"] for one in ended]))
        return [one for one in found if one and one.work not in known and is_over(one, table)]

    def last(self, first: Execution, table: str) -> Execution:
        """Return the newest execution that resumed the work of an execution, or that execution if none did.

        `table`: by its ARN. Only the newest hundred executions since are inspected, with one request for each.
        """
        newest = self._client.list_executions(stateMachineArn=self._machine, maxResults=100)["executions"]
        for entry in newest:
            if entry["startDate"] <= first.started:
                break
            one = self.at(entry["executionArn"])
            if one and one.work == first.work and is_over(one, table):
                return one
        return first

    def last_ended(self, since: datetime, *, besides: Callable[[Execution], bool]) -> datetime | None:
        """Return when the last of the newest thousand executions ended, over any table; `None`: none after `since`.

        `besides`: which executions to ignore. Makes one request for each that is inspected, the last ended one first.
        `since` bounds these: an account has 15 such requests a second (Step Functions developer guide, "Quotas").
        """
        newest = self._client.list_executions(stateMachineArn=self._machine, maxResults=1000)["executions"]
        ended = [(one["stopDate"], one["executionArn"]) for one in newest if one.get("stopDate", since) > since]
        for at, arn in sorted(ended, reverse=True):
            one = self.at(arn)
            if one is None or not besides(one):
                return at
        return None

    def workers(self, execution: Execution) -> Mapping[str, int] | None:
        """Return the number of an execution's workers in each state; `None` before its Map begins."""
        runs = self._client.list_map_runs(executionArn=execution.arn).get("mapRuns")
        if not runs:
            return None
        counts = self._client.describe_map_run(mapRunArn=runs[0]["mapRunArn"])["executionCounts"]
        states = ("pending", "running", "succeeded", "failed", "timedOut", "aborted")
        return {state: counts[state] for state in states}  # type: ignore[literal-required]

    def stop(self, execution: Execution) -> None:
        self._client.stop_execution(executionArn=execution.arn, error="Stopped", cause="stopped by `skipscan stop`")


def _document(text: str | None) -> dict[str, Any]:
    """Parse an execution's input; return an empty one for JSON that is no object, which Plan refuses."""
    document = json.loads(text or "{}")
    return document if isinstance(document, dict) else {}


def table_of(execution: Execution) -> str:
    """Return the table in an execution's input, which Plan may have refused; "?" if it names none."""
    requested = execution.document.get("table")
    return requested if isinstance(requested, str) else "?"


def is_over(execution: Execution, table: str) -> bool:
    """Return whether an execution is for a table, given by its ARN."""
    requested = execution.document.get("table")
    return isinstance(requested, str) and is_table(requested) and table_arn(requested, execution.arn) == table


PREFIX = "skipscan"
"""The prefix of every result's name, which the stack sets for all environments."""


@dataclass(frozen=True)
class Deployment:
    """An environment's state machines and bucket. `machines`: ARNs by kind of work."""

    environment: str
    bucket: str
    machines: Mapping[str, str] = field(default_factory=dict)


def cloudformation_client(session: boto3.Session, config: Config | None = None) -> "CloudFormationClient":
    made: CloudFormationClient = clients.make(session, "cloudformation", config)
    return made


USABLE: "Sequence[StackStatusType]" = (
    *("CREATE_COMPLETE", "UPDATE_IN_PROGRESS", "UPDATE_COMPLETE_CLEANUP_IN_PROGRESS", "UPDATE_COMPLETE"),
    *("UPDATE_FAILED", "UPDATE_ROLLBACK_IN_PROGRESS", "UPDATE_ROLLBACK_COMPLETE_CLEANUP_IN_PROGRESS"),
    *("UPDATE_ROLLBACK_COMPLETE", "UPDATE_ROLLBACK_FAILED", "IMPORT_IN_PROGRESS", "IMPORT_COMPLETE"),
    *("IMPORT_ROLLBACK_IN_PROGRESS", "IMPORT_ROLLBACK_COMPLETE", "IMPORT_ROLLBACK_FAILED"),
)
"""Of a stack that was created and is not being deleted."""
MOST_STACKS = 1000


def environment_names(cloudformation: "CloudFormationClient") -> list[str]:
    """Return the environments deployed in the region, found by stack name among the newest 1,000 stacks."""
    pages = cloudformation.get_paginator("list_stacks").paginate(
        StackStatusFilter=USABLE, PaginationConfig={"MaxItems": MOST_STACKS}
    )
    names = (stack["StackName"].partition(f"{PREFIX}-") for page in pages for stack in page["StackSummaries"])
    return sorted(name for before, _, name in names if not before and ENVIRONMENT_NAME.fullmatch(name))


def find_deployment(cloudformation: "CloudFormationClient", environment: str) -> Deployment:
    """Return the environment; raise `InputError` for an invalid name, `NotFoundError` if it is not deployed."""
    if not isinstance(environment, str) or not ENVIRONMENT_NAME.fullmatch(environment):
        raise InputError(
            "env",
            environment,
            "it must be the name of an environment (1 to 24 of a-z, A-Z, 0-9 and -)",
            "correct it",
        )
    stack = f"skipscan-{environment}"
    try:
        described = cloudformation.describe_stacks(StackName=stack)["Stacks"]
    except ClientError as error:
        if error.response["Error"]["Code"] != "ValidationError":
            raise
        described = []
    outputs = {entry["OutputKey"]: entry["OutputValue"] for one in described for entry in one.get("Outputs", [])}
    if LISTING.output not in outputs or "BucketName" not in outputs:
        deploys = f"deploy it (skipscan deploy --table TABLE --env {environment}), or give another"
        names: list[str] = []
        with suppress(ClientError):  # some may not list stacks
            names = environment_names(cloudformation)
        there = f"; deployed are {', '.join(names)}" if names else ""
        raise NotFoundError(
            "env",
            environment,
            f"there is no stack {stack} in {cloudformation.meta.region_name}{there}",
            meant(environment.removeprefix(f"{PREFIX}-"), names, f"{deploys} --env, --region or --profile"),
        )
    machines = {label: outputs[kind.output] for label, kind in KINDS.items() if kind.output in outputs}
    return Deployment(environment, outputs["BucketName"], machines)
