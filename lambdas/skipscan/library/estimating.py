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


def explained(
    asked: ExecutionInput, client: DynamoDBClient, prices: Callable[[bool], Prices], *, seed: int | None
) -> Mapping[str, Any]:
    """Return the explanation of a plan from a sample. `seed`: `None` draws one."""
    description = table.describe(client, asked.table)
    facts = Facts.described(asked.table, description, asked.index)
    decided = planning.plan_listing(asked, description, prices(facts.is_infrequent_access))
    sample = take_sample(
        client,
        decided,
        items=facts.items,
        size_bytes=facts.size_bytes,
        seed=SystemRandom().randrange(SEEDS) if seed is None else seed,
    )
    return explain(asked, decided, description, sample=sample).to_json()
