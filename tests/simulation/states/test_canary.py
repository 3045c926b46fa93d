"""A canary in every key and value: no fault of any call of any state shows one, nor does content that is not whole."""

import io
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import count
from types import SimpleNamespace
from typing import Any

import boto3
import pytest
from aws_lambda_powertools import Logger
from botocore.awsrequest import AWSResponse

from skipscan.act.actions.delete_listed import WHOLE_ITEMS
from skipscan.aws import clients
from skipscan.aws.follower import described
from skipscan.copy.replica import late_look_messages
from tests.fakes.handlers.loading import HANDLERS
from tests.fakes.handlers.machines import machines
from tests.house.suite.examples import ALL
from tests.simulation.inputs.test_key_values_stay_private import CANARY, ECHO, FAULTS
from tests.simulation.states.conftest import HOLDS_KEYS, Failing, Listener
from tests.simulation.world.execution import STATES, TURNS, State
from tests.simulation.world.fault import Call
from tests.simulation.world.functions import FOLLOWERS, FUNCTION, RECEIVER, REPLICA, STREAM, TABLE, functions
from tests.simulation.world.orders import INPUTS, MARKER, OrdersWorld

pytestmark = pytest.mark.slow


class Visit:
    """An execution whose every state meets trouble before it is invoked without any."""

    def __init__(self, kind: str, trouble: Callable[[OrdersWorld, str, State], None], **more: Any) -> None:
        self._trouble = trouble
        self._world = OrdersWorld(CANARY)
        self._visited: set[str] = set()
        if kind in {"listing", "act"}:
            listed = {**WHOLE_ITEMS, "compare": None} if "delete_listed" in more else {}
            self._world.carry_out("listing", "run-1", **listed)
        if "undo" in more:
            self._world.carry_out(kind, more["undo"])
        self._world.carry_out(kind, "work-1", self._before, **more)
        assert self._visited == ({"plan"} if "dry_run" in more else {*STATES[kind]})

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
    ("GetItem DeleteItem", {"delete_listed": {}}),
    ("GetItem DeleteItem", {"undo": "work-0"}),
    ("Invoke", {"invoke": {"function": FUNCTION, "keys_per_call": 1}}),
    ("GetQueueUrl SendMessageBatch", {"send": {"queue": RECEIVER, "keys_per_message": 1}}),
]
ASKED: list[tuple[str, str, dict[str, Any]]] = [
    *((kind, "DescribeTable", {}) for kind in STATES),
    ("listing", "Scan", {"take": {"first": "all"}}),
    ("listing", "Query", {"take": {"last": ["a"]}}),
    ("listing", "Scan", {"dry_run": True}),
    *(("act", made, {"put_item": None, **action}) for made, action in ACTIONS),
]
"""What an execution asks for, and the calls that are then made, among others."""


@pytest.mark.parametrize(("kind", "made", "asked"), ASKED)
def test_no_fault_of_any_call_of_a_state_shows_a_key(
    listener: Listener, kind: str, made: str, asked: dict[str, Any]
) -> None:
    """Each call meets one fault after another; in `make test-all` each meets every fault."""
    calls, failed = count(), set[str | None]()
    names = [*FAULTS]

    def trouble(world: OrdersWorld, state: str, event: State) -> None:
        if "put_item" in asked and state not in TURNS:
            return
        stored = dict(world.s3.objects)
        for at in count():
            turn = next(calls)
            for name in names if ALL else [names[turn % len(names)]]:
                world.trouble = failing = Failing(at, FAULTS[name])
                world.s3.objects = dict(stored)  # else what another attempt has stored would end this one early
                listener.hear(lambda: world.answer(state, event))
                world.trouble = lambda call: call.perform()
                listener.check(world)
            failed.add(failing.operation)
            if failing.operation is None:
                break

    Visit(kind, trouble, **asked)
    assert {*made.split()} <= failed


def body(text: str, status: int = 200) -> Callable[..., AWSResponse]:
    class Raw(io.BytesIO):
        def stream(self, **_: Any) -> Iterator[bytes]:
            yield self.read()

    def answer(request: Any, **_: Any) -> AWSResponse:
        headers: Any = {"content-type": "application/x-amz-json-1.0", "x-amzn-requestid": "R"}
        return AWSResponse(request.url, status, headers, Raw(text.encode()))

    return answer


