"""What every Lambda function has: settings, storage, log, metrics.

Metrics are lines of the function's log (EMF): CloudWatch reads them there, without a call or a permission.

Settings are environment variables that the stack sets from cdk.json.
"""

import json
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from math import inf
from typing import Any, Generic, Self, cast

import boto3
from aws_lambda_powertools import Logger
from aws_lambda_powertools.metrics import EphemeralMetrics
from aws_lambda_powertools.utilities.typing import LambdaContext

from skipscan.aws import clients
from skipscan.aws.bucket import Bucket
from skipscan.aws.faults import fault, scrub, scrubbed
from skipscan.aws.table import check_tables
from skipscan.errors import BudgetError, IncompleteRunError, TableError
from skipscan.inputs.names import table_name, table_owner
from skipscan.loop.begin import Planning, begin, within_ceiling
from skipscan.loop.dependencies import Dependencies, Log, Meter
from skipscan.loop.event import TurnEvent, gathered_of, reported_of
from skipscan.loop.finish import ENDED_BY, NO_ADDITIONS, Additions, finish, refused
from skipscan.loop.kind import AnyProgress, Failure, Kind, P, worker_state
from skipscan.loop.metric import BY_ENVIRONMENT, BY_TABLE, ENVIRONMENT, NAMESPACE, TABLE, Metric
from skipscan.loop.results import Results
from skipscan.loop.run_batch import ReadyBatch
from skipscan.loop.storage import Part, Storage
from skipscan.loop.turn import advance
from skipscan.loop.work import sealed
from skipscan.pace.bill import Amounts
from skipscan.pace.bounds import BATCH_SECONDS, FIRST_SECONDS, WORKER_GB, Bounds
from skipscan.scan.history import LONG_AFTER, LONGEST_BATCH_SECONDS

BATCH_KEYS = 1_000_000
BATCH_BYTES = 32 << 20
"""A part is collected in memory, and its buffer grows by an eighth at a time."""


WHOLE_CAUSES, CUT_CAUSE = 100, 100
"""The workers whose reports have all of the sentence that ended them, and the characters that those of others have: the
state holds 256 KiB, and a permission that is removed ends a thousand workers with sentences of 300 characters."""


@dataclass(frozen=True)
class Settings:
    """Where results go, and what ends a batch. `batch_*` left out by the environment have the defaults above.

    `place`: region and account of the stack, like us-east-1:111111111111.
    `environment`: its name, a dimension of the metrics. `reserved_concurrency`: of the function that the workers
    invoke, `None` without one. `gigabytes`: of memory, as Lambda says. `writing`: the tables that jobs may act on, by
    ARN, and the functions and queues that may get their keys. `max_dollars`: the highest budget of any work.
    `key_attributes`: what runs may read, where they may take keys alone. `retrofitted`: the tables that retrofits may
    write to. `followers`: by table name, the readers of its stream. `replicas`: the pairs of tables that copies may
    have, as `Replica` documents. `mappings`: by source of a pair, the UUIDs of what invokes its replicator.
    """

    bucket: str
    prefix: str
    place: str
    environment: str
    batch_seconds: float
    batch_pages: int | None
    batch_keys: int
    batch_bytes: int
    reserved_concurrency: int | None
    gigabytes: float
    writing: Mapping[str, list[str]]
    max_dollars: float | None
    key_attributes: tuple[str, ...]
    retrofitted: tuple[str, ...]
    followers: Mapping[str, list[str]]
    replicas: tuple[Mapping[str, Any], ...]
    mappings: Mapping[str, list[str]]

    @classmethod
    def read(cls, variables: Mapping[str, str]) -> Self:
        pages = variables.get("SKIPSCAN_BATCH_PAGES")
        reserved = variables.get("SKIPSCAN_RESERVED_CONCURRENCY")
        memory = variables.get("AWS_LAMBDA_FUNCTION_MEMORY_SIZE")
        replicas, mappings = (json.loads(variables.get(f"SKIPSCAN_{name}", "[]")) for name in ("REPLICAS", "MAPPINGS"))
        return cls(
            bucket=variables["SKIPSCAN_BUCKET"],
            prefix=variables["SKIPSCAN_PREFIX"],
            place=variables["SKIPSCAN_PLACE"],
            environment=variables.get("SKIPSCAN_ENVIRONMENT", "unnamed"),
            batch_seconds=float(variables.get("SKIPSCAN_BATCH_SECONDS", BATCH_SECONDS)),
            batch_pages=int(pages) if pages else None,
            batch_keys=int(variables.get("SKIPSCAN_BATCH_KEYS", BATCH_KEYS)),
            batch_bytes=int(variables.get("SKIPSCAN_BATCH_BYTES", BATCH_BYTES)),
            reserved_concurrency=int(reserved) if reserved else None,
            gigabytes=int(memory) / 1024 if memory else WORKER_GB,
            writing=json.loads(variables.get("SKIPSCAN_WRITING", "{}")),
            key_attributes=tuple(json.loads(variables.get("SKIPSCAN_KEY_ATTRIBUTES", "[]"))),
            retrofitted=tuple(json.loads(variables.get("SKIPSCAN_RETROFIT", "[]"))),
            followers=json.loads(variables.get("SKIPSCAN_FOLLOWERS", "{}")),
            replicas=tuple(replicas),
            mappings={pair["source"]: found for pair, found in zip(replicas, mappings, strict=True)},
            max_dollars=float(dollars) if (dollars := variables.get("SKIPSCAN_MAX_DOLLARS")) else None,
        )

    @property
    def batch(self) -> Bounds:
        """Return the bounds of a batch in an invocation that may run as long as it takes."""
        return Bounds(self.batch_seconds, self.batch_pages, self.batch_keys, self.batch_bytes)


