"""How many items the next page may evaluate: the one decision of a skip scan that money hangs on.

The best Limit is the one whose page costs least per new key: its read units and the price of a request over the
keys it brings. `ItemSize` expects the first, `KeyRate` the last, both from the pages that came; the page on the
Limit has the mathematics, the assumptions and where it loses. No randomness here: the same pages
lead to the same Limits.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Self

from skipscan.dynamodb.page import STEP_BYTES
from skipscan.dynamodb.prices import US_EAST_1
from skipscan.pace.bounds import REQUEST_SECONDS, WORKER_GB
from skipscan.scan.limit.item_size import ItemSize
from skipscan.scan.limit.key_rate import KeyRate, StretchRate
from skipscan.scan.plan import Optimize, Plan

PAGE_BYTES = 1 << 20  # what one Scan reads at most
MOST_GROWTH = 4
"""A page is at most so many times longer than any before it."""

TIE = 1.02
"""Limits this close in cost count as equal: the largest is taken, which saves requests."""

REPLAN = 1.1
"""The choice is renewed when the costs have grown by this factor, so that it takes a few microseconds a page."""

EXPLORING, EXPLORING_UNITS = 0.01, 6.0
"""The part of all costs that may be spent on trying other Limits than the one that looks best, and what may be spent
before there are costs to compare with."""

NEAR = 1.12
"""Limits that look at most this much more expensive are worth another try, the least tried one first."""

FEW_KEYS = 2.5
"""If the best pages bring fewer keys, most collections end behind them, and longer pages are tried to see where."""

FAR_STEPS = 8.0
"""The most steps of 4 KB that such a page may take: several collections if these are a step or two long."""

HIDDEN = 2.0
"""If DescribeTable's average item is so many times larger than the items seen, large items lie where no page has been.
Then pages grow only as far as the average item allows with what may be risked."""

SAID_ITEMS = 1000.0
"""The weight of DescribeTable's average item, in items seen: it may be hours old."""

RECENT_PAGES = 32
"""The number of recent pages whose cost is compared with the expectation."""

SURPRISE = 2.0
"""If recent pages cost this many times what was expected of their keys, most of what was learnt is forgotten."""


OUTLIER = 4.0
"""The most that a page counts in that comparison, in times of what was expected: one large item among thousands does
not make another table."""


def _candidates() -> Iterator[int]:
    yield from range(1, 33)
    limit = 32.0
    while limit < 1 << 16:
        limit *= 1.1
        yield round(limit)


CANDIDATES = tuple(_candidates())


class Option(NamedTuple):
    """The expectation for a Limit: the cost of a page, and its number of new keys."""

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
"""What a request costs beside its read units, in read units. Balanced: the price of the Lambda's time, 1e-8 dollars, as
much as 0.08 read units on demand. Cost: so little that it only decides between Limits that read nearly the same."""


