"""A listing and an act from Plan to their ends: what is retried, what is caught, and what is neither."""

import json
from typing import Any

import pytest
from moto.sns.models import sns_backends

from skipscan.cli.advice import as_options
from skipscan.environment.executions import Executions
from skipscan.errors import BatchError, InputError, text_of
from skipscan.scan.history import TURN_EVENTS
from tests.engines.infra.machines.definitions import ACCOUNT, REGION, TOPIC, Definitions
from tests.engines.infra.machines.interpreter import Ended, Interpreter, RefusedError
from tests.fakes.attribute_value import Item
from tests.fakes.definition import KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.handlers.acting import MARKER
from tests.fakes.handlers.execution import Machine
from tests.unit.handlers.conftest import SESSION

ATTEMPT_EVENTS = 3
"""Of a failed attempt: scheduling, start, failure."""

pytestmark = pytest.mark.xdist_group("synth")


def long(*states: str) -> list[Any]:
    """Return states that only the long tests try."""
    return [pytest.param(state, marks=pytest.mark.long) for state in states]


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


def test_a_listing_is_planned_mapped_over_workers_finished_and_announced(
    machines: Interpreter, definitions: Definitions, listing: Machine
) -> None:
    SESSION.client("sns").create_topic(Name=TOPIC.rpartition(":")[2])
    ended = listed(machines, definitions)
    assert (ended.status, ended.output["keys"], {"not_announced", "not_published"} & ended.output.keys()) == (
        "SUCCEEDED",
        9,
        set(),
    )
    assert sorted(line["pk"] for line in listing.lines()) == [f"p{n}" for n in range(9)]
    assert ended.entered == (
        *("Plan", "Plan accepted?", "Workers", "Finish", "Run complete?", "Report", "Comparison asked?"),
        *("Run of make verify?", "Announcement", "Announce", "Publish", "Output of the run", "Run done"),
    )
    assert machines.calls[0] == "plan"
    assert machines.calls[-2:] == ["finish", "report"]
    assert set(machines.calls[1:-2]) == {"scan"}
    assert machines.waits == []


# The topic is moto's, which LocalStack's interpreter publishes to through a process of its own.
@pytest.mark.parametrize("interpreted", ["moto"], indirect=True)
def test_programs_get_the_output_as_json_and_people_a_sentence(
    machines: Interpreter, definitions: Definitions, dynamodb: FakeDynamoDB
) -> None:
    SESSION.client("sns").create_topic(Name=TOPIC.rpartition(":")[2])
    first = machines.run(definitions["run"], LISTING, name="first")
    dynamodb.table("T-1").put({"pk": {"S": "new"}, "sk": {"S": "s"}})
    second = machines.run(definitions["run"], {**LISTING, "compare": "previous"}, name="second")
    published = sns_backends[ACCOUNT][REGION].topics[TOPIC].sent_notifications
    sentences = []
    for ended, (_, message, *_) in zip((first, second), published, strict=True):
        texts = json.loads(message)
        assert json.loads(texts["default"])["output"] == ended.output
        assert texts["email"] == ended.output["notice"]
        sentences.append(texts["email"].rpartition(", $")[0])
    assert sentences == ["T-1: 9 keys", "T-1: 1 new, 0 vanished, 10 in all"]


def test_a_run_that_cannot_be_announced_is_finished_all_the_same(
    machines: Interpreter, definitions: Definitions
) -> None:
    """There is no such topic: tried again four times, then caught."""
    ended = listed(machines, definitions)
    assert (ended.status, ended.output["keys"]) == ("SUCCEEDED", 9)
    assert ended.output["not_published"]["Error"] == "SNS.NotFoundException"
    assert ended.failures == ("SNS.NotFoundException",) * 5
    assert len(machines.waits) == 4
    assert ended.entered[-3:] == ("Publish", "Output of the run", "Run done")


def test_a_requested_comparison_is_made(machines: Interpreter, definitions: Definitions) -> None:
    ended = listed(machines, definitions, compare="previous")
    assert ended.output["diff"]["outcome"] == "first"
    assert "Compare" in ended.entered


def test_a_dry_run_ends_with_its_explanation(machines: Interpreter, definitions: Definitions) -> None:
    ended = listed(machines, definitions, dry_run=True)
    assert (ended.status, ended.entered) == ("SUCCEEDED", ("Plan", "Plan accepted?", "Plan only"))
    assert ended.output["choice"]["strategy"] == "skip scan"


def test_an_input_with_a_mistake_fails_with_the_mistake_and_is_not_tried_again(
    machines: Interpreter, definitions: Definitions
) -> None:
    ended = machines.run(definitions["run"], {"table": "T-1", "segments": 0})
    assert (ended.status, ended.error) == ("FAILED", "InputError")
    assert ended.cause is not None
    assert "segments is 0" in ended.cause
    assert machines.calls == ["plan"]


