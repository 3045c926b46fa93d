"""A function that dies at any of its calls to AWS: the retry of the state comes to what it would have come to.

The states of all four kinds. What happens within the turns of a worker is the matter of `tests.simulation.faults` and
`tests.simulation.histories`.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from tests.house.suite.examples import ALL
from tests.simulation.world.execution import STATES, TURNS, State
from tests.simulation.world.fault import Fault
from tests.simulation.world.fibre import Killed
from tests.simulation.world.functions import TABLE, functions
from tests.simulation.world.orders import OrdersWorld

pytestmark = pytest.mark.slow
HOW = (Fault.CRASH_BEFORE, Fault.CRASH_AFTER)


@pytest.fixture(autouse=True)
def _simulated_crashes() -> Iterator[None]:
    with functions().simulated():
        yield


def prepared(kind: str) -> OrdersWorld:
    """Return a world in which the earlier run is finished that an act or a comparison needs."""
    world = OrdersWorld()
    if kind in {"listing", "act"}:
        world.carry_out("listing", "run-1")
    if kind == "listing":  # so that there is a difference
        world.dynamodb.table(TABLE).put({"pk": {"S": "new"}, "sk": {"S": "1"}})
    return world


def die(world: OrdersWorld, state: str, event: State, at: int, how: Fault) -> None:
    """Let a function die at one of its calls."""
    attempt = world.invoke(state, event)
    world.go_on(attempt, at, how)
    assert isinstance(attempt.error, Killed)


class Undisturbed:
    """An execution during which nothing happens: before each state, what was stored; its event, calls and answer."""

    def __init__(self, kind: str) -> None:
        self.world = prepared(kind)
        self.stored: list[dict[str, Any]] = []
        self.events: list[tuple[str, State]] = []
        before = len(self.world.attempts)
        self.world.carry_out(kind, "work-1", self._keep)
        self.stored.append(dict(self.world.s3.objects))
        made = self.world.attempts[before:]
        self.answers, self.calls = [attempt.answer for attempt in made], [attempt.calls for attempt in made]

    def _keep(self, state: str, event: State) -> None:
        self.stored.append(dict(self.world.s3.objects))
        self.events.append((state, event))


@pytest.mark.parametrize("kind", STATES)
def test_a_state_that_dies_anywhere_is_completed_by_its_retry(kind: str) -> None:
    whole = Undisturbed(kind)
    assert {state for state, _ in whole.events} == {*STATES[kind]}
    for number, (state, event) in enumerate(whole.events):
        if state in TURNS:
            continue
        assert whole.calls[number], f"{state} calls nobody"
        for at, how in moments(whole.calls[number]):
            where = f"{state}, {how.value} {at + 1}"
            world = whole.world if number else prepared(kind)  # its items are what Plan samples
            world.s3.objects = dict(whole.stored[number])
            die(world, state, event, at, how)
            assert world.answer(state, event) == whole.answers[number], where
            assert contents(world) == contents(world, whole.stored[number + 1]), where


def moments(calls: int) -> list[tuple[int, Fault]]:
    """Return when a function dies: before or after each of its calls, and after the last one; both in `make test-all`.

    After the last one its answer is lost.
    """
    last = calls - 1, Fault.CRASH_AFTER
    return [(at, how) for at in range(calls) for how in HOW if ALL or HOW[at % 2] == how or (at, how) == last]


def contents(world: OrdersWorld, stored: Mapping[str, Any] | None = None) -> dict[str, bytes]:
    """Return all stored objects except checkpoints, whose names contain the attempts' names."""
    stored = world.s3.objects if stored is None else stored
    return {name: found.body for name, found in sorted(stored.items()) if "/checkpoints/" not in name}
