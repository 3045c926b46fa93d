"""`skipscan copy TABLE TO`: every item of a table put into a new one, and the cut-over to it."""

from typing import Any

import click

from skipscan.cli.cut_over import cut_over as cut_over_to
from skipscan.cli.deployed import Deployed
from skipscan.cli.job import carry_out, job_options
from skipscan.cli.options import examples, flag, item_options, table_argument
from skipscan.copy.input import parse

OF_BOTH = {"compare_items", "workers", "segments", "max_read_units_per_second"}
"""Options of a copy that a cut-over takes as well, for its comparison."""


@click.command(
    epilog=examples(
        "skipscan copy Audit Audit-2 --env dev --create",
        "skipscan copy Audit Audit-2 --env dev --create --for-real --follow",
        "skipscan copy Audit --env dev --cut-over --deny-writes",
    ),
)
@table_argument
@click.argument("to", required=False)
@flag("--create", help="Make the new table if it is not there.")
@flag("--compare-only", help="Verify alone: compare both tables and write nothing.")
@click.option("--compare-items", type=int, help="About how many keys of each table the verification compares.")
@click.option("--cut-over", is_flag=True, help="After a copy: wait, switch the replicator off, compare all keys.")
@click.option("--deny-writes", is_flag=True, help="With --cut-over: deny writes to TABLE by its resource policy.")
@item_options
@job_options
def copy(
    *,
    table_name: str,
    to: str | None,
    cut_over: bool,
    deny_writes: bool,
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

    Without --for-real the job is planned and previewed, and writes nothing. Needs the
    permissions that `skipscan policy run` and `skipscan policy jobs` print, and an environment that enables
    copies of the table.

    With --cut-over it copies nothing. It waits until the stream and the late looks are quiet, switches the replicator
    off, compares both tables, and then says whether writers may start on TO. It can be interrupted and run again.
    Needs the permissions of `skipscan policy cut-over` as well.
    """
    deployed = Deployed.of(env, table_name, region, profile)
    if cut_over:
        given = {field: value for field, value in asked.items() if value is not None}
        given |= {field: True for field, value in (("for_real", for_real), ("name", name), ("follow", follow)) if value}
        for field in given.keys() - OF_BOTH:
            raise click.UsageError(f"a cut-over copies nothing: leave --{field.replace('_', '-')} out")
        parse({"table": table_name, "to": to or table_name, **given})
        cut_over_to(
            deployed, to, deny_writes=deny_writes, as_json=as_json, **{field: asked[field] for field in OF_BOTH}
        )
        return
    if to is None:
        raise click.UsageError("Missing argument 'TO': name the table to copy to")
    if deny_writes:
        raise click.UsageError("--deny-writes is of a cut-over: add --cut-over, or leave it out")
    carry_out(
        deployed,
        "copy",
        {"table": table_name, "to": to, **asked},
        parse=parse,
        for_real=for_real,
        name=name,
        follow=follow,
        as_json=as_json,
    )
