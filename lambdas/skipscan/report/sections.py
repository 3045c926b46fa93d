"""The sections of the page, in their order, each made of what the run left; one that has nothing to show says why."""

from collections.abc import Iterator
from itertools import accumulate

from skipscan.report import charts
from skipscan.report.comparison import comparison
from skipscan.report.record import Record, Visit
from skipscan.report.section import Picture, Section, Table
from skipscan.report.seen_lengths import seen_lengths
from skipscan.report.timeline import Timeline, middle, timeline
from skipscan.report.words import count, listed, span, times, units, whole
from skipscan.report.worker import Worker, workers

SHOWN_WORKERS, SHOWN_SEGMENTS, TABLE_ROWS = 20, 400, 20
EXPIRED = (
    "What it is drawn from lay in the run's checkpoints, and they are gone: an environment lets "
    "them expire after 30 days. Make the report before then."
)


def sections(record: Record) -> Iterator[Section]:
    """Return the sections of the page."""
    line = timeline(record)
    if not line.stretches:
        missing = EXPIRED if record.batches_committed else "No batch is committed yet."
        yield Section("progress", "Progress", missing)
        yield _expected(record)
        return
    yield _progress(record, line)
    yield _expected(record)
    yield _workers(record)
    yield _segments(record)
    if any(stretch.limits for stretch in line.stretches):
        yield _limits(line)
    if record.counts.keys:
        yield _lengths(record)
    yield _throttling(record, line)


