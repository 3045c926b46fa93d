"""The plan for a person to read before a run starts: facts, sample, every way with its price, and the choice."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from skipscan import form
from skipscan.dynamodb.table_description import TableDescription
from skipscan.inputs.quantities import approximate, counted
from skipscan.listing.estimate.cost import Concurrency, split
from skipscan.listing.estimate.estimate import first_item_steps
from skipscan.listing.estimate.offer import FULL, GIVEN, SAMPLED, SKIP, Facts, Offer, is_expected, offers
from skipscan.listing.estimate.warning import bounds_stated, costly_queries, warnings
from skipscan.listing.estimate.ways import UNKNOWN, given
from skipscan.listing.execution_input import ExecutionInput
from skipscan.listing.plan import held_workers
from skipscan.listing.scope import line_labels
from skipscan.sample.interval import Interval
from skipscan.sample.sample import Sample
from skipscan.scan.plan import Plan, Strategy, choose
from skipscan.scan.take import EachItem


@dataclass(frozen=True)
class Explanation:
    """`plan` is the requested plan, with the segments and workers that the estimate suggests. `offers`: by strategy."""

    listing_input: ExecutionInput
    plan: Plan
    facts: Facts
    sample: Sample
    offers: Mapping[str, Offer]

    @property
    def chosen(self) -> Offer | None:
        """The way that the run uses; `None` if the sample could not estimate it."""
        way = GIVEN if self.plan.only else SKIP if self.plan.skips else FULL
        return self.offers.get(way)

    @property
    def reason(self) -> str:
        """One sentence with the figures that decided the choice."""
        only, offers = self.plan.only, self.offers
        said = [f"queries of {counted(only.keys, 'key')} take {_read_units(offers[GIVEN].read_units)}"] if only else []
        for way in (SKIP, FULL):
            if way in offers:
                said.append(f"a {way}{' of all keys' if only else ''} takes {_read_units(offers[way].read_units)}")
        if FULL not in offers and self.sample.keys.high:
            said.append("what a full scan takes is not known yet")
        if not self.plan.skips and not only:
            said.append(self._reason_to_read_all)
        sentence = "; ".join(said)
        return f"{sentence[:1].upper()}{sentence[1:]}."

    @property
    def _reason_to_read_all(self) -> str:
        if not self.facts.source.can_skip:
            return f"{self.facts.name} has no sort key, so the run cannot skip"
        if self.listing_input.strategy is not Strategy.AUTO:
            return "the input asks for a full scan"
        return "a skip scan makes more requests" if SKIP in self.offers else "the run is to read every item"

    @property
    def warnings(self) -> list[str]:
        groups = line_labels(has_level=self.plan.source.level is not None, has_items=False)
        return [
            *bounds_stated(self.listing_input, self.plan),
            *costly_queries(self.plan, self.facts),
            *warnings(self.facts, self.sample.keys, self.offers, self.chosen, groups),
        ]

    def to_json(self) -> dict[str, Any]:
        """Return the output of a dry run, which plan.json also contains. Figures have a 95 % interval."""
        plan, sample, keys = self.plan, self.sample, self.sample.keys
        first = first_item_steps(sample)
        return {
            "table": plan.source.table,
            "index": plan.source.index,
            "choice": {
                "strategy": self.chosen.strategy if self.chosen else None,
                "reason": self.reason,
                "segments": plan.segments,
                "workers": plan.workers,
                "overrun": plan.limits.overrun,
                "expected": self._expected(),
            },
            "warnings": self.warnings,
            "keys": keys.to_json(),
            "first_item_read_units": first.times(plan.step_units).to_json(2) if first else None,
            "strategies": [offer.to_json() for offer in self.offers.values()],
            "facts": self.facts.to_json(),
            "sample": {
                "seed": sample.seed,
                "segments": sample.segments,
                "walked": len(sample.ended),
                "requests": sample.requests,
                "read_units": sample.read_units,
                "is_exact": keys.low == keys.high,
            },
            "prices": form.write(plan.prices),
        }

    def _expected(self) -> dict[str, Any] | None:
        """Return the figures to compare with the finished run."""
        if self.chosen is None:
            return None
        row = self.chosen.to_json()
        figures = {name: row[name] for name in ("read_units", "requests", "dollars", "minutes")}
        return {"keys": self.lines.to_json(), **figures, "sample_read_units": self.sample.read_units}

    @property
    def lines(self) -> Interval:
        """How many lines the run writes."""
        only, of_all, keys = self.plan.only, self._lines_of_all, self.sample.keys.estimate
        if only is None:
            return of_all
        if self.plan.has_group_pages and not isinstance(self.plan.take, EachItem):
            return Interval(only.keys, 0.0, only.keys)
        return Interval(of_all.estimate * min(1.0, only.keys / keys if keys else 1.0), 0.0, of_all.high)

    @property
    def _lines_of_all(self) -> Interval:
        """Of all keys. DescribeTable counts the lines of all items, as it does a full scan's bytes."""
        lines, items, take = self.sample.lines_written, self.facts.items, self.plan.take
        is_every = isinstance(take, EachItem) and take.most_items is None and not take.beyond
        if is_every and not self.plan.sort_range and items and self.sample.part < 1:
            return Interval.exactly(items)
        if lines.is_bounded or not items:
            return lines
        return Interval(lines.estimate, lines.low, max(lines.estimate, items))  # a count that may be old


def explain(listing_input: ExecutionInput, plan: Plan, description: TableDescription, *, sample: Sample) -> Explanation:
    """Return the explanation of a plan; for given keys, beside the ways to list all keys."""
    facts, of_all = Facts.described(listing_input.table, description, listing_input.index), plan
    if plan.only is not None:
        segments, workers = choose(None, None, facts.size_bytes, plan.max_read_units_per_second)
        of_all = replace(plan, only=None, segments=segments, workers=workers)
    rough = next(offers(of_all, facts, sample), None)
    if rough is not None and is_expected(rough, sample):  # else DescribeTable's size decides
        segments, workers = split(
            listing_input.segments,
            listing_input.workers,
            units=rough.read_units.estimate,
            requests=rough.requests.estimate,
            rate=rough.concurrency.units_per_second,
        )
        of_all = replace(of_all, segments=segments, workers=held_workers(of_all, workers))
    found = {offer.strategy: offer for offer in offers(of_all, facts, sample, indexes=_indexes(plan, description))}
    decides = plan.page_lookups or plan.take.reads_on or plan.sort_range
    is_compared = listing_input.strategy is Strategy.AUTO and decides and {SKIP, FULL} <= found.keys()
    if is_compared and found[FULL].bill.total < found[SKIP].bill.total:
        of_all = replace(of_all, strategy=Strategy.PAGE)
    explanation = Explanation(listing_input, of_all, facts, sample, found)
    if plan.only is None:
        return explanation
    whole = explanation.chosen.consumed if explanation.chosen else UNKNOWN
    consumed = given(plan, sample.keys, first_item_steps(sample), whole)
    # The run takes no sample, so it has the workers of the input, or those that the number of keys suggests.
    plan = replace(plan, workers=min(listing_input.workers or plan.workers, plan.segments))
    way = Offer(GIVEN, consumed, Concurrency.of(plan, facts.served_read_units), SAMPLED)
    return replace(explanation, plan=plan, offers={GIVEN: way, **found})


def _indexes(plan: Plan, description: TableDescription) -> Iterator[Facts]:
    """Yield the indexes that list the same keys: with as many items, but other groups and other items at their ends."""
    if plan.source.index or plan.source.level or plan.sort_range or plan.take.attributes:
        return
    for index in description.indexes:
        # An index without items may be empty if the table was counted; else its size is unknown.
        if index.partition_key == description.partition_key and (index.items or description.items):
            yield Facts.described(plan.table, description, index.name)


def _read_units(interval: Interval) -> str:
    """Return an estimate for people; without an upper bound it ends in "or more". Rounded as in the table of ways."""
    if not interval.is_bounded:
        return f"{approximate(interval.low)} or more read units"
    words = approximate(interval.estimate)
    return f"{words} read {'unit' if words == '1' else 'units'}"
