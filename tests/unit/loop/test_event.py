"""An event that no state machine sends is refused before anything is read, whatever part of it is wrong."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from skipscan import form
from skipscan.errors import InputError
from skipscan.loop.event import Begun, Compared, ReportEvent, gathered_of, turn_of
from skipscan.loop.kind import progress_to_json
from skipscan.loop.work import sealed
from tests.refusal import refused
from tests.unit.loop.test_proof import NAMED, WHOLE

WHAT = WHOLE["retrofit"]
WORK = WHAT.kind.begun(NAMED, WHAT.plan)
EXECUTION = {"name": "run-1", "execution": "arn:run-1", "started": "2026-01-01T00:00:00+00:00"}
STATE = sealed(progress_to_json(WHAT.reached[1], WHAT.plan), WORK)


def work(**plan: Any) -> dict[str, Any]:
    document = WORK.to_json()
    return {**document, "plan": {**document["plan"], **plan}}


GOOD: Mapping[str, tuple[Callable[[Any], Any], dict[str, Any]]] = {
    "Plan": (lambda event: Begun.of(event, "Plan"), {**EXECUTION, "input": {"table": "T"}}),
    WHAT.kind.states.turn: (lambda event: turn_of(WHAT.kind, event), {"work": work(), "worker": 1}),
    WHAT.kind.states.finish: (
        lambda event: gathered_of(WHAT.kind, event),
        {"work": work(), "reports": [{"worker": 0, "parts": 2}, {"worker": 1}]},
    ),
    WHAT.kind.states.report: (lambda event: ReportEvent.of(WHAT.kind, event), {"table": "T", "retrofit": "run-1"}),
    "Compare": (Compared.of, {"table": "T", "run": "run-2", "compare": {"run": "run-1"}}),
}
BAD: list[tuple[str, dict[str, Any]]] = [
    *(("Plan", {name: 5}) for name in EXECUTION),
    (WHAT.kind.states.turn, {"worker": True}),
    (WHAT.kind.states.turn, {"worker": 2}),
    (WHAT.kind.states.turn, {"worker": -1}),
    (WHAT.kind.states.turn, {"work": {name: value for name, value in work().items() if name != "form"}}),
    (WHAT.kind.states.turn, {"work": work(reading=form.write(replace(WHAT.plan.reading, workers=0)))}),
    (WHAT.kind.states.finish, {"reports": [{"worker": "0"}]}),
    (WHAT.kind.states.finish, {"reports": [{"worker": True}]}),
    (WHAT.kind.states.finish, {"reports": {"worker": 0}}),
    (WHAT.kind.states.report, {"table": 5}),
    (WHAT.kind.states.report, {"retrofit": None}),
    ("Compare", {"table": 5}),
    ("Compare", {"run": None}),
    ("Compare", {"compare": {"run": 5}}),
    ("Compare", {"compare": None}),
]


@pytest.mark.parametrize(("state", "wrong"), BAD)
def test_an_event_with_a_part_that_is_wrong_is_refused(state: str, wrong: dict[str, Any]) -> None:
    read, event = GOOD[state]
    with refused(InputError, "the event", rule=f"sends to {state};"):
        read({**event, **wrong})


def test_the_first_turn_has_no_progress_and_a_later_one_that_of_the_turn_before() -> None:
    event = {"work": work(), "worker": 1}
    assert (turn_of(WHAT.kind, event).progress, turn_of(WHAT.kind, event).after) == (None, None)
    later = turn_of(WHAT.kind, {**event, "progress": STATE})
    assert (later.worker, later.progress, later.after) == (1, WHAT.reached[1], None)
