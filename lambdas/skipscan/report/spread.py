"""Cards that show how work was spread: over workers, segments, item collections, and the runs before."""

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any

from skipscan.dynamodb.page import STEP_BYTES
from skipscan.inputs.quantities import about_percent, counted, duration, money, multiple, rounded, size, stamp, units
from skipscan.listing.compare.finished_runs import FinishedRuns
from skipscan.listing.scope import Scope
from skipscan.report import svg
from skipscan.report.card import TABLE_ROWS, Markup, card, card_table, chart, strips
from skipscan.report.digest import Worker
from skipscan.report.over_time import LOW, rates
from skipscan.report.record import WorkRecord
from skipscan.report.segment_spread import PARTS, LengthSpread, SegmentSpread
from skipscan.report.svg import linear
from skipscan.report.timeline import Timeline
from skipscan.stored.stored_work import StoredWork

EACH_WORKER, LAST_WORKERS = 24, 12
"""Up to `EACH_WORKER` workers have a row each. Of more workers, only the last to end have one."""


def workers_card(
    found: Sequence[Worker], line: Timeline, columns: Sequence[tuple[str, str]], count: int, notes: Sequence[str] = ()
) -> Markup:
    """Return when workers were at work: all of them added up if they are many, then each of those that ended last.

    `columns`: the figures of each worker to show, by name and heading. `count`: of all workers.
    """
    end = max(worker.end_seconds for worker in found)
    last = found[0]
    if len(found) == 1:
        says = f"1 worker, at work for {duration(last.busy_seconds)} in {counted(last.batches, 'batch')}."
    else:
        half = found[len(found) // 2].end_seconds
        says = (
            f"{counted(count, 'worker')}. Half had ended after {duration(half)}. The last, worker {last.worker}, "
            f"ended after {duration(last.end_seconds)}."
        )
    content = []
    shown, said = sorted(found, key=lambda worker: worker.worker), list(notes)
    if len(found) > EACH_WORKER:
        shown = sorted(found[:LAST_WORKERS], key=lambda worker: worker.worker)
        said.append(f"The rows are the {len(shown)} workers that ended last.")
        title = "Workers at work at the same time"
        content.append(rates(line, "workers", title, f"{title}, over time", "keys"))
    name, heading = columns[0]
    rows = (
        (
            f"worker {worker.worker}",
            svg.track([(begin / end, stop / end) for begin, stop in worker.spans], "keys"),
            _figure(worker, name),
            duration(worker.end_seconds),
        )
        for worker in shown
    )
    content.append(
        strips("When each worker was at work", ("", f"at work, 0 to {duration(end)}", heading, "ended after"), rows)
    )
    return card("workers", "Who worked when", says, *content, notes=said, table=_worker_table(columns, shown))


def _worker_table(figures: Sequence[tuple[str, str]], shown: Sequence[Worker]) -> Markup:
    rows = [
        [
            f"worker {worker.worker}",
            *(_figure(worker, name) for name, _ in figures),
            rounded(worker.batches),
            duration(worker.busy_seconds),
            duration(worker.end_seconds),
        ]
        for worker in shown
    ]
    columns = ("worker", *(heading for _, heading in figures), "batches", "at work", "ended after")
    return card_table("Workers", columns, rows)


def _figure(worker: Worker, name: str) -> str:
    return units(worker.figures.get(name, 0.0))


def segments(of: SegmentSpread, planned: int, are: tuple[str, str, str]) -> Markup:
    """Return what each segment took, the most expensive first.

    `are`: the labels of a segment, of what it consumes, and of what it counts.
    """
    what, unit, done = are
    those = f"{rounded(of.segments)} of " if of.segments < planned else ""
    each = " each on average" if of.segments > 1 else ""
    says = f"{those}{counted(planned, what)}, {units(round(of.mean_units, 1))} {unit}{each}."
    notes = []
    if of.named and len(of.bars) > 1 and of.mean_units:
        first, slowest = of.named[0], of.slowest
        factor = multiple(first.units / of.mean_units)
        says += (
            f" Most expensive: {what} {first.segment} ({units(round(first.units, 1))} {unit}, {factor} times the mean)."
            f" Slowest: {what} {slowest.segment} ({duration(slowest.seconds)})."
        )
    if of.per_bar > 1:
        notes.append(f"Each bar is the mean of about {counted(round(of.per_bar), what)}.")
    content = []
    for title, colour, levels in (
        (f"{unit.capitalize()} by {what}, most expensive first", "units", [bar.units for bar in of.bars]),
        (f"{done.capitalize()} by {what}, in the same order", "keys", [bar.done for bar in of.bars]),
    ):
        if not any(levels):  # an action that consumes nothing of the table
            continue
        y = linear(max(*levels, 0.0, 1.0), headroom=1.15)
        layers = [svg.bars([y.at(level) for level in levels], LOW, colour)]
        if len(levels) > 1:
            mean = sum(level * bar.segments for level, bar in zip(levels, of.bars, strict=True)) / of.segments
            layers.append(svg.across(y.at(mean), LOW, f"mean {units(round(mean, 1))}"))
        content.append(chart(title, colour, svg.plot(LOW, None, y, title, *layers)))
    rows = [
        [
            f"{what} {walked.segment}",
            units(round(walked.units, 1)),
            rounded(walked.done),
            rounded(walked.requests),
            duration(walked.seconds),
        ]
        for walked in of.named[:TABLE_ROWS]
    ]
    table = card_table(f"The most expensive {what}s", (what, unit, done, "requests", "time"), rows)
    return card("segments", f"Where the {unit} went", says, *content, notes=notes, table=table if rows else None)


def lengths(
    of: LengthSpread, groups: str = "item collections", within: str = "", unit_bytes: float = 2 * STEP_BYTES
) -> Markup:
    """Return the share of counted groups by length. `groups`: what they are. `within`: which of their items count.

    `unit_bytes`: what a read unit reads at most.
    """
    what = groups.removesuffix("s")
    median = next(label for label, part in zip(of.shares, accumulate(of.shares.values()), strict=True) if part >= 0.5)
    says = f"The median {what} has {median} {'item' if median == '1' else 'items'}{within}."
    open_ended = [*of.shares][-1] if of.cut else None
    most = max(of.shares.values())
    rows = (
        (
            label,
            svg.bar(share / most, "keys", hollow=label == open_ended),
            "<0.1 %" if 0 < share < 0.0005 else f"{100 * share:.1f} %",
        )
        for label, share in of.shares.items()
    )
    more = f", {rounded(of.cut)} of them only up to the number asked for" if of.cut else ""
    notes = [f"Counted: {rounded(of.whole + of.cut)} {groups}{more}."]
    notes += [
        f"The largest {part} of them holds {'at least ' if of.cut else ''}{about_percent(share)} of the items counted."
        for part, share in zip(PARTS.values(), of.largest, strict=False)
    ]
    if of.most_units:
        # About: a page with several groups is shared out by their items, and each page is rounded up to 4 KB.
        largest = f"about {size(of.most_units * unit_bytes)}{' or more' if of.cut else ''}"
        notes.append(f"The largest took {counted(of.most_units, 'read unit')}: {largest}.")
    if of.cut:
        notes.append("Open bar: also those longer than the count.")
    table = strips(f"{groups.capitalize()} by length", ("items", "", "share"), rows)
    return card(
        "lengths",
        f"How many items {'a key' if what == 'item collection' else f'a {what}'} has{within}",
        says,
        table,
        notes=notes,
    )


MOST_EARLIER = 11
"""Earlier runs that a report shows: a dozen with its own."""


def earlier_runs(work: StoredWork, record: WorkRecord) -> Sequence[Mapping[str, Any]]:
    """Return the manifests of runs with the same scope that started before this one, oldest first."""
    return FinishedRuns(work.results, Scope.of(record.plan).id).before(record.work.started, MOST_EARLIER)[::-1]


def trend(runs: Sequence[Mapping[str, Any]], labels: str, within: str = "") -> Markup:
    """Return the runs of manifests with what each found and took; the last is this run. `labels`: what they listed."""
    before, this = (run["keys"] for run in runs[-2:])
    says = f"{counted(this, labels.removesuffix('s'))}{within}"
    if change := this - before:
        says += f", {rounded(abs(change))} {'more' if change > 0 else 'fewer'} than in the run before."
    else:
        says += ", as many as in the run before."
    most = max(run["keys"] for run in runs) or 1
    dollars = [run["dollars"]["total"] for run in runs]
    rows = (
        (
            f"{stamp(run['started'])[:16]}{', this run' if run is runs[-1] else ''}",
            svg.bar(run["keys"] / most, "keys" if run is runs[-1] else "other"),
            rounded(run["keys"]),
            units(run.get("read_units", 0)),
            money(run["dollars"]["total"], *dollars),
            duration(run["seconds"]),
        )
        for run in runs
    )
    columns = ("started, UTC", "", labels, "read units", "dollars", "time")
    named = card_table(
        "The runs and their names", ("run", labels), [(run["run"], rounded(run["keys"])) for run in reversed(runs)]
    )
    return card("trend", "This run and those before", says, strips("Runs", columns, rows), table=named)
