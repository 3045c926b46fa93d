"""`skipscan plan TABLE`: estimate every way to list the keys, and show the best."""

import json
from collections.abc import Mapping
from typing import Any

import boto3
import click

from skipscan.aws import clients
from skipscan.cli.board import show
from skipscan.cli.plan_table import plan_table
from skipscan.cli.waiting import waiting
from skipscan.library.stream import explained
from skipscan.listing import price_requests
from skipscan.listing.execution_input import parse


def estimate_listing(
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
    listing_input = parse({"table": table_name, **asked_for, "dry_run": True})
    with waiting("reading the table's description and a sample"):
        session = boto3.Session(region_name=region, profile_name=profile)
        client = clients.dynamodb(session, connections=1, endpoint_url=endpoint_url)
        prices = price_requests.of_class(session, client.meta.region_name, is_aws=endpoint_url is None)
        document = explained(listing_input, client, prices, seed=seed)
    print_plan(document, listing_input.nouns, as_json=as_json)


def print_plan(explanation: Mapping[str, Any], nouns: str, *, as_json: bool) -> None:
    """Print the output of a dry run. `nouns`: what the run would list."""
    if as_json:
        click.echo(json.dumps(explanation, indent=2, ensure_ascii=False))
    else:
        show(plan_table(explanation, nouns))
