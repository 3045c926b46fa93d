"""An execution of each kind through the handlers of all its states, over fakes, one call after another."""

import json
from collections.abc import Callable, Generator, Iterator, Mapping
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from datetime import datetime, tzinfo
from functools import cache
from types import ModuleType
from typing import Any, cast
from unittest.mock import patch

from skipscan.aws.bucket import Bucket
from tests.fakes.attribute_value import Item
from tests.fakes.condition import condition
from tests.fakes.definition import KeySchema, TableDefinition
from tests.fakes.denied import Denied
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.error import ConditionalCheckError
from tests.fakes.s3 import FakeS3, paginator
from tests.fakes.session import Session
from tests.faults.functions import BUCKET, VARIABLES, loaded
from tests.handlers.execution import CONTEXT, through_json
from tests.histories.client import assigned, conditional
from tests.inputs.clock import Clock

TABLE, TARGET = "Orders", "Orders-2"
ARN = f"arn:aws:dynamodb:us-east-1:000000000000:table/{TABLE}"
STREAM = f"{ARN}/stream/1"
QUEUE = "https://queue"
REPLICA = {"source": TABLE, "target": TARGET, "stream": STREAM, "queue": QUEUE, "templates": {"made": "{a}_{b}"}}
MARKER = {"sk": "#static", "GSI-pk": "{pk}"}
SMALL = {"segments": 2, "workers": 1, "dry_run": False}

STATES = {
    "listing": ("plan", "scan", "finish", "compare", "report"),
    "act": ("plan_act", "act", "finish_act", "report_act"),
    "retrofit": ("plan_retrofit", "retrofit", "finish_retrofit", "report_retrofit"),
    "copy": ("plan_copy", "copy_page", "finish_copy", "report_copy"),
}
"""By kind: the states of its machine, in their order."""

INPUTS: dict[str, dict[str, Any]] = {
    "listing": {"table": TABLE, "segments": 2, "workers": 1, "compare": "previous"},
    "act": {"table": TABLE, "run": "run-1", "workers": 1, "dry_run": False, "put_item": {"item": MARKER}},
    "retrofit": {"table": TABLE, "set": {"made": "{a}_{b}"}, **SMALL},
    "copy": {"table": TABLE, "to": TARGET, **SMALL},
}
ENDS = {"listing": "keys", "act": "keys", "retrofit": "items", "copy": "items"}
"""By kind: what its output counts."""

Step = tuple[str, dict[str, Any]]
Perform = Callable[[], Any]


class _Table(FakeDynamoDB):
    """DynamoDB with streams and updates."""

    def describe_table(self, **asked: Any) -> dict[str, Any]:
        described = super().describe_table(**asked)
        stream = {"StreamSpecification": {"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"}}
        return {**described, "Table": {**described["Table"], **stream, "LatestStreamArn": STREAM}}

    def update_item(self, **asked: Any) -> dict[str, Any]:
        table, key = self.table(asked["TableName"]), asked["Key"]
        with table.lock:
            old = table.get(key)
            if not condition(conditional(asked), "UpdateItem")(old):
                raise ConditionalCheckError("UpdateItem", old)
            table.put({**key, **(old or {}), **assigned(asked)})
        return {"ConsumedCapacity": {"CapacityUnits": 1.0}}


class _Queue:
    """`bodies`: of the messages."""

    def __init__(self) -> None:
        self.bodies: list[str] = []

    def send_message_batch(self, *, Entries: list[dict[str, Any]], **_: Any) -> dict[str, Any]:  # noqa: N803 (theirs)
        self.bodies += [entry["MessageBody"] for entry in Entries]
        return {"Successful": [{"Id": entry["Id"]} for entry in Entries]}


class _Watched:
    """A client whose calls go through a world's hands."""

    def __init__(self, client: Any, world: "World") -> None:
        self._client, self._world = client, world

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._client, name)
        if name == "get_paginator":
            return lambda operation: paginator(self.list_objects_v2, operation)
        if not callable(found) or name.startswith("__"):
            return found
        return lambda **asked: self._world.call(name, lambda: found(**asked))


class World:
    """The services that the handlers of every kind call. `name`: begins all keys and values.

    `said`: what the functions logged. `trouble`: makes a call; unless replaced, it just does.
    """

    def __init__(self, name: str = "") -> None:
        self.s3 = FakeS3(BUCKET)
        self.dynamodb, self.queue = _Table(), _Queue()
        self.trouble: Callable[[str, Perform], Any] = lambda _, perform: perform()
        key = KeySchema.of(("pk", "S"), ("sk", "S"))
        self.dynamodb.add(TableDefinition(TABLE, key), items(name))
        self.dynamodb.add(TableDefinition(TARGET, key, id="target"))
        self._attempts = 0
        self._clock = Clock()

    def call(self, operation: str, perform: Perform) -> Any:
        return self.trouble(operation, perform)

    def invoke(self, state: str, event: Mapping[str, Any]) -> Any:
        """Return what a state's handler returns."""
        return json.loads(json.dumps(self._opened(state).handler(through_json(event), CONTEXT)))

    def run(self, kind: str, name: str) -> dict[str, Any]:
        """Return an execution's output."""
        return carried_out(execution(kind, name), self.invoke)

    def items(self, table: str) -> list[Item]:
        return sorted(self.dynamodb.table(table).items(), key=repr)

    def _opened(self, state: str) -> Any:
        """Return a state's module, in this world."""
        module: Any = modules()[state]
        function, client, clock = module.function, _Watched(self.s3, self), self._clock
        function.storage = Bucket(cast(Any, client), BUCKET)
        function.settings = replace(function.settings, batch_pages=2, writing={ARN: []})
        function.shell = replace(
            function.shell,
            emit=lambda *_, **__: None,
            clock=clock.monotonic,
            wall=clock.monotonic,
            sleep=clock.sleep,
            random=lambda: 0.5,
            attempt_name=self._attempt,
        )
        services = dict.fromkeys(("pricing", "lambda_", "stepfunctions", "keys"), Denied())
        for name, service in {**services, "dynamodb": self.dynamodb, "sqs": self.queue}.items():
            if hasattr(module, name):
                setattr(module, name, _Watched(service, self))
        return module

    def _attempt(self) -> str:
        self._attempts += 1
        return f"attempt{self._attempts}"


