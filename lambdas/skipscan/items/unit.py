"""One unit of work: the generator of its steps, the next step, and how it ended."""

from collections.abc import Callable
from typing import Any

from skipscan.dynamodb.step import ItemSteps, Wait


class Unit:
    """A unit being worked on. `step`: the next one, not before the time `not_before`; `None` once it has ended."""

    __slots__ = ("_clock", "_work", "not_before", "result", "step")

    def __init__(self, work: ItemSteps, clock: Callable[[], float]) -> None:
        self._work, self._clock = work, clock
        self.not_before = 0.0
        self.result: Any = None
        self.step: Any = None
        self.go_on(None)

    def go_on(self, answer: object) -> bool:
        """Take in the answer to the step; return whether the next one has to wait."""
        is_waiting = False
        try:
            while isinstance(step := self._work.send(answer), Wait):
                self.not_before, answer, is_waiting = self._clock() + step.seconds, None, True
        except StopIteration as end:
            self.step, self.result = None, end.value
        else:
            self.step = step
        return is_waiting
