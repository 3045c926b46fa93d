"""`skipscan deploy`: the packaged template's stack, with CloudFormation and boto3 alone."""

import re
import shutil
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from skipscan.cli.at import At, placed
from skipscan.cli.options import completed, examples, formed, grouped_command, option, options, region_and_profile
from skipscan.cli.output import print_json
from skipscan.cli.say import say, say_line
from skipscan.cli.work_options import env_option
from skipscan.errors import InputError
from skipscan.inputs.fields import OptionGroup
from skipscan.inputs.names import BUCKET_NAME, TAG_NAME, TAG_VALUE

if TYPE_CHECKING:
    from skipscan.cli.stack.place import Prompter


environment_options = options(
    env_option("The environment: its stack is skipscan-ENV.", required=True),
    region_and_profile,
    placed,
)


verbose_option = option(OptionGroup.ADVANCED, "--verbose", is_flag=True, help="Show every resource and every event.")
yes_option = option(OptionGroup.ADVANCED, "--yes", is_flag=True, help="Do not ask.")


@grouped_command(
    epilog=examples(
        "skipscan deploy --table Orders --env prod",
        "skipscan deploy --env prod --schedule 'cron(0 3 * * ? *)' --timezone Europe/Berlin",
        "skipscan deploy --env prod --add-table Audit --dry-run",
        "skipscan deploy --env prod --notify you@example.com",
        "skipscan deploy --env prod --permissions",
        "skipscan deploy --env prod --save package",
    ),
)
@option(
    OptionGroup.READ,
    "--table",
    "tables",
    multiple=True,
    shell_complete=completed("table"),
    help="A table that runs may read. Repeat for up to five: these are then all.",
)
@option(
    OptionGroup.READ,
    "--add-table",
    "added_tables",
    multiple=True,
    shell_complete=completed("table"),
    help="A table to add to those that are deployed. Repeatable.",
)
@option(OptionGroup.READ, "--schedule", help="When to list the first table: cron(...) or rate(...).")
@option(OptionGroup.READ, "--no-schedule", is_flag=True, help="Remove the schedule.")
@option(
    OptionGroup.READ,
    "--timezone",
    shell_complete=completed("timezone"),
    help="Time zone of a cron schedule, such as Europe/Berlin.",
)
@option(OptionGroup.READ, "--schedule-input", metavar="JSON", help="More fields of the scheduled run's input.")
@option(
    OptionGroup.PLACE,
    "--notify",
    metavar="EMAIL/ARN",
    help="E-mail address, or SNS topic, that gets a sentence about every finished run; none for no notice. The address "
    "also gets alarms, unless --alarm-topic is given.",
)
@option(
    OptionGroup.PLACE,
    "--notify-if",
    type=click.Choice(["finished", "changed"]),
    help="Notify of every finished run, or not of one that is compared and has the same keys.",
)
@option(OptionGroup.PLACE, "--alarm-topic", metavar="ARN", help="SNS topic that alarms are sent to; none for no topic.")
@option(
    OptionGroup.ADVANCED,
    "--permissions-boundary",
    metavar="NAME",
    help="Permissions boundary of every role: the policy's name, with its path.",
)
@option(OptionGroup.ADVANCED, "--role-path", metavar="PATH", help="Path of every role, such as /team/.")
@option(
    OptionGroup.ADVANCED,
    "--subnet",
    "subnets",
    multiple=True,
    metavar="ID",
    callback=formed("like subnet-0abc1234", re.compile(r"subnet-[0-9a-f]+")),
    help="A subnet that the functions run in. Repeatable.",
)
@option(
    OptionGroup.ADVANCED,
    "--security-group",
    "security_groups",
    multiple=True,
    metavar="ID",
    callback=formed("like sg-0abc1234", re.compile(r"sg-[0-9a-f]+")),
    help="A security group. Repeatable.",
)
@option(
    OptionGroup.ADVANCED,
    "--tag",
    "tags",
    multiple=True,
    metavar="NAME=VALUE",
    help="A tag for all resources. Repeatable.",
)
@option(
    OptionGroup.ADVANCED,
    "--role-arn",
    metavar="ARN",
    callback=formed("the ARN of a role", re.compile(r"arn:aws[a-z-]*:iam::\d{12}:role/.+")),
    help="Role for CloudFormation (default: your own permissions).",
)
@option(
    OptionGroup.ADVANCED,
    "--code-bucket",
    metavar="BUCKET",
    callback=formed("the name of a bucket", BUCKET_NAME),
    help="Your bucket for code and template (default: a new bucket).",
)
@option(OptionGroup.ADVANCED, "--dry-run", is_flag=True, help="Show what would change, and change nothing.")
@yes_option
@verbose_option
@option(
    OptionGroup.ADVANCED,
    "--permissions",
    is_flag=True,
    help="Print the policy that deploying needs, and deploy nothing.",
)
@option(
    OptionGroup.PLACE,
    "--save",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write template, zip and policies into this new folder, and deploy nothing.",
)
@environment_options
def deploy_command(
    *,
    at: At,
    yes: bool,
    dry_run: bool,
    permissions: bool,
    save: Path | None,
    tags: tuple[str, ...],
    role_arn: str | None,
    code_bucket: str | None,
    schedule: str | None,
    no_schedule: bool,
    verbose: bool,
    **options: Any,
) -> None:
    """Deploy an environment, or upgrade it in place, with CloudFormation alone.

    The stack lists up to five tables of its account and region, with one schedule and alarms. Jobs that write (act,
    retrofit, copy) need the CDK: make deploy ENV=... in a checkout. An option that is left out keeps its value.

    Shows what CloudFormation would change, and asks before anything is made.
    """
    from skipscan.cli.stack.deploy_options import ADD_OR_ALL, DeployOptions
    from skipscan.cli.stack.deploying import Deploying
    from skipscan.cli.stack.permissions import Packaged, power
    from skipscan.cli.stack.permissions import permissions as permissions_of
    from skipscan.cli.stack.place import StackPlace

    if save:
        _check_alone("--save", "env", "region", "aws_profile", "save")
    for pair, is_given, way in (
        ("--schedule and --no-schedule", no_schedule and schedule, "leave one out"),
        ("--table and --add-table", options["tables"] and options["added_tables"], ADD_OR_ALL),
        ("--dry-run and --permissions", dry_run and permissions, "leave one out"),
    ):
        if is_given:
            raise InputError(pair, rule="exclude each other", remedy=way)
    packaged = Packaged.installed()
    if save:
        if save.exists():
            raise InputError("--save", str(save), "it exists", "use a new folder")
        shutil.copytree(packaged.folder, save, ignore=shutil.ignore_patterns("__pycache__"))
        say(f"template, zip and policies are in {save}")
        return
    place = StackPlace.of(at.session(), at.env)
    if permissions:
        print_json(permissions_of(packaged, place, role_arn, code_bucket, DeployOptions(**options)))
        say(f"{power(role_arn, options['permissions_boundary'])}")
        return
    talking = talk(yes=yes or dry_run, verbose=verbose)
    deploying = Deploying(place, packaged, talking, time.sleep, code_bucket=code_bucket, role=role_arn, dry_run=dry_run)
    chosen = DeployOptions(schedule="" if no_schedule else schedule, **options)
    found = deploying.deploy(chosen, _tags(tags))
    if found is None:
        return
    click.echo(found.outputs["StateMachineArn"])
    if "@" in (options["notify"] or ""):
        say(f"AWS sends a mail to {options['notify']}, unless it did before: confirm it there, or nothing arrives")
    say(f"deployed. Start a run: skipscan run {found.parameters['Table']} --env {at.env} --follow")


