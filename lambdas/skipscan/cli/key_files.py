"""`skipscan download TABLE [RUN]`: the keys of a finished run, in the line formats or as Parquet."""

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TimeRemainingColumn, TransferSpeedColumn

from skipscan.cli.output import written_to
from skipscan.cli.say import can_redraw, say
from skipscan.errors import InputError
from skipscan.library.arrow_parts import collected
from skipscan.library.parquet import PARQUET, PARQUETS, numbers_of
from skipscan.lines.absent import MOST_BYTES, Absent
from skipscan.lines.convert import bodies, convert, has_items
from skipscan.lines.formats import FORMATS, TEXT
from skipscan.lines.json_lines import JSONL
from skipscan.loop.storage import Storage


def check_room(form: str) -> None:
    """Refuse a line format that can hold keys only."""
    if FORMATS[form].taking is None:
        able = ", ".join(name for name, one in FORMATS.items() if one.taking is not None)
        raise InputError(
            "--format",
            form,
            "it cannot hold items or counts",
            f"use {able} or {PARQUET}, or leave out --first, --last, --items and --count",
        )


def check_not_shown(form: str, output: Path | None) -> None:
    """Refuse to write Parquet to a terminal."""
    if form in PARQUETS and output is None and sys.stdout.isatty():
        raise InputError("--format", PARQUET, "a terminal cannot show Parquet", "write to a file with --output")


def say_absent(absent: Absent, given: int | None = None, found: int = 0) -> None:
    """Print what was asked for in vain, mostly by mistake: attributes that no item had, or keys that have no items.

    `given`: the number of given keys. `found`: what the run listed.
    """
    if note := str(absent):
        say(note)
    if given and not found:
        say(f"none of the {given:,} given keys has items: a line is a bare key, JSON, or csv with a header")


def fetch(storage: Storage, manifest: Mapping[str, Any], output: Path | None, form: str | None) -> None:
    """Write the keys in the order of the parts; check each part before writing its first key.

    A file gets its name when it is complete. `form`: default: text, with items or counts JSON lines.
    """
    form = form or (JSONL.name if has_items(manifest) else TEXT.name)
    check_not_shown(form, output)
    parts = measured(storage, manifest, "keys", is_file=output is not None)
    absent = Absent.begin(manifest)
    if _is_looked_at(manifest):
        parts = absent.watching(parts, manifest)
    with written_to(output) as file:
        if form in PARQUETS:
            collected(parts, manifest, numbers_of(form)).write(file)
        else:
            for lines in convert(parts, manifest, form):
                file.write(lines)
    say_absent(absent)


def note_absent(storage: Storage, manifest: Mapping[str, Any]) -> None:
    """Print the requested attributes that no item of a run had. This reads all parts, so it leaves out large runs."""
    absent = Absent.of(manifest, bodies(storage, manifest)) if _is_looked_at(manifest) else Absent.begin(manifest)
    say_absent(absent, (manifest.get("only") or {}).get("keys"), manifest["keys"])


def _is_looked_at(manifest: Mapping[str, Any]) -> bool:
    return "take" in manifest and sum(part["bytes"] for part in manifest["parts"]) <= MOST_BYTES


def measured(storage: Storage, manifest: Mapping[str, Any], what: str, *, is_file: bool) -> Iterator[bytes]:
    """Return a run's parts, with a progress bar unless the keys go to the terminal at once."""
    console = Console(stderr=True)
    columns = ("{task.description}", BarColumn(), DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn())
    is_shown = can_redraw() and (is_file or not sys.stdout.isatty())
    with Progress(*columns, console=console, transient=True, disable=not is_shown) as progress:
        task = progress.add_task(what, total=sum(part["bytes"] for part in manifest["parts"]))
        for body in bodies(storage, manifest):
            yield body
            progress.advance(task, len(body))
