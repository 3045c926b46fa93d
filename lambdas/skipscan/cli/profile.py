"""`skipscan profile TABLE`: the page about what is in a table."""

from pathlib import Path
from typing import Any

import boto3
import click

from skipscan.aws import clients
from skipscan.cli.commands.listing import PROFILE_PAGE
from skipscan.cli.output import check_writable, print_json, replacing
from skipscan.cli.say import LiveLine, say, waiting
from skipscan.inputs.names import visible
from skipscan.inputs.quantities import counted, money, units
from skipscan.library.stream import retried, seed_or_new
from skipscan.lines.line_format import escaped
from skipscan.listing import price_requests
from skipscan.listing.execution_input import parse
from skipscan.pace.bill import Amounts, amounts, bounded
from skipscan.profile.page import profile_page
from skipscan.profile.requests import ProfileRequest, Profiling, RegionPrices


def profile(
    *,
    table_name: str,
    max_dollars: float,
    max_read_units_per_second: float | None,
    region: str | None,
    aws_profile: str | None,
    endpoint_url: str | None,
    seed: int | None,
    output: Path | None,
    opens: bool,
    as_json: bool,
) -> None:
    """Carry out `skipscan profile`."""
    written = output or (None if as_json and not opens else PROFILE_PAGE)
    if written:
        check_writable(written)
    with waiting("reading the table's description"):
        session = boto3.Session(region_name=region, profile_name=aws_profile)
        client = clients.dynamodb(session, connections=1, endpoint_url=endpoint_url)
        # Checks the name and the bounds as Plan does; the budget here is of read units alone.
        bounds = {"max_read_units_per_second": max_read_units_per_second, "max_dollars": max_dollars}
        listing_input = parse({"table": table_name, **bounds})
        region, is_aws = client.meta.region_name, endpoint_url is None
        request = ProfileRequest(
            table_name, bounded(None, None, max_dollars), listing_input.max_read_units_per_second, seed_or_new(seed)
        )
        prices = RegionPrices(
            price_requests.of_class(session, region, is_aws=is_aws),
            price_requests.monthly_of_region(session, region, is_aws=is_aws),
        )
        profiling = retried(lambda: Profiling.of_table(client, request, prices))
    say(_planned(profiling, max_dollars))
    line = LiveLine()

    def shown(consumed: Amounts, segments: int) -> None:
        read = f"{segments:,} of {counted(profiling.plan.wanted, 'segment')}"
        line.show(f"{read}  {units(consumed.read_units)} read units  {money(consumed.dollars)}  Ctrl-C ends here")

    try:
        made = profiling.read(shown)
    finally:
        line.show("")
    for reason in made.missing:
        say(f"left out: {reason}")
    document: dict[str, Any] = made.to_json()
    if as_json:
        print_json(document)
    if written:
        with replacing(written) as file:
            file.write(profile_page(made).encode())
    if not as_json:
        for advice in made.advice:
            click.echo(f"- {visible(escaped(advice.sentence))}")
        click.echo(written)
    if written and opens:
        click.launch(written.resolve().as_uri())


def _planned(profiling: Profiling, max_dollars: float) -> str:
    """Return a sentence about what will be read."""
    plan = profiling.plan
    most = f"at most {money(max_dollars)}"
    if plan.expected_units is None:
        return f"DescribeTable shows no size: reading random segments for {most}"
    cost = money(amounts(profiling.of.prices, plan.expected_units).dollars)
    about = f"about {units(round(plan.expected_units, 1))} read units, {cost} ({most})"
    if plan.is_whole:
        return f"reading the whole table: {about}"
    return f"reading {plan.wanted:,} random segments of {plan.segments:,}: {about}"
