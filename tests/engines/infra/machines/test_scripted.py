"""Every path of the four state machines, by functions that answer and fail as a script says.

How often each state is tried, and after which errors: test_state_machine.py.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from moto import mock_aws

from skipscan.environment import KINDS
from skipscan.errors import BatchError, InputError, StateError
from skipscan.loop.kind import Kind
from skipscan.scan.history import TURN_EVENTS
from tests.engines.infra.machines.conftest import TOPIC, Definitions
from tests.engines.infra.machines.interpreter import Ended, Function, Interpreter, interpreter
from tests.unit.handlers.conftest import SESSION

pytestmark = pytest.mark.xdist_group("synth")

PASSING = BatchError("a request failed", rule="", remedy="")
KIB = 1024
ATTEMPT_EVENTS = 3
"""Of a failed attempt: scheduling, start, failure."""


class ContinuousBackupsUnavailableException(Exception):  # noqa: N818 (DynamoDB's name)
    """DynamoDB does not switch a new table's recovery on yet."""


@dataclass(frozen=True)
class Scenario:
    """`failures`: of the first calls of `plan`, `turn`, `finish`, `report` or `compare`. `turns`: of each worker.

    `error`: with which the execution fails; `None` for one that succeeds. `calls`: of each function, where it is not
    once. `last`: the name of the last state, without the kind's own word. `kinds`: that have the scenario.
    """

    failures: Mapping[str, list[Exception]] = field(default_factory=dict)
    planned: Mapping[str, Any] = field(default_factory=dict)
    turn: Mapping[str, Any] = field(default_factory=dict)
    finished: Mapping[str, Any] = field(default_factory=dict)
    workers: int = 2
    turns: int = 2
    error: str | None = None
    calls: Mapping[str, int] = field(default_factory=dict)
    last: str = "{} done"
    kinds: tuple[str, ...] = tuple(KINDS)
    announced: bool = True


def soon() -> str:
    return (datetime.now(UTC) + timedelta(seconds=1)).isoformat(timespec="seconds").replace("+00:00", "Z")


REFUSED = {"error": "InputError", "cause": "segments is 0"}
NOTHING_ELSE = {"turn": 0, "finish": 0, "report": 0}
SCENARIOS = {
    "whole": Scenario(),
    "whole, with a wait for the rate": Scenario(turn={"paid_off": soon}),
    "refused": Scenario(planned=REFUSED, error="InputError", calls=NOTHING_ELSE, last="Plan refused"),
    "dry": Scenario(planned={"explanation": {"keys": 9}}, calls=NOTHING_ELSE, last="Plan only"),
    "Plan is hopeless": Scenario(
        {"plan": [StateError("no", rule="", remedy="")]}, error="StateError", calls=NOTHING_ELSE, last="Plan"
    ),
    "a turn fails nine times": Scenario(
        {"turn": [PASSING] * 9},
        workers=1,
        error="BatchError",
        calls={"turn": 9, "finish": 0, "report": 0},
        last="Workers",
    ),
    "a turn is hopeless": Scenario(
        {"turn": [InputError("no", rule="", remedy="")]},
        workers=1,
        error="InputError",
        calls={"turn": 1, "finish": 0, "report": 0},
        last="Workers",
    ),
    "incomplete": Scenario(
        finished={"error": "BudgetError", "cause": "the budget is used up"},
        error="BudgetError",
        calls={"report": 0},
        last="{} incomplete",
    ),
    "Report fails": Scenario({"report": [PASSING] * 9}, calls={"report": 3}),
    "no workers": Scenario(workers=0),
    "compared": Scenario(finished={"compare": {"run": "run-0"}}, calls={"compare": 1}, kinds=("run",)),
    "Compare fails": Scenario(
        {"compare": [PASSING] * 5},
        finished={"compare": {"run": "run-0"}},
        error="BatchError",
        calls={"compare": 5},
        last="Compare",
        kinds=("run",),
    ),
    "not announced": Scenario(announced=False, kinds=("run",)),
    "recovery after 20 tries": Scenario(
        {"plan": [ContinuousBackupsUnavailableException("enabling")] * 20}, calls={"plan": 21}, kinds=("copy",)
    ),
    "reports of 270 KiB": Scenario(
        turn={"report": {"text": "x" * 135 * KIB}},
        error="States.DataLimitExceeded",
        calls={"turn": 4, "finish": 0, "report": 0},
        last="Workers",
    ),
}
CASES = [
    pytest.param(name, kind, marks=pytest.mark.long if at else ())
    for name, scenario in SCENARIOS.items()
    for at, kind in enumerate(scenario.kinds)
]
"""The states of all kinds are built by the same code: `make test` tries the first kind of each scenario."""


