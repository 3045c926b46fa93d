"""The Act state machine in a few lines, over runs of the listing one."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from tests.handlers.execution import CONTEXT, Machine, through_json

TARGET = "arn:aws:lambda:us-east-1:000000000000:function:receiver"
QUEUE = "arn:aws:sqs:us-east-1:123456789012:keys"
FIFO = f"{QUEUE}.fifo"
MARKER = {"item": {"sk": "#static", "GSI-pk": "{pk}"}}


@dataclass
class Acting:
    """The three handlers of jobs, and the listing whose runs they act on."""

    listing: Machine
    plan_act: ModuleType
    act: ModuleType
    finish_act: ModuleType

    def run(self, name: str = "job-1", **document: Any) -> dict[str, Any]:
        """Return an execution's output, or the error and cause it fails with; unless told, for real."""
        planned = self.planned({"table": "T-1", "run": "run-1", "dry_run": False, **document}, name)
        if "workers" not in planned:
            return planned
        return self.finished(planned, [list(self.turns(planned, w))[-1]["report"] for w in planned["workers"]])

    def planned(self, document: object, name: str = "job-1", started: str = "2026-01-01T00:00:00Z") -> dict[str, Any]:
        event = {"input": document, "name": name, "execution": f"arn:{name}", "started": started}
        return through_json(self.plan_act.handler(through_json(event), CONTEXT))

    def turn(self, planned: Mapping[str, Any], worker: int, progress: Mapping[str, Any] | None) -> dict[str, Any]:
        event = {"work": planned["work"], "worker": worker, **({"progress": progress} if progress is not None else {})}
        return through_json(self.act.handler(through_json(event), CONTEXT))

    def turns(self, planned: Mapping[str, Any], worker: int) -> Iterator[dict[str, Any]]:
        progress = None
        while progress is None or not progress["done"]:
            progress = self.turn(planned, worker, progress)
            yield progress

    def finished(self, planned: Mapping[str, Any], reports: list[dict[str, Any]]) -> dict[str, Any]:
        return through_json(
            self.finish_act.handler(through_json({"work": planned["work"], "reports": reports}), CONTEXT)
        )

    def failed(self, job: str = "job-1") -> list[Any]:
        """Return the failed keys of a job with their reasons."""
        names = self.listing.objects(f"/acts/{job}/failed/")
        return [json.loads(line) for name in names for line in self.listing.read(name).splitlines()]
