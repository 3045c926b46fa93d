"""The status of a run or job, drawn on a terminal, or as one line without a terminal."""

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from io import StringIO
from typing import Any

import click
from rich.console import Console, ConsoleOptions, Group, OverflowMethod, RenderableType, RenderResult
from rich.measure import Measurement
from rich.progress_bar import ProgressBar
from rich.style import Style
from rich.table import Table
from rich.text import Text

from skipscan.cli.plan_table import about
from skipscan.environment.status import State, Status
from skipscan.inputs.names import visible
from skipscan.inputs.quantities import duration, money, named_counts, per_second, stamp
from skipscan.loop.kind import FAILED, IN_FAILED, Progress
from skipscan.pace.bill import ESTIMATED
from skipscan.pace.bounds import BATCH_SECONDS, FIRST_SECONDS

WORKERS = 8
"""The maximum number of workers shown one by one: those with the most segments left."""

PLAIN_WIDTH = 400  # wide enough for every line

COLOURS = {
    **dict.fromkeys((State.FINISHED, State.PROFILED), "green"),
    **dict.fromkeys((State.RUNNING, State.STARTING), "cyan"),
    **dict.fromkeys((State.UNFINISHED, State.SKIPPED), "yellow"),
}


def board(status: Status, since: Status | None, now: datetime, *, moving: bool = False) -> RenderableType:
    """Return the whole status at `now`.

    `since`: the earlier look from which the rate is computed, if not the start. `moving`: the drawing is updated
    several times a second.
    """
    state = Text(status.state, style=f"bold {COLOURS.get(status.state, 'red')}")
    title = Text.assemble((status.table, "bold"), f"  {status.kind.noun} ", (status.name, "bold"), "  ", state)
    figures = Table.grid(padding=(0, 2))
    figures.add_column(style="dim", overflow="fold")
    figures.add_column(justify="right", overflow="fold")
    figures.add_column(overflow="fold")
    for name, figure, more in _figures(status, since, now):
        figures.add_row(name, figure, more)
    rows: list[RenderableType] = [title]
    is_open = status.work and status.state not in {State.FINISHED, State.PROFILED}
    if is_open:
        bar = Table.grid()
        bar.add_row(*_bar(status, moving=moving))
        rows.append(bar)
    if said := _stuck(status):
        rows.append(Text(said, style="yellow"))
    rows.append(figures)
    rows += [Text(f"! {warning}", style="yellow") for warning in status.warnings]
    rows += [_link(name, address, is_folded=moving) for name, address in _links(status)]
    if status.work and is_open:
        rows += [
            "",
            _workers(status, status.work.plan),
            Text(f"Figures cover committed batches only{_next(status, now)}.", style="dim"),
        ]
    return Visible(Group(*rows))


@dataclass(frozen=True)
class DoneBar:
    """A bar, partly done. Rich marks the parts by colour; without colours, the rest is thinner."""

    done: float

    def __rich_console__(self, console: Console, _options: ConsoleOptions) -> RenderResult:
        if console.color_system is None or console.no_color:
            length = round(BAR * self.done)
            yield Text("━" * length + "─" * (BAR - length))
        else:
            yield ProgressBar(total=1, completed=self.done, width=BAR, complete_style="cyan")

    def __rich_measure__(self, _console: Console, _options: ConsoleOptions) -> Measurement:
        return Measurement(BAR, BAR)


BAR = 40


def _bar(status: Status, *, moving: bool) -> Iterator[RenderableType]:
    """Return the progress bar; without a known total, a bar without an end."""
    if status.is_measurable:
        yield DoneBar(status.part_done)
        yield Text(f" {status.part_done:.0%}")
        return
    if moving and status.state.is_under_way:
        yield ProgressBar(total=None, width=BAR)
    yield Text(" total not known yet" if moving else "total not known yet", style="dim")


@dataclass(frozen=True)
class Visible:
    """A drawing without characters that nobody sees: it has names, of which a person chooses the characters."""

    drawing: RenderableType

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for segment in console.render(self.drawing, options):
            yield segment if segment.control else segment._replace(text=visible(segment.text))


def plain(drawing: RenderableType) -> str:
    """Return a drawing as text for a file or a program, without wrapping and padding."""
    console = Console(file=StringIO(), width=PLAIN_WIDTH, highlight=False)
    with console.capture() as captured:
        console.print(Visible(drawing))
    return "\n".join(text.rstrip() for text in captured.get().splitlines())


