"""The status of a run or job, drawn on a terminal, or as one line without a terminal."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from io import StringIO

import click
from rich.console import Console, ConsoleOptions, Group, OverflowMethod, RenderableType, RenderResult
from rich.progress_bar import ProgressBar
from rich.style import Style
from rich.table import Table
from rich.text import Text

from skipscan.cli.plan_table import profile_figures
from skipscan.environment.status import State, Status
from skipscan.inputs.names import visible
from skipscan.inputs.quantities import stamp, units
from skipscan.loop.kind import AnyProgress
from skipscan.pace.bounds import BATCH_SECONDS, FIRST_SECONDS
from skipscan.stored.figures import CONSUMED, chosen, line
from skipscan.stored.moment import Moment

WORKERS = 8
"""The maximum number of workers shown one by one: those with the most segments left."""

PLAIN_WIDTH = 400  # wide enough for every line

COLOURS = {
    **dict.fromkeys((State.FINISHED, State.PROFILED), "green"),
    **dict.fromkeys((State.RUNNING, State.STARTING), "cyan"),
    **dict.fromkeys((State.UNFINISHED, State.SKIPPED), "yellow"),
}


GROUPS = (
    *("time", "count", "outcomes", "units", "bill", "failed", "speed", "now", "when", "progress"),
    *("request", "proved", "execution"),
)
"""Of the figures on a board, in this order."""


def board(status: Status, since: Status | None, now: datetime, *, moving: bool = False) -> RenderableType:
    """Return the whole status at `now`.

    `since`: the earlier look from which the rate is computed, if not the start. `moving`: the drawing is updated
    several times a second.
    """
    state = Text(status.state, style=f"bold {COLOURS.get(status.state, 'red')}")
    title = Text.assemble((status.table, "bold"), f"  {status.kind.label} ", (status.name, "bold"), "  ", state)
    found = [*(profile_figures(status.profile) if status.profile else status.figures(since, now))]
    figures = Table.grid(padding=(0, 2))
    figures.add_column(style="dim", overflow="fold")
    figures.add_column(overflow="fold")
    for one in chosen(found, *GROUPS):
        figures.add_row(one.heading, Text.assemble(one.words, (f"  {one.note}" if one.note else "", "dim")))
    rows: list[RenderableType] = [title]
    is_open = status.moment and status.state not in {State.FINISHED, State.PROFILED}
    if status.moment and is_open:
        bar = Table.grid()
        bar.add_row(*_bar(status.moment, moving=moving and status.state.is_under_way))
        rows.append(bar)
    if said := _stuck(status):
        rows.append(Text(said, style="yellow"))
    rows.append(figures)
    rows += [Text(f"! {warning}", style="yellow") for warning in status.warnings]
    rows += [_link(name, address, is_folded=moving) for name, address in _links(status)]
    if status.moment and is_open:
        rows += [
            "",
            _workers(status, status.moment),
            Text(f"Figures cover committed batches only{_next(status, status.moment, now)}.", style="dim"),
        ]
    return Visible(Group(*rows))


BAR = 40


def _bar(moment: Moment, *, moving: bool) -> Iterator[RenderableType]:
    """Return the progress bar; without a known total, a bar without an end if it moves."""
    if moment.is_measurable:
        yield ProgressBar(total=1, completed=moment.part_done, width=BAR, complete_style="cyan")
        yield Text(f" {moment.part_done:.0%}")
        return
    if moving:
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
    found = status.figures(since, now)
    said = line(found, "time", "count", "units", "bill", "failed", "speed", "progress", "now", "proved")
    return visible("  ".join(filter(None, (stamp(now.isoformat()), status.state, *said, _stuck(status)))))


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
    return Text.assemble((f"{name:<8}  ", "dim"), (address, style), no_wrap=not is_folded, overflow=overflow)


def _next(status: Status, moment: Moment, now: datetime) -> str:
    """Return when figures change: each worker commits for itself, so the worker of the newest figures is the last."""
    if status.state is not State.RUNNING:
        return ""
    if not moment.left:
        return "; Finish checks the results and writes the manifest"
    since = moment.committed or moment.started
    batches = max(progress.batch for progress in moment.workers)
    turn = FIRST_SECONDS[batches] if batches < len(FIRST_SECONDS) else BATCH_SECONDS
    seconds = turn - (now - since).total_seconds()
    return f"; the next come in about {seconds:.0f} s" if seconds > 0 else ""


def _workers(status: Status, moment: Moment) -> Table:
    kind, plan = moment.kind, moment.plan
    table = Table(box=None, header_style="dim", pad_edge=False)
    names = (moment.followed, *(name for name in CONSUMED if name in vars(moment.counts)))
    headings = (moment.labels, *(name.replace("_", " ") for name in names[1:]))
    for heading in ("worker", "batches", *headings, f"{kind.unit} left"):
        table.add_column(heading, justify="right", overflow="fold")
    table.add_column("", overflow="fold")

    def left(progress: AnyProgress) -> int:
        return progress.left(plan)

    slowest = sorted(moment.workers, key=left, reverse=True)
    for progress in slowest[:WORKERS]:
        counts = vars(progress.counts)
        owned = kind.start(plan, progress.worker).left(plan)
        state = "done" if not left(progress) else "out of budget" if status.is_done(progress) else ""
        table.add_row(
            f"{progress.worker}",
            f"{progress.batch:,}",
            *(units(counts[name]) for name in names),
            f"{left(progress):,} of {owned:,}",
            state,
        )
    rest = slowest[WORKERS:]
    if rest:
        done = sum(1 for progress in rest if not left(progress))
        blank = [""] * (2 + len(names))
        table.add_row("...", *blank, f"{len(rest):,} more, {done:,} of them done", style="dim")
    return table
