"""Shell completion of environments, and of tables, runs and jobs from the results of an environment.

A completion cannot show an error: if AWS cannot be asked, it offers nothing.
"""

import os
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from typing import Any
from zoneinfo import available_timezones

import boto3
import click
from click.shell_completion import CompletionItem

from skipscan.aws import clients
from skipscan.aws.services import DynamoDBClient
from skipscan.cli.waiting import waiting
from skipscan.environment import executions
from skipscan.environment.executions import PREFIX
from skipscan.environment.kinds import KINDS
from skipscan.library.deployed import Deployed
from skipscan.listing.execution_input import PREVIOUS

Complete = Callable[[click.Context, click.Parameter, str], list[str]]


def environments(context: click.Context, says: str | None = None) -> list[str]:
    """Return the environments deployed in the region. `says`: the sign of life on a terminal."""

    def names() -> Iterable[str]:
        session = boto3.Session(region_name=context.params.get("region"), profile_name=context.params.get("profile"))
        return executions.environment_names(executions.cloudformation_client(session, executions.IMPATIENT))

    with waiting(says) if says else nullcontext():
        return _offered(names, "")


def complete_table(context: click.Context, _argument: click.Parameter, incomplete: str) -> list[str]:
    """Return the tables that have results in the environment, except those of other accounts; without one, all."""

    def names() -> Iterable[str]:
        if "env" in context.params and _env(context):
            return _deployed(context, "any").storage.folders(f"{PREFIX}/")
        return table_names(_dynamodb(context))

    return _offered(names, incomplete)


def table_names(client: DynamoDBClient) -> list[str]:
    """Return the tables of the account in the client's region."""
    pages = client.get_paginator("list_tables").paginate()
    return [name for page in pages for name in page["TableNames"]]


def complete_index(context: click.Context, _option: click.Parameter, incomplete: str) -> list[str]:
    """Return the indexes of the table."""

    def names() -> Iterable[str]:
        table = _dynamodb(context).describe_table(TableName=context.params["table_name"])["Table"]
        kinds = ("GlobalSecondaryIndexes", "LocalSecondaryIndexes")
        return [index["IndexName"] for kind in kinds for index in table.get(kind, ())]

    return _offered(names, incomplete)


def complete_folder(_context: click.Context, _option: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Let the shell complete a folder."""
    return [CompletionItem(incomplete, type="dir")]


def complete_region(context: click.Context, _option: click.Parameter, incomplete: str) -> list[str]:
    """Return the regions that botocore knows."""
    return _offered(lambda: boto3.Session().get_available_regions("dynamodb"), incomplete)


def complete_profile(context: click.Context, _option: click.Parameter, incomplete: str) -> list[str]:
    """Return the profiles of the AWS configuration."""
    return _offered(lambda: boto3.Session().available_profiles, incomplete)


def complete_timezone(context: click.Context, _option: click.Parameter, incomplete: str) -> list[str]:
    """Return the time zones that this machine knows."""
    return sorted(_offered(available_timezones, incomplete))


def complete_work(context: click.Context, _argument: click.Parameter, incomplete: str) -> list[str]:
    """Return the runs and jobs over the table, or only those of --kind."""

    def names() -> Iterable[str]:
        for noun in [context.params.get("noun")] if context.params.get("noun") else KINDS:
            yield from _names(context, str(noun))

    return _offered(names, incomplete)


def complete_act(context: click.Context, _option: click.Parameter, incomplete: str) -> list[str]:
    """Return the acts over the table."""
    return _offered(lambda: _names(context, "act"), incomplete)


def complete_compared(context: click.Context, _option: click.Parameter, incomplete: str) -> list[str]:
    """Return what a run can be compared with: the previous one, or one by its name."""
    return _offered(lambda: [PREVIOUS], incomplete) + _offered(lambda: _names(context, "run"), incomplete)


def complete_run(context: click.Context, _argument: click.Parameter, incomplete: str) -> list[str]:
    """Return the runs over the table."""
    return _offered(lambda: _names(context, "run"), incomplete)


def _names(context: click.Context, noun: str) -> Iterable[str]:
    deployed = _deployed(context, context.params["table_name"])
    return deployed.storage.folders(deployed.archive(noun).results("any").layout.all)


def _env(context: click.Context) -> str | None:
    return context.params.get("env") or os.environ.get("SKIPSCAN_ENV")


def _dynamodb(context: click.Context) -> Any:
    options = context.params
    session = boto3.Session(region_name=options.get("region"), profile_name=options.get("profile"))
    return clients.dynamodb(session, 1, options.get("endpoint_url"))


def _deployed(context: click.Context, table: str) -> Deployed:
    options = context.params
    if (env := _env(context)) is None:
        raise LookupError("no environment")
    return Deployed.of(env, table, options.get("region"), options.get("profile"))


def _offered(names: Callable[[], Iterable[str]], incomplete: str) -> list[str]:
    try:
        return [name for name in names() if name.startswith(incomplete) and "@" not in name]
    except Exception:
        return []
