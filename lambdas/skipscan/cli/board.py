"""How a run stands, drawn on a terminal, or said in a line where there is none."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from io import StringIO

import click
from rich.console import Console, Group, RenderableType
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from skipscan.loop.status import Standing, State
from skipscan.scan.plan import Plan
from skipscan.scan.progress import Progress
from skipscan.scan.segments import share

WORKERS = 8
"""So many are shown one by one: those with the most segments left."""

PLAIN_WIDTH = 400  # wide enough for every line

COLOURS = {State.FINISHED: "green", State.RUNNING: "cyan", State.STARTING: "cyan", State.UNFINISHED: "yellow"}


def board(standing: Standing, since: Standing | None, now: datetime) -> RenderableType:
    """Return all there is to see of a run at `now`. `since`: the look from which its rate counts, if not its start."""
    state = Text(standing.state, style=f"bold {COLOURS.get(standing.state, 'red')}")
    title = Text.assemble((standing.table, "bold"), "  run ", (standing.name, "bold"), "  ", state)
    figures = Table.grid(padding=(0, 2))
    figures.add_column(style="dim")
    figures.add_column(justify="right", no_wrap=True)
    figures.add_column(overflow="fold")
    for name, figure, more in _figures(standing, since, now):
        figures.add_row(name, figure, more)
    rows: list[RenderableType] = [title]
    if standing.run and standing.state is not State.FINISHED:
        done = Text(f" {standing.part_done:.0%}")
        bar = Table.grid()
        bar.add_row(ProgressBar(total=1, completed=standing.part_done, width=40, complete_style="cyan"), done)
        rows.append(bar)
    rows.append(figures)
    if standing.run and standing.state is not State.FINISHED:
        rows += [
            "",
            _workers(standing, standing.run.plan),
            Text("Figures are those of committed batches.", style="dim"),
        ]
    return Group(*rows)


def plain(drawing: RenderableType) -> str:
    """Return a drawing as text for a file or a program: nothing wrapped, nothing padded."""
    console = Console(file=StringIO(), width=PLAIN_WIDTH, highlight=False)
    with console.capture() as captured:
        console.print(drawing)
    return "\n".join(text.rstrip() for text in captured.get().splitlines())


def show(drawing: RenderableType) -> None:
    """Print a drawing to stdout."""
    console = Console(highlight=False)
    if console.is_terminal:
        console.print(drawing)
    else:
        click.echo(plain(drawing))


def line(standing: Standing, since: Standing | None, now: datetime) -> str:
    """Return a run's figures in a line."""
    counts, rate, end = standing.counts, standing.keys_per_second(since), standing.estimated_end(since)
    said = [f"{now:%H:%M:%S}", f"{standing.state}", f"{counts.keys:,} keys"]
    if rate is not None:
        said.append(f"{rate:,.0f} keys/s")
    said.append(f"{counts.read_units:,.1f} read units")
    if standing.price:
        said.append(f"${_money(standing.dollars)}")
    if standing.segments:
        said.append(f"{standing.segments - standing.segments_left:,} of {standing.segments:,} segments")
    if end is not None:
        said.append(f"{_span(end - now)} left")
    return "  ".join(said)


def _figures(standing: Standing, since: Standing | None, now: datetime) -> Iterator[tuple[str, str, str]]:
    counts, rate, price = standing.counts, standing.keys_per_second(since), standing.price
    begun = datetime.fromisoformat(standing.run.started) if standing.run else None
    if begun and standing.state.goes_on:
        yield "time", _span(now - begun), f"since {_clock(begun.isoformat())}"
    elif standing.manifest:
        took = timedelta(seconds=standing.manifest["seconds"])
        yield "time", _span(took), f"until {_clock(standing.manifest['finished'])}"
    if standing.run:
        expected = standing.expected_keys
        pace = None if rate is None else f"{rate:,.0f} a second"
        hope = None if expected is None else f"about {expected:,.0f} expected"
        yield "keys", f"{counts.keys:,}", ", ".join(filter(None, (pace, hope)))
        yield "read units", f"{counts.read_units:,.1f}", f"{counts.requests:,} requests"
        if price:
            yield "dollars", _money(standing.dollars), f"for read units, by prices of {price.as_of}"
        else:
            yield "dollars", "0", "for read units: the table's capacity is provisioned"
        done = standing.segments - standing.segments_left
        yield "segments", f"{done:,}", f"of {standing.segments:,} walked to their end"
        if counts.throttles:
            yield "throttles", f"{counts.throttles:,}", ""
    if standing.workers_by_state:
        counted = (f"{count:,} {state}" for state, count in standing.workers_by_state.items() if count)
        yield "workers", f"{sum(standing.workers_by_state.values()):,}", ", ".join(counted)
    if (end := standing.estimated_end(since)) is not None:
        yield "left", _span(end - now), f"until {end:%H:%M:%S} UTC, an estimate"
    execution = standing.execution
    if execution and execution.name != standing.name:
        yield "execution", "", f"{execution.name}, which resumed the run"
    if execution and execution.error and standing.state is not State.FINISHED:
        yield "ended with", "", f"{execution.status}, {execution.error}"
    if standing.manifest:
        yield "manifest", "", standing.manifest_uri or ""


def _clock(time: str) -> str:
    return f"{datetime.fromisoformat(time):%Y-%m-%d %H:%M:%S} UTC"


def _workers(standing: Standing, plan: Plan) -> Table:
    table = Table(box=None, header_style="dim", pad_edge=False)
    for heading in ("worker", "batches", "keys", "read units", "segments left"):
        table.add_column(heading, justify="right")
    table.add_column("")

    def left(progress: Progress) -> int:
        return progress.segments_left(plan)

    slowest = sorted(standing.workers, key=left, reverse=True)
    for progress in slowest[:WORKERS]:
        counts = progress.counts
        owned = share(progress.worker, plan.workers, plan.segments)
        state = "done" if not left(progress) else "out of budget" if progress.done(plan) else ""
        table.add_row(
            f"{progress.worker}",
            f"{progress.batch:,}",
            f"{counts.keys:,}",
            f"{counts.read_units:,.1f}",
            f"{left(progress):,} of {owned:,}",
            state,
        )
    rest = slowest[WORKERS:]
    if rest:
        done = sum(1 for progress in rest if not left(progress))
        table.add_row("...", "", "", "", "", f"{len(rest):,} more, {done:,} of them done", style="dim")
    return table


def _money(dollars: float) -> str:
    return f"{dollars:,.2f}" if dollars >= 100 else f"{dollars:,.4f}" if dollars >= 0.1 else f"{dollars:,.6f}"


def _span(span: timedelta) -> str:
    """Return a span of time in its two largest units."""
    seconds = max(0, round(span.total_seconds()))
    if seconds < 60:
        return f"{seconds} s"
    if seconds < 3600:
        return f"{seconds // 60} min {seconds % 60} s"
    return f"{seconds // 3600} h {seconds % 3600 // 60} min"
