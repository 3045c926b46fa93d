"""`skipscan deploy`: deploy the packaged template with CloudFormation and boto3 alone."""

import json
import shutil
import sys
import time
from pathlib import Path
from typing import Any

import boto3
import click

from skipscan.cli.options import examples, options, region_and_profile
from skipscan.cli.stack.deploying import Deploying
from skipscan.cli.stack.found import check_environment
from skipscan.cli.stack.packaged import Packaged
from skipscan.cli.stack.permissions import permissions as permissions_of
from skipscan.cli.stack.place import Place
from skipscan.cli.stack.talk import Talk
from skipscan.cli.stack.wanted import Wanted
from skipscan.errors import InputError

environment_options = options(
    click.option(
        "--env", "-e", envvar="SKIPSCAN_ENV", required=True, help="The environment: its stack is skipscan-ENV."
    ),
    region_and_profile,
)
yes_option = click.option("--yes", is_flag=True, help="Do not ask.")


@click.command(
    epilog=examples(
        "skipscan deploy --table Orders --env prod",
        "skipscan deploy --env prod --schedule 'cron(0 3 * * ? *)' --timezone Europe/Berlin",
        "skipscan deploy --env prod --permissions",
        "skipscan deploy --env prod --save package",
    ),
)
@click.option("--table", "tables", multiple=True, help="A table that runs may read. Repeat for up to five.")
@click.option("--schedule", help="When to list the first table: cron(...) or rate(...).")
@click.option("--no-schedule", is_flag=True, help="Remove the schedule.")
@click.option("--timezone", help="Time zone of a cron schedule, such as Europe/Berlin.")
@click.option("--schedule-input", metavar="JSON", help="More fields of the scheduled run's input.")
@click.option("--alarm-topic", metavar="ARN", help="SNS topic that alarms are sent to; none for no topic.")
@click.option(
    "--permissions-boundary",
    metavar="NAME",
    help="Permissions boundary of every role: the policy's name, with its path.",
)
@click.option("--role-path", metavar="PATH", help="Path of every role, such as /team/.")
@click.option(
    "--subnet", "subnets", multiple=True, metavar="ID", help="A subnet that the functions run in. Repeatable."
)
@click.option("--security-group", "security_groups", multiple=True, metavar="ID", help="A security group. Repeatable.")
@click.option("--tag", "tags", multiple=True, metavar="NAME=VALUE", help="A tag for all resources. Repeatable.")
@click.option("--role-arn", metavar="ARN", help="Role for CloudFormation (default: your own permissions).")
@click.option("--code-bucket", metavar="BUCKET", help="Your bucket for code and template (default: a new bucket).")
@yes_option
@click.option("--permissions", is_flag=True, help="Print the policy that deploying needs, and deploy nothing.")
@click.option(
    "--save",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write template, zip and policies into this new folder, and deploy nothing.",
)
@environment_options
def deploy(
    *,
    env: str,
    region: str | None,
    profile: str | None,
    yes: bool,
    permissions: bool,
    save: Path | None,
    tags: tuple[str, ...],
    role_arn: str | None,
    code_bucket: str | None,
    schedule: str | None,
    no_schedule: bool,
    **wanted: Any,
) -> None:
    """Deploy an environment, or upgrade it in place, with CloudFormation alone.

    The stack lists up to five tables of its account and region, with one schedule and alarms. Jobs that write (act,
    retrofit, copy) need the CDK: make deploy ENV=... in a checkout. An option that is left out keeps its value.

    Shows what CloudFormation would change, and asks before anything is made.
    """
    check_environment(env)
    if no_schedule and schedule:
        raise InputError("--schedule and --no-schedule exclude each other: leave one out")
    packaged = Packaged.installed()
    if save:
        shutil.copytree(packaged.folder, _new(save), ignore=shutil.ignore_patterns("__pycache__"))
        click.echo(f"skipscan: template, zip and policies are in {save}", err=True)
        return
    place = Place.of(boto3.Session(region_name=region, profile_name=profile), env)
    if permissions:
        click.echo(json.dumps(permissions_of(packaged, place, role_arn, code_bucket), indent=2))
        return
    deploying = Deploying(place, packaged, talk(yes=yes), time.sleep, code_bucket=code_bucket, role=role_arn)
    asked = Wanted(schedule="" if no_schedule else schedule, **wanted)
    found = deploying.deploy(asked, _tags(tags))
    click.echo(found.outputs["StateMachineArn"])
    click.echo(
        f"skipscan: deployed. Start a run: skipscan run {found.parameters['Table']} --env {env} --follow", err=True
    )


def talk(*, yes: bool) -> Talk:
    """Return the function that asks on the terminal; raise `InputError` without a terminal."""
    if not yes and not sys.stdin.isatty():
        raise InputError("stdin is not a terminal, so nobody can confirm: add --yes")

    def confirm(question: str) -> bool:
        return yes or click.confirm(question, err=True)

    return Talk(lambda line: click.echo(line, err=True), confirm)


def _tags(given: tuple[str, ...]) -> dict[str, str]:
    found = {}
    for tag in given:
        name, equals, value = tag.partition("=")
        if not name or not equals:
            raise InputError(f"--tag is {tag!r}; it must be NAME=VALUE: correct it")
        found[name] = value
    return found


def _new(folder: Path) -> Path:
    if folder.exists():
        raise InputError(f"--save is {str(folder)!r}; it exists: use a new folder")
    return folder
