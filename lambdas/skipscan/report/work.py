"""The report of work of any kind, from what the work left."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from skipscan.errors import IncompleteRunError, page
from skipscan.inputs.names import table_name
from skipscan.inputs.quantities import (
    counted,
    duration,
    enumerated,
    headline,
    money,
    named_counts,
    rounded,
    stamp,
    units,
)
from skipscan.loop.billing import bill_to_json
from skipscan.loop.finish import ESTIMATED
from skipscan.loop.kind import FAILED, IN_FAILED, Kind
from skipscan.loop.layout import CHECKPOINT_DAYS
from skipscan.loop.results import Results, execution_link, object_link
from skipscan.pace import bill as bills
from skipscan.pace.bill import LEFT_OUT
from skipscan.report.committed import StoredWork
from skipscan.report.record import WorkRecord, read_work
from skipscan.report.report import (
    BillRow,
    BillTable,
    ExpectedFigure,
    Files,
    Headline,
    ProgressChart,
    Report,
    Throttled,
    Workers,
)
from skipscan.sample.interval import Interval

UNITS = {"write_units": "write units", "read_units": "read units"}

SPLIT = {
    "segments": ("segment", "read units", "keys"),
    "slices": ("slice", "capacity units", "keys"),
    "walks": ("segment", "capacity units", "items"),
}
"""By a kind's unit: the noun of one unit, the noun of what it consumes, and the noun of what it counts."""


def job(kind: Kind[Any, Any], results: Results) -> Report:
    """Return the report of a finished job; raise `IncompleteRunError` if it is not finished."""
    if results.manifest() is None:
        raise IncompleteRunError(
            f"{kind.noun} {results.layout.name}", rule="has no manifest", remedy="wait until it is finished"
        )
    return drawn(read_work(kind, StoredWork.of(results)))


def drawn(record: WorkRecord[Any], complete: str = "", bill: BillTable | None = None) -> Report:
    """Return the report of work, which may be under way.

    `complete`: says what is proved of complete work. `bill`: of work that is compared with other ways.
    """
    kind, plan, counts, digest = record.kind, record.run.plan, record.counts, record.digest
    done, has_batches = counted(_settled(record), _noun(record)), bool(digest.timeline.stretches)
    took = "" if record.seconds is None else f" in {duration(record.seconds)}"
    outcomes = named_counts(counts.outcomes, but=_followed(record))
    parts = "parts" if kind.lines == "keys" else f"{kind.lines}_parts"
    listed_in = "manifest.json" if record.is_complete else "unfinished.json"
    return Report(
        noun=kind.noun,
        name=record.run.name,
        subject=table_name(plan.table),
        is_complete=record.is_complete,
        status=_status(record, complete or f"all {done} are accounted for"),
        links=_links(record),
        answer=f"{done}{took} for {money(record.bill.total)}{': ' if outcomes else ''}{outcomes}.",
        headlines=list(_headlines(record)),
        bill=bill or _bill(record),
        progress=_progress(record) if has_batches else None,
        estimates=list(_estimates(record)) if record.is_complete else (),
        workers=_workers(record) if has_batches else None,
        segments=digest.segments,
        # Both tables of a copy, and every pass, have the same segments.
        segments_planned=plan.reading.segments if kind.unit == "walks" else kind.units(plan),
        segments_are=_split(record),
        throttled=Throttled(counts.requests, counts.throttles) if counts.throttles else None,
        facts=list(_facts(record)),
        files=Files.of(kind.lines, kind.lines, (record.ending or {}).get(parts), listed_in),
        notices=list(_notices(record)),
    )


def _links(record: WorkRecord[Any]) -> list[tuple[str, str]]:
    """Return what a browser can open: the execution, the manifest, and the page of the documentation."""
    arn, name = record.run.execution.arn, "manifest.json" if record.is_complete else "unfinished.json"
    links = [
        ("Execution", execution_link(arn)),
        (name, object_link(f"{record.folder}{name}", arn) if record.ending else None),
        ("How to read this page", page("report.md")),
    ]
    return [(name, address) for name, address in links if address and address.startswith("https:")]


def _followed(record: WorkRecord[Any]) -> str:
    return record.kind.followed(record.run.plan)


def _split(record: WorkRecord[Any]) -> tuple[str, str, str]:
    """Return the nouns of the work's unit, of what it consumes, and of what it counts."""
    noun, consumed, count = SPLIT[record.kind.unit]
    return noun, consumed, record.kind.nouns(record.run.plan) or count


