"""A canary in every key: after any fault, only parts and cursors contain it."""

import base64
import copy
import io
import json
import logging
import sys
import traceback
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain, repeat
from typing import Any

import boto3
import pytest
from botocore.awsrequest import AWSResponse
from botocore.exceptions import (
    ConnectionClosedError,
    HTTPClientError,
    ParamValidationError,
    ReadTimeoutError,
)
from botocore.parsers import ResponseParserError

from skipscan.aws import clients, lean
from skipscan.cli import keys
from skipscan.cli.main import run_command_line
from skipscan.library import stream
from skipscan.loop.run_batch import run_batch
from skipscan.pace import bounds
from tests.fakes.definition import KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.error import service_error
from tests.fakes.faults import Interrupted
from tests.fakes.handlers.execution import CONTEXT, Machine
from tests.fakes.s3 import FakeS3
from tests.simulation.inputs.clock import Clock

pytestmark = pytest.mark.slow

CANARY = "canary-8f3a"
ECHO = f'The provided starting key is invalid: {{"pk": {{"S": "{CANARY}1"}}}}'


def _service(code: str, status: int = 400) -> Exception:
    error = service_error(code, ECHO, "Scan")
    error.response["ResponseMetadata"]["HTTPStatusCode"] = status
    return error


def _decoding() -> Exception:
    try:
        json.loads(f'{{"Items": [{{"pk": "{CANARY}')
    except ValueError as error:
        return error
    raise AssertionError


def _chained() -> Exception:
    try:
        raise RuntimeError("outer") from KeyError(CANARY)
    except RuntimeError as error:
        return error


FAULTS: dict[str, Callable[[], Exception]] = {
    "validation": lambda: _service("ValidationException"),
    "serialization": lambda: _service("SerializationException"),
    "access denied": lambda: _service("AccessDeniedException"),
    "gone": lambda: _service("ResourceNotFoundException"),
    "throttled": lambda: _service("ThrottlingException"),
    "provisioned": lambda: _service("ProvisionedThroughputExceededException"),
    "server": lambda: _service("InternalServerError", 500),
    "a code that is none": lambda: _service(f"<html>{CANARY}</html>"),
    "parameters": lambda: ParamValidationError(report=f"Invalid type for ExclusiveStartKey.pk, value: {CANARY}"),
    "parser": lambda: ResponseParserError(f"Unable to parse response, invalid response received:\n{CANARY}"),
    "http client": lambda: HTTPClientError(error=f"unexpected {CANARY}"),
    "timeout": lambda: ReadTimeoutError(endpoint_url="https://dynamodb.example"),
    "closed": lambda: ConnectionClosedError(endpoint_url="https://dynamodb.example"),
    "decoding": _decoding,
    "key error": lambda: KeyError(CANARY),
    "value error": lambda: ValueError(f"bad {CANARY}"),
    "unicode": lambda: UnicodeDecodeError("utf-8", CANARY.encode(), 0, 1, CANARY),
    "chained": _chained,
    "recursion": lambda: RecursionError(CANARY),
    "os": lambda: OSError(5, CANARY),
}


def customers() -> FakeDynamoDB:
    fake = FakeDynamoDB()
    fake.add(
        TableDefinition("Orders", KeySchema.of(("pk", "S"), ("sk", "S"))),
        [
            {"pk": {"S": f"{CANARY}{n}"}, "sk": {"S": f"{CANARY}-{m}"}, "name": {"L": [{"S": CANARY}]}}
            for n in range(30)
            for m in range(1 + n % 5)
        ],
    )
    return fake


