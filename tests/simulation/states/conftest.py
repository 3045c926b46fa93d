"""What hears all that functions say, and looks through it and through what they store for a canary."""

import io
import json
import logging
import traceback
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.simulation.inputs.test_key_values_stay_private import CANARY
from tests.simulation.world.fault import Call
from tests.simulation.world.functions import functions
from tests.simulation.world.orders import OrdersWorld

HOLDS_KEYS = ("/keys/", "/checkpoints/", "/failed/", "/diff/", "/acts/work-0/plan.json", "/acts/work-1/plan.json")
"""What may hold key values, by a part of its name. The plan of an act has the first items of its preview."""


class Listener:
    """All that functions say, and all that they store."""

    def __init__(
        self, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
    ) -> None:
        self._capfd, self._caplog, self.logs = capfd, caplog, io.StringIO()
        caplog.set_level(logging.INFO)
        for module in functions().working:
            module.function.logger.setLevel(logging.INFO)
            for handler in module.function.logger.handlers:
                monkeypatch.setattr(handler, "stream", self.logs)
        self._said: list[str] = []

    def hear(self, invoke: Callable[[], Any]) -> Any:
        """Return what a function returns, `None` where it raises."""
        try:
            answer = invoke()
        except Exception as error:
            self._said += [*traceback.format_exception(error), str(error), repr(error)]
            return None
        shown = {name: value for name, value in answer.items() if name != "cursors"} if type(answer) is dict else answer
        self._said.append(json.dumps(shown))
        return answer

    def check_log(self) -> None:
        """Fail if a log shows a value."""
        assert "plan" in self.logs.getvalue()
        assert CANARY not in self.logs.getvalue() + self._caplog.text

    def check(self, world: OrdersWorld) -> None:
        """Fail if anything that was said since the last check shows a key, but for what may hold keys."""
        out, err = self._capfd.readouterr()
        for text in (out, err, self.logs.getvalue(), self._caplog.text, *self._said):
            assert CANARY not in text
        self._said.clear()
        self._caplog.clear()
        self.logs.seek(0)
        self.logs.truncate()
        for name, stored in world.s3.objects.items():
            assert CANARY not in f"{name} {stored.metadata}"
            assert any(part in name for part in HOLDS_KEYS) or CANARY.encode() not in stored.body, name


@pytest.fixture
def listener(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> Iterator[Listener]:
    monkeypatch.setattr("skipscan.act.lane.IDLE_SECONDS", 1.0)  # minutes of throttling are thousands of looks
    with functions().simulated():
        yield Listener(monkeypatch, capfd, caplog)
    for module in functions().working:
        module.function.logger.setLevel(logging.CRITICAL)


class Failing:
    """Lets an operation fail from one call on. `operation`: which; `None` if that call was never made."""

    def __init__(self, at: int, make: Callable[[], Exception]) -> None:
        self._left, self._make = at, make
        self.operation: str | None = None

    def __call__(self, call: Call) -> Any:
        self._left -= 1
        if self._left == -1:
            self.operation = call.operation
        if call.operation == self.operation:
            raise self._make()
        return call.perform()
