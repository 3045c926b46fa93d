"""`skipscan deploy` and `skipscan destroy`: the packaged template's stack, with CloudFormation and boto3 alone."""

import shutil
import sys
import time
from pathlib import Path
from typing import Any

import boto3
import click
from click.core import ParameterSource

from skipscan.cli.output import print_json
from skipscan.cli.say import LiveLine, say
from skipscan.cli.stack.deploying import Deploying, destroy_stack
from skipscan.cli.stack.permissions import Packaged, power
from skipscan.cli.stack.permissions import permissions as permissions_of
from skipscan.cli.stack.place import Prompter, StackPlace, check_environment
from skipscan.cli.stack.wanted import ADD_OR_ALL, DeployOptions
from skipscan.errors import InputError
from skipscan.inputs.names import TAG_NAME, TAG_VALUE


def deploy(
    *,
    env: str,
    region: str | None,
    aws_profile: str | None,
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
    **wanted: Any,
) -> None:
    """Carry out `skipscan deploy`."""
    check_environment(env)
    if no_schedule and schedule:
        raise InputError("--schedule and --no-schedule", rule="exclude each other", remedy="leave one out")
    if wanted["tables"] and wanted["added_tables"]:
        raise InputError("--table and --add-table", rule="exclude each other", remedy=ADD_OR_ALL)
    if save:
        _check_alone("--save", "env", "region", "aws_profile", "save")
    if dry_run and permissions:
        raise InputError("--dry-run and --permissions", rule="exclude each other", remedy="leave one out")
    packaged = Packaged.installed()
    if save:
        shutil.copytree(packaged.folder, _new(save), ignore=shutil.ignore_patterns("__pycache__"))
        say(f"template, zip and policies are in {save}")
        return
    place = StackPlace.of(boto3.Session(region_name=region, profile_name=aws_profile), env)
    if permissions:
        print_json(permissions_of(packaged, place, role_arn, code_bucket, DeployOptions(**wanted)))
        say(f"{power(role_arn, wanted['permissions_boundary'])}")
        return
    talking = talk(yes=yes or dry_run, verbose=verbose)
    deploying = Deploying(place, packaged, talking, time.sleep, code_bucket=code_bucket, role=role_arn, dry_run=dry_run)
    chosen = DeployOptions(schedule="" if no_schedule else schedule, **wanted)
    found = deploying.deploy(chosen, _tags(tags))
    if found is None:
        return
    click.echo(found.outputs["StateMachineArn"])
    if "@" in (wanted["notify"] or ""):
        say(f"AWS sends a mail to {wanted['notify']}, unless it did before: confirm it there, or nothing arrives")
    say(f"deployed. Start a run: skipscan run {found.parameters['Table']} --env {env} --follow")


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


def talk(*, yes: bool, verbose: bool = False) -> Prompter:
    """Return the function that asks on the terminal; raise `InputError` without a terminal."""
    if not yes and not sys.stdin.isatty():
        raise InputError("stdin", rule="is not a terminal, so nobody can confirm", remedy="add --yes")

    def confirm(question: str) -> bool:
        return yes or click.confirm(question, err=True)

    line = LiveLine()
    return Prompter(line.say, confirm, line.show, is_verbose=verbose)


def _tags(tags: tuple[str, ...]) -> dict[str, str]:
    by_name = {}
    for tag in tags:
        name, equals, value = tag.partition("=")
        if not (equals and TAG_NAME.fullmatch(name) and TAG_VALUE.fullmatch(value)):
            rule = "it must be NAME=VALUE, of letters, digits, spaces and _.:/=+@-, up to 128 and 256, and no name aws:"
            raise InputError("--tag", tag, rule, "correct it")
        by_name[name] = value
    return by_name


def _new(folder: Path) -> Path:
    if folder.exists():
        raise InputError("--save", str(folder), "it exists", "use a new folder")
    return folder


def destroy(*, env: str, region: str | None, aws_profile: str | None, yes: bool, verbose: bool) -> None:
    """Carry out `skipscan destroy`."""
    check_environment(env)
    asking = talk(yes=yes, verbose=verbose)
    destroy_stack(StackPlace.of(boto3.Session(region_name=region, profile_name=aws_profile), env), asking, time.sleep)
