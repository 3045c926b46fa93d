"""What all followers of a stream share: each change is applied once, in threads, independent of the others.

An effect brings one item or collection to the state that it should have, with its own reads and writes.
"""

import os
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields
from functools import cache
from threading import Lock
from typing import Any

from aws_lambda_powertools import Logger
from aws_lambda_powertools.utilities.typing import LambdaContext

from skipscan.aws import item, table
from skipscan.aws.clients import LONGEST_CALL_SECONDS, DynamoDBClient
from skipscan.aws.faults import name_of, scrubbed
from skipscan.aws.function import Metrics
from skipscan.aws.rechecked import FRESH_SECONDS, Rechecked
from skipscan.dynamodb.delivery import Change, Delivery, check_followed
from skipscan.dynamodb.step import WRITTEN, First, Get, ItemSteps, Write, do_steps
from skipscan.dynamodb.table_description import TableDescription
from skipscan.loop.metric import Metric

THREADS = 8
"""Changes under way at once: each of them mostly waits for the network."""

LATE = "late"
"""The outcome of a change that was not started, for lack of time."""


@dataclass
class Spent:
    """The consumption of an effect, as DynamoDB reports it; a write whose condition failed reports no units."""

    requests: int = 0
    read_units: float = 0.0
    write_units: float = 0.0
    put: int = 0
    updated: int = 0
    deleted: int = 0

    def __post_init__(self) -> None:
        self._lock = Lock()

    def count(self, requests: int = 1, /, **figures: float) -> None:
        """Add a request and what it consumed."""
        with self._lock:
            for name, figure in {"requests": requests, **figures}.items():
                setattr(self, name, getattr(self, name) + figure)

    def to_json(self) -> dict[str, float]:
        return {field.name: getattr(self, field.name) for field in fields(self)}


class ItemEffect:
    """Brings one item or collection at a time to the state that it should have. Safe to use from several threads.

    `by`: the key attributes that identify a change's subject. `steps`: of a change; they return how it ended. `done`:
    outcomes whose records need no second delivery. `quiet`: those of them that are not logged. `check`: raises before a
    write unless the table still is the one that is followed.
    """

    def __init__(
        self,
        client: DynamoDBClient,
        by: Sequence[str],
        steps: Callable[[Change], ItemSteps],
        *,
        done: frozenset[str],
        quiet: frozenset[str],
        check: Callable[[], None],
    ) -> None:
        self._client, self.by, self.check = client, by, check
        self._steps, self.done, self.quiet = steps, done, quiet
        self.spent = Spent()

    def apply(self, change: Change) -> str:
        """Return how a change ended; raises what AWS raises, except that it refuses a write."""
        return str(do_steps(self._steps(change), self._do))

    def _do(self, step: Get | First | Write) -> object:
        """Return the answer to a step."""
        if isinstance(step, Write):
            self.check()
        answer = item.do(self._client, step)
        if not isinstance(step, Write):
            self.spent.count(answer.requests, read_units=answer.read_units)
        elif answer.value is WRITTEN:
            written = "put" if step.put else "updated" if step.sets else "deleted"
            self.spent.count(write_units=answer.write_units, **{written: 1})
        else:
            self.spent.count()
        return answer.value


@dataclass(frozen=True)
class Followed:
    """`outcomes`: how many changes ended how, by outcome or by an error's name. `failed`: identifiers to deliver again.

    `newest`: when the newest handled record was made, in seconds since 1970; `None` if unknown.
    """

    outcomes: Counter[str]
    failed: list[str]
    newest: float | None


def follow_stream(
    delivery: Delivery, effect: ItemEffect, *, until: float, clock: Callable[[], float] = time.monotonic
) -> Followed:
    """Apply every change of a delivery once. A change that failed, or did not begin by `until`, is delivered again."""

    def outcome_of(change: Change) -> str:
        if clock() >= until:
            return LATE
        try:
            return effect.apply(change)
        except Exception as error:
            return name_of(error)

    changes = delivery.changes(effect.by)
    with ThreadPoolExecutor(THREADS, thread_name_prefix="change") as pool:
        outcomes = list(pool.map(outcome_of, changes))
    failed, handled = list(delivery.unreadable), []
    for change, outcome in zip(changes, outcomes, strict=True):
        if outcome in effect.done:
            handled += [record.created for record in change.records if record.created is not None]
        else:
            failed += [record.identifier for record in change.records]
    return Followed(Counter(outcomes), list(dict.fromkeys(failed)), max(handled, default=None))


@dataclass(frozen=True)
class Follower:
    """A function that follows a table's stream."""

    logger: Logger
    metrics: Metrics

    @classmethod
    def of(cls) -> "Follower":
        return cls(Logger(), Metrics(os.environ.get("SKIPSCAN_ENVIRONMENT", "unnamed")))

    def handle(
        self, lag: Metric, delivery: Delivery, effect: ItemEffect, context: LambdaContext, *, table: str
    ) -> dict[str, Any]:
        """Do the effect and return the records to deliver again. `lag`: the metric of its delay, of `table` by name.

        For a stream, Lambda continues from the lowest returned record. The log gets counts and no keys.
        """
        until = time.monotonic() + context.get_remaining_time_in_millis() / 1000 - LONGEST_CALL_SECONDS
        followed = follow_stream(delivery, effect, until=until)
        counts = {
            "records": delivery.identifiers,
            "outcomes": dict(followed.outcomes),
            "unreadable": len(delivery.unreadable),
            "failed": len(followed.failed),
            **effect.spent.to_json(),
        }
        if followed.failed or followed.outcomes.keys() - effect.quiet:
            self.logger.warning("followed in part", counts=counts)
        else:
            self.logger.info("followed", counts=counts)
        if followed.newest is not None:
            self.metrics.emit({lag: max(0.0, time.time() - followed.newest)}, table=table)
        return {"batchItemFailures": [{"itemIdentifier": identifier} for identifier in followed.failed]}


@cache
def described(client: DynamoDBClient, name: str) -> TableDescription:
    """Return a table's description, read once for each function instance."""
    with scrubbed():
        return table.describe(client, name)


def followed_table(
    client: DynamoDBClient,
    name: str,
    stream: str,
    clock: Callable[[], float] = time.monotonic,
    *,
    fits: Callable[[TableDescription], object] = lambda description: None,
) -> Rechecked:
    """Return the check of the table whose stream a function follows, before each write. Make one for each invocation.

    In a table that was deleted and created again, items are missing that nobody deleted. The check raises `TableError`
    unless the table is the followed one, and what AWS raises if it cannot be described. `fits`: raises if what is
    written does not fit the table any more, such as after a new index.
    """

    def check() -> None:
        description = table.describe(client, name)
        check_followed(description, stream)
        fits(description)

    # An error is kept, so that other threads do not wait for the retries of another request.
    return Rechecked(check, clock, error_seconds=FRESH_SECONDS)
