"""`skipscan copy TABLE TO`: every item of a table put into a new one."""

from typing import Any

import click

from skipscan.cli.deployed import Deployed
from skipscan.cli.examples import examples
from skipscan.cli.item_options import item_options
from skipscan.cli.job import carry_out, flag, job_options
from skipscan.copy.input import parse


@click.command(
    short_help="Copy a table to a new one while it is written to.",
    epilog=examples(
        "skipscan copy Audit Audit-2 --env dev",
        "skipscan copy Audit Audit-2 --env dev --create --for-real --follow",
    ),
)
@click.argument("table_name", metavar="TABLE")
@click.argument("to")
@flag("--create", help="Make the new table if it is not there.")
@click.option("--compare-items", type=int, help="About how many keys of each table the verification compares.")
@item_options
@job_options
def copy(
    *,
    table_name: str,
    for_real: bool,
    name: str | None,
    follow: bool,
    as_json: bool,
    env: str,
    region: str | None,
    profile: str | None,
    **asked: Any,
) -> None:
    """Copy every item of TABLE to the table TO, while a replicator carries over what is written meanwhile.

    Without --for-real the job is planned and previewed, and writes nothing. docs/copy.md has the steps before and
    after. Needs the permissions of docs/policies/jobs.json, and an environment that enables it.
    """
    carry_out(
        Deployed.of(env, table_name, region, profile),
        "copy",
        {"table": table_name, **asked},
        parse=parse,
        for_real=for_real,
        name=name,
        follow=follow,
        as_json=as_json,
    )
