"""`skipscan profile TABLE`: the page about what is in a table."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from skipscan.cli.at import At
from skipscan.cli.options import connection_options, examples, field_options, grouped_command, option, table_argument
from skipscan.cli.output import page_file, print_json, put_page
from skipscan.cli.say import say, waiting
from skipscan.cli.work_options import page_options
from skipscan.inputs.fields import CENT, MAX_READ_UNITS_PER_SECOND, OptionGroup
from skipscan.inputs.names import visible
from skipscan.inputs.quantities import counted, money, units

if TYPE_CHECKING:
    from skipscan.profile.requests import Profiling

PROFILE_PAGE = Path("profile.html")


@grouped_command(
    epilog=examples(
        "skipscan profile Orders",
        "skipscan profile Orders --max-dollars 0.10 --output orders.html --open",
        "skipscan profile Orders --json | jq .advice",
    ),
)
@table_argument
@option(
    OptionGroup.SPEND,
    "--max-dollars",
    type=float,
    default=CENT,
    show_default=True,
    help="Budget in dollars for read units, at the prices of tables on demand.",
)
@field_options([MAX_READ_UNITS_PER_SECOND])
@connection_options
@option(OptionGroup.ADVANCED, "--seed", type=int, help="Seed of an earlier profile, to read the same segments again.")
@page_options(PROFILE_PAGE)
def profile_command(
    *,
    at: At,
    table_name: str,
    seed: int | None,
    output: Path | None,
    opens: bool,
    as_json: bool,
    **bounds: Any,
) -> None:
    """Write an HTML page about what is in TABLE (a name or an ARN): collections, items, attributes, indexes, advice.

    Reads random segments whole, within the budget, and estimates the table from them, with 95 % confidence intervals. A
    table that the budget pays for is read whole, and all figures but percentiles are exact. After Ctrl-C, the page
    shows what was read. The page has names of attributes and prefixes of sort keys that many collections share, but
    no values.

    Needs dynamodb:DescribeTable and dynamodb:Scan; without one of them, the page shows what the other tells. Time to
    live also needs dynamodb:DescribeTimeToLive, and prices of the table's region pricing:GetProducts.
    """
    from skipscan.aws import clients
    from skipscan.library.profiling import profiling_of
    from skipscan.lines.line_format import escaped
    from skipscan.pace.bill import Amounts
    from skipscan.profile.page import profile_page

    written = page_file(PROFILE_PAGE, output, opens=opens, as_json=as_json)
    with waiting("reading the table's description"):
        session = at.session()
        client = clients.dynamodb(session, connections=1, endpoint_url=at.endpoint_url)
        is_aws = at.endpoint_url is None
        profiling = profiling_of(table_name, session, client, is_aws=is_aws, seed=seed, **bounds)
    say(_planned(profiling, bounds["max_dollars"]))
    with waiting("reading") as show:

        def shown(consumed: Amounts, segments: int) -> None:
            read = f"{segments:,} of {counted(profiling.plan.sampled, 'segment')}"
            show(f"{read}  {units(consumed.read_units)} read units  {money(consumed.dollars)}  Ctrl-C ends here")

        made = profiling.read(shown)
    for reason in made.of.missing:
        say(f"left out: {reason}")
    document: dict[str, Any] = made.to_json()
    if as_json:
        print_json(document)
    else:
        for _, sentence in made.advice:
            click.echo(f"- {visible(escaped(sentence))}")
    if written:
        put_page(written, profile_page(made).encode(), opens=opens, as_json=as_json)


def _planned(profiling: "Profiling", max_dollars: float) -> str:
    """Return a sentence about what will be read."""
    from skipscan.pace.bill import amounts

    plan = profiling.plan
    most = f"at most {money(max_dollars)}"
    if plan.expected_units is None:
        return f"DescribeTable shows no size: reading random segments for {most}"
    cost = money(amounts(profiling.of.prices, plan.expected_units).dollars)
    about = f"about {units(round(plan.expected_units, 1))} read units, {cost} ({most})"
    if plan.is_whole:
        return f"reading the whole table: {about}"
    return f"reading {plan.sampled:,} random segments of {plan.segments:,}: {about}"