def _settled(record: WorkRecord[Any]) -> int:
    return int(vars(record.counts)[_followed(record)])


def _noun(record: WorkRecord[Any]) -> str:
    """Return the noun of what the work counts, in the singular."""
    settled, followed = record.kind.settled.removesuffix("s"), _followed(record)
    if followed != record.kind.settled:
        return f"{followed} {settled}"
    return record.kind.followed_nouns(record.run.plan).removesuffix("s")


def _status(record: WorkRecord[Any], complete: str) -> str:
    if record.is_complete:
        return f"Complete: {complete}"
    if record.ending is not None:
        unit = record.kind.unit
        left = f"{record.ending[f'{unit}_left']:,} of {counted(record.ending[unit], unit.removesuffix('s'))} left"
        return f"Stopped by its budget, {left}; it can be resumed"
    return "Not finished: running or stopped. The figures are those of its last checkpoints"


def _consumed(record: WorkRecord[Any]) -> str:
    """Return "write_units", or "read_units" for work that only reads."""
    counts = record.counts
    is_reading = "write_units" not in vars(counts) or (counts.read_units and not counts.write_units)
    return "read_units" if is_reading else "write_units"


def _headlines(record: WorkRecord[Any]) -> Iterator[Headline]:
    counts, bill, name, noun = record.counts, record.bill, _consumed(record), _noun(record)
    each = f"each {noun} once" if _followed(record) == record.kind.settled else "in both tables"
    yield Headline(headline(_settled(record)), f"{noun}s", f"measured, {each}")
    yield Headline(headline(getattr(counts, name)), UNITS[name], f"measured, in {counted(counts.requests, 'request')}")
    prices, detail = record.run.plan.prices, "the whole bill, without the table's provisioned capacity"
    writes = "write_units" in vars(counts)
    if prices.read_units.dollars_per_million or (writes and prices.write_units.dollars_per_million):
        read = "read and write" if writes else "read"
        detail = f"the whole bill: {money(bill.units)} for {read} units"
    yield Headline(money(bill.total), "dollars", detail)
    if record.seconds is not None:
        workers = counted(record.run.plan.workers, "worker")
        yield Headline(duration(record.seconds), "from start to end", f"measured, with {workers}")


def services(bill: bills.Bill) -> list[tuple[str, float, str]]:
    """Return what a bill is made of, and how each part is known."""
    found = [
        ("Write units", bill.write_units, "measured units at a dated price"),
        ("Read units", bill.read_units, "measured units at a dated price"),
        ("Lambda", bill.lambda_, "measured by the workers; Plan and Finish estimated"),
        ("Step Functions", bill.step_functions, "counted by the workers; the rest of the machine estimated"),
        ("S3", bill.s3, "requests counted by the workers; those of Plan and Finish estimated"),
    ]
    return [one for one in found if one[1]]


def _bill(record: WorkRecord[Any]) -> BillTable:
    counts, bill, name = record.counts, record.bill, _consumed(record)
    row = BillRow(
        f"This {record.kind.noun}",
        Interval.exactly(getattr(counts, name)),
        Interval.exactly(counts.requests),
        bill.total,
        getattr(bill, name),
        "measured",
    )
    dollars = record.ending["dollars"] if record.ending else bill_to_json(record.run.plan, bill)
    notes = [
        f"Prices of {dollars['region']}: {'; '.join(dollars['prices'])}. Free tiers and discounts are not subtracted.",
        f"Not in the bill: {LEFT_OUT}.",
    ]
    return BillTable(UNITS[name], [row], services(bill), notes)


def _progress(record: WorkRecord[Any]) -> ProgressChart:
    began, (_, unit, nouns) = record.digest.began or record.started, _split(record)
    missing = record.counts.requests - record.digest.requests
    notes = _sampled(record)
    if missing > 0 and not record.is_sampled:
        expired = "of batches whose checkpoints expired"
        notes.append(f"Not drawn: {counted(missing, 'request')} {expired}. All totals include them.")
    return ProgressChart(
        timeline=record.timeline,
        counted=SPLIT[record.kind.unit][2],
        noun=nouns,
        units="units",
        unit=unit,
        expected=record.kind.expected(record.plan),
        waited_seconds=(began - record.started).total_seconds(),
        notes=notes,
        done="found" if record.kind.lists_keys else "settled",
    )