def items(name: str) -> Iterator[Item]:
    """Return five collections of one to three items."""
    for pk in range(5):
        for sk in range(1 + pk % 3):
            values = {"pk": f"{name}{pk}", "sk": f"{name}-{sk}", "a": f"{name}a", "b": f"{name}b{sk}"}
            yield {attribute: {"S": value} for attribute, value in values.items()}


def execution(kind: str, name: str) -> Generator[Step, Any, dict[str, Any]]:
    """Yield each state of an execution and its event; take what the state returned; return the execution's output."""
    plan, turn, finish, *rest = STATES[kind]
    event = {"input": INPUTS[kind], "name": name, "execution": f"arn:{name}", "started": "2026-01-01T00:00:00Z"}
    planned = yield plan, event
    assert "work" in planned, planned
    progress: dict[str, Any] = {}
    while not progress.get("done"):
        before = {"progress": progress} if progress else {}
        progress = yield turn, {"work": planned["work"], "worker": 0, **before}
    output: dict[str, Any] = yield finish, {"work": planned["work"], "reports": [progress["report"]]}
    assert "error" not in output, output
    for state in rest:
        said = yield state, output
        output = {**output, state: said}
    return output


def carried_out(steps: Generator[Step, Any, dict[str, Any]], invoke: Callable[[str, Any], Any]) -> dict[str, Any]:
    """Return the output of an execution each of whose states is invoked so."""
    answer = None
    try:
        while True:
            answer = invoke(*steps.send(answer))
    except StopIteration as ended:
        return {**ended.value}


@cache
def modules() -> dict[str, ModuleType]:
    """Return the handlers by state, each loaded once."""
    variables = {
        **VARIABLES,
        "POWERTOOLS_LOG_LEVEL": "INFO",
        "SKIPSCAN_RETROFIT": json.dumps([ARN]),
        "SKIPSCAN_REPLICAS": json.dumps([REPLICA]),
    }
    session = Session("test", "test", region_name="us-east-1")  # one for all: to read AWS's models takes long
    with patch.dict("os.environ", variables), patch("boto3.Session", lambda: session):
        return {state: loaded(state) for states in STATES.values() for state in states}


class _Noon(datetime):
    """A wall clock that does not move."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> "_Noon":
        return cls(2026, 1, 1, 12, tzinfo=tz)


class _Later(Future[Any]):
    """A call that is made when its result is wanted."""

    def __init__(self, function: Callable[..., Any], *arguments: Any) -> None:
        super().__init__()
        self._call: Callable[[], Any] = lambda: function(*arguments)

    def result(self, timeout: float | None = None) -> Any:
        if not self.done():
            try:
                self.set_result(self._call())
            except BaseException as error:
                self.set_exception(error)
        return super().result(timeout)


class _OneByOne:
    """A pool of threads that makes one call after another, in the caller's thread."""

    def __init__(self, *_: Any, **__: Any) -> None:
        self._calls: list[_Later] = []

    def __enter__(self) -> "_OneByOne":
        return self

    def __exit__(self, *_: object) -> None:
        for call in self._calls:
            if not call.done():
                call.result()

    def submit(self, function: Callable[..., Any], *arguments: Any) -> _Later:
        self._calls.append(_Later(function, *arguments))
        return self._calls[-1]

    def map(self, function: Callable[..., Any], *given: Any) -> list[Any]:
        return [function(*arguments) for arguments in zip(*given, strict=False)]


@contextmanager
def one_by_one() -> Iterator[None]:
    """Let the product's threads run one after another without waits, and let work end at noon."""
    with ExitStack() as stack:
        for module in ("loop.run_batch", "loop.results", "report.committed", "aws.index_count"):
            stack.enter_context(patch(f"skipscan.{module}.ThreadPoolExecutor", _OneByOne))
        for module in ("loop.finish", "aws.reporting"):
            stack.enter_context(patch(f"skipscan.{module}.datetime", _Noon))
        clock = Clock()
        for module in ("aws.sampling", "aws.item_sample"):
            stack.enter_context(patch(f"skipscan.{module}.time", clock))
        yield
