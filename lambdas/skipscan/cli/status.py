"""`skipscan status TABLE [RUN]`: how a run stands."""

import json
from datetime import UTC, datetime

import click

from skipscan.cli.board import board, show
from skipscan.cli.deployed import Deployed, deployed_options, json_option, run_argument
from skipscan.cli.examples import examples
from skipscan.cli.follow import check_finished
from skipscan.cli.follow import follow as follow_run


@click.command(
    short_help="How a run stands.",
    epilog=examples(
        "skipscan status Orders --env dev",
        "skipscan status Orders 20260131-030000-1f2e --env dev --follow",
        "skipscan status Orders --env dev --json | jq .keys",
    ),
)
@run_argument
@click.option("--follow", is_flag=True, help="Show how the run goes, until it is done.")
@json_option
@deployed_options
def status(
    *,
    table_name: str,
    run: str | None,
    follow: bool,
    as_json: bool,
    env: str,
    region: str | None,
    profile: str | None,
) -> None:
    """Say how a RUN over TABLE stands; of the newest, if none is named.

    Figures are those of committed batches; a worker's first takes up to 15 seconds, its
    second a minute, and the others four, unless the environment says otherwise.
    With --follow and --json, a JSON object a line whenever something has changed.
    """
    deployed = Deployed.of(env, table_name, region, profile)
    watch = deployed.watch(run)
    standing = follow_run(watch, as_json=as_json, env=env) if follow else watch.look()
    if not as_json:
        show(board(standing, None, datetime.now(UTC)))
    elif not follow:
        click.echo(json.dumps(standing.to_json(), indent=2))
    if follow:
        check_finished(standing, env)