def _workers(record: WorkRecord[Any]) -> Workers:
    settled, name = _followed(record), _consumed(record)
    columns = (
        (settled, record.kind.followed_nouns(record.run.plan)),
        (name, UNITS[name]),
        ("requests", "requests"),
        ("throttles", "throttled"),
    )
    return Workers(record.digest.workers, record.timeline, columns, record.workers_committed, _sampled(record))


def _sampled(record: WorkRecord[Any]) -> list[str]:
    """Return the note of a page that is drawn from a sample of the workers."""
    if not record.is_sampled:
        return []
    return [
        f"Drawn from {rounded(record.workers_seen)} of {rounded(record.workers_committed)} workers, evenly chosen; "
        "curves are scaled up to the totals, which are exact."
    ]


def _notices(record: WorkRecord[Any]) -> Iterator[str]:
    if failed := record.kind.in_failed(record.counts):
        yield f"{FAILED}/ has {counted(failed, 'line')}: {IN_FAILED}."
    if record.digest.batches:
        return
    if record.batches_committed:
        yield (
            "Progress, workers and segments are missing: the checkpoints expired, or an older version wrote them. An "
            f"environment keeps checkpoints for {CHECKPOINT_DAYS} days."
        )
    else:
        yield "No batch is committed yet."


def _estimates(record: WorkRecord[Any]) -> Iterator[ExpectedFigure]:
    """Yield the figures of complete work that its plan had estimated."""
    ending = record.ending or {}
    came = {**vars(record.counts), "dollars": record.bill.total, "minutes": ending["seconds"] / 60}
    for name in ESTIMATED:
        estimated = (ending.get("estimated") or {}).get(name)
        interval = estimated if isinstance(estimated, Mapping) else {"estimate": estimated}
        low, estimate, high = (interval.get(end) for end in ("low", "estimate", "high"))
        if came.get(name) and estimate:
            named, factor = ("seconds", 60) if name == "minutes" and came[name] <= 10 else (name.replace("_", " "), 1)
            yield ExpectedFigure(named, float(estimate) * factor, low, high, came[name] * factor)


def times(record: WorkRecord[Any]) -> Iterator[tuple[str, str]]:
    """Yield the execution, and when the work started and ended."""
    yield "Execution", record.run.execution.arn
    yield "Started", stamp(record.run.started)
    if record.ending:
        yield "Finished" if record.is_complete else "Stopped", stamp(record.ending["finished"])


def _asked(stated: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield what a job does to each item or key. Of a condition and of constants only names: the values are data."""
    for name, content in stated.get("action", {}).items():
        shown: dict[str, Any] = {"if": [*content["if"]]} if content.get("if") else {}
        for made in content.keys() & {"item", "key"}:
            shown[made] = {field: value if "{" in str(value) else "…" for field, value in content[made].items()}
        document = {field: value for field, value in {**content, **shown}.items() if value is not None}
        yield "Action", f"{name} {json.dumps(document, ensure_ascii=False)}"
    if stated.get("skips_ended"):
        yield "Ended item collections", "skipped"
    for name, template in stated.get("set", {}).items():
        yield f"Attribute {name}", template if isinstance(template, str) else json.dumps(template, ensure_ascii=False)
    if stated.get("remove"):
        yield "Removed attributes", enumerated(stated["remove"])
    if stated.get("set"):
        yield "Separator in a source", str(stated["separator"])
    if "verify" in stated:
        yield "Final verification", "yes" if stated["verify"] else "no"
    if stated.get("compare_only"):
        yield "Comparison only", "yes"


def _facts(record: WorkRecord[Any]) -> Iterator[tuple[str, str]]:
    """Return what the job was asked to do, and what it counted."""
    stated = {**record.run.plan.stated, **(record.ending or {})}
    kind, plan = record.kind, record.run.plan
    yield "Table", str(stated.get("table", plan.table))
    for name, field in (("Run", "run"), ("New table", "to")):
        if field in stated:
            yield name, str(stated[field])
    yield from _asked(stated)
    yield from times(record)
    yield (
        "Parallelism",
        f"{counted(kind.units(plan), kind.unit.removesuffix('s'))}, {counted(plan.workers, 'worker')}",
    )
    for name, value in vars(record.counts).items():
        yield name.replace("_", " ").capitalize(), units(value) if name in UNITS else rounded(value)
    for name, text in (kind.proved(record.ending) if record.ending else {}).items():
        yield name[0].upper() + name[1:], text
    if record.ending:
        yield "Skipscan", record.ending["skipscan_version"]
