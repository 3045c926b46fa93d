"""The estimate of every way to list a table's keys, from a sample that is taken here."""

from collections.abc import Callable, Mapping
from random import SystemRandom
from typing import Any

from skipscan.aws import table
from skipscan.aws.services import DynamoDBClient
from skipscan.dynamodb.prices import Prices
from skipscan.listing import planning
from skipscan.listing.aws.sampling import take_sample
from skipscan.listing.estimate.explanation import explain
from skipscan.listing.estimate.facts import Facts
from skipscan.listing.execution_input import ExecutionInput

SEEDS = 1 << 32


def seed_or_new(seed: int | None) -> int:
    """Return the seed of a sample, or a new one, which is shown so that the sample can be read again."""
    return SystemRandom().randrange(SEEDS) if seed is None else seed


def explained(
    listing_input: ExecutionInput, client: DynamoDBClient, prices: Callable[[bool], Prices], *, seed: int | None
) -> Mapping[str, Any]:
    """Return the explanation of a plan from a sample. `seed`: `None` draws one."""
    description = table.describe(client, listing_input.table)
    facts = Facts.described(listing_input.table, description, listing_input.index)
    decided = planning.plan_listing(listing_input, description, prices(facts.is_infrequent_access))
    sample = take_sample(
        client,
        decided,
        items=facts.items,
        size_bytes=facts.size_bytes,
        seed=seed_or_new(seed),
    )
    return explain(listing_input, decided, description, sample=sample).to_json()
