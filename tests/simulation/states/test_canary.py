"""A canary in every key and value: no fault of any call of any state shows one, nor does content that is not whole."""

from __future__ import annotations

import io
import json
import logging
import traceback
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count
from typing import Any

import pytest

from tests.fakes.handlers.loading import HANDLERS
from tests.fakes.handlers.machines import machines
from tests.house.suite.examples import ALL
from tests.simulation.inputs.test_followers_keep_key_values_private import CALLS_OF_KEEPERS
from tests.simulation.inputs.test_key_values_stay_private import CANARY, FAULTS
from tests.simulation.world.execution import STATES, TURNS, State
from tests.simulation.world.fault import Call
from tests.simulation.world.functions import FOLLOWERS, FUNCTION, RECEIVER, functions
from tests.simulation.world.orders import INPUTS, MARKER, OrdersWorld

pytestmark = pytest.mark.slow
HOLDS_KEYS = ("/keys/", "/checkpoints/", "/failed/", "/diff/", "/acts/work-0/plan.json", "/acts/work-1/plan.json")
"""What may hold key values, by a part of its name. The plan of an act has the first items of its preview."""


class Listener:
    """All that functions say, and all that they store."""

    def __init__(
        self, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
    ) -> None:
        self._capfd, self._caplog, self._logs = capfd, caplog, io.StringIO()
        caplog.set_level(logging.INFO)
        for module in functions().working:
            module.function.logger.setLevel(logging.INFO)
            for handler in module.function.logger.handlers:
                monkeypatch.setattr(handler, "stream", self._logs)
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
        assert "plan" in self._logs.getvalue()
        assert CANARY not in self._logs.getvalue() + self._caplog.text

    def check(self, world: OrdersWorld) -> None:
        """Fail if anything shows a key, but for what may hold keys."""
        out, err = self._capfd.readouterr()
        for text in (out, err, self._logs.getvalue(), self._caplog.text, *self._said):
            assert CANARY not in text
        for name, stored in world.s3.objects.items():
            assert CANARY not in f"{name} {stored.metadata}"
            assert any(part in name for part in HOLDS_KEYS) or CANARY.encode() not in stored.body, name


