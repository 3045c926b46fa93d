"""A batch that an earlier attempt committed is adopted: no kind reads or writes a table for it again."""

from typing import Any

import pytest

from tests.simulation.world.execution import STATES, State
from tests.simulation.world.fault import Call
from tests.simulation.world.functions import functions
from tests.simulation.world.orders import OrdersWorld

pytestmark = pytest.mark.slow
PASSED = {"DescribeTable", "HeadObject", "GetObject"}
"""A repeated turn compares the tables' identity and finds the commit."""


@pytest.mark.parametrize("kind", ["act", "retrofit", "copy"])
def test_a_turn_whose_batch_is_committed_reads_and_writes_no_item(kind: str) -> None:
    world, committed = OrdersWorld(), []

    def noted(state: str, event: State) -> set[str]:
        calls = set()

        def note(call: Call) -> Any:
            calls.add(call.operation)
            return call.perform()

        world.trouble = note
        committed.append(world.answer(state, event))
        return calls

    def twice(state: str, event: State) -> None:
        if state == STATES[kind][1] and event.get("progress", {}).get("batch") == 1:
            assert not noted(state, event) <= PASSED
            assert noted(state, event) <= PASSED

    with functions().simulated():
        if kind == "act":
            world.carry_out("listing", "run-1")
        world.carry_out(kind, "work-1", twice)
    first, again = committed
    assert first == again
    assert first["batch"] == 2
