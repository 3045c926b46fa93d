"""What a batch may still consume: reserved before a page is asked for, settled by what the page took."""

from math import inf


class Budget:
    """The units left to one batch.

    A page is reserved at the most that it can take. Where that no longer fits, pages are read one at a time, so that
    the last one alone can exceed the budget.
    """

    def __init__(self, units: float | None) -> None:
        self._left = inf if units is None else units
        self._reserved = 0.0
        self._pages = 0
        self.unseen = 0.0
        """The most that pages took whose answers were lost."""

    @property
    def left(self) -> float:
        """The units left when no page is under way."""
        return self._left

    def may_begin(self, most: float) -> bool:
        """Tell whether a page that takes so much at most may begin now."""
        return not self._pages or self._reserved + most <= self._left

    def begin(self, most: float) -> None:
        self._pages += 1
        self._reserved += most

    def settle(self, most: float, consumed: float) -> None:
        """Put right what a page was reserved at; `consumed` is 0 for one that DynamoDB refused."""
        self._pages -= 1
        self._reserved -= most
        self._left -= consumed

    def lose(self, most: float) -> None:
        """Take a page whose answer was lost for the most that it can have taken."""
        self.settle(most, most)
        self.unseen += most
