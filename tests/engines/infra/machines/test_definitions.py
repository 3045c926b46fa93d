"""A listing from Plan to its end, with our handlers. What is retried or caught, test_scripted.py tries of all kinds."""

from typing import Any

import pytest

from skipscan.errors import BatchError
from skipscan.scan.history import TURN_EVENTS
from tests.engines.infra.machines.definitions import Definitions
from tests.engines.infra.machines.interpreter import Ended, Interpreter
from tests.fakes.attribute_value import Item
from tests.fakes.definition import KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB

ATTEMPT_EVENTS = 3
"""Of a failed attempt: scheduling, start, failure."""

pytestmark = pytest.mark.xdist_group("synth")


LISTING = {"table": "T-1", "segments": 6, "workers": 3}


@pytest.fixture(autouse=True)
def nine_collections(dynamodb: FakeDynamoDB) -> None:
    items: list[Item] = [{"pk": {"S": f"p{n % 9}"}, "sk": {"S": f"s{n:03}"}} for n in range(90)]
    dynamodb.add(TableDefinition("T-1", KeySchema.of(("pk", "S"), ("sk", "S"))), items)


def failing(machines: Interpreter, state: str, errors: list[Exception]) -> None:
    """Have the first invocations of a function fail, one after the other."""
    function = machines.functions[state]

    def first_fails(event: dict[str, Any]) -> Any:
        if errors:
            raise errors.pop(0)
        return function(event)

    machines.functions = {**machines.functions, state: first_fails}


def listed(machines: Interpreter, definitions: Definitions, **more: object) -> Ended:
    return machines.run(definitions["run"], {**LISTING, **more})


def test_a_run_that_is_resumed_at_a_low_rate_has_its_workers_one_after_the_other(
    machines: Interpreter, definitions: Definitions
) -> None:
    scan = machines.functions["scan"]
    failing(machines, "scan", [BatchError("a request failed", rule="", remedy="")] * 99)
    assert listed(machines, definitions).status == "FAILED"
    under_way: list[int] = []
    turns: list[int] = []

    def alone(event: dict[str, Any]) -> Any:
        under_way.append(event["worker"])
        assert len(under_way) == 1
        turns.append(event["worker"])
        state = scan(event)
        assert state["done"]
        assert state["paid_off"].endswith("Z")
        under_way.remove(event["worker"])
        return state

    machines.functions = {**machines.functions, "scan": alone}
    document = {"table": "T-1", "resume": "run-1", "max_read_units_per_second": 300}
    ended = machines.run(definitions["run"], document, name="run-2")
    assert (ended.status, ended.output["keys"], sorted(turns)) == ("SUCCEEDED", 9, [0, 1, 2])


def test_a_worker_s_history_grows_as_plan_expects(machines: Interpreter, definitions: Definitions) -> None:
    """The Map's child is run as an execution of its own, which it is in Step Functions."""
    child = definitions["run"]["States"]["Workers"]["ItemProcessor"]

    def events(turns: int, failures: int = 0) -> int:
        answers: list[Any] = [BatchError("a request failed", rule="", remedy="")] * failures
        answers += [{"done": turn == turns, "report": {"turns": turns}} for turn in range(1, turns + 1)]

        def scan(_: object) -> Any:
            answer = answers.pop(0)
            if isinstance(answer, Exception):
                raise answer
            return answer

        machines.functions = {"scan": scan}
        worker = machines.run({name: child[name] for name in ("StartAt", "States")}, {"work": {}, "worker": 0})
        assert (worker.status, worker.output) == ("SUCCEEDED", {"turns": turns})
        return worker.events

    assert events(turns=5) - events(turns=2) == 3 * TURN_EVENTS
    assert events(turns=2, failures=4) - events(turns=2) == 4 * ATTEMPT_EVENTS
