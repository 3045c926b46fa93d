"""Warnings before a run starts, in sentences."""

from collections.abc import Iterable, Iterator, Mapping

from skipscan.dynamodb.page import STEP_BYTES
from skipscan.inputs.quantities import bound, counted, duration, enumerated
from skipscan.listing.estimate.offer import FIRST_ITEM, FULL, GIVEN, SKIP, Facts, Offer
from skipscan.listing.estimate.ways import given_requests
from skipscan.listing.execution_input import ExecutionInput
from skipscan.pace.limits import fewer_workers
from skipscan.sample.interval import Interval
from skipscan.scan.plan import Plan

SMALL_UNITS = 50.0  # a full scan of that size costs a thousandth of a cent


def warnings(
    facts: Facts, keys: Interval, offers: Mapping[str, Offer], chosen: Offer | None, groups: str
) -> Iterator[str]:
    """Yield the warnings, the most important first; `chosen` is `None` if the sample could not estimate the run.

    `groups`: what the sample counts, for people.
    """
    full = offers.get(FULL)
    if full is not None and full.read_units.is_bounded and full.read_units.estimate <= SMALL_UNITS:
        taken = counted(round(full.read_units.estimate, 1), "read unit")
        yield f"The table is small: even a full scan takes only {taken}."
    yield from _unbounded(facts, keys, full, groups)
    if chosen is not None:
        yield from _cheaper(offers.values(), chosen)
        yield from _capacity(facts, chosen.read_units)


def bounds_stated(listing_input: ExecutionInput, plan: Plan) -> Iterator[str]:
    """Return the maximum overrun of a budget, and why the run has fewer workers than requested."""
    overruns = [bound(name, most) for name, most in plan.limits.overrun.items()]
    if overruns:
        yield (
            f"The run can exceed its budget by at most {enumerated(overruns)}: each worker can have one page in "
            f"progress, and the largest page takes {plan.page_units:,.1f} read units."
        )
    if fewer := fewer_workers("run", plan.workers, listing_input.workers, plan.segments):
        yield fewer


def costly_queries(plan: Plan, facts: Facts) -> Iterator[str]:
    """Yield that a full scan takes fewer units than Queries of the given keys, if DescribeTable shows it."""
    full = facts.size_bytes / STEP_BYTES * plan.step_units
    least = given_requests(plan) * plan.step_units
    if plan.only is not None and 0 < full < least:
        yield (
            f"Queries of {counted(plan.only.keys, 'key')} take at least {counted(round(least, 1), 'read unit')}, but "
            f"a full scan about {full:,.1f}: a run of all keys costs less, and has the lines of these keys."
        )


def _unbounded(facts: Facts, keys: Interval, full: Offer | None, groups: str) -> Iterator[str]:
    """Return what would bound figures that the sample could not bound."""
    if not keys.is_bounded:
        counts = f"DescribeTable counts {counted(facts.items, 'item')}"
        if not facts.items:
            counts = "DescribeTable counts the items within about six hours of a write"
        yield (
            "The sample came to the end of too few segments, so it gives no upper bound for the number of "
            f"{groups} and the figures that depend on it. {counts}; a table has at most as many {groups} as items. A "
            "read budget limits the run."
        )
    if (full is None or not full.read_units.is_bounded) and keys.high:
        yield (
            "The read units of a full scan have no upper bound here: DescribeTable does not show the table's size "
            "yet. It shows the size within about six hours of a write."
        )


def _cheaper(offers: Iterable[Offer], chosen: Offer) -> Iterator[str]:
    """Return the indexes that list the same keys, or a part of them, for less."""
    for offer in offers:
        is_index = offer.strategy not in {SKIP, FIRST_ITEM, FULL, GIVEN}
        if is_index and offer.read_units.high < chosen.read_units.estimate:
            use = "List that index instead."
            if offer.leaves_out:
                use = f"The index omits {offer.leaves_out}. If you do not need those keys, list that index instead."
            yield f"{offer.strategy} takes at most {counted(round(offer.read_units.high, 1), 'read unit')}. {use}"


def _capacity(facts: Facts, units: Interval) -> Iterator[str]:
    if provisioned := facts.read_capacity_units:
        seconds = (units.estimate if units.is_bounded else units.low) / provisioned
        least = "" if units.is_bounded else "at least "
        yield (
            f"The table has provisioned capacity: {counted(provisioned, 'read unit')} a second. This run uses the "
            f"equivalent of {least}{duration(seconds)} of the whole capacity, which other clients of the table then "
            "lack."
        )
