"""The option --env, its message if it is missing, its completion, and a folder in place of table and environment."""

import json
import os
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from skipscan.inputs.names import is_table


def in_cdk_json() -> list[str]:
    """Return the environments of the cdk.json in this folder; none without a cdk.json of Skipscan."""
    try:
        environments = json.loads(Path("cdk.json").read_text(encoding="utf-8"))["context"]["environments"]
        return sorted(name for name in environments if isinstance(name, str))
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return []


def missing(context: click.Context) -> str:
    """Return the error message for a missing --env. It names the environments of cdk.json, else the deployed ones."""
    if names := in_cdk_json():
        there = f" (cdk.json here has {', '.join(names)})"
    elif names := _deployed(context, says="looking for environments"):
        there = f" (deployed here: {', '.join(names)})"
    else:
        there = " (the stack of an environment is skipscan-ENV)"
    return f"Missing option '--env' / '-e': give a deployed environment{there}, or set SKIPSCAN_ENV"


def complete_environment(context: click.Context, _option: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the environments with this prefix, of cdk.json, else the deployed ones."""
    names = in_cdk_json() or _deployed(context)
    return [CompletionItem(name) for name in names if name.startswith(incomplete)]


def _deployed(context: click.Context, says: str | None = None) -> list[str]:
    from skipscan.cli import complete  # noqa: PLC0415 (it imports boto3, and what needs this module)

    return complete.environments(context, says)


class EnvOption(click.Option):
    """The option --env, with SKIPSCAN_ENV as its default."""

    def process_value(self, ctx: click.Context, value: Any) -> Any:
        try:
            return super().process_value(ctx, value)
        except click.MissingParameter:
            if ctx.resilient_parsing:  # a completion, which shows no message
                raise
            raise click.UsageError(missing(ctx), ctx) from None


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
