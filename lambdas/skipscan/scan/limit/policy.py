"""Choose the Limit of the next page: how many items it may evaluate. This choice decides the cost of a skip scan.

The best Limit has the lowest cost per new key: the read units of its page and the price of a request, divided by the
new keys of the page. `ItemSize` estimates the read units, `KeyRate` the new keys, both from the pages so far.
The documentation's page on the Limit has the mathematics, the assumptions and the tables on which the policy loses. No
randomness here: the same pages lead to the same Limits.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Self

from skipscan.dynamodb.page import STEP_BYTES
from skipscan.dynamodb.prices import US_EAST_1
from skipscan.pace.bounds import REQUEST_SECONDS, WORKER_GB
from skipscan.scan.limit.item_size import HIDDEN, ItemSize
from skipscan.scan.limit.key_rate import EXACT_PLACES, BucketedKeyRate, KeyRate
from skipscan.scan.plan import Optimize, Plan

PAGE_BYTES = 1 << 20  # what one Scan reads at most
MOST_GROWTH = 4
"""A page is at most this many times as long as the longest page so far."""

TIE = 1.02
"""Limits count as equal if their prices differ by at most this factor. The largest of them saves requests."""

WORTH = 1.05
"""A page becomes longer than all pages so far only if that lowers the expected price by more than this factor. For a
smaller gain the risk is too high: a longer page can read far into a giant collection that no page has met yet."""

REPLAN = 1.1
"""The policy plans again when its costs have grown by this factor, since it began or last forgot what it had learnt. So
planning takes a few microseconds per page."""

EXPLORING, EXPLORING_UNITS = 0.01, 6.0
"""The share of all costs that may be spent on trying Limits that look about as good as the best, and the read units
that may be spent at the start. Trying longer pages has a budget of its own, of the same size. In one common budget
cheap tries use up what a longer page needs."""

LONGER = 4
"""One page in this number tries a longer Limit."""

TRUSTED_PAGES = 2.0
"""After this many pages of a Limit, half of its expected additional keys count against the risk of another try."""

NEAR = 1.12
"""A Limit is tried again if it looks at most this much more expensive than the best and is at least half as large, the
least tried Limit first. Smaller ones need so many more pages that a small table never recovers their cost."""

FEW_KEYS = 2.5
"""If pages of the best Limit bring fewer keys than this, most collections end behind the page, and longer pages are
tried to find out where."""

FAR_STEPS = 8.0
"""The most steps of 4 KB that such a page may risk. It shows several collections if these are one or two steps long."""

SAID_ITEMS = 1000.0
"""Where large items hide, pages grow only until one of average items would cost the whole budget for trying Limits.
This is the weight of DescribeTable's average item then, in items seen. The average can be hours old."""

RECENT_PAGES = 32
"""The number of recent pages whose cost is compared with the expected cost."""

SURPRISE = 2.0
"""If recent pages cost this many times the expected cost of their keys, the policy learns everything again. A longer
page that was tried and cost so many times as much as expected counts in full against the budget for such tries."""

OUTLIER = 4.0
"""In that comparison a page counts for at most this many times its expected cost. So one large item among thousands
does not make the policy start again."""


def _candidates() -> Iterator[int]:
    yield from range(1, EXACT_PLACES + 1)
    limit = 32.0
    while limit < 1 << 16:
        limit *= 1.1
        if limit > EXACT_PLACES:
            yield round(limit)


CANDIDATES = tuple(_candidates())


class Option(NamedTuple):
    """A Limit with the expected cost and the expected number of new keys of its page."""

    limit: int
    cost: float
    keys: float

    @property
    def price(self) -> float:
        return self.cost / self.keys


REQUEST_UNITS = {
    Optimize.COST: 0.02,
    Optimize.BALANCED: round(
        US_EAST_1.lambda_gb_seconds.of(WORKER_GB * REQUEST_SECONDS) / US_EAST_1.read_units.of(1), 2
    ),
    Optimize.SPEED: 2.0,
}
"""The price of a request beside its read units, in read units. Balanced: the price of the Lambda's time, 1e-8 dollars,
which is the price of 0.08 read units on demand. Cost: just enough to decide between Limits that read about the same."""


