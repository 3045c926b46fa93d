"""`skipscan runs [TABLE]`: the runs and jobs over a table, or over all."""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime

from rich.console import Console, ConsoleOptions, RenderResult
from rich.style import Style
from rich.text import Text

from skipscan.cli.board import show
from skipscan.cli.follow import why
from skipscan.cli.output import print_json
from skipscan.cli.plan_table import about
from skipscan.cli.say import say, waiting
from skipscan.environment.executions import table_of
from skipscan.environment.status import Execution, State, Status
from skipscan.inputs.quantities import duration, in_utc, money, named_counts, stamp
from skipscan.library.deployed import Deployed
from skipscan.loop.kind import FAILED
from skipscan.loop.work import FORM, form_of


def runs(
    *,
    table_name: str | None,
    noun: str | None,
    limit: int,
    as_json: bool,
    env: str,
    region: str | None,
    aws_profile: str | None,
) -> None:
    """Carry out `skipscan runs`."""
    deployed = Deployed.of(env, table_name or ANY, region, aws_profile)
    newest = _newest if table_name else _newest_of_all
    found: list[Status] = []
    with waiting("reading runs and jobs"), ThreadPoolExecutor(LOOKS) as pool:
        for kind in deployed.machines:
            if noun in {None, kind}:
                found += newest(deployed, kind, limit)
        found = list(pool.map(lambda status: deployed.over(status.table).seen(status), found))
    found.sort(key=lambda status: _started(status) or LONG_AGO, reverse=True)
    if as_json:
        print_json([_entry(status) for status in found])
        return
    if not found:
        whose = f"table {deployed.table}" if table_name else "no table"
        say(f"{whose} has {'no' if table_name else 'a'} run or job in {env}")
        return
    with ThreadPoolExecutor(LOOKS) as pool:
        reasons = pool.map(lambda status: _reason(deployed, status), found)
    show(Listed(found, dict(zip(map(id, found), reasons, strict=True)), has_table=table_name is None))


def _reason(deployed: Deployed, status: Status) -> str:
    """Return why work failed; empty for other work."""
    executions = deployed.machine(status.kind.noun)
    return why(status.execution, executions, status.failures) if status.has_failed else ""


ANY = "any"
"""In place of a table's name where only the environment counts."""