def show(drawing: RenderableType) -> None:
    """Print a drawing to stdout."""
    console = Console(highlight=False)
    if console.is_terminal:
        console.print(Visible(drawing), crop=False)
    else:
        # For example cp1252, which Windows uses for files and pipes, has no lines and bars.
        encoding = sys.stdout.encoding
        click.echo(plain(drawing).encode(encoding, "replace").decode(encoding))


def status_line(status: Status, since: Status | None, now: datetime) -> str:
    """Return the figures as one line."""
    rate, end, settled = status.per_second(since), status.estimated_end(since), status.followed_nouns
    said = [stamp(now.isoformat()), f"{status.state}", f"{status.settled:,} {settled}"]
    if status.state is State.STARTING and status.execution:
        said.append(f"for {_span(now - status.execution.started)}")
    if rate is not None:
        said.append(f"{per_second(rate)} {settled}/s")
    if outcomes := named_counts(status.counts.outcomes, but=status.followed):
        said.append(outcomes)
    said += [f"{units:,.1f} {name}" for name, units in _units(status)]
    if status.prices:
        total, of_units = _dollars(status)
        said.append(f"{total} ({of_units} for units)")
    if status.in_failed:
        said.append(f"{status.in_failed:,} in {FAILED}/")
    if status.units:
        said.append(f"{status.units - status.units_left:,} of {status.units:,} {status.kind.unit}")
    said += [f"{name}: {text}" for name, text in status.proved.items()]
    if end is not None:
        said.append(f"{_span(end - now)} left")
    if stuck := _stuck(status):
        said.append(stuck)
    return visible("  ".join(said))


QUIET = timedelta(minutes=1)
"""A worker whose attempt fails begins the next one within seconds, so shorter than this no one has to know."""


def _stuck(status: Status) -> str | None:
    """Return why a run was skipped, or for how long nothing was committed; `None` while work advances."""
    if status.execution and status.execution.earlier:
        return f"{status.execution.earlier} with the same input was still running"
    if status.idle is None or status.idle < QUIET:
        return None
    minutes = round(status.idle / timedelta(minutes=1))
    return f"no progress for {minutes:,} min, retrying: {status.failures[0]}"


def _figures(status: Status, since: Status | None, now: datetime) -> Iterator[tuple[str, str, str]]:
    rate, begun = status.per_second(since), _begun(status)
    if begun and status.state.is_under_way:
        yield "time", _span(now - begun), f"since {stamp(begun.isoformat())}"
    elif status.manifest:
        yield "time", duration(status.manifest["seconds"]), f"until {stamp(status.manifest['finished'])}"
    if status.profile:
        yield from _found(status.profile)
    elif status.work:
        yield from _counted(status, rate)
    for name, text in status.proved.items():
        yield name, "", text
    if status.execution and (compared := status.execution.compared):
        yield "compared", "", compared
    if status.workers_by_state:
        counted = (f"{count:,} {state}" for state, count in status.workers_by_state.items() if count)
        yield "workers", f"{sum(status.workers_by_state.values()):,}", ", ".join(counted)
    yield from _left(status, since, now)
    execution = status.execution
    if execution and execution.name != status.name:
        yield "execution", "", f"{execution.name}, which resumed the {status.kind.noun}"
    if execution and execution.error and status.state is not State.FINISHED:
        yield "error", "", f"{execution.error} (execution {execution.status})"
        if status.failures:
            yield "cause", "", str(status.failures[0])


def _links(status: Status) -> Iterator[tuple[str, str]]:
    execution = status.execution
    if execution and execution.link and (status.failures or status.has_failed):
        yield "console", execution.link
    if status.manifest and status.manifest_uri:
        yield "manifest", status.manifest_uri
    if status.page:
        yield "profile" if status.profile else "report", status.page


def _link(name: str, address: str, *, is_folded: bool) -> Text:
    """Return an address without line breaks: if the terminal wraps it, it can still be clicked and copied.

    `is_folded`: in lines of the terminal's width instead, which a drawing needs that is updated.
    """
    style = Style(link=address) if address.startswith("http") else ""
    overflow: OverflowMethod = "fold" if is_folded else "ignore"
    return Text.assemble((f"{name}  ", "dim"), (address, style), no_wrap=not is_folded, overflow=overflow)


