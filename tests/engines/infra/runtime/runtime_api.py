"""Lambda's Runtime API for one function (Lambda developer guide, "Using the Lambda runtime API")."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import Queue
from threading import Thread
from time import time
from typing import Any

VERSION = "/2018-06-01/runtime"
SECONDS = 600
"""Of one test: a function that says nothing for half of it has failed."""

ARN = "arn:aws:lambda:us-east-1:000000000000:function:test"


class RuntimeApi(ThreadingHTTPServer):
    """`events` are handed out one by one. `answers`: how each ended, and what with; `init` for a start that failed."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.events: Queue[Any] = Queue()
        self.answers: Queue[tuple[str, Any]] = Queue()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: RuntimeApi

    def do_GET(self) -> None:
        assert self.path == f"{VERSION}/invocation/next"
        self._say(
            200,
            json.dumps(self.server.events.get()).encode(),
            **{
                "Lambda-Runtime-Aws-Request-Id": "request-1",
                "Lambda-Runtime-Deadline-Ms": str(int((time() + 900) * 1000)),
                "Lambda-Runtime-Invoked-Function-Arn": ARN,
                "Lambda-Runtime-Trace-Id": "Root=1-5bef4de7-ad49b0e87f6ef6c87fc2e700;Sampled=0",
                "Content-Type": "application/json",  # without it the client dies of a segmentation fault
            },
        )

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])) or b"null")
        kind = "init" if self.path == f"{VERSION}/init/error" else self.path.rpartition("/")[2]
        self.server.answers.put((kind, body))
        self._say(202, b"{}")

    def _say(self, status: int, body: bytes, **headers: str) -> None:
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None: ...


Invoke = Callable[[object], tuple[str, Any]]
"""Returns `response` and the answer to an event, or `error` and what the runtime reports of it."""


@contextmanager
def deployed(folder: Path, handler: str, variables: Mapping[str, str]) -> Iterator[Invoke]:
    """Start a function under AWS's own runtime interface client, as Lambda does: in the folder of the unpacked zip."""
    api = RuntimeApi()
    Thread(target=api.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONDONTWRITEBYTECODE": "1",
        "AWS_LAMBDA_RUNTIME_API": f"127.0.0.1:{api.server_port}",
        "AWS_LAMBDA_FUNCTION_NAME": "test",
        "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": "1769",
        "AWS_EXECUTION_ENV": "AWS_Lambda_python3.14",
        "LAMBDA_TASK_ROOT": str(folder),
        "AWS_REGION": "us-east-1",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        "NO_PROXY": "127.0.0.1",
        **variables,
    }
    command = [sys.executable, "-m", "awslambdaric", handler]
    process = subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT
    )

    def invoke(event: object) -> tuple[str, Any]:
        api.events.put(event)
        return api.answers.get(timeout=SECONDS / 2)

    try:
        yield invoke
    finally:
        process.kill()
        process.wait()
        api.shutdown()
        api.server_close()
