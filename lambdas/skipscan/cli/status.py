"""`skipscan status TABLE [NAME]`: the status of a run or job."""

import json
from datetime import UTC, datetime

import click

from skipscan.cli.board import board, show
from skipscan.cli.deployed import Deployed, deployed_options, json_option, work_argument
from skipscan.cli.follow import check
from skipscan.cli.follow import follow as follow_run
from skipscan.cli.options import examples
from skipscan.cli.waiting import waiting


@click.command(
    epilog=examples(
        "skipscan status Orders --env dev",
        "skipscan status Orders monday --env dev --follow",
        "skipscan status Orders --kind act --env dev",
        "skipscan status Orders --env dev --json | jq .keys",
    ),
)
@work_argument
@click.option("--follow", "-f", is_flag=True, help="Show progress until the end.")
@json_option
@deployed_options
def status(
    *,
    table_name: str,
    name: str | None,
    noun: str | None,
    follow: bool,
    as_json: bool,
    env: str,
    region: str | None,
    profile: str | None,
) -> None:
    """Show the status of a run or job over TABLE (default: the newest run).

    Figures cover committed batches only. A worker commits its first batch within 15 seconds, the second after a
    minute, and later ones after four minutes, unless the environment says otherwise. With --follow --json, prints a
    line of JSON after each change.
    """
    deployed = Deployed.of(env, table_name, region, profile)
    with waiting("reading the status"):
        watch = deployed.watch(name, noun)
        status_now = watch.look()
    if follow:
        status_now = follow_run(watch, status_now, as_json=as_json, env=env)
    if not as_json:
        show(board(status_now, None, datetime.now(UTC)))
    elif not follow:
        click.echo(json.dumps(status_now.to_json(), indent=2))
    check(status_now, env)
