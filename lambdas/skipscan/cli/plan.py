"""`skipscan plan TABLE`: estimate every way to list the keys, and show the best."""

import json
from collections.abc import Mapping
from random import SystemRandom
from typing import Any

import boto3
import click

from skipscan.aws import clients, price_list, table
from skipscan.aws.sampling import take_sample
from skipscan.cli.board import show
from skipscan.cli.plan_table import plan_table
from skipscan.cli.waiting import waiting
from skipscan.dynamodb.prices import US_EAST_1
from skipscan.estimate.explanation import explain
from skipscan.estimate.facts import Facts
from skipscan.listing import planning
from skipscan.listing.execution_input import parse

SEEDS = 1 << 32


def plan(
    *,
    table_name: str,
    region: str | None,
    profile: str | None,
    endpoint_url: str | None,
    seed: int | None,
    as_json: bool,
    **asked_for: Any,
) -> None:
    """Carry out `skipscan plan`."""
    asked = parse({"table": table_name, **asked_for, "dry_run": True})
    with waiting("reading the table's description and a sample"):
        session = boto3.Session(region_name=region, profile_name=profile)
        client = clients.dynamodb(session, connections=1, endpoint_url=endpoint_url)
        description = table.describe(client, asked.table)
        facts = Facts.described(asked.table, description, asked.index)
        local = US_EAST_1
        if endpoint_url is None:  # another endpoint is not AWS and has no prices
            local = price_list.prices(
                price_list.pricing_client(session),
                client.meta.region_name,
                is_infrequent_access=facts.is_infrequent_access,
            )
        decided = planning.plan_listing(asked, description, local)
        sample = take_sample(
            client,
            decided,
            items=facts.items,
            size_bytes=facts.size_bytes,
            seed=SystemRandom().randrange(SEEDS) if seed is None else seed,
        )
    explanation = explain(asked, decided, description, sample=sample)
    print_plan(explanation.to_json(), as_json=as_json)


def print_plan(explanation: Mapping[str, Any], *, as_json: bool) -> None:
    """Print the output of a dry run."""
    if as_json:
        click.echo(json.dumps(explanation, indent=2, ensure_ascii=False))
    else:
        show(plan_table(explanation))