@dataclass
class LimitPolicy:
    """Chooses Limits for the pages of one worker, and learns from each.

    `step_units`: read units per 4 KB, 0.5 or with strongly consistent reads 1. `request_units`: the price of a
    request in read units. Costs are in read units.
    """

    step_units: float = 0.5
    request_units: float = REQUEST_UNITS[Optimize.BALANCED]
    size: ItemSize = field(default_factory=ItemSize)
    rate: StretchRate = field(default_factory=KeyRate)
    pages: int = 0
    cost: float = 0.0
    risked: float = 0.0
    replan_at: float = 0.0
    tries: int = 0
    recent_cost: float = 0.0
    recent_due: float = 0.0
    _options: dict[int, Option] = field(default_factory=dict, compare=False)
    _best: int = field(default=1, compare=False)

    def __post_init__(self) -> None:
        self._plan()

    @classmethod
    def of(cls, plan: Plan) -> Self:
        """Return the policy of a worker that has seen no page yet."""
        request = REQUEST_UNITS[plan.optimize]
        lookups = plan.page_lookups * (plan.step_units + request)  # which longer pages need fewer of
        return cls(plan.step_units, request + lookups, ItemSize.expecting(plan.item_bytes))

    def limit(self) -> int:
        """Return the Limit of the next page."""
        if self.risked > self._may_risk:
            return self._best
        self.tries += 1
        return self._longer() if self.tries % 4 == 0 else self._least_tried()

    def affordable(self, read_units: float) -> int:
        """Return the Limit whose page is expected to consume no more; at least 1."""
        return max(1, int(read_units / self.step_units * STEP_BYTES / self.size.mean_bytes))

    def expected_read_units(self, limit: int) -> float:
        return self.size.steps(limit) * self.step_units

    def observe(self, evaluated: int, places: Sequence[int], read_units: float) -> None:
        """Learn from a page: the items it evaluated, where new keys stood, what it consumed."""
        steps = max(1, round(read_units / self.step_units))
        cost = steps * self.step_units + self.request_units
        self.pages += 1
        self.cost += cost
        if evaluated:
            self.size.observe(evaluated, steps)
            self.rate.observe(evaluated, places)
        if self._is_surprised(cost, self._options[self._best].price * len(places)):
            self.size.forget()
            self.rate.forget()
            self.replan_at = 0.0
        if self.cost >= self.replan_at:
            self.size.fit()
            self._plan()
            self.replan_at = self.cost * REPLAN

    @property
    def _may_risk(self) -> float:
        """What may be risked in all, in read units."""
        return EXPLORING * self.cost + EXPLORING_UNITS

    def _plan(self) -> None:
        """Weigh up the Limits that are not too far from what is known."""
        step_items = STEP_BYTES / self.size.mean_bytes
        most = max(2.0, MOST_GROWTH * max(self.rate.farthest, 1), 0.0 if self.pages else 1.3 * step_items)
        if self.pages and (hidden := self._hidden_bytes()) > HIDDEN * self.size.mean_bytes:
            most = min(most, max(2.0, self.rate.farthest, self._may_risk / self.step_units * STEP_BYTES / hidden))
        most = min(most, 1.1 * PAGE_BYTES / self.size.mean_bytes + 1)
        limits = [limit for limit in CANDIDATES if limit <= most] or [1]
        self._options = {
            limit: Option(limit, self.size.steps(limit) * self.step_units + self.request_units, keys)
            for limit, keys in zip(limits, self.rate.expected(limits), strict=True)
        }
        lowest = min(option.price for option in self._options.values())
        self._best = max(limit for limit, option in self._options.items() if option.price <= lowest * TIE)

    def _hidden_bytes(self) -> float:
        """Return the average item where no page has been: what DescribeTable states, until enough items were seen."""
        items = sum(self.rate.items)
        return (SAID_ITEMS * self.size.said_bytes + items * self.size.mean_bytes) / (SAID_ITEMS + items)

    def _longer(self) -> int:
        """Try a longer page, at the risk that it brings no more keys: about twice the longest so far, or the best."""
        best = self._options[self._best]
        if best.keys < FEW_KEYS and (far := self._far(best)):
            return far
        longer = [option for option in self._options.values() if option.limit >= 2 * best.limit]
        option = min(longer, default=max(self._options.values()))
        self.risked += max(0.0, option.cost - best.cost)
        return option.limit

    def _far(self, best: Option) -> int | None:
        """Return about twice the longest page so far, or `None` if that risks too much."""
        limit = min(limit for limit in self._options if limit >= min(2 * self.rate.farthest, max(self._options)))
        steps = max(self.size.steps(limit), limit * self.size.said_bytes / STEP_BYTES)
        risk = steps * self.step_units + self.request_units - best.price
        if risk > min(self._may_risk - self.risked, FAR_STEPS * self.step_units):
            return None
        self.risked += max(0.0, risk)
        return limit

    def _least_tried(self) -> int:
        """Try again what looked nearly as good: a few unlucky pages must not decide for ever."""
        best = self._options[self._best]
        near = [o for o in self._options.values() if o.price <= best.price * NEAR and o.limit != best.limit]
        if not near:
            self.risked += 0.4 * self.step_units
            return best.limit
        option = min(near, key=lambda o: (self.size.tried(o.limit), abs(o.limit - best.limit)))
        self.risked += max(0.0, option.cost - best.price * option.keys) + 0.4 * self.step_units
        return option.limit

    def _is_surprised(self, cost: float, due: float) -> bool:
        """Take in a page's cost and what its keys were expected to cost; tell whether the table seems another now."""
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
        """Return what was learnt: two to four kilobytes, whatever the table's size."""
        return {
            "step_units": self.step_units,
            "request_units": self.request_units,
            "size": self.size.to_json(),
            "rate": self.rate.to_json(),
            "pages": self.pages,
            "cost": self.cost,
            "risked": self.risked,
            "replan_at": self.replan_at,
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
