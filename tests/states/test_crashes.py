"""A function that dies at any of its calls to AWS: the retry of the state comes to what it would have come to.

The states of all four kinds. What happens within the turns of a worker is the matter of `tests.faults` and
`tests.histories`; `make test-all` lets workers die here as well.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from tests.states.execution import ENDS, STATES, TABLE, TARGET, Perform, World, carried_out, execution, one_by_one
from tests.suite.examples import ALL

pytestmark = pytest.mark.slow
TURNS = {states[1] for states in STATES.values()}
HOW = ("before", "after")
"""Whether the last call of a function that dies takes effect."""


@pytest.fixture(autouse=True)
def _one_by_one() -> Iterator[None]:
    with one_by_one():
        yield


class KilledError(BaseException):
    """The function is dead."""


class Killer:
    """Lets a function die at one of its calls. `calls`: how many it has made. `is_dead`: nothing is done any more."""

    def __init__(self, at: int | None = None, how: str = "before") -> None:
        self._at, self._how = at, how
        self.calls = 0
        self.is_dead = False

    def __call__(self, operation: str, perform: Perform) -> Any:
        if self.is_dead:
            raise KilledError
        self.calls += 1
        if self.calls - 1 != self._at:
            return perform()
        self.is_dead = True
        if self._how == "after":
            perform()
        raise KilledError


def prepared(kind: str) -> World:
    """Return a world in which the earlier run is finished that an act or a comparison needs."""
    world = World()
    if kind in {"listing", "act"}:
        world.run("listing", "run-1")
    if kind == "listing":  # so that there is a difference
        world.dynamodb.table(TABLE).put({"pk": {"S": "new"}, "sk": {"S": "1"}})
    return world


class Undisturbed:
    """An execution during which nothing happens: before each state, what was stored; its event, calls and answer."""

    def __init__(self, kind: str) -> None:
        self.world = prepared(kind)
        self.stored: list[dict[str, Any]] = []
        self.events: list[tuple[str, Any]] = []
        self.answers: list[Any] = []
        self.calls: list[int] = []
        self.output = carried_out(execution(kind, "work-1"), self._invoke)
        self.stored.append(dict(self.world.s3.objects))

    def _invoke(self, state: str, event: Mapping[str, Any]) -> Any:
        self.stored.append(dict(self.world.s3.objects))
        self.events.append((state, event))
        self.world.trouble = killer = Killer()
        self.answers.append(self.world.invoke(state, event))
        self.calls.append(killer.calls)
        return self.answers[-1]


@pytest.mark.parametrize("kind", STATES)
def test_a_state_that_dies_anywhere_is_completed_by_its_retry(kind: str) -> None:
    whole = Undisturbed(kind)
    assert {state for state, _ in whole.events} == {*STATES[kind]}
    for number, (state, event) in enumerate(whole.events):
        if state in TURNS:
            continue
        assert whole.calls[number], f"{state} calls nobody"
        for at, how in moments(whole.calls[number]):
            where = f"{state}, {how} call {at + 1}"
            world = whole.world if number else prepared(kind)  # its items are what Plan samples
            world.s3.objects = dict(whole.stored[number])
            world.trouble = Killer(at, how)
            with pytest.raises(KilledError):
                world.invoke(state, event)
            world.trouble = Killer()
            assert world.invoke(state, event) == whole.answers[number], where
            assert contents(world) == contents(world, whole.stored[number + 1]), where


@pytest.mark.parametrize("kind", STATES)
def test_a_state_whose_answer_is_lost_answers_the_same_again(kind: str) -> None:
    whole, world = Undisturbed(kind), prepared(kind)

    def twice(state: str, event: Mapping[str, Any]) -> Any:
        first = world.invoke(state, event)
        is_first_turn = state in TURNS and "progress" not in event  # it would do the next batch
        assert is_first_turn or world.invoke(state, event) == first
        return first

    assert carried_out(execution(kind, "work-1"), twice) == whole.output
    assert {*contents(world)} == {*contents(whole.world)}
    assert lines(world) == lines(whole.world)
    assert [world.items(table) for table in (TABLE, TARGET)] == [whole.world.items(table) for table in (TABLE, TARGET)]


@pytest.mark.long
@pytest.mark.parametrize("kind", STATES)
@pytest.mark.parametrize("how", HOW)
def test_a_worker_that_dies_anywhere_is_completed_by_its_retry(kind: str, how: str) -> None:
    whole = Undisturbed(kind)
    for number, (state, _) in enumerate(whole.events):
        for at in range(HOW.index(how), whole.calls[number] if state in TURNS else 0, 2):
            world = prepared(kind)
            output = carried_out(execution(kind, "work-1"), Dying(world, number, Killer(at, how)))
            assert output[ENDS[kind]] == whole.output[ENDS[kind]]
            assert lines(world) == lines(whole.world)
            for table in (TABLE, TARGET):
                assert world.items(table) == whole.world.items(table)


class Dying:
    """Invokes states, one of them twice: its first attempt dies. `number`: of the states before it."""

    def __init__(self, world: World, number: int, killer: Killer) -> None:
        self._world, self._left, self._killer = world, number, killer

    def __call__(self, state: str, event: Mapping[str, Any]) -> Any:
        if not self._left:
            self._world.trouble = self._killer
            with pytest.raises(KilledError):
                self._world.invoke(state, event)
            self._world.trouble = Killer()
        self._left -= 1
        return self._world.invoke(state, event)


def moments(calls: int) -> list[tuple[int, str]]:
    """Return when a function dies: at each of its calls, before or after it; both in `make test-all`."""
    return [(at, how) for at in range(calls) for how in HOW if ALL or HOW[at % 2] == how]


def contents(world: World, stored: Mapping[str, Any] | None = None) -> dict[str, bytes]:
    """Return all stored objects except checkpoints, whose names contain the attempts' names."""
    stored = world.s3.objects if stored is None else stored
    return {name: found.body for name, found in sorted(stored.items()) if "/checkpoints/" not in name}


def lines(world: World) -> list[Any]:
    """Return the lines of all parts."""
    stored = world.s3.objects.items()
    return sorted(
        json.dumps(json.loads(line)) for name, found in stored if "/keys/" in name for line in found.body.splitlines()
    )
