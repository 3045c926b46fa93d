"""`skipscan plan TABLE`: estimate every way to list the keys."""

from collections.abc import Mapping
from typing import Any

from skipscan.cli.at import At
from skipscan.cli.options import (
    ELSEWHERE,
    connection_options,
    examples,
    field_options,
    grouped_command,
    option,
    table_argument,
    take_options,
)
from skipscan.cli.output import print_json
from skipscan.cli.say import waiting
from skipscan.inputs.fields import OptionGroup
from skipscan.listing.execution_input import BOUNDS, parse
from skipscan.listing.fields import FIELDS


@grouped_command(
    epilog=examples(
        "skipscan plan Orders",
        "skipscan plan Orders --index by-status --json > plan.json",
    ),
)
@table_argument
@field_options(FIELDS, *ELSEWHERE, *BOUNDS, "compare", "only_run")
@take_options
@connection_options
@option(OptionGroup.ADVANCED, "--seed", type=int, help="Seed of an earlier plan, to read the same sample again.")
@option(
    OptionGroup.PLACE, "--json", "as_json", is_flag=True, help="Print the document that a deployed dry run returns."
)
def plan_command(
    *,
    at: At,
    table_name: str,
    seed: int | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Estimate what listing the keys of TABLE (a name or an ARN) takes, before you start.

    Reads a random sample: some 3.5 % of the run's read units, or 20 units if that is more. Needs dynamodb:DescribeTable
    and dynamodb:Scan. With pricing:GetProducts, uses the prices of the table's region.
    """
    from skipscan.cli.into_folder import client_and_prices
    from skipscan.library.stream import explained

    listing_input = parse({"table": table_name, **options, "dry_run": True})
    with waiting("reading the table's description and a sample"):
        document = explained(listing_input, *client_and_prices(at), seed=seed)
    print_plan(document, listing_input.labels, as_json=as_json)


def print_plan(explanation: Mapping[str, Any], labels: str, *, as_json: bool) -> None:
    """Print the output of a dry run. `labels`: what the run would list."""
    from skipscan.cli.board import show
    from skipscan.cli.plan_table import plan_table

    if as_json:
        print_json(explanation)
    else:
        show(plan_table(explanation, labels))
