"""`skipscan diff OLD.json NEW.json`: what changed between two profiles of a table."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from skipscan.profile.difference import is_profile, profile_difference, words


def are_profiles(old: str, new: str | None) -> bool:
    """Return whether a command names two files, which only profiles are."""
    return new is not None and Path(old).is_file() and Path(new).is_file()


def print_profile_diff(old: str, new: str, *, as_json: bool) -> None:
    """Print what changed."""
    changed = profile_difference(_read(old), _read(new))
    if as_json:
        click.echo(json.dumps(changed.to_json(), indent=2, ensure_ascii=False))
    else:
        for line in words(changed):
            click.echo(line)


def _read(file: str) -> Mapping[str, Any]:
    try:
        document = json.loads(Path(file).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        document = None
    if not is_profile(document):
        raise click.UsageError(f"{file} is not a profile: give files that `skipscan profile TABLE --json` printed")
    found: Mapping[str, Any] = document
    return found
