"""The Act state machine in a few lines, over runs of the listing one."""

import json
from dataclasses import dataclass
from typing import Any

from tests.handlers.execution import Machine

TARGET = "arn:aws:lambda:us-east-1:000000000000:function:receiver"
QUEUE = "arn:aws:sqs:us-east-1:123456789012:keys"
FIFO = f"{QUEUE}.fifo"
MARKER = {"item": {"sk": "#static", "GSI-pk": "{pk}"}}


@dataclass
class Acting(Machine):
    """The state machine of jobs, and the listing whose runs they act on."""

    listing: Machine

    def act(self, name: str = "job-1", **document: Any) -> dict[str, Any]:
        """Return an execution's output, or its error and cause; the job writes by default."""
        return self.run({"table": "T-1", "run": "run-1", "dry_run": False, **document}, name)

    def planned(self, document: object, name: str = "job-1", started: str = "2026-01-01T00:00:00Z") -> dict[str, Any]:
        return super().planned(document, name, started)

    def failed(self, job: str = "job-1") -> list[Any]:
        """Return the failed keys of a job with their reasons."""
        names = self.objects(f"/acts/{job}/failed/")
        return [json.loads(line) for name in names for line in self.read(name).splitlines()]