class Witness:
    """All that is said while it listens: logs of every library, stdout, stderr, exceptions and answers."""

    def __init__(
        self,
        listing: Machine,
        capfd: pytest.CaptureFixture[str],
        caplog: pytest.LogCaptureFixture,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        self._listing, self._capfd, self._caplog = listing, capfd, caplog
        self._logs = io.StringIO()
        for module in (listing.plan, listing.worker, listing.finish):
            for handler in module.function.logger.handlers:
                monkeypatch.setattr(handler, "stream", self._logs)
        self.heard: list[str] = []
        self.failed = 0
        self.turned = False
        """Whether any run came as far as Scan."""

    def call(self, handler: Callable[..., Any], event: Any) -> Any:
        """Return what a handler returns, `None` where it raises."""
        try:
            answer = handler(event, CONTEXT)
        except Exception as error:
            self.failed += 1
            self.heard += [*traceback.format_exception(error), str(error), repr(error), type(error).__name__]
            return None
        said = copy.deepcopy(answer)
        said.pop("cursors", None)
        self.heard.append(json.dumps(said))
        return answer

    def run(self, document: dict[str, Any]) -> None:
        """Run an execution as far as it comes, with three attempts of every turn."""
        event = {"input": document, "name": "run-1", "execution": "arn:run-1", "started": "2026-01-01T00:00:00Z"}
        planned = self.call(self._listing.plan.handler, event)
        if not planned or "work" not in planned:
            return
        self.turned = True
        progress, turn = None, {"work": planned["work"], "worker": 0}
        for _ in range(60):
            failed = self.failed
            reached = self.call(self._listing.worker.handler, {**turn, "progress": progress} if progress else turn)
            progress = reached or progress
            if (progress and progress["done"]) or self.failed - failed > 2:
                break
        reports = [progress["report"]] if progress and progress["done"] else []
        self.call(self._listing.finish.handler, {"work": planned["work"], "reports": reports})

    def check(self, bucket: FakeS3) -> None:
        out, err = self._capfd.readouterr()
        logs = self._logs.getvalue()
        assert logs
        for text in (out, err, logs, self._caplog.text, *self.heard):
            assert CANARY not in text
            assert base64.b64encode(CANARY.encode()).decode()[:-4] not in text
        for name, stored in bucket.objects.items():
            assert CANARY not in name + str(stored.metadata)
            assert "/keys/" in name or CANARY.encode() not in stored.body


@pytest.fixture
def witness(
    counted_listing: Machine,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> Witness:
    caplog.set_level(logging.INFO)
    return Witness(counted_listing, capfd, caplog, monkeypatch)


def _errors(make: Callable[[], Exception], answered: int) -> Iterator[Exception | None]:
    """Return the fault after so many answers: for good, but for one more answer in seven."""
    return chain(repeat(None, answered), (None if n % 7 == 6 else make() for n in range(10**6)))


@pytest.mark.sampled(6)
@pytest.mark.parametrize("fault", FAULTS)
def test_no_fault_of_a_scan_or_a_query_reveals_a_key(
    witness: Witness, counted_listing: Machine, fake_bucket: FakeS3, fault: str
) -> None:
    for answered, dry_run, end in (
        (0, False, "first"),
        (1, False, ""),
        (1, False, "last"),
        (5, False, "last"),
        (2, True, "first"),
    ):
        fake_bucket.objects.clear()
        client = Interrupted(customers(), _errors(FAULTS[fault], answered))
        counted_listing.worker.dynamodb = client  # type: ignore[attr-defined]
        counted_listing.plan.dynamodb = client if dry_run else customers()  # type: ignore[attr-defined]
        take = {end: "all" if answered else ["name"]} if end else None
        witness.run({"table": "Orders", "segments": 4, "workers": 1, "dry_run": dry_run, "take": take})
        witness.check(fake_bucket)
    assert witness.turned


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


@pytest.mark.sampled(3)
@pytest.mark.parametrize("answer", BODIES)
def test_no_unreadable_answer_reveals_a_key(
    witness: Witness, counted_listing: Machine, fake_bucket: FakeS3, caplog: pytest.LogCaptureFixture, answer: str
) -> None:
    client = clients.dynamodb(boto3.Session(region_name="us-east-1"), connections=16)
    before_send: Any = BODIES[answer]  # botocore takes an answer; its stubs know of none
    client.meta.events.register("before-send.dynamodb.Scan", before_send)
    counted_listing.plan.dynamodb = customers()  # type: ignore[attr-defined]
    counted_listing.worker.dynamodb = client  # type: ignore[attr-defined]
    witness.run({"table": "Orders", "segments": 2, "workers": 1})
    witness.check(fake_bucket)
    assert witness.turned


@pytest.mark.parametrize("form", ["text", "jsonl"])
@pytest.mark.parametrize("fault", [*FAULTS, None])
def test_the_command_line_shows_keys_on_stdout_alone(
    monkeypatch: pytest.MonkeyPatch, fault: str | None, form: str
) -> None:
    errors = _errors(FAULTS[fault], 3) if fault else iter([])
    client: Any = Interrupted(customers(), errors)
    monkeypatch.setattr(lean, "lean_dynamodb", lambda *_, **__: client)
    clock = Clock()
    monkeypatch.setattr(keys, "time", clock)
    monkeypatch.setattr(stream, "time", clock)
    monkeypatch.setattr(stream, "run_batch", partial(run_batch, sleep=clock.sleep))
    monkeypatch.setattr(sys, "argv", ["skipscan", "keys", "Orders", "--region", "us-east-1", "--format", form])
    output, said = io.TextIOWrapper(io.BytesIO()), io.StringIO()
    monkeypatch.setattr(sys, "stdout", output)
    monkeypatch.setattr(sys, "stderr", said)
    with pytest.raises(SystemExit) as ended:
        run_command_line()
    monkeypatch.undo()
    assert "Traceback" not in said.getvalue()
    assert CANARY not in said.getvalue()
    signs = [line for line in said.getvalue().splitlines() if not line.startswith("skipscan: throttled for ")]
    assert bool(signs) == bool(ended.value.code)
    lines = output.buffer.getvalue().decode().splitlines()
    assert all(CANARY in line for line in lines)
    assert len(lines) == (30 if ended.value.code == 0 else len(set(lines)))


@pytest.mark.parametrize("answered", [0, 1])
def test_endless_throttling_ends_with_a_message(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], answered: int
) -> None:
    client: Any = Interrupted(customers(), chain(repeat(None, answered), (FAULTS["throttled"]() for _ in range(10**6))))
    monkeypatch.setattr(lean, "lean_dynamodb", lambda *_, **__: client)
    clock = Clock()
    monkeypatch.setattr(keys, "time", clock)
    monkeypatch.setattr(stream, "time", clock)
    # Every wait is measured by the clock that sleeping advances: else the waits of all threads would add up.
    monkeypatch.setattr(bounds.Clock, "started", lambda: bounds.Clock(clock.monotonic))
    monkeypatch.setattr(stream, "run_batch", partial(run_batch, sleep=clock.sleep))
    monkeypatch.setattr(sys, "argv", ["skipscan", "keys", "Orders", "--region", "us-east-1"])
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO()))
    with pytest.raises(SystemExit) as ended:
        run_command_line()
    said = capsys.readouterr().err
    assert ended.value.code == 1, said
    assert "skipscan: throttled for" in said
    assert 'table "Orders" was throttled for 5 min 00 s without a page' in said
    assert clock.monotonic() < 1000
    assert CANARY not in said