@dataclass(frozen=True)
class Metrics:
    """Emits the metrics of an environment's functions."""

    environment: str

    def emit(self, figures: Mapping[Metric, float], *, table: str = "", **properties: str) -> None:
        """Emit values, one line for each set of dimensions that any of them has.

        `table`: its name, for metrics of a table. `properties`, such as the run, are in the lines but are no
        dimensions.
        """
        values = {ENVIRONMENT: self.environment, TABLE: table}
        for dimensions in (BY_TABLE, BY_ENVIRONMENT):
            emitted = {metric: value for metric, value in figures.items() if dimensions in metric.dimensions}
            if emitted:
                _write(emitted, {name: values[name] for name in dimensions}, properties)


def _write(figures: Mapping[Metric, float], dimensions: Mapping[str, str], properties: Mapping[str, str]) -> None:
    line = EphemeralMetrics(namespace=NAMESPACE, service="")  # a service would be one more dimension
    for name, value in dimensions.items():
        line.add_dimension(name, value)
    for metric, figure in figures.items():
        line.add_metric(metric.title, metric.unit, figure)
    for name, value in properties.items():
        line.add_metadata(name, value)
    line.flush_metrics()


Handler = Callable[[Any, LambdaContext], Any]
"""What Lambda calls with an event."""


def _store(results: Results, failure: Failure) -> None:
    """Store a failure; without success if S3 is what fails."""
    with suppress(Exception):
        results.put_failure(failure)