# LocalStack's interpreter has no API: what moto has of its executions is that they were stopped.
@pytest.mark.parametrize("interpreted", ["moto"], indirect=True)
def test_a_refusal_is_in_the_history_as_data(machines: Interpreter, definitions: Definitions) -> None:
    machines.run(definitions["run"], {"table": "T-1", "segments": 0})
    found = [
        execution
        for machine in machines.client.list_state_machines()["stateMachines"]
        for execution in machines.client.list_executions(stateMachineArn=machine["stateMachineArn"])["executions"]
    ]
    ended = max(found, key=lambda execution: execution["startDate"])
    executions = Executions(machines.client, ended["stateMachineArn"])
    execution = executions.at(ended["executionArn"])
    assert execution is not None
    refusal = executions.refusal(execution)
    assert refusal is not None
    said = as_options((*text_of(refusal["fact"]), ": ", *text_of(refusal["remedy"])), {"--segments"})
    assert said == "--segments is 0; DynamoDB allows 1 to 1000000: raise it or leave it out"


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


@pytest.mark.parametrize("state", ["scan", *long("plan", "finish", "compare")])
def test_what_may_pass_is_tried_again_with_waits_that_double(
    machines: Interpreter, definitions: Definitions, state: str
) -> None:
    failing(machines, state, [BatchError("a request failed", rule="", remedy="")] * 4)
    SESSION.client("sns").create_topic(Name=TOPIC.rpartition(":")[2])
    ended = listed(machines, definitions, compare="previous", workers=1)
    assert (ended.status, ended.output["keys"]) == ("SUCCEEDED", 9)
    assert [wait <= most for wait, most in zip(machines.waits, (2, 4, 8, 16), strict=True)] == [True] * 4


@pytest.mark.parametrize("state", ["scan", *long("plan", "finish")])
def test_what_does_not_pass_fails_the_execution_under_its_own_name(
    machines: Interpreter, definitions: Definitions, state: str
) -> None:
    failing(machines, state, [BatchError("a request failed", rule="", remedy="")] * 99)
    ended = listed(machines, definitions, workers=1)
    assert (ended.status, ended.error) == ("FAILED", "BatchError")
    assert machines.calls.count(state) == (5 if state == "plan" else 9)


@pytest.mark.parametrize("state", ["scan", *long("plan", "finish")])
def test_permanent_errors_are_not_retried(machines: Interpreter, definitions: Definitions, state: str) -> None:
    failing(machines, state, [InputError("segments is 0", rule="", remedy="")])
    ended = listed(machines, definitions, workers=1)
    assert (ended.status, ended.error) == ("FAILED", "InputError")
    assert (machines.calls.count(state), machines.waits) == (1, [])


@pytest.mark.parametrize(
    "error", [InputError("no plan", rule="", remedy=""), RefusedError("Lambda.TooManyRequestsException", "Rate")]
)
def test_a_failed_report_is_named_in_the_output_and_fails_nothing(
    machines: Interpreter, definitions: Definitions, error: Exception
) -> None:
    failing(machines, "report", [error] * 99)
    SESSION.client("sns").create_topic(Name=TOPIC.rpartition(":")[2])
    ended = listed(machines, definitions, workers=1)
    assert (ended.status, ended.output["keys"], "report" in ended.output) == ("SUCCEEDED", 9, False)
    assert ended.output["not_reported"]["Error"]
    assert machines.calls.count("report") == 3
    assert sum(machines.waits) <= 6


def test_a_worker_without_a_slot_is_retried_longer_than_any_other(
    machines: Interpreter, definitions: Definitions
) -> None:
    """Sixty refusals in a row, and then an error that may pass: each has a retrier of its own."""
    refusal = RefusedError("Lambda.TooManyRequestsException", "Rate Exceeded.")
    failing(machines, "scan", [*[refusal] * 60, BatchError("a request failed", rule="", remedy="")])
    ended = listed(machines, definitions, workers=1)
    assert (ended.status, ended.output["keys"]) == ("SUCCEEDED", 9)
    assert 600 < max(machines.waits) <= 900


def test_an_act_puts_its_marker_into_every_item_collection_of_a_run(
    act_machines: Interpreter, definitions: Definitions, dynamodb: FakeDynamoDB
) -> None:
    listed(act_machines, definitions)
    asked = {"table": "T-1", "run": "run-1", "put_item": MARKER, "dry_run": False, "workers": 2}
    failing(act_machines, "act", [BatchError("a request failed", rule="", remedy="")])
    ended = act_machines.run(definitions["act"], asked, name="act-1")
    assert (ended.status, ended.output["put"]) == ("SUCCEEDED", 9)
    marked = [item for item in dynamodb.table("T-1").items() if item["sk"] == {"S": "#static"}]
    assert len(marked) == 9
    done = ("Finish act", "Act complete?", "Report act", "Act done")
    assert ended.entered == ("Plan act", "Plan accepted?", "Workers", *done)


def test_an_act_without_for_real_ends_with_its_preview(
    act_machines: Interpreter, definitions: Definitions, dynamodb: FakeDynamoDB
) -> None:
    listed(act_machines, definitions)
    ended = act_machines.run(definitions["act"], {"table": "T-1", "run": "run-1", "put_item": MARKER}, name="act-1")
    assert ended.entered[-1] == "Plan only"
    assert len(list(dynamodb.table("T-1").items())) == 90


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
