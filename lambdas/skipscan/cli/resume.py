"""`skipscan resume TABLE [RUN]`: go on with a run that was stopped, failed or used up its budget."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from skipscan.cli.deployed import Deployed, deployed_options, run_argument
from skipscan.cli.ending import bound_options, ending_options
from skipscan.cli.examples import examples
from skipscan.cli.run import begin
from skipscan.errors import NotFoundError
from skipscan.inputs.quoted import quoted
from skipscan.keys.text import TEXT
from skipscan.listing.execution_input import parse
from skipscan.loop.status import State


@click.command(
    short_help="Go on with a run.",
    epilog=examples(
        "skipscan resume Orders --env dev --follow",
        "skipscan resume Orders 20260131-030000-1f2e --env dev --max-dollars 5",
    ),
)
@run_argument
@bound_options
@ending_options
@deployed_options
def resume(
    *,
    table_name: str,
    run: str | None,
    follow: bool,
    output: Path | None,
    as_json: bool,
    env: str,
    region: str | None,
    profile: str | None,
    **bounds: Any,
) -> None:
    """Go on with a RUN over TABLE from its checkpoints; with the newest, if none is named.

    Its rate and its budget are those given now; the budget counts for the whole run.
    """
    given = {field: value for field, value in bounds.items() if value is not None}
    parse({"table": table_name, "resume": run, **given})
    deployed = Deployed.of(env, table_name, region, profile)
    standing = deployed.watch(run).look()
    if standing.state not in {State.UNFINISHED, State.PLANNED}:
        raise NotFoundError(
            f"run is {quoted(standing.name)}; that run is {standing.state}, and only one that is unfinished can be "
            f"resumed: `skipscan list {deployed.table} --env {env}` shows those there are"
        )
    table = standing.run.plan.source.table if standing.run else table_name
    document = {"table": table, "resume": standing.name, **given}
    name = f"{standing.name[:50]}-resumed-{datetime.now(UTC):%Y%m%d-%H%M%S}"
    begin(deployed, name, standing.name, document, follow=follow, output=output, form=TEXT.name, as_json=as_json)