@dataclass
class Function(Generic[P]):
    """A function of one kind of work, created once for each Lambda environment. `session`: for its own clients."""

    kind: Kind[P]
    settings: Settings
    session: boto3.Session
    storage: Storage
    logger: Logger
    dependencies: Dependencies

    @classmethod
    def of(cls, kind: Kind[P]) -> "Function[P]":
        settings, session, logger = Settings.read(os.environ), boto3.Session(), Logger()
        meter = Meter(settings.gigabytes)
        emit = Metrics(settings.environment).emit
        dependencies = Dependencies(cast(Log, logger), emit, fault, scrub, meter=meter, failed=_store)
        storage = Bucket(clients.s3(session), settings.bucket, meter)
        return cls(kind, settings, session, storage, logger, dependencies)

    def handler(self, handler: Handler) -> Handler:
        """Return a handler whose lines in the log name the function and the request."""
        logged: Handler = self.logger.inject_lambda_context(handler, clear_state=True)
        return logged

    def finishing(self) -> Handler:
        """Return the handler of a Finish that proves from S3 what was done and adds nothing to the manifest."""
        dynamodb = clients.dynamodb(self.session, connections=1, attempts=clients.ATTEMPTS)

        @self.handler
        def handler(event: Mapping[str, Any], context: LambdaContext) -> dict[str, Any]:
            """Return the output of the execution, or the error and cause of incomplete work."""
            return self.finish(event, dynamodb)

        return handler

    def results(self, table: str, name: str, kind: Kind[Any] | None = None) -> Results:
        """Return the results of one piece of work. `table`: by name or ARN.

        `kind`: of another one's work, such as the run that an act takes its keys from.
        """
        prefix, owner = self.settings.prefix, table_owner(table, self.settings.place)
        return Results(self.storage, (kind or self.kind).layout(prefix, table_name(table), name, owner))

    def bounds(
        self,
        context: LambdaContext,
        progress: AnyProgress,
        allotted: Amounts | None,
        at_least_seconds: float | None = None,
        at_most_seconds: float = inf,
    ) -> Bounds:
        """Return the bounds of a worker's batch in this invocation; the first batches are short, and late ones long.

        `allotted`: what the worker may have consumed when it ends. `at_least_seconds`: the plan's minimum for all
        batches but the first ones. `at_most_seconds`: of its kind of work. The last pages and the commit come after the
        batch's time is up, so room for the longest call is left; a function with a short time-out gives half of it to
        the batch.
        """
        settings, batches = self.settings, progress.batch
        remaining_seconds = context.get_remaining_time_in_millis() / 1000
        first = FIRST_SECONDS[batches] if batches < len(FIRST_SECONDS) else inf
        left = max(remaining_seconds - clients.LONGEST_CALL_SECONDS, remaining_seconds / 2)
        late = LONGEST_BATCH_SECONDS if batches >= LONG_AFTER else 0.0
        seconds = min(max(settings.batch_seconds, at_least_seconds or 0.0, late), first, left, at_most_seconds)
        return replace(settings.batch, seconds=seconds, allotted=allotted, gigabytes=settings.gigabytes)

    def plan(self, event: Mapping[str, Any], open_planning: Callable[[object], Planning[P]]) -> dict[str, Any]:
        """Return the work and its workers, or the explanation of a dry run, or a refusal."""

        def within(document: object) -> Planning[P]:
            return open_planning(within_ceiling(document, self.settings.max_dollars))

        with scrubbed():
            return begin(self.kind, event, within, self.results, self.dependencies)

    def turn(
        self, turn: TurnEvent[P], open_batch: Callable[[AnyProgress, Part, Amounts | None], ReadyBatch]
    ) -> dict[str, Any]:
        """Return the worker's state after one batch, whichever attempt committed it.

        A table that cannot be read any more ends the loop of the worker, and Finish then ends the execution with that
        error: Step Functions says of a worker that raised one only that too many workers failed.
        """
        results = self.results(turn.work.plan.table, turn.work.name)
        with scrubbed():
            try:
                progress = advance(self.kind, turn, results, open_batch, self.dependencies)
                return sealed(worker_state(progress, turn.work.plan), turn.work)
            except Exception as error:
                said = scrub(error)
                if not isinstance(said, TableError):
                    raise
                self.logger.error("worker ended", cause=str(said))
                cause = str(said) if turn.worker < WHOLE_CAUSES else str(said)[:CUT_CAUSE]
                return {"done": True, "report": {"worker": turn.worker, ENDED_BY: cause}}

    def finish(
        self,
        event: Mapping[str, Any],
        dynamodb: clients.DynamoDBClient,
        extras: Callable[[P, Amounts], Additions] = lambda plan, consumed: NO_ADDITIONS,
    ) -> dict[str, Any]:
        """Return the output of the execution, or the error and cause of incomplete work."""
        work, reports = gathered_of(self.kind, event)
        results, check = self.results(work.plan.table, work.name), partial(check_tables, dynamodb)
        with scrubbed():
            try:
                return finish(self.kind, work, reports, results, self.dependencies, check_tables=check, extras=extras)
            except (BudgetError, IncompleteRunError, TableError) as error:
                return refused(self.kind, error)

    def report(self, event: Mapping[str, Any], draw: Callable[[Results], str]) -> str:
        """Put the page about finished work beside its manifest; return its address in the S3 console.

        `draw`: returns the page from the work's results.
        """
        table, name = reported_of(self.kind, event)
        self.logger.append_keys(**{self.kind.label: name})
        results = self.results(table, name)
        with scrubbed():
            body = draw(results).encode()
            results.storage.put(results.layout.report, body)
            self.logger.info("report", bytes=len(body))
            return results.report_link(results.plan() or {})
