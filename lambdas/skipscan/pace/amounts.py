"""The amounts of budgets, and of what counts against them."""

from dataclasses import dataclass
from math import inf

from skipscan.pace.counts import Summable


@dataclass(frozen=True)
class Amounts(Summable):
    """Read units, write units, and dollars of the whole bill."""

    read_units: float = 0.0
    write_units: float = 0.0
    dollars: float = 0.0

    def __sub__(self, other: "Amounts") -> "Amounts":
        return self + other.times(-1.0)

    def least(self, other: "Amounts") -> "Amounts":
        """Return the smaller of both, in each amount."""
        return Amounts(*map(min, self._all, other._all))

    def most(self, other: "Amounts") -> "Amounts":
        """Return the larger of both, in each amount."""
        return Amounts(*map(max, self._all, other._all))

    def without(self, other: "Amounts") -> "Amounts":
        """Return what is left of each amount, at least 0."""
        return (self - other).most(NOTHING)

    def fits(self, room: "Amounts") -> bool:
        """Return whether no amount exceeds the given room."""
        return all(amount <= left for amount, left in zip(self._all, room._all, strict=True))

    @property
    def units(self) -> float:
        """Read and write units together."""
        return self.read_units + self.write_units

    @property
    def is_bounded(self) -> bool:
        """Whether any amount is finite. For a budget: whether there is one."""
        return any(amount < inf for amount in self._all)

    @property
    def _all(self) -> tuple[float, float, float]:
        return self.read_units, self.write_units, self.dollars


NOTHING = Amounts()
UNLIMITED = Amounts(inf, inf, inf)


def bounded(read_units: float | None, write_units: float | None, dollars: float | None) -> Amounts:
    """Return budgets in the form of the input, `None` for a missing one."""
    return Amounts(*(inf if amount is None else amount for amount in (read_units, write_units, dollars)))
