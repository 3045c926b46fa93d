"""The report of a job of any kind, from what the job left."""

from collections.abc import Iterator, Mapping
from typing import Any

from skipscan.errors import IncompleteRunError
from skipscan.estimate.interval import Interval
from skipscan.inputs.names import table_name
from skipscan.loop.billing import quoted
from skipscan.loop.finish import ESTIMATED
from skipscan.loop.kind import Kind
from skipscan.loop.results import Results
from skipscan.pace.bill import LEFT_OUT
from skipscan.pace.counts import Counts
from skipscan.report.folder import Folder
from skipscan.report.listing import sampled
from skipscan.report.record import Record, read_job
from skipscan.report.report import Bill, BillRow, Expected, Files, Headline, Progress, Report, Throttled, Workers
from skipscan.report.words import count, headline, money, span, stamp, units, whole

UNITS = {"write_units": "write units", "read_units": "read units"}
Job = Record[Counts]


def job(kind: Kind[Any, Any], results: Results) -> Report:
    """Return the report of a finished job; raise `IncompleteRunError` if it is not finished."""
    if results.manifest() is None:
        raise IncompleteRunError(f"{kind.noun} {results.layout.name} has no manifest: wait until it is finished")
    return drawn(read_job(kind, Folder.of(results)))


def drawn(record: Job) -> Report:
    """Return the report of a job, which may be under way."""
    kind, counts, digest = record.kind, record.counts, record.digest
    done = count(_settled(record), kind.settled.removesuffix("s"))
    has_batches = bool(digest.timeline.stretches)
    took = "" if record.seconds is None else f" in {span(record.seconds)}"
    return Report(
        noun=kind.noun,
        name=record.run.name,
        subject=table_name(record.run.plan.table),
        is_complete=record.is_complete,
        status=_status(record, done),
        answer=f"{done}{took} for {money(record.bill.total)}.",
        headlines=list(_headlines(record)),
        bill=_bill(record),
        progress=_progress(record) if has_batches else None,
        estimates=list(_estimates(record)) if record.is_complete else (),
        workers=Workers(
            digest.workers,
            record.timeline,
            ((kind.settled, kind.settled), ("requests", "requests"), ("throttles", "throttled")),
            record.workers_committed,
            sampled(record),
        )
        if has_batches
        else None,
        segments=digest.segments,
        segments_planned=_segments(record),
        segments_are=("slice", "capacity units", kind.settled) if kind.unit == "slices" else SEGMENTS,
        throttled=Throttled(counts.requests, counts.throttles) if counts.throttles else None,
        facts=list(_facts(record)),
        files=Files.of("failed", kind.lines, (record.ending or {}).get(f"{kind.lines}_parts"), "manifest.json"),
        notices=list(_notices(record)),
    )


SEGMENTS = ("segment", "capacity units", "items")
"""What retrofits and copies are split up into, what a segment consumes, and what is counted of it."""


def _settled(record: Job) -> int:
    return int(record.counts.to_json()[record.kind.settled])


def _segments(record: Job) -> int:
    """Return how many segments or slices there are; both tables of a copy, and every pass, have the same."""
    stated = record.run.plan
    return int(stated.slices if record.kind.unit == "slices" else stated.reading.segments)


def _status(record: Job, done: str) -> str:
    if record.is_complete:
        return f"Complete: all {done} are accounted for"
    if record.ending is not None:
        unit = record.kind.unit
        left = f"{record.ending[f'{unit}_left']:,} of {count(record.ending[unit], unit.removesuffix('s'))} left"
        return f"Stopped by its budget, {left}; it can be resumed"
    return "Not finished: running or stopped. Figures are those of its last checkpoints"


def _consumed(counts: Counts) -> str:
    """Return the units that the job is about: those it writes, unless it only reads."""
    return "write_units" if counts.write_units or not counts.read_units else "read_units"


