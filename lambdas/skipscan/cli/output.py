"""Files that the commands write: checked before any work, and visible only when they are complete."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import click

MOST_NAME_BYTES = 255  # the maximum of Linux's and macOS's file systems


def in_a_folder(_context: click.Context, _option: click.Parameter, value: Path | None) -> Path | None:
    """Refuse an unusable path at once, instead of after all reads are paid for."""
    if value is not None and not os.access(value.parent, os.W_OK | os.X_OK):
        raise click.BadParameter(f"{str(value.parent)!r} is not a writable folder: correct it")
    if value is not None and len(os.fsencode(value.name)) > MOST_NAME_BYTES:
        raise click.BadParameter(f"a file's name has at most {MOST_NAME_BYTES} bytes: shorten it")
    return value


FILE = click.Path(dir_okay=False, writable=True, path_type=Path)


@contextmanager
def replacing(file: Path) -> Iterator[IO[bytes]]:
    """Open a file that gets its name at the end of the block; after a failure, an earlier file stays unchanged."""
    unfinished = file.with_name(f".{file.name[:200]}.{secrets.token_hex(4)}")
    try:
        with unfinished.open("xb") as content:
            yield content
        unfinished.replace(file)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise
