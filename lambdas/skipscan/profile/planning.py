"""The profile that Plan makes in an account: within its budget and its time, once, and stored beside plan.json."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any
from zlib import crc32

from skipscan.aws.clients import LONGEST_CALL_SECONDS
from skipscan.inputs.fields import CENT
from skipscan.listing import price_requests
from skipscan.listing.estimate.offer import Facts
from skipscan.listing.plan import plan_listing
from skipscan.listing.planning import RunPlanning
from skipscan.loop.allotment import PlanAttempt
from skipscan.loop.reader import object_link
from skipscan.loop.work import ExecutionId
from skipscan.pace.bill import Amounts, affordable_reads, amounts, bounded
from skipscan.profile.page import profile_page
from skipscan.profile.requests import Profiling
from skipscan.profile.section import shortened
from skipscan.scan.plan import Plan

LEFT_SECONDS = LONGEST_CALL_SECONDS + 30.0
"""What is left of the function's time when reading ends: for the page under way with its retries, and for drawing."""

MOST_LETTERS = 1_000
"""Of a sentence in the output. A name of an attribute may have 64 KB, and a state 256 KiB."""


@dataclass(frozen=True)
class ProfilePlanning(RunPlanning):
    """The planning of an input that asks for a profile. `seconds_left`: of the function's time."""

    seconds_left: Callable[[], float]

    def planned(self, execution: ExecutionId, attempt: PlanAttempt) -> tuple[Plan, Mapping[str, Any]]:
        prices = self._prices()
        listing_input = replace(self.work_input, max_read_units=None, max_dollars=None)
        decided = plan_listing(listing_input, self.description, prices)
        results = self.results(listing_input.table, execution.name)
        profile = results.document(results.layout.profile)
        if profile is None:
            # Lost attempts may have read, too, and all of them share the budget.
            lost = attempt.sampled_units()
            profiling = Profiling.of_table(
                self.client,
                listing_input.table,
                self.description,
                self._budget.without(amounts(prices, lost)),
                prices=prices,
                monthly=price_requests.monthly(self.pricing, self.client.meta.region_name),
                rate=listing_input.max_read_units_per_second,
                seed=crc32(execution.arn.encode()),
                gigabytes=self.settings.gigabytes,
            )
            attempt.declare(affordable_reads(prices, profiling.plan.budget))

            def shown(consumed: Amounts, _segments: int) -> None:
                attempt.read_units = consumed.read_units

            made = profiling.read(shown, lambda: self.seconds_left() < LEFT_SECONDS)
            profile = results.put_profile(made.to_json(), profile_page(made))
        links = {
            "profile": results.storage.uri(results.layout.profile),
            "page": object_link(results.storage.uri(results.layout.profile_page), execution.arn),
        }
        facts = Facts.described(listing_input.table, self.description, None)
        return decided, {"facts": facts.to_json(), "profile": {**profile_summary(profile), **links}}

    @property
    def _budget(self) -> Amounts:
        """Return the budgets of the input, or a cent."""
        of = self.work_input
        is_given = of.max_read_units is not None or of.max_dollars is not None
        return bounded(of.max_read_units, None, of.max_dollars if is_given else CENT)

    def explanation(self, document: Mapping[str, Any]) -> Mapping[str, Any]:
        profile: Mapping[str, Any] = document["profile"]
        return profile


def planning_of(planning: RunPlanning, seconds_left: Callable[[], float]) -> RunPlanning:
    """Return the planning that the input asks for."""
    return ProfilePlanning(**vars(planning), seconds_left=seconds_left) if planning.work_input.profile else planning


def profile_summary(profile: Mapping[str, Any]) -> dict[str, Any]:
    """Return the summary of a profile for an execution's output, which has no room for the whole profile."""
    reading = profile["reading"]
    items, collections = (profile[section] or {} for section in ("items", "collections"))
    return {
        "table": profile["table"],
        "items": items.get("count"),
        "bytes": items.get("bytes"),
        "keys": collections.get("count"),
        **{name: reading[name] for name in ("is_exact", "segments", "segments_read", "read_units", "dollars")},
        "advice": [shortened(one["sentence"], MOST_LETTERS) for one in profile["advice"]],
        "missing": profile["missing"],
    }
