"""`skipscan retrofit TABLE`: set an attribute made of other attributes on every item."""

from typing import Any

import click

from skipscan.cli.job import start_job
from skipscan.library.deployed import Deployed
from skipscan.retrofit.input import parse_retrofit


def retrofit(
    *,
    table_name: str,
    templates: dict[str, str] | None,
    for_real: bool,
    name: str | None,
    follow: bool,
    as_json: bool,
    env: str,
    region: str | None,
    profile: str | None,
    **asked: Any,
) -> None:
    """Carry out `skipscan retrofit`."""
    if templates is None:
        raise click.UsageError("--set is missing: give it as --set 'resource-action={resourceId}-{action}'")
    document = {"table": table_name, "set": templates, **asked}
    start_job(
        Deployed.of(env, table_name, region, profile),
        "retrofit",
        document,
        parse=parse_retrofit,
        for_real=for_real,
        name=name,
        follow=follow,
        as_json=as_json,
    )
