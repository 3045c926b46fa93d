"""`skipscan status TABLE [NAME]`: the status of a run or job."""

import json
from datetime import UTC, datetime

import click

from skipscan.cli.board import board, show
from skipscan.cli.follow import check_ended
from skipscan.cli.follow import follow as follow_run
from skipscan.cli.waiting import waiting
from skipscan.library.deployed import Deployed


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
    """Carry out `skipscan status`."""
    deployed = Deployed.of(env, table_name, region, profile)
    with waiting("reading the status"):
        watch = deployed.watch(name, noun, refused=True)
        status_now = watch.look()
    if follow:
        status_now = follow_run(watch, status_now, as_json=as_json, env=env)
    if not as_json:
        show(board(status_now, None, datetime.now(UTC)))
    elif not follow:
        click.echo(json.dumps(status_now.to_json(), indent=2))
    check_ended(status_now, deployed)
