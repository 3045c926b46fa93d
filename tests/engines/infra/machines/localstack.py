"""The state machines on LocalStack's interpreter, which runs in a process of its own; the handlers run here.

See localstack_process.py, which also says what is put right in it.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import IO, Any

from botocore.exceptions import ClientError

from infra.bundle import ROOT
from tests.engines.infra.machines.definitions import ACCOUNT, REGION
from tests.engines.infra.machines.interpreter import Ended, Function, Interpreter, ending
from tests.unit.handlers.conftest import SESSION

PYTHON = ROOT / ".venv-localstack" / "bin" / "python"
PROGRAM = Path(__file__).with_name("localstack_process.py")
STATUSES = {"ProgramEnded": "SUCCEEDED", "ProgramError": "FAILED", "ProgramTimedOut": "TIMED_OUT"}
THREADS = 128
"""More than any test has workers."""


@dataclass
class Process:
    """The process; one execution at a time."""

    program: subprocess.Popen[str]
    line: Lock = field(default_factory=Lock)

    @property
    def output(self) -> IO[str]:
        assert self.program.stdout is not None
        return self.program.stdout

    def say(self, document: object) -> None:
        assert self.program.stdin is not None
        with self.line:
            self.program.stdin.write(json.dumps(document) + "\n")
            self.program.stdin.flush()


@contextmanager
def localstack() -> Iterator[Process]:
    assert PYTHON.exists(), "LocalStack is not installed: `make test-all` installs it and runs this test"
    # -P: a file beside the program has the name of its package.
    command = [str(PYTHON), "-P", "-W", "ignore", str(PROGRAM)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as program:
        try:
            process = Process(program)
            assert json.loads(process.output.readline()) == {"ready": True}
            yield process
        finally:
            program.kill()


class LocalStack(Interpreter):
    """An interpreter whose tasks call the functions of a test, and moto for all other services."""

    def __init__(self, process: Process, client: Any, functions: Mapping[str, Function]) -> None:
        super().__init__(client, functions)
        self._process = process

    def run(self, definition: Mapping[str, Any], document: object, name: str = "run-1") -> Ended:
        arn = self.started(definition, document, name)  # Plan asks which executions are running
        asked = {
            "definition": json.dumps(definition),
            "input": document,
            "name": name,
            "arn": arn,
            "role": f"arn:aws:iam::{ACCOUNT}:role/machine",
            "started": datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        }
        self._process.say({"run": asked})
        with ThreadPoolExecutor(THREADS) as pool:
            for line in self._process.output:
                match json.loads(line):
                    case {"ended": found}:
                        self.client.stop_execution(executionArn=arn)
                        error = found["error"] or {}
                        status = STATUSES[found["state"]]
                        return ending(status, found["output"], error.get("error"), error.get("cause"), found["events"])
                    case {"broken": reason}:
                        raise AssertionError(reason)
                    case {"waited": seconds}:
                        self.waits.append(seconds)
                    case call:
                        pool.submit(self._answer, call)
        raise AssertionError("LocalStack's process has ended")

    def _answer(self, call: Mapping[str, Any]) -> None:
        try:
            answer = {"answer": self._answered(call)}
        except ClientError as error:
            refused, status = error.response["Error"], error.response["ResponseMetadata"]["HTTPStatusCode"]
            answer = {"refused": refused["Code"], "message": refused["Message"], "status": status}
        except BaseException as error:  # a test that fails in its function must not wait for ever
            answer = {"refused": type(error).__name__, "message": str(error), "status": 500}
        self._process.say({"id": call["id"], **answer})

    def _answered(self, call: Mapping[str, Any]) -> Any:
        if call["service"] == "lambda":
            return self.invoke(call["parameters"], REGION, None)
        answer = getattr(SESSION.client(call["service"]), call["operation"])(**call["parameters"])
        return {name: value for name, value in answer.items() if name != "ResponseMetadata"}