@dataclass
class LimitPolicy:
    """Choose the Limits of one worker's pages, and learn from each page.

    `step_units`: read units per 4 KB, 0.5 or with strongly consistent reads 1. `request_units`: the price of a
    request in read units. All costs are in read units. `risked`, `longer_risked`: spent on trying other Limits and
    on trying longer pages. `forgotten_cost`: before the policy last forgot what it had learnt.
    """

    step_units: float = 0.5
    request_units: float = REQUEST_UNITS[Optimize.BALANCED]
    size: ItemSize = field(default_factory=ItemSize)
    rate: BucketedKeyRate = field(default_factory=KeyRate)
    pages: int = 0
    cost: float = 0.0
    risked: float = 0.0
    longer_risked: float = 0.0
    replan_at: float = 0.0
    forgotten_cost: float = 0.0
    tries: int = 0
    recent_cost: float = 0.0
    recent_due: float = 0.0
    _options: dict[int, Option] = field(default_factory=dict, compare=False)
    _best: int = field(default=1, compare=False)
    _near: Sequence[Option] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        self._plan()

    @classmethod
    def of(cls, plan: Plan) -> Self:
        """Return the policy of a worker that has read no page yet."""
        request = REQUEST_UNITS[plan.optimize]
        lookups = plan.page_lookups * (plan.step_units + request)  # longer pages need fewer Queries
        return cls(plan.step_units, request + lookups, ItemSize.expecting(plan.item_bytes))

    def limit(self) -> int:
        """Return the Limit of the next page."""
        self.tries += 1
        if self.tries % LONGER == 0:
            return self._longer() if self.longer_risked <= self._may_risk else self._best
        return self._least_tried() if self.risked <= self._may_risk else self._best

    def affordable(self, read_units: float) -> int:
        """Return the largest Limit whose page is expected to consume at most so many read units; at least 1."""
        return max(1, int(read_units / self.step_units * STEP_BYTES / self.size.average_bytes))

    def expected_read_units(self, limit: int) -> float:
        return self.size.steps(limit) * self.step_units

    def observe(self, evaluated: int, places: Sequence[int], read_units: float) -> None:
        """Learn from a page: its number of evaluated items, the places of its new keys, and its read units."""
        steps = max(1, round(read_units / self.step_units))
        cost = steps * self.step_units + self.request_units
        self.pages += 1
        self.cost += cost
        if evaluated:
            self._charge(evaluated, cost)
            self.size.observe(evaluated, steps)
            self.rate.observe(evaluated, places)
        # A segment's end says nothing of the table, and many segments may end at the same time.
        if evaluated and self._is_surprised(cost, self._options[self._best].price * len(places)):
            self.size.forget()
            self.rate.forget()
            self.replan_at = self.forgotten_cost = self.cost
        if self.cost >= self.replan_at:
            self.size.fit()
            self._plan()
            self.replan_at = self.forgotten_cost + (self.cost - self.forgotten_cost) * REPLAN

    def weigh(self, evaluated: int, read_units: float) -> None:
        """Learn the size of items alone, from a page whose Limit is not chosen for its new keys."""
        steps = max(1, round(read_units / self.step_units))
        self.pages += 1
        self.cost += steps * self.step_units + self.request_units
        if evaluated:
            self.size.observe(evaluated, steps)
        if self.cost >= self.replan_at:
            self.size.fit()
            self.replan_at = self.forgotten_cost + (self.cost - self.forgotten_cost) * REPLAN

    @property
    def _may_risk(self) -> float:
        """The budget for trying Limits near the best, and again for trying longer pages, in read units."""
        return EXPLORING * self.cost + EXPLORING_UNITS

    def _plan(self) -> None:
        """Estimate all Limits that are not too far beyond the pages so far, and choose the best."""
        step_items = STEP_BYTES / self.size.average_bytes
        most = max(2.0, MOST_GROWTH * max(self.rate.farthest, 1), 0.0 if self.pages else 1.3 * step_items)
        if self.pages and (hidden := self._hidden_bytes()) > HIDDEN * self.size.average_bytes:
            most = min(most, max(2.0, self.rate.farthest, self._may_risk / self.step_units * STEP_BYTES / hidden))
        most = min(most, 1.1 * PAGE_BYTES / self.size.average_bytes + 1)
        limits = [limit for limit in CANDIDATES if limit <= most]
        self._options = {
            limit: Option(limit, self.size.steps(limit) * self.step_units + self.request_units, keys)
            for limit, keys in zip(limits, self.rate.expected(limits), strict=True)
        }
        self._best = self._cheapest()
        self._near = self._nearly_as_good()

    def _cheapest(self) -> int:
        """Return the largest of the cheapest Limits, beyond the longest page so far only if that lowers the price."""
        options = list(self._options.values())
        lowest = min(option.price for option in options)
        seen = [option for option in options if option.limit <= self.rate.farthest]
        if not seen:
            return max(option.limit for option in options if option.price <= lowest * TIE)
        lowest_seen = min(option.price for option in seen)
        if lowest_seen > lowest * WORTH:
            return min(option.limit for option in options[len(seen) :] if option.price <= lowest * WORTH)
        return max(option.limit for option in seen if option.price <= lowest_seen * TIE)

    def _nearly_as_good(self) -> Sequence[Option]:
        """Return the Limits that look nearly as good as the best: see `NEAR`."""
        best = self._options[self._best]
        return [
            option
            for option in self._options.values()
            if option.price <= best.price * NEAR and best.limit <= 2 * option.limit and option.limit != best.limit
        ]

    def _hidden_bytes(self) -> float:
        """Return the average item beyond the pages so far: DescribeTable's average, until enough items were seen."""
        items = sum(self.rate.items)
        return (SAID_ITEMS * self.size.said_bytes + items * self.size.average_bytes) / (SAID_ITEMS + items)

    def _longer(self) -> int:
        """Try a page at least twice as long as the best. If such pages bring few keys, try a far longer page."""
        best = self._options[self._best]
        if best.keys < FEW_KEYS and (far := self._far(best)):
            limit, risk = far
            if self.longer_risked + risk > self._may_risk:
                return best.limit
            self.longer_risked += risk
            return limit
        longer = [option for option in self._options.values() if option.limit >= 2 * best.limit]
        option = min(longer, default=max(self._options.values()))
        tried = self.size.tried(option.limit)
        certain = 1 - TRUSTED_PAGES / (TRUSTED_PAGES + tried)
        gained = certain * max(0.0, option.keys - best.keys)
        self.longer_risked += max(0.0, option.cost - best.cost - best.price * gained)
        return option.limit

    def _far(self, best: Option) -> tuple[int, float] | None:
        """Return the largest Limit whose risk is acceptable, at most twice the longest page so far, and its risk."""
        for limit in reversed(self._options):
            if 2 * best.limit <= limit <= 2 * self.rate.farthest:
                steps = max(self.size.steps(limit), limit * self.size.said_bytes / STEP_BYTES)
                risk = steps * self.step_units + self.request_units - best.price
                if risk <= FAR_STEPS * self.step_units:
                    return limit, max(0.0, risk)
        return None

    def _least_tried(self) -> int:
        """Try a Limit that looks nearly as good as the best. Otherwise a few unlucky pages would decide for good."""
        best = self._options[self._best]
        if not self._near:
            self.risked += 0.4 * self.step_units
            return best.limit
        option = min(self._near, key=lambda o: (self.size.tried(o.limit), abs(o.limit - best.limit)))
        self.risked += max(0.0, option.cost - best.price * option.keys) + 0.4 * self.step_units
        return option.limit

    def _charge(self, evaluated: int, cost: float) -> None:
        """Count what a tried longer page cost more than expected, if that is a surprise.

        Otherwise a table whose second items are large pays for one large item after the other.
        """
        expected = self.expected_read_units(evaluated) + self.request_units
        if evaluated >= 2 * self._best and cost > SURPRISE * expected:
            self.longer_risked += cost - expected

    def _is_surprised(self, cost: float, due: float) -> bool:
        """Count a page's cost and the expected cost of its keys; return whether the table seems to have changed."""
        if self.pages <= RECENT_PAGES:
            return False
        cost = min(cost, OUTLIER * max(due, self._options[self._best].price))
        self.recent_cost += (cost - self.recent_cost) / RECENT_PAGES
        self.recent_due += (due - self.recent_due) / RECENT_PAGES
        if self.pages <= 2 * RECENT_PAGES or self.recent_cost < SURPRISE * self.recent_due:
            return False
        self.pages, self.recent_cost, self.recent_due = 1, 0.0, 0.0
        return True

    def to_json(self) -> dict[str, Any]:
        """Return what the policy has learnt: two to four kilobytes for tables of any size."""
        return {
            "step_units": self.step_units,
            "request_units": self.request_units,
            "size": self.size.to_json(),
            "rate": self.rate.to_json(),
            "pages": self.pages,
            "cost": self.cost,
            "risked": self.risked,
            "longer_risked": self.longer_risked,
            "replan_at": self.replan_at,
            "forgotten_cost": self.forgotten_cost,
            "tries": self.tries,
            "recent_cost": self.recent_cost,
            "recent_due": self.recent_due,
        }

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Self:
        return cls(
            **{
                **document,
                "size": ItemSize.from_json(document["size"]),
                "rate": KeyRate.from_json(document["rate"]),
            }
        )
