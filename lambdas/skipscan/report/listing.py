"""The record of a listing of keys, from what the run left."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from skipscan.dynamodb.page import STEP_BYTES
from skipscan.inputs.names import table_name
from skipscan.inputs.quantities import about_percent, counted, duration, enumerated, multiple
from skipscan.listing.estimate.offer import FIRST_ITEM, FULL
from skipscan.listing.scope import Scope
from skipscan.pace.bill import LEFT_OUT
from skipscan.report.bill import ComparedWay, saving
from skipscan.report.card import Markup
from skipscan.report.record import WorkRecord
from skipscan.report.spread import lengths, trend
from skipscan.report.ways import is_billed_on_demand, ways
from skipscan.report.work import drawn

SAVED = 1.05
"""Of less than this factor a report says "about as many"."""

NAMES = {
    FULL: ("a full scan", "Full scan"),
    FIRST_ITEM: ("a skip scan with Limit=1", "Skip scan with Limit=1, as in the AWS Database Blog"),
}
"""The other ways, in a sentence and as a heading."""


def listing(record: WorkRecord, earlier: Sequence[Mapping[str, Any]] = ()) -> str:
    """Return the page of a listing: that of any work, and the run beside other ways to list the same keys.

    `earlier`: manifests of runs with the same scope, oldest first.
    """
    compared = ways(record)
    scope = Scope.of(record.plan)
    sizes = record.digest.lengths
    source, beyond = record.plan.source, record.plan.take.beyond
    groups = "groups" if source.level else "item collections"
    within = f"{scope.within} beyond the first {beyond:,} in the order" if beyond else scope.within
    named = [way if way is compared[0] else replace(way, name=NAMES[way.name][1]) for way in compared]
    is_listed = bool(earlier and record.is_complete)
    return drawn(
        record,
        subject=f"{table_name(record.plan.table)}{f', index {source.index}' if source.index else ''}",
        complete="every segment was read to its end",
        answer=_answer(record, compared),
        saving=_saving(record, compared),
        ways=named,
        notes=list(_bill_notes(record, compared)),
        is_billed=is_billed_on_demand(record),
        trend=trend([*earlier, record.ending or {}], scope.labels, within) if is_listed else None,
        lengths=lengths(sizes, groups, within, STEP_BYTES / record.plan.step_units) if sizes else None,
    )


def _saving(record: WorkRecord, compared: Sequence[ComparedWay]) -> Markup | None:
    """Return how much less was read than by a full scan; `None` where nothing was saved or nothing is known."""
    ours, full = compared[0], next((way for way in compared if way.name == FULL), None)
    if full is None or not ours.units.estimate:
        return None
    factor = full.units.estimate / ours.units.estimate
    if factor < SAVED:
        return None
    dollars = [("this run", ours.bill.total, full.bill.total)]
    if ours.million and full.million:
        dollars.append((f"a million such {Scope.of(record.plan).labels}", ours.million.total, full.million.total))
    return saving(factor, dollars)


def _answer(record: WorkRecord, compared: Sequence[ComparedWay]) -> str:
    counts, scope = record.counts, Scope.of(record.plan)
    label = "distinct partition key" if scope.labels == "keys" else scope.labels.removesuffix("s")
    said = f"{counted(record.done, label)}{scope.within} for {counted(counts.read_units, 'read unit')}"
    if record.seconds is not None:
        said += f" in {duration(record.seconds)}"
    saved = enumerated(list(_saved(compared)))
    return f"{said}. By estimate, {saved}." if saved else f"{said}."


def _saved(compared: Sequence[ComparedWay]) -> Iterator[str]:
    ours = compared[0].units.estimate
    for way in reversed(compared[1:]):
        if ours and way.units.estimate:
            factor = way.units.estimate / ours
            much = f"{multiple(factor)} times as many" if factor >= SAVED else "about as many"
            if factor <= 0.95:
                much = f"{about_percent(factor)} of that"
            yield f"{NAMES[way.name][0]} would have consumed {much}"


def _bill_notes(record: WorkRecord, compared: Sequence[ComparedWay]) -> Iterator[str]:
    used = record.plan.prices
    price = used.read_units
    if is_billed_on_demand(record):
        said = (
            f"Prices: ${price.dollars_per_million:g} per million read units in {used.region} (as of {price.as_of}; "
            f"{price.source}), without free tiers and discounts."
        )
    else:
        said = f"Prices: {used.region}, as of {price.as_of}. Provisioned capacity is billed by the hour, not by unit."
    where = record.work.execution.arn.split(":")
    if len(where) > 3 and where[3] != used.region:
        said += f" The run was in {where[3]}, where prices differ."
    yield said
    yield (
        f"Not in any bill: {LEFT_OUT}. The bills of other ways are estimated: this run, at the speed that plans "
        "assume, with as many requests a batch."
    )
    if not record.is_complete:
        yield "Other ways are not compared before the run is complete: their figures depend on all lines."
    elif all(way.name != FULL for way in compared):
        yield "A full scan is not compared: DescribeTable had counted no items when the run began."
