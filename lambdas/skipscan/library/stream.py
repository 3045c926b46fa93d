"""A listing from this machine that stores nothing and yields keys as pages arrive; and its estimate from a sample."""

import pickle
import random
import sys
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from queue import Empty, Queue
from random import SystemRandom
from threading import Thread
from typing import Any

from botocore.exceptions import BotoCoreError

from skipscan.aws import table
from skipscan.aws.clients import DynamoDBClient
from skipscan.aws.faults import scrub
from skipscan.dynamodb.prices import Prices
from skipscan.dynamodb.source import Source
from skipscan.dynamodb.table_description import TableDescription
from skipscan.errors import InputError, leave_out, named
from skipscan.inputs.field import whole_number, without_nulls
from skipscan.library.aws_errors import translating
from skipscan.library.patience import Patience, describe_patiently, throttled
from skipscan.lines.given_keys import GivenKeys, keys_of_file
from skipscan.listing import plan as planning
from skipscan.listing.distance_requests import useful_walks
from skipscan.listing.estimate.explanation import explain
from skipscan.listing.estimate.offer import Facts
from skipscan.listing.estimate.warning import costly_queries
from skipscan.listing.execution_input import ExecutionInput, resolve_bounds
from skipscan.loop.finish import used_up
from skipscan.loop.run_batch import ReadyBatch, run_batch
from skipscan.pace.bounds import Bounds, Clock
from skipscan.sample.requests import take_sample
from skipscan.scan.batch import Batch
from skipscan.scan.plan import Plan
from skipscan.scan.progress import ScanCounts, first_progress
from skipscan.scan.width import MOST_WALKS

INCOMPLETE = "the keys so far are incomplete"
PAGES_AHEAD = 16
"""Pages, of at most 1 MB of items each, that are read before somebody takes their keys. One more may wait for them."""

LISTEN_SECONDS = 0.2
"""How long the reader waits at once for a page: a wait without a bound cannot be interrupted on Windows."""


class Stream:
    """One listing with one worker. `plan`: as decided for the table. `counts`: so far."""

    def __init__(
        self,
        listing_input: ExecutionInput,
        client: DynamoDBClient,
        prices: Callable[[bool], Prices],
        say: Callable[[str], object] = lambda message: None,
    ) -> None:
        """Read the table's description; raise `TableError` or `InputError` for what cannot be listed.

        `prices`: of a table class, called for a budget in dollars. `say`: hears that the table throttles every request.
        """
        listing_input = resolve_bounds(listing_input, datetime.now(UTC))
        self._client, self._input = client, listing_input
        name, has_budget = listing_input.table, listing_input.max_dollars is not None
        description = describe_patiently(client, name)
        priced = (prices(description.is_infrequent_access).units_alone(),) if has_budget else ()
        keys = given_keys(listing_input, description)
        self._key = keys.key if keys.lines else None
        walks = useful_walks(client, name)
        self.plan: Plan = planning.plan_listing(listing_input, description, *priced, walks=walks, only=keys.only)
        check_priced(listing_input, description)
        for sentence in costly_queries(self.plan, Facts.described(name, description, listing_input.index)):
            say(sentence)
        self._say = say
        self._batch: Batch | None = None

    @property
    def counts(self) -> ScanCounts:
        return self._batch.counts if self._batch else ScanCounts()

    def stop(self) -> None:
        """Ask for no further page; `run` then returns."""
        if self._batch:
            self._batch.stop()

    def run(self, write: Callable[[Sequence[Any]], int]) -> None:
        """List to the end. `write`: gets what each page found, one page at a time; returns its size in bytes.

        Raises an `OSError` of `write`, `BudgetError` when a budget is used up, and the errors of the table, without key
        values.
        """
        progress = first_progress(self.plan, 0)
        batch = self._batch = Batch(
            self.plan,
            progress,
            bounds=Bounds(gigabytes=0.0),
            clock=Clock.started(),
            random=random.random,
            write=write,
        )
        patience = Patience(self._say)
        ask = patience.asking(table.Table(self._client, self.plan, self._key).ask)
        error = run_batch(ReadyBatch(batch, ask, MOST_WALKS, lambda: batch.concurrency), fault=patience.fault)
        if patience.is_over:
            raise throttled(self._input.table, f"start again; {INCOMPLETE}")
        if isinstance(error, OSError) and not isinstance(error, BotoCoreError):  # such as a full disk
            raise error
        if error is not None:
            raise scrub(error) from None
        reached = batch.progress
        if (left := reached.left(self.plan)) and reached.done(self.plan):  # and not because `stop` was called
            bounds = without_nulls(self.plan.bounds)
            way = f"start again with a larger {' or '.join(map(named, bounds))}; {INCOMPLETE}"
            raise used_up(bounds, batch.counts, f"{left:,} of {self.plan.segments:,} segments", way)


