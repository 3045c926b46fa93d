"""`skipscan list TABLE`: the runs and jobs over a table."""

import json
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime

import click
from rich.console import Console, ConsoleOptions, RenderResult
from rich.style import Style
from rich.table import Table
from rich.text import Text

from skipscan.cli.board import show
from skipscan.cli.deployed import Deployed
from skipscan.cli.follow import why
from skipscan.cli.waiting import waiting
from skipscan.loop.kind import FAILED
from skipscan.loop.status import State, Status
from skipscan.loop.work import FORM, form_of
from skipscan.report.words import amounts, money, span, stamp


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
    """Carry out `skipscan list`."""
    deployed = Deployed.of(env, table_name, region, profile)
    found: list[Status] = []
    with waiting("reading runs and jobs"), ThreadPoolExecutor(LOOKS) as pool:
        for kind in deployed.machines:
            if noun in {None, kind}:
                found += _newest(deployed, kind, limit)
        found = list(pool.map(deployed.seen, found))
    found.sort(key=lambda status: _started(status) or LONG_AGO, reverse=True)
    if as_json:
        click.echo(json.dumps([_entry(status) for status in found], indent=2))
        return
    if not found:
        click.echo(f"skipscan: table {deployed.table} has no run or job in {env}", err=True)
        return
    with ThreadPoolExecutor(LOOKS) as pool:
        reasons = pool.map(lambda status: _reason(deployed, status), found)
    show(Listed(found, dict(zip(map(id, found), reasons, strict=True))))


def _reason(deployed: Deployed, status: Status) -> str:
    """Return why work failed; empty for other work."""
    return why(status.execution, deployed.machine(status.kind.noun)) if status.has_failed else ""


WIDE = 140
"""From this width on, the figures are beside the names; on a narrower terminal they are below."""


@dataclass(frozen=True)
class Listed:
    """The table of runs and jobs, as wide as the terminal allows. There, a name leads to the work's report.

    `reasons`: why work failed, by the identity of its status in memory.
    """

    found: Sequence[Status]
    reasons: Mapping[int, str] = field(default_factory=dict)

    def __rich_console__(self, _console: Console, options: ConsoleOptions) -> RenderResult:
        rows = [
            (
                status.kind.noun,
                Text(status.name, style=Style(link=status.report), overflow="fold"),
                f"{status.state}, dry run" if status.is_dry_run else f"{status.state}",
                "" if (started := _started(status)) is None else stamp(started.isoformat()),
                _figures(status, self.reasons.get(id(status), "")),
            )
            for status in self.found
        ]
        yield _wide(rows) if options.max_width >= WIDE else _narrow(rows)


Row = tuple[str, Text, str, str, str]


def _wide(rows: Sequence[Row]) -> Table:
    table = Table(box=None, header_style="bold", pad_edge=False)
    for heading in ("kind", "name", "state", "started", "figures"):
        table.add_column(heading, overflow="fold")
    for row in rows:
        table.add_row(*row)
    return table


def _narrow(rows: Sequence[Row]) -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(overflow="fold")
    table.add_column(overflow="fold")
    names, states = (min(30, max(len(row[column]) for row in rows)) for column in (1, 2))
    for kind, name, state, started, figures in rows:
        rest = f"{' ' * (names - len(name))}  {state:<{states}}  {started}"
        table.add_row(kind, Text.assemble(name, rest, overflow="fold"))
        if figures:
            table.add_row("", Text(figures, style="dim", overflow="fold"))
    return table


LOOKS = 8
"""Number of runs and jobs read at the same time; each takes several requests to S3."""


def _newest(deployed: Deployed, noun: str, limit: int) -> list[Status]:
    """Return the newest work of a kind. Starting work has no plan yet, so only Step Functions shows it."""
    archive, running = deployed.archive(noun), deployed.running(noun)
    (entries, unreadable), now = archive.all(), datetime.now(UTC)
    known_names = {entry.name for entry in entries} | {status.name for status in unreadable}
    starting = [
        Status(archive.kind, deployed.table, name, State.STARTING, now, execution)
        for name, execution in sorted(running.items(), key=lambda one: one[1].started, reverse=True)
        if name not in known_names
    ]
    known = [*archive.statuses(entries[:limit], running), *unreadable]
    return [*starting, *sorted(known, key=lambda status: _started(status) or LONG_AGO, reverse=True)][:limit]


LONG_AGO = datetime.min.replace(tzinfo=UTC)


def _started(status: Status) -> datetime | None:
    """Return when the work started; `None` for that of another version whose plan does not say it."""
    if status.unreadable is not None:
        try:
            return datetime.fromisoformat(status.unreadable["started"]).astimezone(UTC)
        except (LookupError, TypeError, ValueError):
            return None
    if status.work:
        return datetime.fromisoformat(status.work.execution.started)
    return status.execution.started if status.execution else status.at


def _figures(status: Status, reason: str) -> str:
    """Return results, duration and cost of the work in one line, and the reason if it failed."""
    if status.unreadable is not None:
        form = form_of(status.unreadable) or "unknown"
        return f"another version of Skipscan wrote it: form {form}, not {FORM}"
    if status.has_failed:
        ended = reason
    elif (end := status.estimated_end()) is not None:
        ended = f"estimated end {stamp(end.isoformat())}"
    else:
        ended = span(status.manifest["seconds"]) if status.manifest else ""
    if status.work is None or status.is_dry_run:
        return ended
    counts = status.counts
    done = f"{status.settled:,} {status.followed}"
    if status.expected and not status.manifest:
        done += f" of about {status.expected:,.0f}"
    units = ((counts.read_units, "read units"), (counts.write_units, "write units"))
    consumed = (f"{count:,.1f} {name}" for count, name in units if count)
    if outcomes := amounts(counts.outcomes, but=status.followed):
        done += f" ({outcomes})"
    failed = f"{status.in_failed:,} in {FAILED}/" if status.in_failed else ""
    return ", ".join(filter(None, (done, failed, *consumed, money(status.bill.total), ended)))


def _entry(status: Status) -> dict[str, object]:
    """Return the figures of `skipscan status`, without single workers."""
    manifest, execution = status.manifest or {}, status.execution
    shown = {name: value for name, value in status.to_json().items() if name != "workers"}
    if status.kind.noun == "run":
        shown["index"] = manifest.get("index", status.work.plan.source.index if status.work else None)
    return {
        **shown,
        "started": started.isoformat() if (started := _started(status)) else None,
        **({} if status.unreadable is None else {"form": form_of(status.unreadable)}),
        "seconds": manifest.get("seconds"),
        "error": execution.error if execution else None,
    }
