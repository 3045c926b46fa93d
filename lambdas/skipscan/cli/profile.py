"""`skipscan profile TABLE`: the page about what is in a table."""

from pathlib import Path
from typing import Any

import boto3
import click

from skipscan.aws import clients
from skipscan.cli.commands.listing import PROFILE_PAGE
from skipscan.cli.output import check_writable, open_page, print_json, replacing
from skipscan.cli.say import LiveLine, say, waiting
from skipscan.inputs.names import visible
from skipscan.inputs.quantities import counted, money, units
from skipscan.library.profiling import profiling_of
from skipscan.lines.line_format import escaped
from skipscan.pace.bill import Amounts, amounts
from skipscan.profile.page import profile_page
from skipscan.profile.requests import Profiling


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
        profiling = profiling_of(
            table_name,
            session,
            client,
            is_aws=endpoint_url is None,
            max_dollars=max_dollars,
            max_read_units_per_second=max_read_units_per_second,
            seed=seed,
        )
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
        open_page(written)


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
