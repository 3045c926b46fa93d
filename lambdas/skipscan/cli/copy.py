"""`skipscan copy TABLE TO`: copy every item to a new table, and cut over to it."""

from typing import Any

import click

from skipscan.cli.cut_over import cut_over as cut_over_to
from skipscan.cli.deployed import Deployed
from skipscan.cli.job import carry_out, job_options
from skipscan.cli.options import examples, flag, item_options, option_name, table_argument
from skipscan.copy.input import parse

OF_BOTH = {"compare_items", "workers", "segments", "max_read_units_per_second"}
"""Options of a copy that also apply to the comparison of a cut-over."""


@click.command(
    epilog=examples(
        "skipscan copy Audit Audit-2 --env dev --create",
        "skipscan copy Audit Audit-2 --env dev --create --for-real --follow",
        "skipscan copy Audit --env dev --cut-over --deny-writes",
    ),
)
@table_argument
@click.argument("to", required=False)
@flag("--create", help="Create the table TO if it does not exist.")
@flag("--compare-only", help="Only compare both tables. Writes nothing.")
@click.option("--compare-items", type=int, help="Approximate number of keys of each table to compare.")
@click.option("--cut-over", is_flag=True, help="After a copy: wait, switch off the replicator, compare all keys.")
@click.option("--deny-writes", is_flag=True, help="With --cut-over: deny writes to TABLE in its resource policy.")
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
    """Copy every item of TABLE to the table TO, while a replicator copies new writes.

    Without --for-real, the command prints a preview and writes nothing. The environment must enable copies of the
    table. `skipscan policy run` and `skipscan policy jobs` print the permissions you need.

    With --cut-over, the command copies nothing. It waits until the stream and the late looks are quiet, switches off
    the replicator, compares both tables, and reports whether writers may start on TO. You can interrupt it and run it
    again. It also needs the permissions that `skipscan policy cut-over` prints.
    """
    deployed = Deployed.of(env, table_name, region, profile)
    if cut_over:
        given = {field: value for field, value in asked.items() if value is not None}
        given |= {field: True for field, value in (("for_real", for_real), ("name", name), ("follow", follow)) if value}
        for field in given.keys() - OF_BOTH:
            raise click.UsageError(f"a cut-over copies nothing: leave out {option_name(field)}")
        parse({"table": table_name, "to": to or table_name, **given})
        cut_over_to(
            deployed, to, deny_writes=deny_writes, as_json=as_json, **{field: asked[field] for field in OF_BOTH}
        )
        return
    if to is None:
        raise click.UsageError("Missing argument 'TO': give the table to copy to")
    if deny_writes:
        raise click.UsageError("--deny-writes needs --cut-over: add --cut-over, or leave out --deny-writes")
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