PAGE = f'{{"Items": [{{"pk": {{"S": "{CANARY}"}}}}], "Count": 1, "ConsumedCapacity": {{"CapacityUnits": 0.5}}'
BODIES = {
    "cut short": body(PAGE),
    "no capacity": body(f'{{"Items": [{{"pk": {{"S": "{CANARY}"}}}}]}}'),
    "another key": body(PAGE.replace('"pk"', f'"{CANARY}"') + "}"),
    "another type": body(PAGE.replace('"S"', '"M"') + "}"),
    "no number": body(PAGE.replace("0.5", f'"{CANARY}"') + "}"),
    "bad base64": body(PAGE.replace('"S"', '"B"') + "}"),
    "a list": body(f'["{CANARY}"]'),
    "a word": body(f'"{CANARY}"'),
    "html": body(f"<html>{CANARY}</html>", 400),
    "html of a proxy": body(f"<html>{CANARY}</html>", 503),
    "an error": body(json.dumps({"__type": "com.amazon.coral#ValidationException", "message": ECHO}), 400),
    "an error of another kind": body(json.dumps({"__type": f"x#{CANARY}", "message": ECHO}), 418),
    "no progress": body(PAGE + f', "LastEvaluatedKey": {{"pk": {{"S": "{CANARY}"}}}}}}'),
    "empty": body(""),
}


@pytest.mark.parametrize("answer", BODIES)
def test_no_answer_that_cannot_be_read_shows_a_key(listener: Listener, answer: str) -> None:
    """What botocore makes of the bytes of an answer to Scan."""
    client: Any = clients.dynamodb(boto3.Session("test", "test", region_name="us-east-1"), connections=1)
    client.meta.events.register("before-send.dynamodb.Scan", BODIES[answer])
    scans = count()

    def scan(call: Call) -> Any:
        if call.operation != "Scan":
            return call.perform()
        next(scans)
        return client.scan(**call.parameters)

    def trouble(world: OrdersWorld, state: str, event: State) -> None:
        if state == "scan":
            world.trouble = scan
            listener.hear(lambda: world.answer(state, event))
            world.trouble = lambda call: call.perform()
            listener.check(world)

    Visit("listing", trouble)
    assert next(scans) > 0


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


KEY: Any = {"pk": {"S": f"{CANARY}0"}, "sk": {"S": f"{CANARY}-0"}}
ENVIRON = {
    "SKIPSCAN_TABLE": TABLE,
    "SKIPSCAN_STREAM": STREAM,
    "SKIPSCAN_MARKER": json.dumps(MARKER),
    "SKIPSCAN_KEPT": json.dumps({"set": {"made": "{a}_{b}"}}),
    "SKIPSCAN_REPLICA": json.dumps(REPLICA),
}


def streamed(change: str) -> State:
    record = {"eventName": change, "dynamodb": {"Keys": KEY, "SequenceNumber": "1"}}
    return {"Records": [{"eventSource": "aws:dynamodb", **record}]}


INSERT, REMOVE = map(streamed, ("INSERT", "REMOVE"))
LATE = {"Records": [{"messageId": "m", "body": body} for body in late_look_messages([KEY], STREAM)]}
FOLLOWED: list[tuple[str, list[State], str]] = [
    ("keeper", [INSERT], "DescribeTable Query GetItem PutItem"),
    ("keeper", [INSERT, REMOVE], "DescribeTable Query GetItem DeleteItem"),
    ("keep_attribute", [INSERT], "DescribeTable GetItem UpdateItem"),
    ("replicator", [INSERT], "DescribeTable GetItem PutItem SendMessageBatch"),
    ("replicator", [INSERT, REMOVE], "DescribeTable GetItem DeleteItem SendMessageBatch"),
    ("replicator", [LATE], "DescribeTable GetItem PutItem"),
]
"""By function: its events, before the last of which the item is deleted if it is a removal, and the calls it makes."""


@pytest.mark.parametrize(("name", "events", "made"), FOLLOWED)
def test_no_fault_of_any_call_of_a_follower_shows_a_key(
    listener: Listener, monkeypatch: pytest.MonkeyPatch, name: str, events: list[State], made: str
) -> None:
    handler = functions().modules[name]
    for attribute, value in {
        "os": SimpleNamespace(environ=ENVIRON),
        "described": described.__wrapped__,
        "follower": replace(handler.follower, logger=Logger(level="INFO", stream=listener.logs)),
    }.items():
        monkeypatch.setattr(handler, attribute, value)
    failed, turn = set[str | None](), count()
    for at in count():
        for fault in FAULTS if ALL else [[*FAULTS][next(turn) * 5 % len(FAULTS)]]:
            world = OrdersWorld(CANARY)
            for event in events[:-1]:
                world.answer(name, event)
            if events[-1] is REMOVE:
                world.dynamodb.table(TABLE).delete(KEY)
            world.trouble = failing = Failing(at, FAULTS[fault])
            listener.hear(partial(world.answer, name, events[-1]))
            listener.check(world)
        failed.add(failing.operation)
        if failing.operation is None:
            break
    assert failed - {None} == {*made.split()}


def test_every_function_is_visited() -> None:
    assert {state for states in STATES.values() for state in states} | {*FOLLOWERS} == machines(HANDLERS).keys()
    assert {name for name, *_ in FOLLOWED} == {*FOLLOWERS}
