"""The record of a listing of keys, from what the run left."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from skipscan.estimate.offer import FIRST_ITEM, FULL
from skipscan.inputs.names import table_name
from skipscan.pace.bill import LEFT_OUT
from skipscan.report.record import Listed, Record
from skipscan.report.report import Bill, BillRow, Expected, Files, Headline, Progress, Report, Throttled, Workers
from skipscan.report.ways import Way, facts, is_on_demand, ways
from skipscan.report.words import count, headline, listed, money, size, span, stamp, times, units, whole

NAMES = {
    FULL: ("a full scan", "Full scan"),
    FIRST_ITEM: ("a skip scan with Limit=1", "Skip scan with Limit=1, as in the AWS Database Blog"),
}
"""The other ways, in a sentence and as a heading."""

WORKER_COLUMNS = (("keys", "keys"), ("read_units", "read units"), ("requests", "requests"), ("throttles", "throttled"))


def listing(record: Listed, measured: Mapping[str, tuple[float, int]] | None = None) -> Report:
    """Return the report of a listing.

    `measured`: read units and requests of `FULL` or `FIRST_ITEM`, if that was run on the same table.
    """
    compared = ways(record, measured or {})
    counts, digest = record.counts, record.digest
    has_batches = bool(digest.timeline.stretches)
    listed_in = "manifest.json" if record.is_complete else "unfinished.json"
    return Report(
        noun="run",
        name=record.run.name,
        subject=_subject(record),
        is_complete=record.is_complete,
        status=_status(record),
        answer=_answer(record, compared),
        headlines=list(_headlines(record, compared[0])),
        bill=_bill(record, compared),
        progress=_progress(record) if has_batches else None,
        estimates=expectations(record),
        workers=Workers(digest.workers, record.timeline, WORKER_COLUMNS, record.workers_committed, sampled(record))
        if has_batches
        else None,
        segments=digest.segments,
        segments_planned=record.run.plan.segments,
        lengths=digest.lengths,
        throttled=Throttled(counts.requests, counts.throttles) if counts.throttles else None,
        facts=list(_facts(record)),
        files=Files.of("keys", "keys", (record.ending or {}).get("parts"), listed_in),
        notices=list(_notices(record)),
    )


def _subject(record: Listed) -> str:
    source = record.run.plan.source
    name = table_name(source.table)
    return f"{name}, index {source.index}" if source.index else name


def _status(record: Listed) -> str:
    if record.is_complete:
        return "Complete: every segment was read to its end"
    if record.ending is not None:
        left = f"{record.ending['segments_left']:,} of {count(record.run.plan.segments, 'segment')} left"
        return f"Stopped by its budget, {left}; it can be resumed"
    return "Not finished: running or stopped. The figures are those of its last checkpoints"


def _answer(record: Listed, compared: Sequence[Way]) -> str:
    counts = record.counts
    said = f"{count(counts.keys, 'distinct partition key')} for {units(counts.read_units)} read units"
    if record.seconds is not None:
        said += f" in {span(record.seconds)}"
    saved = listed(list(_saved(compared)))
    if not saved:
        return f"{said}."
    if all(way.is_measured for way in compared):
        return f"{said}. {saved[0].upper()}{saved[1:]}."
    return f"{said}. By estimate, {saved}."


def _saved(compared: Sequence[Way]) -> Iterator[str]:
    ours = compared[0].read_units.estimate
    for way in reversed(compared[1:]):
        if ours and way.read_units.estimate:
            factor = way.read_units.estimate / ours
            much = f"{times(factor)} times as many" if factor >= 1.05 else "about as many"
            if factor <= 0.95:
                much = f"{factor:.0%} of that"
            yield f"{NAMES[way.name][0]} {'consumed' if way.is_measured else 'would have consumed'} {much}"


def _headlines(record: Listed, ours: Way) -> Iterator[Headline]:
    counts, plan = record.counts, record.run.plan
    yield Headline(headline(counts.keys), "keys", "measured, each key once")
    yield Headline(headline(counts.read_units), "read units", f"measured, in {count(counts.requests, 'request')}")
    detail = f"the whole bill: {money(ours.bill.units)} for read units"
    if not is_on_demand(record):
        detail = "the whole bill, without the table's provisioned capacity"
    yield Headline(money(ours.bill.total), "dollars", detail)
    if record.seconds is not None:
        yield Headline(span(record.seconds), "from start to end", f"measured, with {count(plan.workers, 'worker')}")


def _bill(record: Listed, compared: Sequence[Way]) -> Bill:
    billed, bill = is_on_demand(record), compared[0].bill
    rows = [
        BillRow(
            way.name if way is compared[0] else NAMES[way.name][1],
            way.read_units,
            way.requests,
            way.bill.total,
            way.bill.read_units if billed else None,
            way.basis,
        )
        for way in compared
    ]
    services = [
        ("Lambda", bill.lambda_, "measured by the workers; Plan and Finish estimated"),
        ("Step Functions", bill.step_functions, "counted by the workers; the rest of the machine estimated"),
        ("S3", bill.s3, "requests counted by the workers; those of Plan and Finish estimated"),
    ]
    if billed:
        services.insert(0, ("Read units", bill.read_units, "measured units at a dated price"))
    return Bill("read units", rows, services, list(_bill_notes(record, compared)))


def _bill_notes(record: Listed, compared: Sequence[Way]) -> Iterator[str]:
    used = record.run.plan.prices
    price = used.read_units
    if is_on_demand(record):
        said = (
            f"Prices: ${price.dollars_per_million:g} per million read units in {used.region} (as of {price.as_of}; "
            f"{price.source}), without free tiers and discounts."
        )
    else:
        said = f"Prices: {used.region}, as of {price.as_of}. Provisioned capacity is billed by the hour, not by unit."
    where = record.run.execution.arn.split(":")
    if len(where) > 3 and where[3] != used.region:
        said += f" The run was in {where[3]}, where prices differ."
    yield said
    yield (
        f"Not in any bill: {LEFT_OUT}. The bills of other ways are estimated: this job, at the speed that plans assume."
    )
    if not record.is_complete:
        yield "Other ways are not compared before the run is complete: their figures depend on all keys."
    elif all(way.name != FULL for way in compared):
        yield "A full scan is not compared: DescribeTable had counted no items when the run began."


def _progress(record: Listed) -> Progress:
    began, notes = record.digest.began or record.started, list(sampled(record))
    missing = record.counts.requests - record.digest.requests
    if missing > 0 and not record.is_sampled:
        notes.append(
            f"Not drawn: {count(missing, 'request')} of batches that found no key or whose checkpoints expired. All "
            "totals include them."
        )
    explanation = record.plan.get("explanation")
    keys = explanation["choice"]["expected"]["keys"]["estimate"] if explanation else None
    return Progress(
        timeline=record.timeline,
        counted="keys",
        noun="keys",
        units="read_units",
        unit="read units",
        expected=keys,
        waited_seconds=(began - record.started).total_seconds(),
        notes=notes,
    )


def sampled(record: Record[Any]) -> list[str]:
    """Return the note of a page that is drawn from a sample of the workers."""
    if not record.is_sampled:
        return []
    return [
        f"Drawn from {whole(record.workers_seen)} of {whole(record.workers_committed)} workers, evenly chosen; curves "
        "are scaled up to the totals, which are exact."
    ]


def _notices(record: Listed) -> Iterator[str]:
    if record.digest.batches:
        return
    if record.batches_committed:
        yield (
            "Progress, workers, segments and lengths are missing: the run's checkpoints expired. An environment keeps "
            "them for 30 days."
        )
    else:
        yield "No batch is committed yet."


def _facts(record: Listed) -> Iterator[tuple[str, str]]:
    plan, ending, counts = record.run.plan, record.ending or {}, record.counts
    yield "Table", plan.source.table
    if plan.source.index:
        yield "Index", plan.source.index
    yield "Partition key", ", ".join(f"{attribute.name} ({attribute.type})" for attribute in plan.source.partition_key)
    yield "Execution", record.run.execution.arn
    yield "Started", stamp(record.run.started)
    if ending:
        yield "Finished" if record.is_complete else "Stopped", stamp(ending["finished"])
    yield "Strategy", f"{plan.strategy}, optimised for {plan.optimize}"
    yield "Reads", "strongly consistent" if plan.consistent_read else "eventually consistent"
    yield "Parallelism", f"{count(plan.segments, 'segment')}, {count(plan.workers, 'worker')}"
    rate, budget = plan.max_read_units_per_second, plan.max_read_units
    yield "Rate", "no limit" if rate is None else f"at most {units(rate)} read units per second"
    yield "Budget", "no limit" if budget is None else f"at most {units(budget)} read units"
    described = facts(record)
    if described.get("items"):
        yield (
            "DescribeTable",
            f"{count(described['items'], 'item')}, {size(described['size_bytes'])}, up to six hours old",
        )
    yield "Items evaluated", whole(counts.items)
    yield "Throttled", f"{whole(counts.throttles)} of {count(counts.requests + counts.throttles, 'request')}"
    if counts.lookups:
        yield "Queries for items taken", f"{whole(counts.lookups)} of {count(counts.requests, 'request')}"
    if counts.ended:
        yield "Without a last item", f"{count(counts.ended, 'item collection')} emptied meanwhile"
    if counts.skips_ignored:
        yield "Skips ignored by the engine", f"{count(counts.skips_ignored, 'segment')} read page by page"
    yield "Format", plan.format
    if ending:
        yield "Skipscan", ending["skipscan_version"]


def expectations(record: Listed) -> list[Expected]:
    """Return the figures of a complete run that a sample had estimated; none where no sample was taken."""
    estimated = (record.ending or {}).get("estimated")
    if estimated is None or not record.is_complete:
        return []
    return list(_rows(record, estimated))


def _rows(record: Listed, estimated: Mapping[str, Any]) -> Iterator[Expected]:
    counts = record.counts
    for name, field, came in (
        ("keys", "keys", counts.keys),
        ("read units", "read_units", counts.read_units),
        ("requests", "requests", counts.requests),
    ):
        interval = estimated[field]
        if came and interval["estimate"]:
            yield Expected(name, interval["estimate"], interval["low"], interval["high"], came)
    minutes = estimated.get("minutes")
    if minutes and record.seconds:
        unit, seconds = ("minutes", 60) if record.seconds > 600 else ("seconds", 1)
        yield Expected(unit, minutes * 60 / seconds, None, None, record.seconds / seconds)