def _headlines(record: Job) -> Iterator[Headline]:
    counts, bill, name = record.counts, record.bill, _consumed(record.counts)
    yield Headline(headline(_settled(record)), record.kind.settled, "measured")
    yield Headline(headline(getattr(counts, name)), UNITS[name], f"measured, in {count(counts.requests, 'request')}")
    yield Headline(money(bill.total), "dollars", f"the whole bill: {money(bill.units)} for read and write units")
    if record.seconds is not None:
        workers = count(record.run.plan.workers, "worker")
        yield Headline(span(record.seconds), "from start to end", f"measured, with {workers}")


def _bill(record: Job) -> Bill:
    counts, bill, name = record.counts, record.bill, _consumed(record.counts)
    row = BillRow(
        f"This {record.kind.noun}",
        Interval.exactly(getattr(counts, name)),
        Interval.exactly(counts.requests),
        bill.total,
        getattr(bill, name),
        "measured",
    )
    services = [
        ("Write units", bill.write_units, "measured units at a dated price"),
        ("Read units", bill.read_units, "measured units at a dated price"),
        ("Lambda", bill.lambda_, "measured by the workers; Plan and Finish estimated"),
        ("Step Functions", bill.step_functions, "counted by the workers; the rest of the machine estimated"),
        ("S3", bill.s3, "requests counted by the workers; those of Plan and Finish estimated"),
    ]
    dollars = record.ending["dollars"] if record.ending else quoted(record.run.plan, bill)
    notes = [
        f"Prices of {dollars['region']}: {'; '.join(dollars['prices'])}. Free tiers and discounts are not subtracted.",
        f"Not in the bill: {LEFT_OUT}.",
    ]
    return Bill(UNITS[name], [row], [one for one in services if one[1]], notes)


def _progress(record: Job) -> Progress:
    began, settled = record.digest.began or record.started, record.kind.settled
    missing = record.counts.requests - record.digest.requests
    notes = sampled(record)
    if missing > 0 and not record.is_sampled:
        expired = "of batches whose checkpoints expired"
        notes.append(f"Not drawn: {count(missing, 'request')} {expired}. All totals include them.")
    return Progress(
        timeline=record.timeline,
        counted=settled,
        noun=settled,
        units="units",
        unit="capacity units",
        expected=record.kind.expected(record.plan),
        waited_seconds=(began - record.started).total_seconds(),
        notes=notes,
        done="settled",
    )


def _notices(record: Job) -> Iterator[str]:
    if record.digest.batches:
        return
    if record.batches_committed:
        yield (
            "Progress, workers and segments are missing: the checkpoints expired, or an older version wrote them. An "
            "environment keeps checkpoints for 30 days."
        )
    else:
        yield "No batch is committed yet."


def _estimates(record: Job) -> Iterator[Expected]:
    ending = record.ending or {}
    came = {**record.counts.to_json(), "dollars": record.bill.total, "minutes": ending["seconds"] / 60}
    for name in ESTIMATED:
        estimated = (ending.get("estimated") or {}).get(name)
        interval = estimated if isinstance(estimated, Mapping) else {"estimate": estimated}
        if came.get(name) and interval.get("estimate"):
            low, high = interval.get("low"), interval.get("high")
            yield Expected(name.replace("_", " "), float(interval["estimate"] or 0), low, high, came[name])


def _facts(record: Job) -> Iterator[tuple[str, str]]:
    """Return what the job was and what it counted; nothing of its templates, which hold a user's own values."""
    stated = {**record.run.plan.stated, **(record.ending or {})}
    kind, plan = record.kind, record.run.plan
    yield "Table", str(stated.get("table", plan.table))
    for name, field in (("Run", "run"), ("New table", "to")):
        if field in stated:
            yield name, str(stated[field])
    yield "Execution", record.run.execution.arn
    yield "Started", stamp(record.run.started)
    if record.ending:
        yield "Finished" if record.is_complete else "Stopped", stamp(record.ending["finished"])
    yield (
        "Parallelism",
        f"{count(kind.units(plan), kind.unit.removesuffix('s'))}, {count(plan.workers, 'worker')}",
    )
    for name, value in record.counts.to_json().items():
        yield name.replace("_", " ").capitalize(), units(value) if name in UNITS else whole(value)
    if record.ending:
        yield "Skipscan", record.ending["skipscan_version"]
