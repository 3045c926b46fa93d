"""`skipscan copy TABLE TO`: copy every item to a new table, and cut over to it."""

from typing import Any

import click

from skipscan.cli.cut_over import cut_over as cut_over_to
from skipscan.cli.job import start_job
from skipscan.copy.input import parse_copy
from skipscan.inputs.fields import option_name
from skipscan.library.deployed import Deployed

OF_BOTH = {"compare_items", "workers", "segments", "max_read_units_per_second"}
"""Options of a copy that also apply to the comparison of a cut-over."""


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
    """Carry out `skipscan copy`."""
    deployed = Deployed.of(env, table_name, region, profile)
    if cut_over:
        given = {field: value for field, value in asked.items() if value is not None}
        given |= {field: True for field, value in (("for_real", for_real), ("name", name), ("follow", follow)) if value}
        for field in given.keys() - OF_BOTH:
            raise click.UsageError(f"a cut-over copies nothing: leave out {option_name(field)}")
        parse_copy({"table": table_name, "to": to or table_name, **given})
        cut_over_to(
            deployed, to, deny_writes=deny_writes, as_json=as_json, **{field: asked[field] for field in OF_BOTH}
        )
        return
    if to is None:
        raise click.UsageError("Missing argument 'TO': give the table to copy to")
    if deny_writes:
        raise click.UsageError("--deny-writes needs --cut-over: add --cut-over, or leave out --deny-writes")
    start_job(
        deployed,
        "copy",
        {"table": table_name, "to": to, **asked},
        parse=parse_copy,
        for_real=for_real,
        name=name,
        follow=follow,
        as_json=as_json,
    )