@dataclass(frozen=True)
class Listed:
    """The table of runs and jobs, one line each. On a terminal, a line leads to the work's report.

    A narrow terminal leaves out the last of the figures, then the start; `skipscan status` has them all. `reasons`: why
    work failed, by the identity of its status in memory.
    """

    found: Sequence[Status]
    reasons: Mapping[int, str] = field(default_factory=dict)
    has_table: bool = False

    def __rich_console__(self, _console: Console, options: ConsoleOptions) -> RenderResult:
        heads = ["kind", *(["table"] if self.has_table else []), "name", "state", "started, UTC"]
        rows = [self._cells(status) for status in self.found]
        figures = [_figures(status, self.reasons.get(id(status), "")) for status in self.found]
        widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
        widths[1:-2] = (min(width, options.max_width // 3) for width in widths[1:-2])  # a table, a name
        # When work started is why one looks; without room for the count, a name that begins with the time must do.
        if options.max_width - sum(widths) - len(GAP) * len(widths) < max(map(_least, figures), default=0):
            heads, rows, widths = heads[:-1], [cells[:-1] for cells in rows], widths[:-1]
        left = options.max_width - sum(widths) - len(GAP) * len(widths)
        yield _line([*heads, "figures"], [*widths, left], Style(bold=True))
        for status, cells, parts in zip(self.found, rows, figures, strict=True):
            yield _line([*cells, _fitting(parts, left)], [*widths, left], Style(link=status.page))

    def _cells(self, status: Status) -> list[str]:
        began = _started(status)
        started = "" if began is None else stamp(began.isoformat())[:MINUTE]
        table = [status.table] if self.has_table else []
        return [status.kind.noun, *table, status.name, _state(status), started]


def _line(cells: Sequence[str], widths: Sequence[int], style: Style) -> Text:
    line = Text(no_wrap=True, overflow="crop")
    for cell, width in zip(cells, widths, strict=True):
        text = Text(cell, style=style)
        text.truncate(max(width, 0), overflow="ellipsis", pad=True)
        line.append_text(text).append(GAP)
    line.rstrip()
    return line


def _least(figures: Sequence[str]) -> int:
    """Return the minimum width of the figures: of the most important one, or of the start of a reason."""
    return min(len(figures[0]), LEAST_OF_FIGURES) if figures else 0


def _fitting(figures: Sequence[str], width: int) -> str:
    """Return the figures that fit, without the last ones; the first one always stays."""
    shown = list(figures)
    while len(shown) > 1 and len(BETWEEN.join(shown)) > width:
        shown.pop()
    return BETWEEN.join(shown)


BETWEEN = ", "
LEAST_OF_FIGURES = 30
GAP = "  "
MINUTE = len("2026-01-31 03:00")


def _state(status: Status) -> str:
    return f"{status.state}, dry run" if status.is_dry_run and not status.profile else f"{status.state}"


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
    refused = [deployed.status(noun, execution) for execution in deployed.refused(noun, known_names)]
    known = [*archive.statuses(entries[:limit], running), *unreadable, *refused]
    return [*starting, *sorted(known, key=lambda status: _started(status) or LONG_AGO, reverse=True)][:limit]


def _newest_of_all(deployed: Deployed, noun: str, limit: int) -> list[Status]:
    """Return the newest work of a kind over any table, from its executions of the last 90 days."""
    found: dict[tuple[str, str], Execution] = {}
    for execution in deployed.machine(noun).latest(limit):
        found.setdefault((table_of(execution), execution.work), execution)

    def status(execution: Execution) -> Status:
        return deployed.over(table_of(execution)).status(noun, execution)

    with ThreadPoolExecutor(LOOKS) as pool:
        return list(pool.map(status, found.values()))


LONG_AGO = datetime.min.replace(tzinfo=UTC)


def _started(status: Status) -> datetime | None:
    """Return when the work started; `None` if another version wrote its plan without it."""
    if status.unreadable is not None:
        try:
            return datetime.fromisoformat(status.unreadable["started"]).astimezone(UTC)
        except (LookupError, TypeError, ValueError):
            return None
    if status.work:
        return datetime.fromisoformat(status.work.execution.started)
    return status.execution.started if status.execution else status.at


def _figures(status: Status, reason: str) -> Sequence[str]:
    """Return results, cost and duration of the work, or why it failed; the most important figures first."""
    if status.unreadable is not None:
        form = form_of(status.unreadable) or "unknown"
        return [f"another version of Skipscan wrote it{'' if form == FORM else f': form {form}, not {FORM}'}"]
    if profile := status.profile:
        counted = (f"{about(profile[name])} {name}" for name in ("items", "keys") if profile[name] is not None)
        return [*counted, money(profile["dollars"]), f"{profile['read_units']:,.1f} read units"]
    if status.has_failed:
        ended = reason
    elif (end := status.estimated_end()) is not None:
        ended = f"estimated end {stamp(end.isoformat())}"
    else:
        ended = duration(status.manifest["seconds"]) if status.manifest else ""
    if status.work is None or status.is_dry_run:
        return [ended]
    counts = status.counts
    done = f"{status.settled:,} {status.followed_nouns}"
    if status.expected and not status.manifest:
        done += f" of about {status.expected:,.0f}"
    if status.has_failed:
        return list(filter(None, (ended, done, money(status.bill.total))))
    units = ((counts.read_units, "read units"), (counts.write_units, "write units"))
    consumed = (f"{count:,.1f} {name}" for count, name in units if count)
    if outcomes := named_counts(counts.outcomes, but=status.followed):
        done += f" ({outcomes})"
    failed = f"{status.in_failed:,} in {FAILED}/" if status.in_failed else ""
    return list(filter(None, (done, money(status.bill.total), failed, *consumed, ended)))


def _entry(status: Status) -> dict[str, object]:
    """Return the figures of `skipscan status`, without single workers."""
    manifest, execution = status.manifest or {}, status.execution
    shown = {name: value for name, value in status.to_json().items() if name != "workers"}
    if status.kind.lists_keys:
        shown["index"] = manifest.get("index", status.work.plan.source.index if status.work else None)
    return {
        **shown,
        "started": in_utc(started) if (started := _started(status)) else None,
        **({} if status.unreadable is None else {"form": form_of(status.unreadable)}),
        "seconds": manifest.get("seconds"),
        "error": execution.error if execution else None,
    }