@pytest.fixture
def listener(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> Iterator[Listener]:
    with functions().simulated():
        yield Listener(monkeypatch, capfd, caplog)
    for module in functions().working:
        module.function.logger.setLevel(logging.CRITICAL)


class Visit:
    """An execution whose every state meets trouble before it is invoked without any."""

    def __init__(self, kind: str, trouble: Callable[[OrdersWorld, str, State], None], **more: Any) -> None:
        self._trouble = trouble
        self._world = OrdersWorld(CANARY)
        self._visited: set[str] = set()
        if kind in {"listing", "act"}:
            self._world.carry_out("listing", "run-1")
        if "undo" in more:
            self._world.carry_out(kind, more["undo"])
        self._world.carry_out(kind, "work-1", self._before, **more)
        assert self._visited == {*STATES[kind]}

    def _before(self, state: str, event: State) -> None:
        stored, now = dict(self._world.s3.objects), self._world.clock.seconds
        self._visited.add(state)
        self._trouble(self._world, state, event)
        self._world.s3.objects, self._world.clock.seconds = stored, now  # its own attempt has begun: no time may pass


ACTIONS: list[tuple[str, dict[str, Any]]] = [
    ("PutItem", {"put_item": {"item": MARKER, "overwrite": True}}),
    ("Query", {"put_item": {"item": MARKER}, "skip_ended": True}),
    ("DeleteItem", {"delete_item": {"key": {"sk": "x"}}}),
    ("DeleteItem", {"delete_item": {"key": {"sk": "x"}, "if": {"a": "b"}}}),
    ("GetItem", {"undo": "work-0"}),
    ("DeleteItem", {"undo": "work-0"}),
    ("Invoke", {"invoke": {"function": FUNCTION, "keys_per_call": 1}}),
    ("GetQueueUrl", {"send": {"queue": RECEIVER, "keys_per_message": 1}}),
    ("SendMessageBatch", {"send": {"queue": RECEIVER, "keys_per_message": 1}}),
]
"""What an act may do, and a call that it then makes."""


@pytest.mark.parametrize(
    ("kind", "made", "action"),
    [*((kind, "DescribeTable", {}) for kind in STATES), *(("act", made, action) for made, action in ACTIONS)],
)
def test_no_fault_of_any_call_of_a_state_shows_a_key(
    listener: Listener, kind: str, made: str, action: dict[str, Any]
) -> None:
    """Each call meets one fault after another; in `make test-all` each meets every fault."""
    calls, failed = count(), set[str | None]()
    names = [*FAULTS]

    def trouble(world: OrdersWorld, state: str, event: State) -> None:
        if action and state not in TURNS:
            return
        for at in count():
            turn = next(calls)
            chosen = names if ALL else [names[turn % len(names)]]
            for name in chosen:
                world.trouble = failing = Failing(at, FAULTS[name])
                listener.hear(lambda: world.answer(state, event))
                world.trouble = lambda call: call.perform()
                listener.check(world)
            failed.add(failing.operation)
            if failing.operation is None:
                break

    Visit(kind, trouble, **{"put_item": None, **action} if action else {})
    assert made in failed


TYPED: dict[str, dict[str, Any]] = {
    "listing": {"between": [CANARY, f"{CANARY}-z"], "take": {"items": "all"}},
    "act": {"put_item": {"item": {"sk": CANARY, "b": f"{CANARY}-{{pk}}"}}},
    "retrofit": {"set": {"made": f"{{a}}_{CANARY}"}},
    "copy": {"set": {"made": f"{{a}}_{CANARY}"}},
}


@pytest.mark.parametrize("kind", STATES)
def test_no_state_logs_a_value_that_a_person_typed(listener: Listener, kind: str) -> None:
    world = OrdersWorld()
    world.carry_out("listing", "run-1")
    for name, more in (
        ("work-1", TYPED[kind]),
        ("work-2", {field: [CANARY] for field in TYPED[kind].keys() - {"take"}}),
    ):
        planned = world.start(kind, name, {**INPUTS[kind], **more}, is_whole=True)
        while planned.tasks:
            ((attempt,),) = (task.attempts for task in planned.tasks)
            world.go_on(attempt)
        assert planned.outcome
    listener.check_log()


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


@pytest.mark.parametrize("kind", STATES)
def test_no_state_shows_a_key_of_content_that_is_not_whole(listener: Listener, kind: str) -> None:
    tried = count()

    def trouble(world: OrdersWorld, state: str, event: State) -> None:
        whole = dict(world.s3.objects)
        for name, stored in whole.items():
            if not any(part in name for part in HOLDS_KEYS):
                continue
            for bent in spoilt(stored.body):
                next(tried)
                world.s3.objects = {**whole, name: replace(stored, body=bent)}
                listener.hear(lambda: world.answer(state, event))
                listener.check(world)

    Visit(kind, trouble)
    assert next(tried) > 10


def spoilt(body: bytes) -> Iterator[bytes]:
    """Return contents that a part or a checkpoint could not have been put with."""
    yield body[: len(body) // 2]
    yield body.replace(b'"', b"", 3)
    yield f'["{CANARY}"]\n"{CANARY}"'.encode()
    yield f'{{"{CANARY}": {{"{CANARY}": "{CANARY}"}}}}\n'.encode()
    yield CANARY.encode() + b"\xff"


def test_every_function_is_visited() -> None:
    assert {state for states in STATES.values() for state in states} | {*FOLLOWERS} == machines(HANDLERS).keys()
    # tests/simulation/inputs lets their calls fail.
    assert {name for name, _ in CALLS_OF_KEEPERS} | {"replicator"} == {*FOLLOWERS}
