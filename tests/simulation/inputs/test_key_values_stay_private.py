"""A canary in every key: after any fault, the command line shows it on stdout alone. For states: states/test_canary."""

import io
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import chain, repeat
from typing import Any, cast

import pytest
from botocore.exceptions import (
    ConnectionClosedError,
    HTTPClientError,
    ParamValidationError,
    ReadTimeoutError,
)
from botocore.parsers import ResponseParserError

from skipscan.aws import lean
from skipscan.cli.commands import keys
from skipscan.cli.main import run_command_line
from skipscan.library import patience, stream
from skipscan.loop.results import Results
from skipscan.loop.run_batch import run_batch
from skipscan.pace import bounds
from skipscan.pace.bill import Amounts
from skipscan.retrofit.count_requests import count_indexes
from tests.fakes.definition import KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.error import service_error
from tests.fakes.faulty import faulty
from tests.fakes.small_table import retrofit_plan
from tests.simulation.world.clock import Clock

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
    return FakeDynamoDB(
        TableDefinition("Orders", KeySchema.of(("pk", "S"), ("sk", "S"))),
        [
            {"pk": {"S": f"{CANARY}{n}"}, "sk": {"S": f"{CANARY}-{m}"}, "name": {"L": [{"S": CANARY}]}}
            for n in range(30)
            for m in range(1 + n % 5)
        ],
    )


def _errors(make: Callable[[], Exception], answered: int) -> Iterator[Exception | None]:
    """Return the fault after so many answers: for good, but for one more answer in seven."""
    return chain(repeat(None, answered), (None if n % 7 == 6 else make() for n in range(10**6)))


def listed(patched: pytest.MonkeyPatch, client: Any, form: str, clock: Clock) -> tuple[object, str, str]:
    """Return the status of `skipscan keys`, what it wrote, and what it said."""
    output, said = io.TextIOWrapper(io.BytesIO()), io.StringIO()
    with patched.context() as patch:
        patch.setattr(lean, "lean_dynamodb", lambda *_, **__: client)
        patch.setattr(keys, "time", clock)
        patch.setattr(patience, "time", clock)
        # Every wait is measured by the clock that sleeping advances: else the waits of all threads would add up.
        patch.setattr(bounds.Clock, "started", lambda: bounds.Clock(clock.monotonic))
        patch.setattr(stream, "run_batch", partial(run_batch, sleep=clock.sleep))
        patch.setattr(sys, "argv", ["skipscan", "keys", "Orders", "--region", "us-east-1", "--format", form])
        patch.setattr(sys, "stdout", output)
        patch.setattr(sys, "stderr", said)
        with pytest.raises(SystemExit) as ended:
            run_command_line()
    assert CANARY not in said.getvalue()
    return ended.value.code, output.buffer.getvalue().decode(), said.getvalue()


@pytest.mark.parametrize("form", ["text", "jsonl"])
@pytest.mark.parametrize("fault", [*FAULTS, None])
def test_the_command_line_shows_keys_on_stdout_alone(
    monkeypatch: pytest.MonkeyPatch, fault: str | None, form: str
) -> None:
    errors = _errors(FAULTS[fault], 3) if fault else iter([])
    status, written, said = listed(monkeypatch, faulty(customers(), {"scan": errors, "query": errors}), form, Clock())
    assert "Traceback" not in said
    signs = [line for line in said.splitlines() if not line.startswith("skipscan: throttled for ")]
    assert bool(signs) == bool(status)
    lines = written.splitlines()
    assert all(CANARY in line for line in lines)
    assert len(lines) == (30 if status == 0 else len(set(lines)))


@pytest.mark.parametrize("answered", [0, 1])
def test_endless_throttling_ends_with_a_message(monkeypatch: pytest.MonkeyPatch, answered: int) -> None:
    throttled = chain(repeat(None, answered), (FAULTS["throttled"]() for _ in range(10**6)))
    clock = Clock()
    status, _, said = listed(monkeypatch, faulty(customers(), {"scan": throttled}), "text", clock)
    assert status == 1, said
    assert "skipscan: throttled for" in said
    assert 'table "Orders" was throttled for 5 min 00 s without a page' in said
    assert clock.monotonic() < 1000


def counted(page: Any) -> dict[str, Any]:
    """Return what the count of an index makes of pages like this one."""
    clock, client = Clock(), faulty(None, {"scan": repeat(page)})
    plan, results = replace(retrofit_plan(), counted={"by-made": {"made": "S"}}), cast(Results, None)
    asked: Any = {"until": 600.0, "now": clock.monotonic, "sleep": clock.sleep}
    found: dict[str, Any] = count_indexes(client, plan, Amounts(), results, **asked)["by-made"]
    return found


@pytest.mark.parametrize("fault", FAULTS)
def test_no_fault_of_the_count_of_an_index_reveals_a_key_or_counts_as_a_count(fault: str) -> None:
    found = counted(FAULTS[fault]())
    assert found["entries"] is None
    assert found["stopped_by"]
    assert CANARY not in json.dumps(found)


def test_the_count_of_an_index_does_not_follow_pages_that_go_in_a_circle() -> None:
    consumed = {"ConsumedCapacity": {"CapacityUnits": 1.0}}
    found = counted({"Count": 1, "LastEvaluatedKey": {"id": {"S": CANARY}}, **consumed})
    assert (found["entries"], found["stopped_by"]) == (None, "TableError")
