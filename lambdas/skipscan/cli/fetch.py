"""A finished run's keys, fetched from S3 into a file or to stdout."""

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TimeRemainingColumn, TransferSpeedColumn

from skipscan.cli.deployed import Deployed
from skipscan.cli.output import replacing
from skipscan.keys.bodies import bodies
from skipscan.keys.convert import convert


def fetch(deployed: Deployed, manifest: Mapping[str, Any], output: Path | None, form: str) -> None:
    """Write the keys in the order of the parts, every part checked before its first key is written."""
    content = convert(measured(deployed, manifest, "keys"), manifest, form)
    if output is None:
        for lines in content:
            sys.stdout.buffer.write(lines)
        sys.stdout.buffer.flush()
    else:
        with replacing(output) as file:
            file.writelines(content)


def measured(deployed: Deployed, manifest: Mapping[str, Any], what: str) -> Iterator[bytes]:
    """Return a run's parts; on a terminal a bar shows how many bytes of them have come."""
    console = Console(stderr=True)
    columns = ("{task.description}", BarColumn(), DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn())
    is_shown = console.is_terminal and not sys.stdout.isatty()
    with Progress(*columns, console=console, transient=True, disable=not is_shown) as progress:
        task = progress.add_task(what, total=sum(part["bytes"] for part in manifest["parts"]))
        for body in bodies(deployed.storage, manifest):
            yield body
            progress.advance(task, len(body))
