"""Shell completion of environments, and of tables, runs and jobs from the results of an environment.

A completion cannot show an error: if AWS cannot be reached, it offers nothing.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any
from zoneinfo import available_timezones

import boto3
import click

from skipscan.aws import clients
from skipscan.cli.at import At
from skipscan.cli.work_options import in_cdk_json
from skipscan.environment import KINDS, executions
from skipscan.library.deployed import Deployed
from skipscan.listing.fields import PREVIOUS


def offered(what: str, context: click.Context, incomplete: str) -> list[str]:
    """Return the names that begin with `incomplete`, without those of other accounts. `what`: a key of `NAMES`."""
    found: list[str] = []
    with suppress(Exception):
        found.extend(name for name in NAMES[what](context) if name.startswith(incomplete) and "@" not in name)
    return found


def _environments(context: click.Context) -> Iterable[str]:
    """Return the environments of cdk.json, else those deployed in the region."""
    client = executions.cloudformation_client
    return in_cdk_json() or executions.environment_names(client(_at(context).session(), clients.IMPATIENT))


def _tables(context: click.Context) -> Iterable[str]:
    if "env" in context.params and _at(context).environment:
        return _deployed(context, "any").storage.folders(f"{executions.PREFIX}/")
    return table_names(_dynamodb(context))


def table_names(client: clients.DynamoDBClient) -> list[str]:
    """Return the tables of the account in the client's region."""
    pages = client.get_paginator("list_tables").paginate()
    return [name for page in pages for name in page["TableNames"]]


def _indexes(context: click.Context) -> Iterable[str]:
    table = _dynamodb(context).describe_table(TableName=context.params["table_name"])["Table"]
    kinds = ("GlobalSecondaryIndexes", "LocalSecondaryIndexes")
    return [index["IndexName"] for kind in kinds for index in table.get(kind, ())]


def _work(context: click.Context, *labels: str) -> Iterator[str]:
    """Return the names of work over the table: of these kinds, else of --kind, else of all kinds."""
    requested = context.params.get("label")
    for label in labels or ([requested] if requested else KINDS):
        deployed = _deployed(context, context.params["table_name"])
        yield from deployed.storage.folders(deployed.archive(label).any.layout.all)


def _compared(context: click.Context) -> Iterator[str]:
    yield PREVIOUS
    yield from _work(context, "run")


NAMES: Mapping[str, Callable[[click.Context], Iterable[str]]] = {
    "environment": _environments,
    "table": _tables,
    "index": _indexes,
    "region": lambda _context: boto3.Session().get_available_regions("dynamodb"),
    "aws_profile": lambda _context: boto3.Session().available_profiles,
    "timezone": lambda _context: sorted(available_timezones()),
    "work": _work,
    "run": lambda context: _work(context, "run"),
    "act": lambda context: _work(context, "act"),
    "compared": _compared,
}
"""What can be completed, by what a command calls it."""


def _at(context: click.Context) -> At:
    """Return where the command will work, as `cli.at.placed` tells it when it runs."""
    region, profile, endpoint_url = map(context.params.get, ("region", "aws_profile", "endpoint_url"))
    return At(context.params.get("env") or os.environ.get("SKIPSCAN_ENV"), region, profile, endpoint_url)


def _dynamodb(context: click.Context) -> Any:
    at = _at(context)
    return clients.dynamodb(at.session(), 1, at.endpoint_url)


def _deployed(context: click.Context, table: str) -> Deployed:
    at = _at(context)
    if at.environment is None:
        raise LookupError("no environment")
    return at.deployed(table)
