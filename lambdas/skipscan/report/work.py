"""The report of work of any kind, from what the work left."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from skipscan import __version__
from skipscan.errors import IncompleteRunError, page
from skipscan.inputs.names import table_name
from skipscan.inputs.quantities import counted, duration, in_utc, money, rounded, stamp
from skipscan.loop.finish import ESTIMATED
from skipscan.loop.kind import FAILED, IN_FAILED
from skipscan.loop.layout import CHECKPOINT_DAYS
from skipscan.loop.reader import execution_link, object_link
from skipscan.pace.bill import LEFT_OUT
from skipscan.report.bill import ComparedWay, bill_card
from skipscan.report.card import Markup, tag
from skipscan.report.over_time import ExpectedFigure, estimates, progress, throttling_card
from skipscan.report.page import answer_section, facts_of, files, html_page
from skipscan.report.record import WorkRecord, read_work
from skipscan.report.spread import segments, workers_card
from skipscan.sample.interval import Interval
from skipscan.stored.figures import Figure, chosen, figures, of_prices
from skipscan.stored.stored_work import StoredWork

SPLIT = {
    "segments": ("segment", "read units", "keys"),
    "slices": ("slice", "capacity units", "keys"),
    "walks": ("segment", "capacity units", "items"),
}
"""By a kind's unit: the label of one unit, the label of what it consumes, and the label of what it counts."""

TOP = ("count", "units", "bill", "time")
"""The groups of figures at the top of the page."""

FACTS = ("work", "request", "when", "progress", "how", "limits", "counts", "proved", "made")
"""The groups of figures below the pictures, in this order."""


def job(work: StoredWork) -> str:
    """Return the page of a finished job; raise `IncompleteRunError` if it is not finished."""
    if work.results.manifest() is None:
        raise IncompleteRunError(
            f"{work.kind.label} {work.name}", rule="has no manifest", remedy="wait until it is finished"
        )
    return drawn(read_work(work))


def drawn(
    record: WorkRecord,
    *,
    subject: str = "",
    complete: str = "",
    answer: str = "",
    saving: Markup | None = None,
    ways: Sequence[ComparedWay] = (),
    notes: Sequence[str] = (),
    is_billed: bool = True,
    trend: Markup | None = None,
    lengths: Markup | None = None,
) -> str:
    """Return the page of work, which may be under way.

    `complete`: says what is proved of complete work. `ways`, `notes`: of work that is compared with other ways.
    `trend`, `lengths`: further cards.
    """
    kind = record.kind
    plan = record.plan
    counts = record.counts
    digest = record.digest
    found = figures(record)
    (done,), outcomes = map(str, chosen(found, "count")), ", ".join(map(str, chosen(found, "outcomes")))
    took = "" if record.seconds is None else f" in {duration(record.seconds)}"
    parts = "parts" if kind.lines == "keys" else f"{kind.lines}_parts"
    listed_in = "manifest.json" if record.is_complete else "unfinished.json"
    name = _consumed(record)
    prices = f"Prices: {of_prices(plan.prices)}, without free tiers and discounts."
    has_batches = bool(digest.timeline.ends)
    expected = list(_estimates(record)) if record.is_complete else []
    # Both tables of a copy, and every pass, have the same segments.
    segments_planned = plan.reading.segments if kind.unit == "walks" else kind.units(plan)
    cards = [
        _progress(record) if has_batches else None,
        trend,
        _workers(record) if has_batches else None,
        segments(digest.segments, segments_planned, _split(record))
        if digest.segments and segments_planned > 1
        else None,
        lengths,
        estimates(expected) if expected else None,
        throttling_card(counts, record.timeline) if counts.throttles and has_batches else None,
    ]
    title = subject or table_name(plan.table)
    header = (
        tag("p", f"{kind.label.capitalize()} ", tag("b", record.work.name), class_="run"),
        _requested(found),
        tag(
            "p",
            _status(record, complete or f"all {done} are accounted for"),
            class_=f"state {'complete' if record.is_complete else 'unfinished'}",
        ),
        _links(record, listed_in),
    )
    said = answer or f"{done}{took} for {money(record.bill.total)}{': ' if outcomes else ''}{outcomes}."
    bill = bill_card(
        name,
        ways or [_this(record, name)],
        chosen(found, "services"),
        notes or [prices, f"Not in the bill: {LEFT_OUT}."],
        is_billed=is_billed,
    )
    return html_page(
        "report",
        title,
        title=f"{title}, {record.work.name}",
        header=header,
        answer=answer_section(said, chosen(found, *TOP), _notices(record), saving),
        bill=bill,
        pictures=cards,
        facts=facts_of(chosen(found, *FACTS), files(kind.lines, (record.ending or {}).get(parts) or (), listed_in)),
        made=f"Made {stamp(in_utc(record.at))} by Skipscan {__version__} from the results of the {kind.label}. "
        "This page contains no key values and no scripts, and makes no network requests.",
    )