def _check_alone(option: str, *used: str) -> None:
    """Raise `InputError` if other options are given beside one that uses none of them."""
    context = click.get_current_context()
    typed = ParameterSource.COMMANDLINE
    for parameter in context.command.params:
        if parameter.name not in used and context.get_parameter_source(str(parameter.name)) == typed:
            raise InputError(
                f"{option} and {parameter.opts[-1]}",
                rule=f"exclude each other, because {option} deploys nothing",
                remedy="leave one out",
            )


def talk(*, yes: bool, verbose: bool) -> "Prompter":
    """Return what asks on the terminal; without one, its first question raises `InputError`."""
    from rich.console import Console
    from rich.text import Text

    from skipscan.cli.stack.place import Prompter

    def confirm(question: str) -> bool:
        if not yes and not sys.stdin.isatty():
            raise InputError("stdin", rule="is not a terminal, so nobody can confirm", remedy="add --yes")
        return yes or click.confirm(question, err=True)

    line = Console(stderr=True).status("")
    click.get_current_context().call_on_close(line.stop)

    def show(text: str) -> None:
        line.update(Text(text))
        if text:
            line.start()
        else:
            line.stop()

    def say_above(text: str) -> None:
        line.stop()
        say_line(text)

    return Prompter(say_above, confirm, show, is_verbose=verbose)


def _tags(tags: tuple[str, ...]) -> dict[str, str]:
    by_name = {}
    for tag in tags:
        name, equals, value = tag.partition("=")
        if not (equals and TAG_NAME.fullmatch(name) and TAG_VALUE.fullmatch(value)):
            rule = "it must be NAME=VALUE: up to 128 and 256 letters, digits, spaces and _.:/=+@-, no name of AWS's own"
            raise InputError("--tag", tag, rule, "write it like team=data")
        by_name[name] = value
    return by_name
