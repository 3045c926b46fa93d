"""One answer of Scan: the most it may cost, whether pages make progress, and the parameters of requests for pages."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from skipscan.dynamodb.source import Item
from skipscan.errors import TableError


class Page(NamedTuple):
    """The items that a Scan request evaluated, in their order, and the units that it consumed.

    `items` hold the attributes of `Plan.projected`. `last_evaluated_key` is `None` at the segment's end.
    `read_units`: as DynamoDB reports them (ConsumedCapacity), never an estimate. `counted`: the items of an answer
    that only counts them. `trial_units`: those of the `read_units` that the client took to read the page once more.
    """

    items: Sequence[Item]
    last_evaluated_key: Item | None
    read_units: float
    counted: int = 0
    trial_units: float = 0.0

    @property
    def own_units(self) -> float:
        """What the page alone consumed, which says something of its items."""
        return self.read_units - self.trial_units

    @property
    def evaluated(self) -> int:
        return self.counted or len(self.items)


STEP_BYTES = 4096
"""The bytes that half a read unit reads, or a whole one strongly consistent (developer guide, "Read consistency")."""

STEP_UNITS = 0.5
"""The read units of `STEP_BYTES` of an eventually consistent page."""


ITEM_STEPS = 100
"""The steps of 4 KB of the largest item: 400 KB (developer guide, "Quotas")."""


PAGE_STEPS = 256
"""The steps of 4 KB after which a page ends: 1 MB. The documentation does not say whether the item that exceeds it
counts; it may."""

PAGE_BYTES = PAGE_STEPS * STEP_BYTES


def most_page_units(step_units: float, limit: int | None = None) -> float:
    """Return the maximum read units of a page with `limit` items; `None`: of a page without a Limit.

    `step_units`: of 4 KB. One step is added, because a page that crosses a partition is rounded up in both
    (Alternator's test_returnconsumedcapacity.py, observed on the service).
    """
    steps = PAGE_STEPS + ITEM_STEPS if limit is None else min(PAGE_STEPS + ITEM_STEPS, limit * ITEM_STEPS)
    return (steps + 1) * step_units


MOST_REPEATS = 10


class Progression:
    """Detects a circle in the LastEvaluatedKeys of one walk, by comparing each with one that it keeps.

    The kept key is replaced after 1, 2, 4, 8 ... pages, so that a circle of any length is found (R. P. Brent, "An
    improved Monte Carlo factorization algorithm", 1980). A page may end where it started and the next one continue, so
    the key must recur several times.
    """

    def __init__(self) -> None:
        self._kept: Item | None = None
        self._pages, self._most_pages, self._repeats = 0, 1, 0

    def check(self, last_evaluated_key: Item | None) -> None:
        """Record a page's key; raise `TableError` if the walk goes in a circle."""
        if last_evaluated_key is None:
            return
        self._repeats += last_evaluated_key == self._kept
        if self._repeats > MOST_REPEATS:
            raise TableError(
                "the table's endpoint",
                rule="returned the same LastEvaluatedKey twice, so the pages would never end",
                remedy="report it to the operator of the endpoint. No keys are lost",
            )
        self._pages += 1
        if self._pages == self._most_pages:
            self._kept, self._pages, self._most_pages, self._repeats = last_evaluated_key, 0, 2 * self._most_pages, 0


def projection(attributes: Iterable[str], letter: str = "k") -> dict[str, Any]:
    """Return the parameters of a request that returns these attributes only. `letter`: of the placeholders.

    Placeholders, because an attribute may have a reserved word, a dot or a dash in its name.
    """
    names = {f"#{letter}{number}": name for number, name in enumerate(attributes)}
    return {"ProjectionExpression": ",".join(names), "ExpressionAttributeNames": names}


def after(start_key: Item | None) -> dict[str, Any]:
    """Return the parameter of a page that begins after a key; none for the first page."""
    return {} if start_key is None else {"ExclusiveStartKey": start_key}
