"""The state machine in a few lines: what Step Functions does with the handlers, JSON between all states."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from tests.fakes.handlers.loading import Loaded
from tests.fakes.s3 import FakeS3

BUCKET = "results"
CONTEXT = SimpleNamespace(
    function_name="test",
    memory_limit_in_mb=1769,
    invoked_function_arn="arn:aws:lambda:us-east-1:000000000000:function:test",
    aws_request_id="request",
    get_remaining_time_in_millis=lambda: 900_000,
)
STATE_BYTES = 256 * 1024


@dataclass
class Machine:
    """The three handlers of a state machine of any kind, and the bucket they write to."""

    s3: FakeS3
    plan: Loaded
    worker: Loaded
    finish: Loaded

    def run(self, document: object, name: str = "run-1") -> dict[str, Any]:
        """Return an execution's output, or the error and cause it fails with."""
        planned = self.planned(document, name)
        return self.ended(planned)

    def ended(self, planned: dict[str, Any]) -> dict[str, Any]:
        """Return the output of an execution with this plan, which may be all of it: refused, or a dry run."""
        if "workers" not in planned:
            return planned
        reports = [list(self.turns(planned, worker))[-1]["report"] for worker in planned["workers"]]
        return self.finished(planned, reports)

    def planned(
        self, document: object, name: str = "run-1", started: str = "2026-01-01T00:00:00Z", arn: str = ""
    ) -> dict[str, Any]:
        event = {"input": document, "name": name, "execution": arn or f"arn:{name}", "started": started}
        return through_json(self.plan.handler(through_json(event), CONTEXT))

    def turn(self, planned: Mapping[str, Any], worker: int, progress: Mapping[str, Any] | None) -> dict[str, Any]:
        event = {"work": planned["work"], "worker": worker}
        if progress is not None:
            event["progress"] = progress
        return through_json(self.worker.handler(through_json(event), CONTEXT))

    def turns(self, planned: Mapping[str, Any], worker: int) -> Iterator[dict[str, Any]]:
        """Return a worker's progress after every turn of its loop, until it is done."""
        progress = None
        while progress is None or not progress["done"]:
            progress = self.turn(planned, worker, progress)
            yield progress

    def finished(self, planned: Mapping[str, Any], reports: list[dict[str, Any]]) -> dict[str, Any]:
        event = {"work": planned["work"], "reports": reports}
        return through_json(self.finish.handler(through_json(event), CONTEXT))

    def objects(self, part_of_name: str = "") -> list[str]:
        return [name for name in sorted(self.s3.objects) if part_of_name in name]

    def read(self, name: str) -> bytes:
        return self.s3.objects[name].body

    def lines(self, run: str = "") -> list[Any]:
        """Return every key in the parts of the runs whose prefix holds `run`, parsed."""
        parts = [name for name in self.objects("/keys/") if run in name]
        return [json.loads(line) for name in parts for line in self.read(name).splitlines()]


def through_json(document: object) -> dict[str, Any]:
    """Return a document as it comes through state, which must be able to hold it."""
    text = json.dumps(document)
    assert len(text) < STATE_BYTES
    parsed: dict[str, Any] = json.loads(text)
    return parsed
