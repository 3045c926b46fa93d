"""`skipscan plan TABLE`: estimate every way to list the keys. `skipscan run TABLE`: start, and follow if requested."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import boto3

from skipscan.aws import clients
from skipscan.cli.board import show
from skipscan.cli.download import check_room, with_room
from skipscan.cli.follow import check_name, planned, start_and_follow
from skipscan.cli.output import print_json
from skipscan.cli.plan_table import plan_table
from skipscan.cli.say import waiting
from skipscan.errors import InputError
from skipscan.library.deployed import Deployed, new_name
from skipscan.library.parquet import PARQUETS, arrow
from skipscan.library.stream import explained
from skipscan.lines.dynamodb_jsonl import DYNAMODB_JSONL
from skipscan.lines.formats import STORED
from skipscan.listing import price_requests
from skipscan.listing.execution_input import parse


def estimate_listing(
    *,
    table_name: str,
    region: str | None,
    aws_profile: str | None,
    endpoint_url: str | None,
    seed: int | None,
    as_json: bool,
    **asked_for: Any,
) -> None:
    """Carry out `skipscan plan`."""
    listing_input = parse({"table": table_name, **asked_for, "dry_run": True})
    with waiting("reading the table's description and a sample"):
        session = boto3.Session(region_name=region, profile_name=aws_profile)
        client = clients.dynamodb(session, connections=1, endpoint_url=endpoint_url)
        prices = price_requests.of_class(session, client.meta.region_name, is_aws=endpoint_url is None)
        document = explained(listing_input, client, prices, seed=seed)
    print_plan(document, listing_input.nouns, as_json=as_json)


def print_plan(explanation: Mapping[str, Any], nouns: str, *, as_json: bool) -> None:
    """Print the output of a dry run. `nouns`: what the run would list."""
    if as_json:
        print_json(explanation)
    else:
        show(plan_table(explanation, nouns))


def run(
    *,
    table_name: str,
    form: str,
    dry_run: bool,
    name: str | None,
    follow: bool,
    output: Path | None,
    as_json: bool,
    env: str,
    region: str | None,
    aws_profile: str | None,
    **fields: Any,
) -> None:
    """Carry out `skipscan run`."""
    document = {
        "table": table_name,
        **{field: value for field, value in fields.items() if value is not None and value is not False},
    }
    if "take" in document:
        form = with_room(form)
        if form in PARQUETS:  # the parts must keep the items' types
            document["format"] = DYNAMODB_JSONL.name
        else:
            check_room(form)
    if form in STORED:
        document["format"] = form
    nouns = parse(document).nouns
    if dry_run and (follow or output):
        way = "leave out --follow and --output"
        raise InputError("a dry run", rule="has nothing to follow and writes no keys", remedy=way)
    if form in PARQUETS and output:
        arrow()
    check_name(name)
    deployed = Deployed.of(env, table_name, region, aws_profile)
    name = name or new_name()
    if dry_run:
        started = deployed.machine("run").start(name, {**document, "dry_run": True})
        print_plan(planned(deployed.machine("run"), started).output or {}, nouns, as_json=as_json)
        return
    start_and_follow(deployed, "run", name, name, document, follow=follow, output=output, form=form, as_json=as_json)