def function(state: str) -> str:
    return state.lower().replace(" ", "-")


def scripted(scenario: Scenario, kind: Kind[Any]) -> dict[str, Function]:
    """Return the functions, by the name of their state."""
    workers = range(scenario.workers)
    shared = {"workers": [*workers], "workers_at_once": max(1, scenario.workers)}

    def answer(role: str) -> Function:
        failures, reached = [*scenario.failures.get(role, ())], dict.fromkeys(workers, 0)

        def called(event: dict[str, Any]) -> Any:
            if failures:
                raise failures.pop(0)
            match role:
                case "plan":
                    return {"work": {"name": event["name"]}, **shared, **scenario.planned}
                case "turn":
                    worker = event["worker"]
                    reached[worker] += 1
                    said = {key: value() if callable(value) else value for key, value in scenario.turn.items()}
                    return {"done": reached[worker] == scenario.turns, "report": {"worker": worker}, **said}
                case "finish":
                    return {"notice": "T-1: 9 keys", "keys": 9, "reports": len(event["reports"]), **scenario.finished}
            return {"done": role, "notice": "T-1: 9 keys"}

        return called

    return {function(state): answer(role) for role, state in {**kind.states, "compare": "Compare"}.items()}


Runs = Callable[[str, str], tuple[Ended, Interpreter]]


@pytest.fixture
def scripted_run(definitions: Definitions) -> Iterator[Runs]:
    def run(name: str, kind: str) -> tuple[Ended, Interpreter]:
        scenario = SCENARIOS[name]
        if scenario.announced:
            SESSION.client("sns").create_topic(Name=TOPIC.rpartition(":")[2])
        with interpreter(SESSION.client("stepfunctions"), scripted(scenario, KINDS[kind])) as machines:
            return machines.run(definitions[kind], {"table": "T-1"}), machines

    with mock_aws():
        yield run


@pytest.mark.parametrize(("name", "kind"), CASES)
def test_a_scenario_ends_as_the_specification_says(scripted_run: Runs, name: str, kind: str) -> None:
    scenario = SCENARIOS[name]
    ended, machines = scripted_run(name, kind)
    assert (ended.status, ended.error) == ("FAILED" if scenario.error else "SUCCEEDED", scenario.error)
    calls = {"turn": scenario.workers * scenario.turns, "compare": 0, **scenario.calls}
    states = KINDS[kind].states
    for role, state in {**states, "compare": "Compare"}.items():
        assert machines.calls.count(function(state)) == calls.get(role, 1), role
    own = {"Plan": states["plan"], "Finish": states["finish"]}.get(scenario.last, scenario.last)
    assert ended.entered[-1] == own.format(kind.capitalize())
    if name == "whole":
        assert ended.entered[:5] == (
            *(states["plan"], "Plan accepted?", "Workers"),
            *(states["finish"], f"{kind.capitalize()} complete?"),
        )
    if not scenario.error and "explanation" not in scenario.planned:
        assert ended.output["reports"] == scenario.workers
        assert ("report" in ended.output, "not_reported" in ended.output) == (
            (False, True) if name == "Report fails" else (True, False)
        )
        assert bool({"not_announced", "not_published"} & ended.output.keys()) == (not scenario.announced)


def test_a_worker_s_history_grows_as_plan_expects(definitions: Definitions) -> None:
    """The Map's child is run as an execution of its own, which it is in Step Functions."""
    child = definitions["run"]["States"]["Workers"]["ItemProcessor"]

    def events(turns: int, failures: int = 0) -> int:
        functions = scripted(Scenario({"turn": [PASSING] * failures}, turns=turns), KINDS["run"])
        with interpreter(SESSION.client("stepfunctions"), functions) as machines:
            worker = machines.run({name: child[name] for name in ("StartAt", "States")}, {"work": {}, "worker": 0})
        assert worker.status == "SUCCEEDED"
        return worker.events

    with mock_aws():
        assert events(turns=5) - events(turns=2) == 3 * TURN_EVENTS
        assert events(turns=2, failures=4) - events(turns=2) == 4 * ATTEMPT_EVENTS
