"""The mean consumption of one thing, from the measurements so far."""


class Mean:
    """The mean of all measurements; the `expected` value counts as four of them."""

    def __init__(self, expected: float) -> None:
        self._sum, self._count = 4 * expected, 4.0

    def add(self, units: float, count: int) -> None:
        self._sum += units
        self._count += count

    def of(self, count: int) -> float:
        return self._sum / self._count * count