def _requested(found: Iterable[Figure]) -> Markup | None:
    """Return what the input requested, in one line."""
    words = ". ".join(f"{one.title}: {one.words}" for one in chosen(found, "request"))
    return tag("p", words, class_="asked") if words else None


def _links(record: WorkRecord, listed_in: str) -> Markup | None:
    """Return what a browser can open: the execution, the manifest, and the page of the documentation."""
    arn = record.work.execution.arn
    links = {
        "Execution": execution_link(arn),
        listed_in: object_link(f"{record.folder}{listed_in}", arn) if record.ending else None,
        "How to read this page": page("report.md"),
    }
    open_ = [
        tag("a", name, href=address, rel="noreferrer")
        for name, address in links.items()
        if address and address.startswith("https:")
    ]
    return tag("nav", open_, aria_label="Elsewhere") if open_ else None


def _split(record: WorkRecord) -> tuple[str, str, str]:
    """Return the labels of the work's unit, of what it consumes, and of what it counts."""
    label, consumed, count = SPLIT[record.kind.unit]
    return label, consumed, record.kind.headline_labels(record.plan) if record.kind.lists_keys else count


def _status(record: WorkRecord, complete: str) -> str:
    if record.is_complete:
        return f"Complete: {complete}"
    if record.ending is not None:
        unit = record.kind.unit
        left = f"{record.ending[f'{unit}_left']:,} of {counted(record.ending[unit], unit.removesuffix('s'))} left"
        return f"Stopped by its budget, {left}; it can be resumed"
    return "Not finished: running or stopped. The figures are those of its last checkpoints"


def _consumed(record: WorkRecord) -> str:
    """Return "write_units", or "read_units" for work that only reads."""
    counts = record.counts
    is_reading = "write_units" not in vars(counts) or (counts.read_units and not counts.write_units)
    return "read_units" if is_reading else "write_units"


def _this(record: WorkRecord, name: str) -> ComparedWay:
    amount, requests = getattr(record.counts, name), record.counts.requests
    exact = Interval.exactly(amount), Interval.exactly(requests)
    return ComparedWay(f"This {record.kind.label}", *exact, record.bill, "measured")


def _progress(record: WorkRecord) -> Markup:
    started_at, (_, unit, labels) = record.digest.started_at or record.started, _split(record)
    missing = record.counts.requests - record.digest.requests
    notes = _sampled(record)
    if missing > 0 and not record.is_sampled:
        expired = "of batches whose checkpoints expired"
        notes.append(f"Not drawn: {counted(missing, 'request')} {expired}. All totals include them.")
    return progress(
        record.timeline,
        SPLIT[record.kind.unit][2],
        labels,
        unit,
        expected=record.kind.expected(record.document),
        waited_seconds=(started_at - record.started).total_seconds(),
        notes=notes,
        done="found" if record.kind.lists_keys else "processed",
    )


def _workers(record: WorkRecord) -> Markup:
    name = _consumed(record)
    columns = (
        (record.followed, record.labels),
        (name, name.replace("_", " ")),
        ("requests", "requests"),
        ("throttles", "throttled"),
    )
    return workers_card(record.digest.workers, record.timeline, columns, record.workers_committed, _sampled(record))


def _sampled(record: WorkRecord) -> list[str]:
    """Return the note of a page that is drawn from a sample of the workers."""
    if not record.is_sampled:
        return []
    return [
        f"Drawn from {rounded(record.workers_seen)} of {rounded(record.workers_committed)} workers, evenly chosen; "
        "curves are scaled up to the totals, which are exact."
    ]


def _notices(record: WorkRecord) -> Iterator[str]:
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


def _estimates(record: WorkRecord) -> Iterator[ExpectedFigure]:
    """Yield the figures of complete work that its plan had estimated."""
    ending = record.ending or {}
    came = {**vars(record.counts), "dollars": record.bill.total, "minutes": ending["seconds"] / 60}
    for name in ESTIMATED:
        estimated = (ending.get("estimated") or {}).get(name)
        interval = estimated if isinstance(estimated, Mapping) else {"estimate": estimated}
        low, estimate, high = (interval.get(end) for end in ("low", "estimate", "high"))
        if came.get(name) and estimate:
            named, factor = record.labels if name == record.followed else name.replace("_", " "), 1
            if name == "minutes" and came[name] <= 10:
                named, factor = "seconds", 60
            yield ExpectedFigure(named, float(estimate) * factor, low, high, came[name] * factor)
