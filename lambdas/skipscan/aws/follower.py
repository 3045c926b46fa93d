"""What every follower of a table's stream does, whatever its effect: each change once, in threads, none for another.

An effect brings one item or collection to the state it should have, by looks and writes of its own.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING, Any, Protocol

from aws_lambda_powertools import Logger
from aws_lambda_powertools.utilities.typing import LambdaContext
from botocore.exceptions import ClientError

from skipscan.aws import table
from skipscan.aws.clients import LONGEST_CALL_SECONDS
from skipscan.aws.faults import code_of, scrubbed
from skipscan.aws.metrics import Metrics
from skipscan.dynamodb.table_description import TableDescription
from skipscan.metrics.metric import Metric
from skipscan.stream.delivery import Change, Delivery

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

THREADS = 8
"""Changes under way at once: what each of them waits for is the network."""

LATE = "late"
"""The outcome of a change that was not begun, for want of time."""


@dataclass
class Spent:
    """What an effect's requests took, as DynamoDB reports it; a write whose condition failed reports no units."""

    requests: int = 0
    read_units: float = 0.0
    write_units: float = 0.0
    put: int = 0
    updated: int = 0
    deleted: int = 0

    def __post_init__(self) -> None:
        self._lock = Lock()

    def count(self, requests: int = 1, /, **figures: float) -> None:
        """Add a request and its figures, by their names here."""
        with self._lock:
            for name, figure in {"requests": requests, **figures}.items():
                setattr(self, name, getattr(self, name) + figure)

    def to_json(self) -> dict[str, float]:
        return {field.name: getattr(self, field.name) for field in fields(self)}


class Effect(Protocol):
    """`done`: outcomes whose records need not come again. `quiet`: those of them that nobody needs to hear of.

    `by`: the key attributes that tell one change from another.
    """

    @property
    def done(self) -> frozenset[str]: ...
    @property
    def quiet(self) -> frozenset[str]: ...
    @property
    def by(self) -> Sequence[str]: ...
    @property
    def spent(self) -> Spent: ...

    def settle(self, change: Change) -> str:
        """Return how a change ended; raises what AWS raises."""
        ...


@dataclass(frozen=True)
class Followed:
    """`outcomes`: how many changes ended how, by outcome or by an error's name. `failed`: identifiers to come again.

    `newest`: when the newest record was made that was handled, in seconds since 1970; `None` if that is not known.
    """

    outcomes: Counter[str]
    failed: list[str]
    newest: float | None


def settle_all(
    changes: Iterable[Change], effect: Effect, *, until: float, clock: Callable[[], float] = time.monotonic
) -> list[str]:
    """Return how each change ended; one that is not begun by `until` (on the clock) ends `LATE`."""

    def outcome(change: Change) -> str:
        if clock() >= until:
            return LATE
        try:
            return effect.settle(change)
        except Exception as error:
            return name_of(error)

    with ThreadPoolExecutor(THREADS, thread_name_prefix="change") as pool:
        return list(pool.map(outcome, changes))


def follow(
    delivery: Delivery, effect: Effect, *, until: float, clock: Callable[[], float] = time.monotonic
) -> Followed:
    """Settle every change of a delivery once; what is not done by `until`, or failed, is to be delivered again."""
    changes = delivery.changes(effect.by)
    outcomes = settle_all(changes, effect, until=until, clock=clock)
    failed, handled = list(delivery.unreadable), []
    for change, outcome in zip(changes, outcomes, strict=True):
        if outcome in effect.done:
            handled += [record.created for record in change.records if record.created is not None]
        else:
            failed += [record.identifier for record in change.records]
    return Followed(Counter(outcomes), list(dict.fromkeys(failed)), max(handled, default=None))


def name_of(error: Exception) -> str:
    """Return what may be said of an error: its code or its class, for its words may hold key values."""
    if isinstance(error, ClientError):
        return code_of(error) or "ClientError"
    return type(error).__name__


@dataclass(frozen=True)
class Follower:
    """A function that follows a table's stream. `lag`: the metric of how far it is behind."""

    logger: Logger
    metrics: Metrics
    lag: Metric

    def handle(self, delivery: Delivery, effect: Effect, context: LambdaContext, *, table: str) -> dict[str, Any]:
        """Do the effect and return which records are to be delivered again. `table`: its name, for the metric.

        For a stream Lambda goes on from the lowest record that is named; the log gets counts and no key.
        """
        until = time.monotonic() + context.get_remaining_time_in_millis() / 1000 - LONGEST_CALL_SECONDS
        followed = follow(delivery, effect, until=until)
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
            self.metrics.emit({self.lag: max(0.0, time.time() - followed.newest)}, table=table)
        return {"batchItemFailures": [{"itemIdentifier": identifier} for identifier in followed.failed]}


@cache
def described(client: "DynamoDBClient", name: str) -> TableDescription:
    """Return a table's description, asked for once per function instance."""
    with scrubbed():
        return table.describe(client, name)
