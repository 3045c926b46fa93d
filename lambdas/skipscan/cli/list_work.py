"""`skipscan list TABLE`: the runs and jobs over a table."""

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import click
from rich.table import Table

from skipscan.aws.kinds import KINDS
from skipscan.cli.board import show
from skipscan.cli.deployed import Deployed, deployed_options, json_option
from skipscan.cli.options import examples, table_argument
from skipscan.loop.status import State, Status


@click.command(
    "list",
    epilog=examples(
        "skipscan list Orders --env dev",
        "skipscan list Orders --kind run --env dev --limit 100 --json",
    ),
)
@table_argument
@click.option("--kind", "noun", type=click.Choice(tuple(KINDS)), help="Only work of this kind.")
@click.option("--limit", type=click.IntRange(min=1), default=20, show_default=True, help="Most of each kind to show.")
@json_option
@deployed_options
def list_work(
    *,
    table_name: str,
    noun: str | None,
    limit: int,
    as_json: bool,
    env: str,
    region: str | None,
    profile: str | None,
) -> None:
    """List the runs and jobs over TABLE, the newest first.

    States: starting (no plan yet), running, finished, unfinished (can be resumed), planned (a dry run, or stopped
    before its first batch).
    """
    deployed = Deployed.of(env, table_name, region, profile)
    found: list[Status] = []
    for kind in deployed.machines:
        if noun in {None, kind}:
            found += _newest(deployed, kind, limit)
    with ThreadPoolExecutor(LOOKS) as pool:
        found = list(pool.map(deployed.seen, found))
    found.sort(key=_started, reverse=True)
    if as_json:
        click.echo(json.dumps([_entry(status) for status in found], indent=2))
        return
    if not found:
        click.echo(f"skipscan: table {deployed.table} has no run or job in {env}", err=True)
        return
    table = Table(box=None, header_style="bold", pad_edge=False)
    for heading in ("kind", "name", "state", "started", ""):
        table.add_column(heading, overflow="fold", no_wrap=heading in {"kind", "started"})
    for status in found:
        state = f"{status.state}, dry run" if status.is_dry_run else f"{status.state}"
        table.add_row(
            status.kind.noun, status.name, state, f"{_started(status):%Y-%m-%d %H:%M:%S} UTC", _counted(status)
        )
    show(table)


LOOKS = 8
"""Runs and jobs that are looked at together; each look asks for several objects."""


def _newest(deployed: Deployed, noun: str, limit: int) -> list[Status]:
    """Return the newest work of a kind: what starts has no plan yet, and Step Functions alone knows of it."""
    archive, running = deployed.archive(noun), deployed.running(noun)
    entries, now = archive.entries(), datetime.now(UTC)
    starting = [
        Status(archive.kind, deployed.table, name, State.STARTING, now, execution)
        for name, execution in sorted(running.items(), key=lambda one: one[1].started, reverse=True)
        if name not in {entry.name for entry in entries}
    ]
    return [*starting, *archive.statuses(entries[:limit], running)][:limit]


def _started(status: Status) -> datetime:
    if status.work:
        return datetime.fromisoformat(status.work.execution.started)
    return status.execution.started if status.execution else status.at


def _counted(status: Status) -> str:
    """Return what the work has come to in few words, and why it ended if it failed."""
    counts = status.counts.to_json()
    if status.manifest:
        counts["seconds"] = status.manifest["seconds"]
    said = [f"{value:,} {name.replace('_', ' ')}" for name, value in counts.items() if value]
    if status.has_failed and status.execution and status.execution.error:
        said.append(status.execution.error)
    return ", ".join(said)


def _entry(status: Status) -> dict[str, object]:
    """Return work in few words. Figures of work that is not finished are those of committed batches."""
    manifest, execution = status.manifest or {}, status.execution
    return {
        "kind": status.kind.noun,
        status.kind.noun: status.name,
        "state": status.state,
        "dry_run": status.is_dry_run,
        "started": _started(status).isoformat(),
        **({"index": manifest.get("index")} if status.kind.noun == "run" else {}),
        **status.counts.to_json(),
        "part_done": round(status.part_done, 4) if status.is_measurable else None,
        "seconds": manifest.get("seconds"),
        "error": execution.error if execution else None,
        "manifest": status.manifest_uri if status.manifest else None,
        "report": status.report,
    }
