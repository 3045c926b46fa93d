"""Shell completion of environments, and of tables, runs and jobs from the results of an environment.

A completion cannot show an error: if AWS cannot be asked, it offers nothing.
"""

import os
from collections.abc import Callable, Iterable
from contextlib import nullcontext

import boto3
import click

from skipscan.cli.waiting import waiting
from skipscan.environment import deployment
from skipscan.environment.deployment import PREFIX
from skipscan.environment.kinds import KINDS
from skipscan.library.deployed import Deployed

Complete = Callable[[click.Context, click.Parameter, str], list[str]]


def environments(context: click.Context, says: str | None = None) -> list[str]:
    """Return the environments deployed in the region. `says`: the sign of life on a terminal."""

    def names() -> Iterable[str]:
        session = boto3.Session(region_name=context.params.get("region"), profile_name=context.params.get("profile"))
        return deployment.environments(deployment.cloudformation_client(session, deployment.IMPATIENT))

    with waiting(says) if says else nullcontext():
        return _offered(names, "")


def complete_table(context: click.Context, _argument: click.Parameter, incomplete: str) -> list[str]:
    """Return the tables that have results in the environment, except tables of other accounts."""
    return _offered(lambda: _deployed(context, "any").storage.folders(f"{PREFIX}/"), incomplete)


def complete_work(context: click.Context, _argument: click.Parameter, incomplete: str) -> list[str]:
    """Return the runs and jobs over the table, or only those of the --kind given."""

    def names() -> Iterable[str]:
        deployed = _deployed(context, context.params["table_name"])
        for noun in [context.params.get("noun")] if context.params.get("noun") else KINDS:
            layout = deployed.archive(str(noun)).results("any").layout
            yield from deployed.storage.folders(layout.all)

    return _offered(names, incomplete)


def complete_run(context: click.Context, _argument: click.Parameter, incomplete: str) -> list[str]:
    """Return the runs over the table."""

    def names() -> Iterable[str]:
        deployed = _deployed(context, context.params["table_name"])
        return deployed.storage.folders(deployed.archive().results("any").layout.all)

    return _offered(names, incomplete)


def _deployed(context: click.Context, table: str) -> Deployed:
    asked = context.params
    env = asked.get("env") or os.environ["SKIPSCAN_ENV"]
    return Deployed.of(env, table, asked.get("region"), asked.get("profile"))


def _offered(names: Callable[[], Iterable[str]], incomplete: str) -> list[str]:
    try:
        return [name for name in names() if name.startswith(incomplete) and "@" not in name]
    except Exception:
        return []