def _progress(record: Record, line: Timeline) -> Section:
    counts, seconds = record.counts, line.end_seconds
    seen = sum(batch.counts.requests for batch in record.batches)
    notes = []
    if seen < counts.requests:
        notes.append(
            f"Not drawn: {count(counts.requests - seen, 'request')} of batches that found no key, or of "
            "checkpoints that are gone. All totals count them."
        )
    rate = counts.keys / seconds if seconds else 0.0
    consumed = counts.read_units / seconds if seconds else 0.0
    says = f"{whole(rate)} keys and {whole(consumed)} read units a second on average, over {span(seconds)}."
    planning = (record.begun - record.started).total_seconds()
    if planning > 0:
        says += f" The first batch began {span(planning)} after the run."
    each = max(1, -(-len(line.stretches) // TABLE_ROWS))
    keys = line.keys_by_then
    consumed_by = list(accumulate(stretch.read_units for stretch in line.stretches))
    rows = [
        [span(line.stretches[i].end_seconds), whole(keys[i]), units(round(consumed_by[i], 1))]
        for i in range(each - 1, len(line.stretches), each)
    ]
    picture = Picture("progress", f"Two charts over time. {says}", charts.progress(line), is_broad=True)
    table = Table("Keys and read units over time", ("after", "keys by then", "read units by then"), rows)
    return Section("progress", "Progress", says, picture, table, notes)


def _expected(record: Record) -> Section:
    rows = comparison(record)
    if not rows:
        why = (
            "Nothing was estimated before this run. Runs over ten million items and more take a sample first, unless "
            "they have a budget; skipscan plan takes one of any table."
            if record.is_complete
            else "The run is not complete, so there is nothing yet to hold the estimate against."
        )
        return Section("estimate", "Estimate against actual", why)
    missed = [row.name for row in rows if row.held is False]
    held = [row.name for row in rows if row.held]
    said = f"Within the interval that the sample gave: {listed(held)}."
    if missed:
        said = f"Outside the interval that the sample gave: {listed(missed)}. One figure in twenty may."
    figures = [
        [row.name, units(row.told[0]), _ends(row.told[1], row.told[2]), units(round(row.came, 1)), _held(row.held)]
        for row in rows
    ]
    table = Table("Estimate and actual", ("figure", "estimate", "95 % interval", "actual", "held"), figures, (4,))
    picture = Picture("estimate", f"Estimates as parts of what came. {said}", charts.expected(rows))
    return Section("estimate", "Estimate against actual", said, picture, table)


def _workers(record: Record) -> Section:
    found = workers(record)
    slowest = found[0]
    said = f"{count(len(found), 'worker')}. "
    if len(found) > 1:
        half = middle([worker.end_seconds for worker in found])
        said += (
            f"The last to end was worker {slowest.worker}, {span(slowest.end_seconds)} after the first batch began; "
            f"half had ended after {span(half)}."
        )
    else:
        batches = count(len(slowest.batches), "batch").replace("batchs", "batches")
        said += f"It was at work for {span(slowest.seconds)} in {batches}."
    notes = [f"Shown: the {SHOWN_WORKERS} that ended last."] if len(found) > SHOWN_WORKERS else []
    shown = sorted(found[:SHOWN_WORKERS], key=lambda worker: worker.worker)
    draw = charts.workers(shown, max(worker.end_seconds for worker in found))
    picture = Picture(
        "workers", f"A bar for each batch of each worker over time. {said}", draw, 0.95 + 0.27 * max(2, len(shown))
    )
    return Section("workers", "Workers", said, picture, _worker_table(shown), notes)


def _worker_table(shown: list[Worker]) -> Table:
    rows = [
        [
            f"worker {worker.worker}",
            whole(worker.counts.keys),
            units(worker.counts.read_units),
            whole(worker.counts.requests),
            whole(worker.counts.throttles),
            whole(len(worker.batches)),
            span(worker.seconds),
            span(worker.end_seconds),
        ]
        for worker in shown
    ]
    columns = ("worker", "keys", "read units", "requests", "refused", "batches", "at work", "ended after")
    return Table("Workers", columns, rows)


def _segments(record: Record) -> Section:
    merged: dict[int, Visit] = {}
    for visit in (visit for batch in record.batches for visit in batch.visits):
        merged[visit.segment] = merged[visit.segment] + visit if visit.segment in merged else visit
    visits = sorted(merged.values(), key=lambda visit: visit.read_units, reverse=True)
    notes = []
    others = sum(batch.other_segments for batch in record.batches)
    if others or len(visits) > SHOWN_SEGMENTS:
        notes.append(
            f"Shown: the {whole(min(SHOWN_SEGMENTS, len(visits)))} dearest of {whole(record.run.plan.segments)}."
        )
    visits = visits[:SHOWN_SEGMENTS]
    dearest, mean = visits[0], sum(visit.read_units for visit in visits) / len(visits)
    longest = max(visits, key=lambda visit: visit.seconds)
    said = f"{count(record.run.plan.segments, 'segment')}."
    if len(visits) > 1 and mean:
        said += (
            f" The dearest, {dearest.segment}, took {units(dearest.read_units)} read units, "
            f"{times(dearest.read_units / mean)} times the mean; the one that took longest, {longest.segment}, "
            f"{span(longest.seconds)}."
        )
    rows = [
        [
            f"segment {visit.segment}",
            whole(visit.keys),
            units(visit.read_units),
            whole(visit.requests),
            span(visit.seconds),
        ]
        for visit in visits[:TABLE_ROWS]
    ]
    table = Table(
        "The dearest segments", ("segment", "keys", "read units", "requests", "from first page to last"), rows
    )
    picture = Picture("segments", f"Bars of read units and keys by segment. {said}", charts.segments(visits))
    return Section("segments", "Segments", said, picture, table, notes)


def _limits(line: Timeline) -> Section:
    told = [(stretch.end_seconds, stretch.limits) for stretch in line.stretches if stretch.limits]
    first, last = told[0][1][1], told[-1][1][1]
    way = "stayed near" if max(first, last) < 1.25 * min(first, last) else f"went from {whole(first)} to"
    said = f"The Limit of half the pages {way} {whole(last)} items. It is chosen anew as pages show what they bring."
    each = max(1, -(-len(told) // TABLE_ROWS))
    rows = [[span(end), *(whole(limit) for limit in limits)] for end, limits in told[each - 1 :: each]]
    table = Table("Limit over time", ("until", "a tenth of pages below", "half below", "nine tenths below"), rows)
    picture = Picture("limits", f"A line over time, with a band around it. {said}", charts.limits(line))
    notes = ["The line is the Limit that half the pages stay below; in the band lie eight pages of ten."]
    return Section("limits", "Limit as it adapted", said, picture, table, notes)


def _lengths(record: Record) -> Section:
    seen = seen_lengths(record.batches)
    if not seen.bars:
        return Section("lengths", "Lengths of item collections", "No page showed the end of an item collection.")
    half = seen.median
    said = "Most item collections outlasted the pages they stood on."
    if half:
        said = f"The median item collection has {half} {'item' if half == '1' else 'items'}."
    rows = [[bar.label, f"{100 * bar.share:.2f} %"] for bar in seen.bars]
    table = Table("Item collections by length", ("items", "share"), rows)
    picture = Picture("lengths", f"Bars by length. {said}", charts.lengths(seen), 1.0 + 0.33 * max(2, len(rows)))
    notes = [
        f"Estimated from {whole(seen.whole)} collections seen whole and {whole(seen.cut)} that a page cut off, "
        "which lasted at least so long (Kaplan and Meier)."
    ]
    return Section("lengths", "Lengths of item collections", said, picture, table, notes)


def _throttling(record: Record, line: Timeline) -> Section:
    counts = record.counts
    if not counts.throttles:
        said = f"None of {whole(counts.requests)} requests was refused for want of throughput."
        return Section("throttling", "Throttling", said)
    share = counts.throttles / (counts.requests + counts.throttles)
    said = f"{count(counts.throttles, 'request')} of {whole(counts.requests + counts.throttles)} ({share:.2%}) "
    said += "refused for want of throughput, and made again. A refused request consumes nothing."
    rows = [[span(s.end_seconds), whole(s.throttles)] for s in line.stretches if s.throttles >= 0.5]
    table = Table("Requests refused over time", ("until", "refused"), rows)
    picture = Picture("throttling", f"Refused requests over time. {said}", charts.throttling(line))
    return Section("throttling", "Throttling", said, picture if rows else None, table if rows else None)


def _ends(low: float | None, high: float | None) -> str:
    if low is None or high is None:
        return "none"
    return f"{units(low)} to {units(high)}"


def _held(held: bool | None) -> str:
    return {True: "yes", False: "no", None: "no interval"}[held]