def _found(profile: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Return the rows about a profile: its figures, and what reading it cost."""
    for name in ("items", "keys"):
        if profile[name] is not None:
            yield name, about(profile[name]), ""
    yield "read units", f"{profile['read_units']:,.1f}", ""
    yield "dollars", money(profile["dollars"]), ""
    yield "segments", f"{profile['segments_read']:,}", f"of {profile['segments']:,} read"
    for place, sentence in enumerate(profile["advice"]):
        yield "" if place else "advice", "", sentence


def _counted(status: Status, rate: float | None) -> Iterator[tuple[str, str, str]]:
    counts = status.counts
    pace = None if rate is None else f"{per_second(rate)} a second"
    yield status.followed_nouns, f"{status.settled:,}", ", ".join(filter(None, (pace, _expected(status))))
    if outcomes := named_counts(counts.outcomes, but=status.followed):
        yield "", "", outcomes
    for place, (name, units) in enumerate(_units(status)):
        yield name, f"{units:,.1f}", "" if place else f"{counts.requests:,} requests"
    if status.prices:
        origin = ", ".join(dict.fromkeys(said.partition(", ")[0] for said in status.prices.origins))
        total, of_units = _dollars(status)
        yield "dollars", total, f"{of_units} for units, prices of {origin}"
        yield "", "", f"{ESTIMATED} are estimated"
    done = status.units - status.units_left
    yield status.kind.unit, f"{done:,}", f"of {status.units:,} done"
    if counts.throttles:
        yield "throttles", f"{counts.throttles:,}", ""
    if status.in_failed:
        yield f"in {FAILED}/", f"{status.in_failed:,}", IN_FAILED


def _left(status: Status, since: Status | None, now: datetime) -> Iterator[tuple[str, str, str]]:
    if status.work and status.state is State.RUNNING and not status.units_left:
        yield "left", "", "Finish checks the results and writes the manifest"
    elif (end := status.estimated_end(since)) is not None:
        yield "left", _span(end - now), f"estimated end {stamp(end.isoformat())}"


def _next(status: Status, now: datetime) -> str:
    """Return when figures change: each worker commits for itself, so the worker of the newest figures is the last."""
    since = status.committed or _begun(status)
    if status.state is not State.RUNNING or not status.units_left or since is None:
        return ""
    batches = max(progress.batch for progress in status.workers)
    turn = FIRST_SECONDS[batches] if batches < len(FIRST_SECONDS) else BATCH_SECONDS
    seconds = turn - (now - since).total_seconds()
    return f"; the next come in about {seconds:.0f} s" if seconds > 0 else ""


def _begun(status: Status) -> datetime | None:
    if status.work:
        return datetime.fromisoformat(status.work.execution.started)
    return status.execution.started if status.execution and status.state is State.STARTING else None


def _expected(status: Status) -> str | None:
    """Return the expected total and its source."""
    if status.expected is None or status.expected == status.settled:
        return None
    if status.previous:
        return f"{status.expected:,.0f} last time"
    is_known = status.work and status.kind.required_count(status.work.plan) is not None
    return f"{'' if is_known else 'about '}{status.expected:,.0f} {'were ' if status.manifest else ''}expected"


def _units(status: Status) -> list[tuple[str, float]]:
    """Return the consumed units of this kind of work, with their names."""
    counts = vars(status.counts)
    return [(name.replace("_", " "), counts[name]) for name in ("read_units", "write_units") if name in counts]


def _workers(status: Status, plan: Any) -> Table:
    table = Table(box=None, header_style="dim", pad_edge=False)
    units = [name for name, _ in _units(status)]
    for heading in ("worker", "batches", status.followed_nouns, *units, f"{status.kind.unit} left"):
        table.add_column(heading, justify="right", overflow="fold")
    table.add_column("", overflow="fold")

    def left(progress: Progress) -> int:
        return progress.left(plan)

    slowest = sorted(status.workers, key=left, reverse=True)
    for progress in slowest[:WORKERS]:
        counts = vars(progress.counts)
        owned = status.kind.start(plan, progress.worker).left(plan)
        state = "done" if not left(progress) else "out of budget" if status.is_done(progress) else ""
        table.add_row(
            f"{progress.worker}",
            f"{progress.batch:,}",
            f"{counts[status.followed]:,}",
            *(f"{counts[name.replace(' ', '_')]:,.1f}" for name in units),
            f"{left(progress):,} of {owned:,}",
            state,
        )
    rest = slowest[WORKERS:]
    if rest:
        done = sum(1 for progress in rest if not left(progress))
        blank = [""] * (3 + len(units))
        table.add_row("...", *blank, f"{len(rest):,} more, {done:,} of them done", style="dim")
    return table


def _dollars(status: Status) -> tuple[str, str]:
    """Return the whole bill and its part for units."""
    total, of_units = status.bill.total, status.bill.units
    return money(total, of_units), money(of_units, total)


def _span(span: timedelta) -> str:
    return duration(max(0.0, span.total_seconds()))
