"""What a worker passes from batch to batch: its debts, its costs, and what lost attempts may have consumed."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

from skipscan.dynamodb.prices import Prices
from skipscan.pace.bill import Amounts, Services, amounts
from skipscan.pace.counts import Counts


@dataclass(frozen=True)
class Spending:
    """Debts and costs of a worker.

    `reads_paid_off`, `writes_paid_off`: when a rate allows the next request, in seconds since 1970, because no other
    clock outlives a Lambda function. `services`: of all committed batches, beside units. `unseen`: the maximum units of
    requests whose answers were lost. `allotted`: what all committed batches had declared. `lost`: what attempts that
    did not commit had declared.
    """

    reads_paid_off: float = 0.0
    writes_paid_off: float = 0.0
    services: Services = field(default_factory=Services)
    unseen: Amounts = field(default_factory=Amounts)
    allotted: Amounts = field(default_factory=Amounts)
    lost: Amounts = field(default_factory=Amounts)

    @property
    def paid_off(self) -> float:
        """Return when all debts are paid off, in seconds since 1970."""
        return max(self.reads_paid_off, self.writes_paid_off)

    def consumed(self, counts: Counts, prices: Prices) -> Amounts:
        """Return what counts against the worker's shares of budgets, including what no count shows."""
        return amounts(prices, counts.read_units, counts.write_units, self.services) + self.unseen + self.lost

    def after(self, unseen: Amounts, *, reads_paid_off: float = 0.0, writes_paid_off: float = 0.0) -> Self:
        """Return the spending after a batch. `unseen`: consumed without an answer. A debt never becomes smaller."""
        return replace(
            self,
            reads_paid_off=max(self.reads_paid_off, reads_paid_off),
            writes_paid_off=max(self.writes_paid_off, writes_paid_off),
            unseen=self.unseen + unseen,
        )

    def to_json(self) -> dict[str, Any]:
        nested = {name: getattr(self, name).to_json() for name in ("services", "unseen", "allotted", "lost")}
        return {**vars(self), **nested}

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Self:
        nested = {name: Amounts(**document[name]) for name in ("unseen", "allotted", "lost")}
        return cls(**{**document, **nested, "services": Services.from_json(document["services"])})
