"""The option --env: its message if it is missing, and its completion."""

import json
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem


def known() -> list[str]:
    """Return the environments of the cdk.json in this folder; none without a cdk.json of Skipscan."""
    try:
        environments = json.loads(Path("cdk.json").read_text(encoding="utf-8"))["context"]["environments"]
        return sorted(name for name in environments if isinstance(name, str))
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return []


def missing() -> str:
    """Return the error message for a missing --env."""
    names = known()
    there = f" (cdk.json here has {', '.join(names)})" if names else ""
    return f"Missing option '--env' / '-e': give a deployed environment{there}, or set SKIPSCAN_ENV"


def complete_environment(_context: click.Context, _option: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the environments with this prefix."""
    return [CompletionItem(name) for name in known() if name.startswith(incomplete)]


class EnvOption(click.Option):
    """The option --env, with SKIPSCAN_ENV as its default."""

    def process_value(self, ctx: click.Context, value: Any) -> Any:
        try:
            return super().process_value(ctx, value)
        except click.MissingParameter:
            raise click.UsageError(missing(), ctx) from None