def given_keys(listing_input: ExecutionInput, description: TableDescription) -> GivenKeys:
    """Return the keys that the input holds."""
    if not isinstance(listing_input.only, bytes):
        return GivenKeys()
    source = Source.described(listing_input.table, description, listing_input.index)
    return keys_of_file(listing_input.only, source.partition_key)


def check_priced(listing_input: ExecutionInput, description: TableDescription) -> None:
    """Raise `InputError` for a budget in dollars over provisioned capacity: its reads have no price of their own."""
    index = None if listing_input.index is None else description.index(listing_input.index)
    if listing_input.max_dollars is not None and not planning.is_on_demand(description, index):
        raise InputError(
            "max_dollars",
            listing_input.max_dollars,
            "the table's capacity is provisioned, so reads have no price of their own",
            f"{leave_out('max_dollars')}, or give {named('max_read_units')}",
        )


def found(stream: Stream, read: Callable[[Any], Any]) -> Generator[Any, None, None]:
    """Yield what a stream finds. The stream runs in another thread, and closing the iterator ends it.

    `read`: makes the value that is yielded. A slow reader slows the listing: pages wait as bytes, because nested items
    take up to a hundred times of theirs as objects.
    """
    pages: Queue[list[bytes] | None] = Queue(PAGES_AHEAD)
    failed: list[BaseException] = []

    def write(page: Sequence[Any]) -> int:
        pages.put([pickle.dumps(line) for line in page])
        return 0

    def work() -> None:
        try:
            stream.run(write)
        except BaseException as error:
            failed.append(error)
        finally:
            pages.put(None)

    thread = Thread(target=work, name="skipscan", daemon=True)
    thread.start()
    page: list[bytes] | None = []
    try:
        while (page := _next(pages)) is not None:
            for line in page:
                yield read(pickle.loads(line))  # noqa: S301 (our own, of this process)
    finally:
        stream.stop()
        if not sys.is_finalizing():  # else no other thread runs any more
            while page is not None:  # what the stream still writes until it ends
                page = _next(pages)
            thread.join()
    if failed:
        with translating():
            raise failed[0]


def _next(pages: Queue[list[bytes] | None]) -> list[bytes] | None:
    while True:
        with suppress(Empty):
            return pages.get(timeout=LISTEN_SECONDS)


class Keys(Iterator[Any]):
    """Keys while they are found, and what they have taken so far."""

    def __init__(self, stream: Stream, read: Callable[[Any], Any]) -> None:
        self._stream, self._lines = stream, found(stream, read)

    def __next__(self) -> Any:
        return next(self._lines)

    def close(self) -> None:
        """End the reading."""
        self._lines.close()

    @property
    def read_units(self) -> float:
        """What the pages and Queries that were answered have consumed."""
        return self._stream.counts.read_units

    @property
    def requests(self) -> int:
        """How many requests were answered."""
        return self._stream.counts.requests


SEEDS = 1 << 32


def seed_or_new(seed: int | None) -> int:
    """Return the seed of a sample, or a new one, which is shown so that the sample can be read again."""
    chosen = whole_number("seed", seed, 0, None, "seeds begin at 0")
    return SystemRandom().randrange(SEEDS) if chosen is None else chosen


def explained(
    listing_input: ExecutionInput, client: DynamoDBClient, prices: Callable[[bool], Prices], *, seed: int | None
) -> Mapping[str, Any]:
    """Return the explanation of a plan from a sample. `seed`: `None` draws one."""
    listing_input = resolve_bounds(listing_input, datetime.now(UTC))
    description = describe_patiently(client, listing_input.table)
    facts = Facts.described(listing_input.table, description, listing_input.index)
    only = given_keys(listing_input, description).only
    decided = planning.plan_listing(listing_input, description, prices(description.is_infrequent_access), only=only)
    sample = take_sample(
        client,
        replace(decided, only=None),
        items=facts.items,
        seed=seed_or_new(seed),
    )
    return explain(listing_input, decided, description, sample=sample).to_json()
