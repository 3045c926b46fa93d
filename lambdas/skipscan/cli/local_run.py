"""A run in a local folder, given in place of a table: the output of `skipscan keys --folder`."""

import os
from pathlib import Path

import click

from skipscan.cli.environments import missing
from skipscan.inputs.names import is_table


def is_folder(name: str, env: str | None) -> bool:
    """Return whether the argument is a folder: a path, or a bare name without an environment or that no table has."""
    if name.startswith("arn:"):
        return False
    return os.sep in name or "/" in name or ((env is None or not is_table(name)) and Path(name).is_dir())


def environment(env: str | None) -> str:
    """Return the environment; end the command if there is none."""
    if env is None:
        raise click.UsageError(missing(click.get_current_context()))
    return env
