"""A batch that an earlier attempt committed is adopted: no kind reads or writes a table for it again."""

from typing import Any

import pytest

from tests.states.execution import STATES, Perform, World, execution, one_by_one

pytestmark = pytest.mark.slow
PASSED = {"describe_table", "head_object", "get_object"}
"""A repeated turn compares the tables' identity and finds the commit."""


@pytest.mark.parametrize("kind", ["act", "retrofit", "copy"])
def test_a_turn_whose_batch_is_committed_reads_and_writes_no_item(kind: str) -> None:
    calls: list[str] = []

    def noting(operation: str, perform: Perform) -> Any:
        calls.append(operation)
        return perform()

    with one_by_one():
        world = World()
        if kind == "act":
            world.run("listing", "run-1")
        steps = execution(kind, "work-1")
        plan, event = next(steps)
        state, event = steps.send(world.invoke(plan, event))
        _, event = steps.send(world.invoke(state, event))
        world.trouble = noting
        committed = world.invoke(state, event)
        assert not {*calls} <= PASSED
        calls.clear()
        assert world.invoke(state, event) == committed
        assert {*calls} <= PASSED
    assert state == STATES[kind][1]
    assert committed["batch"] == 2
