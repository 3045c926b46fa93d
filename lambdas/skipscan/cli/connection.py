"""The options that say which AWS a command talks to, the same for every command."""

import re
from collections.abc import Callable
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])


def connection_options(command: Command) -> Command:
    """Return the command with the options --region, --profile and --endpoint-url."""
    endpoint = click.option(
        "--endpoint-url", callback=_url, help="Another DynamoDB endpoint, such as http://localhost:8000."
    )
    return region_and_profile(endpoint(command))


def region_and_profile(command: Command) -> Command:
    """Return the command with the options --region and --profile."""
    for option in (
        click.option("--profile", help="AWS profile; else as your AWS configuration says."),
        click.option(
            "--region", envvar="AWS_REGION", callback=_region, help="AWS region; else as your AWS configuration says."
        ),
    ):
        command = option(command)
    return command


def _region(_context: click.Context, _option: click.Parameter, value: str | None) -> str | None:
    if value is not None and not re.fullmatch(r"[a-z]{2,}(-[a-z]+)+-[0-9]+", value):
        raise click.BadParameter(f"{value!r} is not a region such as us-east-1: correct it")
    return value


def _url(_context: click.Context, _option: click.Parameter, value: str | None) -> str | None:
    if value is not None and not re.fullmatch(r"https?://[^/\s]+/?", value):
        raise click.BadParameter(f"{value!r} is not a URL such as http://localhost:8000: correct it")
    return value
